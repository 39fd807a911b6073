/** Texts as literals. A text of a server must never become code: all invisible characters are escaped. */

/** The characters to escape: control, format and unassigned characters, and all spaces but the usual one. */
const invisible = /[\p{C}\p{Z}]/gu;
const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escaped(text: string, quote: string, spelled: (letter: string) => string): string {
  const body = text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);
  return quote + body.replace(invisible, (letter) => (letter === " " ? letter : (short[letter] ?? spelled(letter)))) + quote;
}

/** The quotes that formatters prefer: the ones with fewer escapes, otherwise double ones. */
function bestQuote(text: string): string {
  return text.split('"').length > text.split("'").length ? "'" : '"';
}

const hex = (number: number, digits: number) => number.toString(16).padStart(digits, "0");

/** Escapes UTF-16 units: \u2028. */
function byUnits(letter: string): string {
  return [...Array(letter.length).keys()].map((index) => `\\u${hex(letter.charCodeAt(index), 4)}`).join("");
}

/** Escapes code points: \u2028, \U000e0001. */
function byPoints(letter: string): string {
  const point = letter.codePointAt(0) ?? 0;
  return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
}

export const typescriptText = (text: string): string => escaped(text, bestQuote(text), byUnits);
export const pythonText = (text: string): string => escaped(text, bestQuote(text), byPoints);
export const goText = (text: string): string => escaped(text, '"', byPoints);
export const yamlText = (text: string): string => escaped(text, '"', byPoints);

/** A text as one comment line, which it can't end. */
export function commentText(text: string): string {
  return text.replace(invisible, " ").replaceAll("*/", "* /");
}

/** A text as one shell argument. */
export function shellText(text: string): string {
  return /^[A-Za-z0-9_./][A-Za-z0-9_.:/-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
