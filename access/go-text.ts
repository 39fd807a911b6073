/** JSON values as text, as Go formats them on the servers. */

/** A value of JSON. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A value as Go's `%v` formats it: `map[a:1 b:<nil>]`, `[x y]`, `<nil>`. */
export function plain(value: JsonValue): string {
  if (isArray(value)) return `[${value.map(plain).join(" ")}]`;
  if (typeof value === "number") return floatText(value);
  if (value === null) return "<nil>";
  if (typeof value !== "object") return wellFormed(String(value));
  return `map[${sortedEntries(value)
    .map(([name, item]) => `${name}:${plain(item)}`)
    .join(" ")}]`;
}

/** A number as Go's `%v` formats it: with an exponent of at least two digits below 0.0001 and from a million on. */
function floatText(value: number): string {
  const size = Math.abs(value);
  if (Object.is(value, -0)) return "-0";
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return String(value);
  return value.toExponential().replace(/([+-])(\d)$/, "$10$2");
}

/** A value as Go encodes it in JSON: keys are sorted, and `<`, `>`, `&` and the line separators are escaped. */
export function json(value: JsonValue): string {
  if (isArray(value)) return `[${value.map(json).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    return `{${sortedEntries(value)
      .map(([name, item]) => `${json(name)}:${json(item)}`)
      .join(",")}}`;
  }
  if (Object.is(value, -0)) return "-0";
  const hex = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(typeof value === "string" ? wellFormed(value) : value).replace(/[<>&\u2028\u2029]/g, hex);
}

/** A text as the server's JSON parser reads it: an unpaired surrogate, which JSON can escape, becomes U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

/** A number claim as text, without its fraction. A number beyond 64 bits becomes the lowest 64-bit integer. */
export function integerText(value: number): string {
  const whole = Math.trunc(value);
  return whole >= -(2 ** 63) && whole < 2 ** 63 ? BigInt(whole).toString() : "-9223372036854775808";
}

/** The integer that Go parses from a text, including 0x1f, 0b11, 017, 0o17 and 1_000; undefined if it is not an integer. */
export function integerIn(text: string): bigint | undefined {
  const [, sign, digits] = /^([+-]?)(0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO]?(?:_?[0-7])+|0|[1-9](?:_?[0-9])*)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const size = BigInt(digits.replaceAll("_", "").replace(/^0(?=[0-7])/, "0o"));
  return sign === "-" ? -size : size;
}

/** A text in lower case, letter by letter: no letter becomes two letters, and its neighbours don't affect it. */
export function lowerCase(text: string): string {
  const lower = (letter: string) => {
    const lowered = letter.toLowerCase();
    return [...lowered].length === 1 ? lowered : letter === "İ" ? "i" : letter;
  };
  return [...text].map(lower).join("");
}

export function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The members of an object in a server's order. The last one counts if several have the same name to the server. */
function sortedEntries(value: { readonly [key: string]: JsonValue }): [string, JsonValue][] {
  const members = new Map(Object.entries(value).map(([name, item]) => [wellFormed(name), item]));
  return [...members].sort(([a], [b]) => compareBytes(a, b));
}

/** Compares two texts by their UTF-8 bytes, which gives the same order as their code points. */
export function compareBytes(a: string, b: string): number {
  let index = 0;
  while (index < a.length && a[index] === b[index]) index++;
  return (a.codePointAt(index) ?? -1) - (b.codePointAt(index) ?? -1);
}

const HEX = "[0-9a-fA-F]";
/** An escape sequence of a quoted text. Surrogates and numbers beyond the last code point are invalid. */
export const ESCAPE = new RegExp(
  `\\\\(?:[abfnrtv\\\\"]|[0-3][0-7]{2}|x${HEX}{2}|u(?![dD][89a-fA-F])${HEX}{4}|U(?:000(?!0[dD][89a-fA-F])${HEX}{5}|0010${HEX}{4}))`,
  "y",
);
const ESCAPES = new RegExp(`(${ESCAPE.source})`);
const CONTROLS: Readonly<Record<string, string>> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

const encoder = new TextEncoder();
/** A byte order mark is part of the text. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The content of a quoted text, without the quotes and with its escapes resolved. Escapes of single bytes can form one character. */
export function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  const bytes = text.split(ESCAPES).flatMap((part) => [...(part.startsWith("\\") ? bytesOf(part) : encoder.encode(part))]);
  return decoder.decode(Uint8Array.from(bytes));
}

/** The bytes of an escape sequence. */
function bytesOf(written: string): Iterable<number> {
  const kind = written.charAt(1);
  if (kind === "u" || kind === "U") return encoder.encode(String.fromCodePoint(Number.parseInt(written.slice(2), 16)));
  if (kind === "x") return [Number.parseInt(written.slice(2), 16)];
  if (/[0-7]/.test(kind)) return [Number.parseInt(written.slice(1), 8)];
  return encoder.encode(CONTROLS[kind] ?? kind);
}

/** The length of a text in UTF-8 bytes, which is how servers count. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}
