const NANOSECONDS = new Map<string, bigint>([
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n],
  ["μs", 1_000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);

const LIMIT = 2n ** 63n;

/** A text that is no duration; the message is the one that Go's parser gives. */
export class InvalidDuration extends Error {}

/** Nanoseconds of a duration such as `1h30m`, `-1.5s` or `0`. @throws InvalidDuration */
export function parseDuration(text: string): bigint {
  const invalid = new InvalidDuration(`time: invalid duration ${JSON.stringify(text)}`);
  const negative = text.startsWith("-");
  let rest = text.replace(/^[+-]/, "");
  if (rest === "0") return 0n;
  if (rest === "") throw invalid;
  let total = 0n;
  while (rest !== "") {
    const [matched, whole = "", point = "", fraction = "", unit = ""] = /^(\d*)(\.?)(\d*)([^\d.]*)/.exec(rest) ?? [];
    if (matched === undefined || (whole === "" && fraction === "")) throw invalid;
    if (unit === "") throw new InvalidDuration(`time: missing unit in duration ${JSON.stringify(text)}`);
    const scale = NANOSECONDS.get(unit);
    if (scale === undefined) throw new InvalidDuration(`time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`);
    total += BigInt(whole || "0") * scale;
    if (point !== "" && fraction !== "") total += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
    if (total > LIMIT) throw invalid;
    rest = rest.slice(matched.length);
  }
  if (total === LIMIT && !negative) throw invalid;
  return negative ? -total : total;
}

/** A duration as Go writes it: `1h0m0s`, `1m30.5s`, `250ms`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds < 0n) return `-${formatDuration(-nanoseconds)}`;
  if (nanoseconds === 0n) return "0s";
  if (nanoseconds < 1_000n) return `${nanoseconds}ns`;
  if (nanoseconds < 1_000_000n) return `${decimal(nanoseconds, 1_000n)}µs`;
  if (nanoseconds < 1_000_000_000n) return `${decimal(nanoseconds, 1_000_000n)}ms`;
  const minutes = nanoseconds / 60_000_000_000n;
  const seconds = `${decimal(nanoseconds % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return seconds;
  if (minutes < 60n) return `${minutes}m${seconds}`;
  return `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

function decimal(value: bigint, unit: bigint): string {
  const digits = String(unit).length - 1;
  const fraction = String(value % unit)
    .padStart(digits, "0")
    .replace(/0+$/, "");
  return fraction === "" ? String(value / unit) : `${value / unit}.${fraction}`;
}
