/** The longest wait that a server may ask for, in milliseconds. When it asks for more there is no further try, and the error says so. */
export const longestWaitMs = 60_000;

/** How long one request waits in all for a service that refuses it for its rate and says when to come back, and how long at least each time: milliseconds. */
export const longestHoldMs = 300_000;
export const shortestHoldMs = 250;

/** An answer's headers, and when it came: milliseconds since 1970. */
interface ResponseHeaders {
  header(name: string): string | undefined;
  readonly at: number;
}

/**
 * How long a server asks to wait, in milliseconds: `Retry-After`, in seconds or as an HTTP date, which is relative to the response's own `Date` where it
 * has one. Undefined when the server does not say.
 */
export function retryAfter(answer: ResponseHeaders): number | undefined {
  const text = answer.header("retry-after") ?? "";
  const ms = secondsToMs(text);
  if (ms !== undefined) return ms;
  const date = httpDate(text);
  // The server counts by its own clock, which may differ from this machine's.
  return date === undefined ? undefined : Math.max(0, date - (httpDate(answer.header("date") ?? "") ?? answer.at));
}

/** When a rate limit starts anew, in milliseconds from now: `x-ratelimit-reset`, in seconds. Undefined when the server does not say. */
export function rateLimitReset(answer: ResponseHeaders): number | undefined {
  return secondsToMs(answer.header("x-ratelimit-reset") ?? "");
}

/** Every form of an HTTP date begins with a weekday; without it, Date.parse finds a date in almost anything. */
function httpDate(text: string): number | undefined {
  const date = /^\s*[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}

function secondsToMs(text: string): number | undefined {
  return /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) * 1000 : undefined;
}
