import type { Clock } from "./clock";
import type { RequestOptions } from "./request";
import { longestWaitMs, rateLimitReset } from "./retry-after";
import type { ResponseHeaders } from "./transport";

/** The least time between two reports that requests wait. */
const reportEveryMs = 10_000;
/** Spreads the clients of one service, so they don't send at the same moment. */
const spreadMs = 250;

/**
 * The rate limit of one service, read from its responses: a number of requests per window (`x-ratelimit-limit`, `-remaining` and `-reset`),
 * or a wait. Requests wait for their turn, so the service need not refuse them.
 */
export class RateLimit {
  /** How many more requests the service accepts in this window. */
  private left = Number.POSITIVE_INFINITY;
  private perWindow = Number.POSITIVE_INFINITY;
  private windowMs = 0;
  /** When the next window begins: milliseconds since 1970. */
  private opensAt = 0;
  private underWay = 0;
  private reportedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    /** The service in words, for messages. */
    private readonly service: string,
  ) {}

  /** Sends a request when its turn has come, and reads the limit from the response. Rejects when the signal aborts before. */
  async within<T extends { readonly headers: ResponseHeaders }>(send: () => Promise<T>, context: RequestOptions): Promise<T> {
    await this.turn(context);
    this.underWay += 1;
    try {
      const response = await send();
      this.hear(response.headers);
      return response;
    } finally {
      this.underWay -= 1;
    }
  }

  /** The service has refused a request because of its rate: no other one is sent before that time has passed. */
  hold(waitMs: number): void {
    this.left = 0;
    this.opensAt = Math.max(this.opensAt, this.clock.now() + waitMs + this.clock.random() * spreadMs);
  }

  private async turn({ report, signal }: RequestOptions): Promise<void> {
    while (this.left <= 0 || this.clock.now() >= this.opensAt) {
      const { opensAt } = this;
      const waitMs = opensAt - this.clock.now();
      if (waitMs > 0) {
        this.reportWait(waitMs, report);
        await this.clock.sleep(waitMs, signal);
      }
      // The first request after the wait opens the next window for all.
      if (this.opensAt === opensAt) this.open();
      if (this.left > 0) break;
    }
    this.left -= 1;
  }

  /** Until a response has new values, the next window counts as equal to the last one. */
  private open(): void {
    this.left = this.perWindow;
    this.opensAt = Math.max(this.opensAt, this.clock.now()) + this.windowMs;
  }

  private hear(headers: ResponseHeaders): void {
    const [limit, remaining] = [wholeNumber(headers.get("x-ratelimit-limit")), wholeNumber(headers.get("x-ratelimit-remaining"))];
    const resetMs = rateLimitReset(headers);
    if (remaining === undefined || !resetMs || resetMs > longestWaitMs) return;
    this.perWindow = limit || this.perWindow;
    this.windowMs = Math.max(this.windowMs, resetMs);
    const opensAt = this.clock.now() + resetMs;
    // Responses of one window name the same moment, apart from their own duration.
    const later = (opensAt - this.opensAt) / this.windowMs;
    if (later < -0.5) return;
    // Running requests may count in the new window.
    this.left = later > 0.5 ? remaining - (this.underWay - 1) : Math.min(this.left, remaining);
    this.opensAt = Math.max(this.opensAt, opensAt);
  }

  private reportWait(waitMs: number, report: RequestOptions["report"]): void {
    const now = this.clock.now();
    if (!report || now - this.reportedAt < reportEveryMs) return;
    this.reportedAt = now;
    report(`${this.service} limits the rate of requests: the next ones are sent in ${(waitMs / 1000).toFixed(1)} s.`);
  }
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+\s*$/.test(text) ? Number(text) : undefined;
}
