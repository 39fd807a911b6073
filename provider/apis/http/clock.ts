/** The clock of everything that waits. A test passes its own, and need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after that many milliseconds; rejects as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** At least 0 and less than 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = startTimer(ms, () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      });
      signal?.addEventListener("abort", abort, { once: true });
    }),
  random: () => Math.random(),
};

/** Node's timers fire at once when they are set for longer. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Calls back after that many milliseconds, also beyond the limit of Node's timers.
 *
 * @returns cancels the call
 */
export function startTimer(ms: number, then: () => void): () => void {
  if (ms === Number.POSITIVE_INFINITY) return () => {};
  let timer: NodeJS.Timeout;
  const wait = (leftMs: number) => {
    timer = leftMs > longestTimerMs ? setTimeout(() => wait(leftMs - longestTimerMs), longestTimerMs) : setTimeout(then, leftMs);
  };
  wait(ms);
  return () => clearTimeout(timer);
}

/**
 * Runs work with a signal that aborts when the given one does, or when the time is over. Without a limit it is the given one.
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
  const cancel = startTimer(ms, () => limited.abort(new DOMException("The time is over.", "TimeoutError")));
  try {
    return await work(limited.signal);
  } finally {
    cancel();
    signal.removeEventListener("abort", abort);
  }
}
