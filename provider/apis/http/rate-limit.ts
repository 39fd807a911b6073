import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "./clock";
import type { RequestOptions } from "./request";
import { longestWaitMs, rateLimitReset } from "./retry-after";

/** How often the user is told that requests wait. */
const tellEveryMs = 10_000;
/** Keeps the clients of one service from coming back at the same moment. */
const spreadMs = 250;

/**
 * The rate at which one service takes requests, as its answers tell: so many until it counts anew (`x-ratelimit-limit`, `-remaining` and `-reset`), or
 * none before some time has passed. Requests wait for their turn, so that none is refused that need not be.
 */
export class RateLimit {
  /** How many more requests the service takes until it counts anew. */
  private left = Number.POSITIVE_INFINITY;
  private perWindow = Number.POSITIVE_INFINITY;
  private windowMs = 0;
  /** When it counts anew: milliseconds since 1970. */
  private opensAt = 0;
  private underWay = 0;
  private toldAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    /** The service in words, for what the user is told. */
    private readonly service: string,
  ) {}

  /** Sends a request when its turn has come, and learns from the answer. Rejects when the signal aborts before. */
  async within<T extends { readonly headers: IncomingHttpHeaders }>(send: () => Promise<T>, context: RequestOptions): Promise<T> {
    await this.turn(context);
    this.underWay += 1;
    try {
      const answer = await send();
      this.hear((name) => answer.headers[name]?.toString());
      return answer;
    } finally {
      this.underWay -= 1;
    }
  }

  /** The service has refused a request for its rate: no other one goes out before that time has passed. */
  hold(waitMs: number): void {
    this.left = 0;
    this.opensAt = Math.max(this.opensAt, this.clock.now() + waitMs + this.clock.random() * spreadMs);
  }

  private async turn({ report, signal }: RequestOptions): Promise<void> {
    while (this.left <= 0 || this.clock.now() >= this.opensAt) {
      const { opensAt } = this;
      const waitMs = opensAt - this.clock.now();
      if (waitMs > 0) {
        this.tell(waitMs, report);
        await this.clock.sleep(waitMs, signal);
      }
      // The first one to come here opens the next window for all.
      if (this.opensAt === opensAt) this.open();
      if (this.left > 0) break;
    }
    this.left -= 1;
  }

  /** As long as no answer says more, the next window is taken to be like the last one. */
  private open(): void {
    this.left = this.perWindow;
    this.opensAt = Math.max(this.opensAt, this.clock.now()) + this.windowMs;
  }

  private hear(header: (name: string) => string | undefined): void {
    const [limit, remaining] = [wholeNumber(header("x-ratelimit-limit")), wholeNumber(header("x-ratelimit-remaining"))];
    const resetMs = rateLimitReset({ header, at: this.clock.now() });
    if (remaining === undefined || !resetMs || resetMs > longestWaitMs) return;
    this.perWindow = limit || this.perWindow;
    this.windowMs = Math.max(this.windowMs, resetMs);
    const opensAt = this.clock.now() + resetMs;
    // Answers of one window name the same moment, but for the time that they took.
    const later = (opensAt - this.opensAt) / this.windowMs;
    if (later < -0.5) return;
    // What is under way may count in the new window.
    this.left = later > 0.5 ? remaining - (this.underWay - 1) : Math.min(this.left, remaining);
    this.opensAt = Math.max(this.opensAt, opensAt);
  }

  private tell(waitMs: number, report: RequestOptions["report"]): void {
    const now = this.clock.now();
    if (!report || now - this.toldAt < tellEveryMs) return;
    this.toldAt = now;
    report(`${this.service} limits the rate of requests: the next ones are sent in ${(waitMs / 1000).toFixed(1)} s.`);
  }
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+\s*$/.test(text) ? Number(text) : undefined;
}
