/** The headers of a response that the provider reads: how long to wait, and the index of the store. */
import type { ResponseHeaders } from "./transport";

/** The longest wait that a server may request, in milliseconds. A longer one ends the tries, and the error says so. */
export const longestWaitMs = 60_000;

/**
 * For a service that refuses a request because of its rate and names a time: the longest wait of one request in all, and the shortest each
 * time, in milliseconds.
 */
export const longestHoldMs = 300_000;
export const shortestHoldMs = 250;

/** A response's headers, and its time of arrival: milliseconds since 1970. */
interface Arrived {
  readonly headers: ResponseHeaders;
  readonly at: number;
}

/**
 * The wait that a server requests, in milliseconds: `Retry-After`, in seconds or as an HTTP date, which is relative to the response's own
 * `Date` if it has one. Undefined when the response has none.
 */
export function retryAfter(response: Arrived): number | undefined {
  const text = response.headers.get("retry-after") ?? "";
  const ms = secondsToMs(text);
  if (ms !== undefined) return ms;
  const date = httpDate(text);
  // The server uses its own clock, which may differ from this machine's.
  return date === undefined ? undefined : Math.max(0, date - (httpDate(response.headers.get("date") ?? "") ?? response.at));
}

/**
 * When the next window of a rate limit begins, in milliseconds from now: `x-ratelimit-reset`, in seconds. Undefined when the response has
 * none.
 */
export function rateLimitReset(headers: ResponseHeaders): number | undefined {
  return secondsToMs(headers.get("x-ratelimit-reset") ?? "");
}

/** Every form of an HTTP date begins with a weekday; without this check, Date.parse accepts almost any text. */
function httpDate(text: string): number | undefined {
  const date = /^\s*[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}

function secondsToMs(text: string): number | undefined {
  return /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) * 1000 : undefined;
}

/** The index of the store in a response, if it has one. Real servers call the header X-Nomad-Index. */
export function storeIndex(headers: ResponseHeaders): number | undefined {
  for (const [name, value] of headers) {
    if (/^x-[a-z]+-index$/.test(name) && /^\d+$/.test(value)) return Number(value);
  }
  return undefined;
}
