/**
 * Durations in the cluster's form: a sequence of decimal numbers with units, like "60s", "5m", "1h0m0s" or "-1.5h". The cluster is written
 * in Go, and reads them by Go's time.ParseDuration. This is the same algorithm, because a program's value is compared with the cluster's:
 * fractions go through 64-bit floating point and are truncated, so "0.7h" is 2520 s and "0.13333333333333333h" is 479.999999999 s.
 */
const unitNanoseconds: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n],
  ["μs", 1_000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);

/** One nanosecond more than the longest duration of 64 bits, about 292 years: -limit is a duration, limit is not. */
const limit = 2n ** 63n;

/** The error for a text that is not a duration; the message is that of Go's parser. */
export class InvalidDuration extends Error {}

/** Nanoseconds of a duration, or undefined when the text is not one. */
export function parseDuration(text: string): bigint | undefined {
  return nanosecondsOf(text, () => undefined);
}

/** Nanoseconds of a duration. @throws InvalidDuration */
export function readDuration(text: string): bigint {
  return nanosecondsOf(text, (problem, unit) => {
    throw new InvalidDuration(`time: ${problem} ${unit === undefined ? "" : `${quoted(unit)} in duration `}${quoted(text)}`);
  });
}

/** @param refuse handles a text that is not a duration. Quoting a long text is slow, and only the simulated servers do it. */
function nanosecondsOf<None>(text: string, refuse: (problem: string, unit?: string) => None): bigint | None {
  const invalid = "invalid duration";
  let rest = text.replace(/^[+-]/, "");
  if (rest === "0") return 0n;
  if (rest === "") return refuse(invalid);
  let total = 0n;
  while (rest !== "") {
    const [matched = "", whole = "", fraction = "", unitName = ""] = /^(\d*)(?:\.(\d*))?([^\d.]*)/.exec(rest) ?? [];
    const count = wholeNumber(whole);
    if (whole + fraction === "" || count === undefined) return refuse(invalid);
    if (unitName === "") return refuse("missing unit in duration");
    const unit = unitNanoseconds.get(unitName);
    if (unit === undefined) return refuse("unknown unit", unitName);
    const nanoseconds = count * unit + (fraction === "" ? 0n : fractionOf(fraction, unit));
    if (nanoseconds > limit) return refuse(invalid);
    // Go adds unsigned numbers of 64 bits: a sum of twice the limit overflows to 0.
    total = BigInt.asUintN(64, total + nanoseconds);
    if (total > limit) return refuse(invalid);
    rest = rest.slice(matched.length);
  }
  if (text.startsWith("-")) return -total;
  return total === limit ? refuse(invalid) : total;
}

/** The number of some digits; undefined when it is beyond the limit, whatever the unit. The limit has 19 digits. */
function wholeNumber(digits: string): bigint | undefined {
  const significant = digits.replace(/^0+/, "");
  return significant.length > 19 || BigInt(significant) > limit ? undefined : BigInt(significant);
}

/** The nanoseconds of the digits after a point. Digits beyond 64 bits are ignored. */
function fractionOf(digits: string, unit: bigint): bigint {
  let numerator = 0n;
  let scale = 1;
  for (const digit of digits) {
    const next = numerator * 10n + BigInt(digit);
    if (numerator > (limit - 1n) / 10n || next > limit) break;
    numerator = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(numerator) * (Number(unit) / scale)));
}

/** Quotes a text as Go's parser does: bytes that are not printable ASCII become \xNN. */
function quoted(text: string): string {
  const bytes = [...new TextEncoder().encode(text)].map((byte) => {
    const character = String.fromCharCode(byte);
    if (byte < 0x20 || byte >= 0x80) return `\\x${byte.toString(16).padStart(2, "0")}`;
    return character === '"' || character === "\\" ? `\\${character}` : character;
  });
  return `"${bytes.join("")}"`;
}
