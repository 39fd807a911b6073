import { printable } from "../table";

/** The style of a text. */
export interface Font {
  readonly size: number;
  readonly isBold?: boolean;
  readonly isCode?: boolean;
}

/**
 * The widths of characters, in parts of the font size. They are about the widths of the widest common font in bold, so a text is rarely
 * wider than computed here, whatever fonts the reader has.
 */
const widths = new Map(
  Object.entries({
    0.42: " ijlI.,:;'`|/\\-",
    0.53: 'frt()[]!"*_',
    0.73: "abcdeghknopqsuvxyzJEFLPSTYZ0123456789?$",
    1.13: "mwMW@%",
  }).flatMap(([width, characters]) => [...characters].map((character) => [character, Number(width)] as const)),
);
const OTHER_ASCII = 0.88;
/** The factor for text that is not bold. */
const REGULAR = 0.93;
const CODE = 0.61;
const OTHER_LETTERS = 0.9;
/** The width of all other characters, such as East Asian ones and symbols. */
const WIDE = 1.35;

/** The width of a text in a wide font; other fonts are rarely wider. */
export function widthOf(text: string, font: Font): number {
  let width = 0;
  for (const character of text) width += widthOfCharacter(character, font);
  return width * font.size;
}

function widthOfCharacter(character: string, { isBold = false, isCode = false }: Font): number {
  if (character <= "~") return isCode ? CODE : (widths.get(character) ?? OTHER_ASCII) * (isBold ? 1 : REGULAR);
  if (/^\p{M}$/u.test(character)) return 0;
  return /^[\p{Script=Latin}\p{Script=Greek}]$/u.test(character) ? OTHER_LETTERS : WIDE;
}

const ELLIPSIS = "…";

/**
 * Breaks a text into lines that fit: after a space or sign in the second half of a line if there is one, and with an ellipsis if there are
 * too many lines. Control and format characters are escaped.
 */
export function wrapped(text: string, font: Font, width: number, mostLines: number): string[] {
  const lines: string[] = [];
  let rest = [...printable(text)];
  while (rest.length > 0 && lines.length < mostLines) {
    const fits = fitting(rest, font, width);
    if (fits === rest.length) return [...lines, rest.join("")];
    const isLast = lines.length === mostLines - 1;
    if (isLast) {
      const last = rest.slice(0, fitting(rest, font, width, ELLIPSIS)).join("");
      return [...lines, `${withoutEndSpaces(last)}${ELLIPSIS}`];
    }
    const at = breakIn(rest, fits);
    lines.push(withoutEndSpaces(rest.slice(0, at).join("")));
    rest = rest.slice(at);
    while (rest[0] === " ") rest.shift();
  }
  return lines;
}

/** Removes plain spaces only: other spaces have widths of their own, and are part of a name. */
const withoutEndSpaces = (text: string) => text.replace(/ +$/, "");

/** The number of characters that fit if `last` follows them; at least one. */
function fitting(characters: readonly string[], font: Font, width: number, last = ""): number {
  const reserved = last === "" ? 0 : widthOfCharacter(last, font);
  let taken = 0;
  for (const [index, character] of characters.entries()) {
    taken += widthOfCharacter(character, font);
    // Adds up in the order of `widthOf`, because another order could round differently for a text that just fits.
    if ((taken + reserved) * font.size > width) return Math.max(1, index);
  }
  return characters.length;
}

/**
 * The place of a line break: after the last space or sign in the second half of the fitting text, or else at its end, but not before a
 * combining mark.
 */
function breakIn(characters: readonly string[], fits: number): number {
  for (let at = fits; at > fits / 2; at--) if (/^[ ,;/]$/.test(characters[at - 1] ?? "")) return at;
  let at = fits;
  while (at > 1 && /^\p{M}$/u.test(characters[at] ?? "")) at--;
  return at;
}
