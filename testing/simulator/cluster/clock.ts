/** Go's text for an unset time. */
export const ZERO_TIME = "0001-01-01T00:00:00Z";

// hrtime counts from an arbitrary moment; this moves it to the epoch.
const SHIFT = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint();

/** Now, in nanoseconds since 1970. */
export function nanosecondsNow(): bigint {
  return process.hrtime.bigint() + SHIFT;
}

/** Now, as the server writes times. */
export function now(): string {
  return toTime(nanosecondsNow());
}

/** RFC 3339, UTC, up to nine decimals without trailing zeros. */
export function toTime(nanoseconds: bigint): string {
  const seconds = new Date(Number(nanoseconds / 1_000_000n)).toISOString().slice(0, "2000-01-01T00:00:00".length);
  const fraction = String(nanoseconds % 1_000_000_000n)
    .padStart(9, "0")
    .replace(/0+$/, "");
  return fraction === "" ? `${seconds}Z` : `${seconds}.${fraction}Z`;
}

/** The nanoseconds since 1970 of a time in RFC 3339. */
export function fromTime(text: string): bigint {
  const [, fraction = ""] = /\.(\d+)/.exec(text) ?? [];
  return BigInt(Date.parse(text.replace(/\.\d+/, ""))) * 1_000_000n + BigInt(fraction.padEnd(9, "0").slice(0, 9));
}
