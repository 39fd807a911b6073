import type { ApiError, Effect } from "./errors";
import { longestWaitMs } from "./retry-after";

const backoff = { firstMs: 250, longestMs: 8_000 };

/** Which failures are worth another try, by what the request does. Only passing faults are asked about. */
const repeatable: Record<Effect, (error: ApiError) => boolean> = {
  read: () => true,
  // Both are about one id and leave the same, however often they are done.
  delete: () => true,
  replace: () => true,
  // A second create may make a second object: only when the first one certainly did not.
  create: (error) => !error.ambiguous && (error.kind === "rate-limited" || error.status === undefined),
};

/**
 * How long to wait before the next try, in milliseconds; undefined when there is to be none.
 *
 * @param count.retries how many times the request has been repeated already
 * @param random at least 0 and less than 1: spreads the tries of many clients
 */
export function retryDelay(
  operation: Effect,
  error: ApiError,
  { retries, maxRetries }: { readonly retries: number; readonly maxRetries: number },
  random: number,
): number | undefined {
  if (retries >= maxRetries || !error.transient || !repeatable[operation](error)) return undefined;
  if (error.retryAfterMs === undefined) return Math.min(backoff.longestMs, backoff.firstMs * 2 ** retries) * (0.5 + random / 2);
  if (error.retryAfterMs > longestWaitMs) return undefined;
  return error.retryAfterMs + random * backoff.firstMs;
}
