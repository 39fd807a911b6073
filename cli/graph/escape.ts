import { printable } from "../table";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/**
 * A text as content or attribute of XML and HTML. Control and format characters are escaped. U+FFFD replaces other characters that XML
 * can't hold.
 */
export function xmlText(text: string): string {
  const held = printable(text).replace(/[\p{Surrogate}\ufffe\uffff]/gu, "\ufffd");
  return held.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** Lines as a text of the DOT language, which has escapes and HTML entities. */
export function dotText(...lines: readonly string[]): string {
  const escaped = lines.map((line) => printable(line).replace(/[\\"]/g, "\\$&").replaceAll("&", "&amp;"));
  return `"${escaped.join("\\n")}"`;
}

/** JSON in an HTML script: nothing in it ends the script or begins a comment, and all characters are printable. */
export function scriptJson(value: unknown): string {
  const unit = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value).replace(/[<>&\p{Cc}\p{Zl}\p{Zp}]|\p{Cf}|\p{Surrogate}/gu, (character) =>
    character.split("").map(unit).join(""),
  );
}
