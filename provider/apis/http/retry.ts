import type { ApiError, Effect } from "./errors";
import { longestWaitMs } from "./retry-after";

const backoff = { firstMs: 250, longestMs: 8_000 };

/**
 * The wait before the next try, in milliseconds; undefined when there is none.
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
  if (retries >= maxRetries || !error.transient) return undefined;
  // A second create may make a second object; everything else is about one id.
  if (operation === "create" && !isNotExecuted(error)) return undefined;
  if (error.retryAfterMs === undefined) return Math.min(backoff.longestMs, backoff.firstMs * 2 ** retries) * (0.5 + random / 2);
  if (error.retryAfterMs > longestWaitMs) return undefined;
  return error.retryAfterMs + random * backoff.firstMs;
}

/** Whether the server has certainly done nothing: it refused the request for its rate, or the request was not sent. */
function isNotExecuted(error: ApiError): boolean {
  return !error.ambiguous && (error.kind === "rate-limited" || error.status === undefined);
}
