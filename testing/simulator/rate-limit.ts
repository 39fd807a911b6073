/** The rate limit of an API. */
export interface RateLimitOptions {
  /** Requests within one window of time. */
  requests: number;
  /** Length of a window, in milliseconds: default 1,000. The first request after the end of a window begins the next one. */
  windowMs?: number;
  /**
   * The way in which responses report the limit: by `x-ratelimit-limit`, `-remaining` and `-reset` in each of them (the default), by
   * `Retry-After` in a 429, or not at all.
   */
  tells?: "x-ratelimit" | "retry-after" | "nothing";
  /** The time in milliseconds. Default: `Date.now`. */
  now?: () => number;
}

/** Counts the requests in each window of time. */
export class RateLimit {
  private endsAt = Number.NEGATIVE_INFINITY;
  private taken = 0;

  constructor(private readonly options: RateLimitOptions) {}

  /** Counts a request. @returns whether it exceeds the limit, and the headers of the response */
  take(): { refused: boolean; headers: Record<string, string> } {
    const { requests, windowMs = 1000, tells = "x-ratelimit", now = Date.now } = this.options;
    if (now() >= this.endsAt) {
      this.endsAt = now() + windowMs;
      this.taken = 0;
    }
    const refused = this.taken >= requests;
    if (!refused) this.taken += 1;
    const seconds = (this.endsAt - now()) / 1000;
    const counts = {
      "x-ratelimit-limit": String(requests),
      "x-ratelimit-remaining": String(requests - this.taken),
      "x-ratelimit-reset": seconds.toFixed(3),
    };
    if (tells === "x-ratelimit") return { refused, headers: counts };
    return { refused, headers: refused && tells === "retry-after" ? { "retry-after": String(Math.ceil(seconds)) } : {} };
  }
}
