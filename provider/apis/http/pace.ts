import type { Clock } from "./clock";
import { type ApiError, type Effect, longestWaitMs } from "./errors";
import type { RequestOptions } from "./request";

/** The least time between two reports that requests wait. */
const reportEveryMs = 10_000;
/** Spreads the clients of one service, so they don't send at the same moment. */
const spreadMs = 250;

/**
 * For a service that refuses a request because of its rate and names a time: the longest wait of one request in all, and the shortest each
 * time, in milliseconds.
 */
export const longestHoldMs = 300_000;
export const shortestHoldMs = 250;

/** When the requests to one service are sent: so many at a time, in order of arrival, and none while it refuses them for their rate. */
export class Pace {
  private readonly waiting: (() => void)[] = [];
  /** Milliseconds since 1970. */
  private opensAt = 0;
  private reportedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    /** The service in words, for messages. */
    private readonly service: string,
    private free: number,
  ) {}

  /** No request is sent before that time has passed. */
  hold(waitMs: number): void {
    this.opensAt = Math.max(this.opensAt, this.clock.now() + waitMs + this.clock.random() * spreadMs);
  }

  /** Sends a request when its turn has come. Rejects instead if the signal has aborted by then. */
  async run<T>(send: () => Promise<T>, context: RequestOptions): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      context.signal?.throwIfAborted();
      await this.opened(context);
      return await send();
    } finally {
      // The place goes to the next one that waits, so no later one can take it.
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }

  private async opened({ report, signal }: RequestOptions): Promise<void> {
    // Others may meet a longer wait meanwhile.
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
