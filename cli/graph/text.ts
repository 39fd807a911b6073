import { printable } from "../table";

/** How a text is written. */
export interface Font {
  readonly size: number;
  readonly isBold?: boolean;
  readonly isCode?: boolean;
}

/**
 * The widths of characters, in parts of the font's size: those of the widest of the usual fonts in bold, so a text is never wider than
 * what is computed here, whatever fonts a reader has.
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
/** What is no bolder takes less room. */
const REGULAR = 0.93;
const CODE = 0.61;
const OTHER_LETTERS = 0.9;
/** Characters of East Asia, symbols, and whatever else there is. */
const WIDE = 1.35;

/** How wide a text is at most. */
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
 * A text as lines that fit: broken after spaces if that is possible, and with an ellipsis if there are too many. What a reader would
 * not see is escaped.
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

/** Other spaces than the plain one, which have a width of their own, are part of a name. */
const withoutEndSpaces = (text: string) => text.replace(/ +$/, "");

/** How many of the characters fit, with the last one after them; at least one. */
function fitting(characters: readonly string[], font: Font, width: number, last = ""): number {
  const reserved = last === "" ? 0 : widthOfCharacter(last, font);
  let taken = 0;
  for (const [index, character] of characters.entries()) {
    taken += widthOfCharacter(character, font);
    // Added up as `widthOf` does it: otherwise what just fits is rounded to less here, and to more there.
    if ((taken + reserved) * font.size > width) return Math.max(1, index);
  }
  return characters.length;
}

/** Where a line breaks: after the last space or sign of the second half of what fits, and never before a mark of the letter before it. */
function breakIn(characters: readonly string[], fits: number): number {
  for (let at = fits; at > fits / 2; at--) if (/^[ ,;/]$/.test(characters[at - 1] ?? "")) return at;
  let at = fits;
  while (at > 1 && /^\p{M}$/u.test(characters[at] ?? "")) at--;
  return at;
}
