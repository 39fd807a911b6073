import type { CommandIo } from "./command-line";

/** Rows as text in columns: two spaces between them, and none at the end of a line. */
export function table(rows: readonly (readonly string[])[], indent = ""): string[] {
  const shown = rows.map((row) => row.map(printable));
  const columns = Math.max(0, ...shown.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, index) => Math.max(...shown.map((row) => [...(row[index] ?? "")].length)));
  const padded = (text: string, index: number) => text + " ".repeat(Math.max(0, (widths[index] ?? 0) - [...text].length));
  return shown.map((row) => `${indent}${row.map(padded).join("  ")}`.trimEnd());
}

/** A text of a server, without what a terminal would take for a command or a line break: those are escaped. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/**
 * The output of a command, without what a terminal would take for a command: errors, findings and JSON have texts of servers. The escapes
 * are those of JSON, which therefore means the same. Its own line breaks stay.
 */
export function withoutControls({ print, complain, progress }: CommandIo): CommandIo {
  const units = (text: string) => text.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const escaped = (text: string) => text.replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => units(character).join(""));
  return { print: (text) => print(escaped(text)), complain: (text) => complain(escaped(text)), progress };
}
