import { setTimeout } from "node:timers/promises";

/** 24 days: Node's timers fire at once if they are set for longer. */
const longestMs = 2 ** 31 - 1;

/** The clock of all waits. A test passes its own clock, and need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after this number of milliseconds; rejects as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** At least 0 and less than 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => setTimeout(Math.min(ms, longestMs), undefined, signal && { signal }),
  random: () => Math.random(),
};

/** Calls back after this number of milliseconds. */
export function startTimer(ms: number, then: () => void): NodeJS.Timeout {
  return globalThis.setTimeout(then, Math.min(ms, longestMs));
}

/** The result of work that others also wait for. If the signal aborts, this rejects, but the work continues. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) abort();
  });
}

/**
 * Runs work with a signal that aborts when the given one does, or when the time is over. Without a limit, the work gets the given signal.
 *
 * Node 20 may collect a signal of `AbortSignal.any` or `AbortSignal.timeout` as garbage, with its listeners, when nothing else refers to
 * it: then it never aborts. Here the timer and the given signal refer to the new one until the work has ended.
 */
export async function withTimeLimit<T>(ms: number, signal: AbortSignal, work: (limited: AbortSignal) => Promise<T>): Promise<T> {
  if (ms === Number.POSITIVE_INFINITY) return work(signal);
  const limited = new AbortController();
  const abort = () => limited.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  const timer = startTimer(ms, () => limited.abort(new DOMException("The time is over.", "TimeoutError")));
  try {
    return await work(limited.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}
