/** What Go writes for a time that was never set. */
export const ZERO_TIME = "0001-01-01T00:00:00Z";

// hrtime counts from an arbitrary moment; this moves it to the epoch.
const SHIFT = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint();

/** Now, as the server writes times: RFC 3339, UTC, up to nine decimals without trailing zeros. */
export function now(): string {
  const nanoseconds = process.hrtime.bigint() + SHIFT;
  const seconds = new Date(Number(nanoseconds / 1_000_000n)).toISOString().slice(0, "2000-01-01T00:00:00".length);
  const fraction = String(nanoseconds % 1_000_000_000n)
    .padStart(9, "0")
    .replace(/0+$/, "");
  return fraction === "" ? `${seconds}Z` : `${seconds}.${fraction}Z`;
}
