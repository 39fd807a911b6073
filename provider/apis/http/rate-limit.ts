import type { Clock } from "./clock";
import type { RequestOptions } from "./request";

/** The least time between two reports that requests wait. */
const reportEveryMs = 10_000;
/** Spreads the clients of one service, so they don't send at the same moment. */
const spreadMs = 250;

/** The wait of all requests after the service has refused one because of its rate. */
export class RateLimit {
  /** Milliseconds since 1970. */
  private opensAt = 0;
  private reportedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    /** The service in words, for messages. */
    private readonly service: string,
  ) {}

  /** No request is sent before that time has passed. */
  hold(waitMs: number): void {
    this.opensAt = Math.max(this.opensAt, this.clock.now() + waitMs + this.clock.random() * spreadMs);
  }

  /** Resolves when a request may be sent. Rejects when the signal aborts before. */
  async turn({ report, signal }: RequestOptions): Promise<void> {
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
