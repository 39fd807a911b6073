import type { Clock } from "./clock";
import { type ApiError, type Effect, longestWaitMs } from "./errors";
import type { RequestOptions } from "./request";

/** The least time between two reports that requests wait. */
const reportEveryMs = 10_000;
/** The maximal random addition to a wait, so the clients of one service don't all send at the same moment. */
const spreadMs = 250;

/** The longest total wait of a request, in milliseconds, for a service that refuses it because of its rate and names a time. */
export const longestHoldMs = 300_000;
export const shortestHoldMs = 250;

/**
 * The pace of the requests to one service: a limited number at a time, in order of arrival, and none while the service refuses them because
 * of their rate.
 */
export class Pace {
  private readonly waiting: (() => void)[] = [];
  /** The time from which requests may be sent, in milliseconds since 1970. */
  private opensAt = 0;
  private reportedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    /** The service in words, for messages. */
    private readonly service: string,
    private free: number,
  ) {}

  /** Delays all requests for this time. */
  hold(waitMs: number): void {
    this.opensAt = Math.max(this.opensAt, this.clock.now() + waitMs + this.clock.random() * spreadMs);
  }

  /** Sends a request when its turn comes. Rejects instead if the signal has aborted by then. */
  async run<T>(send: () => Promise<T>, context: RequestOptions): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      context.signal?.throwIfAborted();
      await this.opened(context);
      return await send();
    } finally {
      // The place goes to the next waiting request, so no later one can take it.
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }

  private async opened({ report, signal }: RequestOptions): Promise<void> {
    // The wait may become longer in the meantime.
    let waitedFor = this.clock.now();
    while (waitedFor < this.opensAt) {
      const now = this.clock.now();
      const waitMs = Math.max(0, this.opensAt - now);
      waitedFor = this.opensAt;
      if (report && now - this.reportedAt >= reportEveryMs) {
        this.reportedAt = now;
        report(`${this.service} limits the rate of requests: the next ones are sent in ${(waitMs / 1000).toFixed(1)} s.`);
      }
      await this.clock.sleep(waitMs, signal);
    }
  }
}

const backoff = { firstMs: 250, longestMs: 8_000 };

/**
 * The wait before the next try, in milliseconds; undefined if there is no next try.
 *
 * @param count.retries the number of repetitions so far
 * @param random at least 0 and less than 1: spreads the tries of many clients
 */
export function retryDelay(
  operation: Effect,
  error: ApiError,
  { retries, maxRetries }: { readonly retries: number; readonly maxRetries: number },
  random: number,
): number | undefined {
  if (retries >= maxRetries || !error.transient) return undefined;
  // A second create may make a second object; all other requests are about a single id.
  if (operation === "create" && !isNotExecuted(error)) return undefined;
  if (error.retryAfterMs === undefined) return Math.min(backoff.longestMs, backoff.firstMs * 2 ** retries) * (0.5 + random / 2);
  if (error.retryAfterMs > longestWaitMs) return undefined;
  return error.retryAfterMs + random * backoff.firstMs;
}

/** Whether the request certainly had no effect: the server refused it because of its rate, or it was not sent. */
function isNotExecuted(error: ApiError): boolean {
  return !error.ambiguous && (error.kind === "rate-limited" || error.status === undefined);
}
