/**
 * Removes secrets from texts of servers and proxies. Such a text may repeat a part of a request, escaped in any form. If a part of a secret
 * remains readable, the whole text is withheld.
 */

import { startOf } from "../../../common/start-of";

/** A shorter secret occurs in many words by chance. Removing it would spoil the text, and reveal its places. */
export const shortestSecret = 4;

/** Shorter lines of a secret are common in any text. */
const shortestLine = 16;

/** This number of consecutive characters counts as a part of a secret. */
const partLength = 8;

/** The rest of a longer text is neither read nor shown, which limits the cost of a hostile text. */
const longestRead = 4_000;

/** Longer texts of servers are cut off, because messages are read in a terminal. */
const longestShown = 500;

/** Replaces a secret until the text is shown: a single character, so the word that is shown later is not searched for secrets. */
const mark = "\u{e000}";

export const withheld = "(not shown: it holds a part of a secret)";

/** One line without control characters and without secrets, shortened. */
export function oneLine(text: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret !== "");
  const read = known.length > 0 ? withoutWhole(startOf(text, longestRead), known) : text;
  const line = read.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  if (holdsPart(read, known) || holdsPart(line, known)) return withheld;
  const shown = line.replaceAll(mark, "<secret>");
  return shown.length > longestShown ? `${startOf(shown, longestShown)}...` : shown;
}

function withoutWhole(text: string, secrets: readonly string[]): string {
  const lines = secrets.flatMap((secret) => secret.split(/\r?\n/)).filter((line) => line.length >= shortestLine);
  const removed = [...secrets.filter(({ length }) => length >= shortestSecret), ...lines].sort((a, b) => b.length - a.length);
  return removed.reduce((rest, secret) => rest.replaceAll(secret, mark), text.replaceAll(mark, ""));
}

/** Whether the text has eight consecutive characters of a secret, or a whole shorter one, in any letter case. */
function holdsPart(text: string, secrets: readonly string[]): boolean {
  const parts = new Set(secrets.flatMap(partsOf));
  const lengths = new Set([...parts].map(({ length }) => length));
  const holds = (view: string, length: number) => {
    for (let at = 0; at + length <= view.length; at++) if (parts.has(view.slice(at, at + length))) return true;
    return false;
  };
  return parts.size > 0 && viewsOf(text).some((view) => [...lengths].some((length) => holds(folded(view), length)));
}

function partsOf(secret: string): string[] {
  // The first and last line are the same in all keys.
  const text = folded(secret.replace(/-----(BEGIN|END) [A-Z0-9 ]+-----/g, "\n"));
  if (text.length <= partLength) return [text];
  return Array.from({ length: text.length - partLength + 1 }, (_, at) => text.slice(at, at + partLength));
}

/** The text in lower case, for ASCII letters only: the case of other letters may depend on their neighbours. */
const folded = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** The text as it is, decoded once, and decoded twice: a page may hold JSON, and a log line the JSON of JSON. */
function viewsOf(text: string): string[] {
  const once = new Set(decoders.map((decode) => decode(text)));
  return [...new Set([text, ...once, ...[...once].flatMap((view) => decoders.map((decode) => decode(view)))])];
}

const controls: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const decoders: readonly ((text: string) => string)[] = [
  // JSON, and the strings of most languages.
  (text) =>
    text.replace(/\\(?:u([0-9a-f]{4})|([^u]))/gi, (_, unit?: string, plain = "") =>
      unit ? String.fromCharCode(Number.parseInt(unit, 16)) : (controls[plain] ?? plain),
    ),
  // HTML and XML.
  (text) =>
    text.replace(
      /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));?/gi,
      (whole, hexadecimal?: string, decimal?: string, name = "") => {
        const point = hexadecimal ? Number.parseInt(hexadecimal, 16) : Number(decimal ?? Number.NaN);
        return point <= 0x10ffff ? String.fromCodePoint(point) : (entities[name.toLowerCase()] ?? whole);
      },
    ),
  fromPercent,
  // Forms, which have a plus for a space.
  (text) => fromPercent(text.replaceAll("+", " ")),
  // Base64 may begin at any of three places of a group, and other letters may precede the group.
  ...[0, 1, 2, 3].map((shift) => (text: string) => fromBase64(text, shift)),
];

function fromPercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString());
}

/** Decodes Base64 in both alphabets, from eleven letters on, which hold eight bytes. A long run may be broken into lines. */
function fromBase64(text: string, shift: number): string {
  const runs = text.matchAll(/[\w+/-]{11,}={0,2}(?:\r?\n[\w+/-]+={0,2})*/g);
  return Array.from(runs, ([run]) => Buffer.from(run.replace(/[\r\n=]/g, "").slice(shift), "base64").toString()).join("\n");
}
