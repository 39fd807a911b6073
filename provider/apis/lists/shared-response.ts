/** One task whose result several callers wait for. None of them can end it for the others; when all have stopped waiting, it is aborted. */
export class SharedResponse<T> {
  private readonly ending = new AbortController();
  private readonly outcome: Promise<T>;
  private waiting = 0;
  private hasEnded = false;
  private failed = false;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.outcome = work(this.ending.signal).finally(() => {
      this.hasEnded = true;
    });
    // A failure is reported to the waiting callers, of whom there may be none.
    this.outcome.catch(() => {
      this.failed = true;
    });
  }

  /** There is no result yet. */
  get isUnderWay(): boolean {
    return !this.hasEnded;
  }

  /** No caller waited any more: there is no result to share. */
  get isGivenUp(): boolean {
    return this.ending.signal.aborted;
  }

  /** There is an error in place of a result. */
  get hasFailed(): boolean {
    return this.failed;
  }

  /** Resolves when there is a result or an error. */
  async ended(): Promise<void> {
    await this.outcome.catch(() => undefined);
  }

  /** The result. Rejects with the signal's reason when that aborts first. */
  join(signal: AbortSignal | undefined): Promise<T> {
    this.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting -= 1;
        if (this.waiting === 0) this.ending.abort();
        reject(signal?.reason);
      };
      if (signal?.aborted) return leave();
      signal?.addEventListener("abort", leave, { once: true });
      this.outcome.finally(() => signal?.removeEventListener("abort", leave)).then(resolve, reject);
    });
  }
}

/** A value that is requested once for all callers. After a failure, or if no caller has waited for it, the next one requests it again. */
export class Once<T> {
  private response: SharedResponse<T> | undefined;

  get(request: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (!this.response || this.response.hasFailed || this.response.isGivenUp) this.response = new SharedResponse(request);
    return this.response.join(signal);
  }
}
