/** Durations in the cluster's form: a sequence of decimal numbers with units, like "60s", "5m", "1h0m0s" or "-1.5h". */
const unitNanoseconds: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const unit = "(ns|us|µs|μs|ms|s|m|h)";
const form = new RegExp(`^[+-]?((\\d+(\\.\\d*)?|\\.\\d+)${unit})+$`);
const part = new RegExp(`(\\d*)\\.?(\\d*)${unit}`, "g");

/** The cluster keeps a duration in 64 bits, about 292 years. */
const limit = 2n ** 63n;

/** A text that is not a duration. */
export class InvalidDuration extends Error {}

/** Nanoseconds of a duration, or undefined when the text is not one, or longer than the cluster can hold. */
export function parseDuration(text: string): bigint | undefined {
  if (/^[+-]?0$/.test(text)) return 0n;
  if (!form.test(text)) return undefined;
  const size = [...text.matchAll(part)].map(partOf).reduce((sum, one) => sum + one);
  const duration = text.startsWith("-") ? -size : size;
  return duration < -limit || duration >= limit ? undefined : duration;
}

/** The nanoseconds of one number with its unit. The rest of a nanosecond is left out. */
function partOf([, whole = "", fraction = "", name = ""]: RegExpExecArray): bigint {
  const nanoseconds = unitNanoseconds[name] ?? 0n;
  return BigInt(whole) * nanoseconds + (BigInt(fraction) * nanoseconds) / 10n ** BigInt(fraction.length);
}

/** Nanoseconds of a duration. @throws InvalidDuration */
export function readDuration(text: string): bigint {
  const nanoseconds = parseDuration(text);
  if (nanoseconds === undefined) throw new InvalidDuration(`time: invalid duration ${JSON.stringify(text)}`);
  return nanoseconds;
}
