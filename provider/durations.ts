/**
 * Lengths of time as the cluster writes them: a sequence of decimal numbers with units, like "60s", "5m", "1h0m0s" or "-1.5h".
 * The units are ns, us (or µs), ms, s, m and h.
 */
const unitNanoseconds = new Map<string, number>([
  ["ns", 1],
  ["us", 1e3],
  ["µs", 1e3],
  ["μs", 1e3],
  ["ms", 1e6],
  ["s", 1e9],
  ["m", 60e9],
  ["h", 3600e9],
]);

/** The largest length that the cluster can hold: 2^63 - 1 nanoseconds, about 292 years. */
const largest = 2 ** 63;

/** Nanoseconds of a duration, or undefined when the text is not one. */
export function parseDuration(text: string): number | undefined {
  if (text === "0" || text === "+0" || text === "-0") return 0;
  const match = /^([+-]?)((?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.exec(text);
  if (!match) return undefined;
  const [, sign, body = ""] = match;
  let total = 0;
  for (const [, count, unit = ""] of body.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    total += Number(count) * (unitNanoseconds.get(unit) ?? Number.NaN);
  }
  // Rounding absorbs what floating point adds to fractions; the cluster truncates below a nanosecond anyway.
  const nanoseconds = Math.round(total);
  if (nanoseconds >= largest) return undefined;
  return sign === "-" && nanoseconds !== 0 ? -nanoseconds : nanoseconds;
}
