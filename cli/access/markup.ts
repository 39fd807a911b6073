import { printable } from "../table";

/** A sentence: words of this command, and texts of programs and servers, which are formatted as code. */
export type Sentence = readonly (string | { readonly code: string })[];

/** A sentence for a terminal. No text of a program or server can end its quotes. */
export function plainText(sentence: Sentence): string {
  return sentence.map((part) => (typeof part === "string" ? part : `\`${printable(part.code).replaceAll("`", "\\u{60}")}\``)).join("");
}

/** A sentence as Markdown. */
export function markdown(sentence: Sentence): string {
  return sentence.map((part) => (typeof part === "string" ? part : codeSpan(part.code))).join("");
}

/** Resources and other quoted texts, and words that are no plain words, such as an address. */
const names = /((?:\b[A-Z]\w* )?"(?:[^"\\]|\\.)*"|[^\s]*[^\sa-zA-Z\d,.:;'`()-][^\s]*?(?=[,.:;]*(?:\s|$)))/;

/** A message of this command, with its names as code. */
export function withNames(message: string): Sentence {
  return message.split(names).flatMap((part, place) => (part === "" ? [] : [place % 2 === 1 ? { code: part } : part]));
}

/** A text as code without markup: its quotes are longer than any quotes within it. */
export function codeSpan(text: string): string {
  const shown = printable(text) || " ";
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map(({ length }) => length));
  const quotes = "`".repeat(longest + 1);
  // Markdown removes one space on each side. Without these spaces, a quote at an end of the text would join the surrounding quotes.
  return /[^ ]/.test(shown) && /^[` ]|[` ]$/.test(shown) ? `${quotes} ${shown} ${quotes}` : `${quotes}${shown}${quotes}`;
}

/** Lines as a label of a Mermaid graph. Possible markup of Mermaid, HTML or Markdown becomes character codes. */
export function mermaidLabel(...lines: readonly string[]): string {
  const escaped = lines.map((line) => printable(line).replace(/[^\p{L}\p{N} ]/gu, (character) => `#${character.codePointAt(0)};`));
  return `"${escaped.join("<br/>") || " "}"`;
}

/** The number of list items in a readable line. JSON has all items. */
const SHOWN = 4;

export function listed(names: readonly string[], between: ", " | " or " = ", ", least = SHOWN): Sentence {
  return joined(names, (code) => [{ code }], between, least);
}

/** @param least how many items to write at least, even if a readable line has fewer */
export function joined<T>(
  items: readonly T[],
  write: (item: T) => Sentence,
  between: ", " | "; " | " or " = ", ",
  least = SHOWN,
): Sentence {
  const count = Math.max(SHOWN, least);
  const more = items.length - count;
  const shown = items.slice(0, count).flatMap((item, index) => (index === 0 ? write(item) : [between, ...write(item)]));
  const last = { ", ": " and", "; ": "; and", " or ": " or" }[between];
  return more > 0 ? [...shown, `${last} ${more} more`] : shown;
}
