/** Texts as literals. A text of a server must never become code: what is not plainly visible is escaped. */

/** What a literal never has as it is: control, format and unassigned characters, and all spaces but the usual one. */
const invisible = /[\p{C}\p{Z}]/gu;
const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escaped(text: string, quote: string, spelled: (letter: string) => string): string {
  const body = text.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`);
  return quote + body.replace(invisible, (letter) => (letter === " " ? letter : (short[letter] ?? spelled(letter)))) + quote;
}

/** Formatters prefer the quotes that need fewer escapes, and double ones otherwise. */
function bestQuote(text: string): string {
  return text.split('"').length > text.split("'").length ? "'" : '"';
}

const hex = (number: number, digits: number) => number.toString(16).padStart(digits, "0");

/** By UTF-16 units: \u2028. */
function byUnits(letter: string): string {
  return [...Array(letter.length).keys()].map((index) => `\\u${hex(letter.charCodeAt(index), 4)}`).join("");
}

/** By code points: \u2028, \U000e0001. */
function byPoints(letter: string): string {
  const point = letter.codePointAt(0) ?? 0;
  return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
}

export const typescriptText = (text: string): string => escaped(text, bestQuote(text), byUnits);
export const pythonText = (text: string): string => escaped(text, bestQuote(text), byPoints);
export const goText = (text: string): string => escaped(text, '"', byPoints);
export const yamlText = (text: string): string => escaped(text, '"', byPoints);

/** One line of a comment, which nothing in it can end. */
export function commentText(text: string): string {
  return text.replace(invisible, " ").replaceAll("*/", "* /");
}

/** A text as one argument of a shell. */
export function shellText(text: string): string {
  return /^[A-Za-z0-9_./][A-Za-z0-9_.:/-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
