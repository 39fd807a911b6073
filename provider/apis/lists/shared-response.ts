/** One piece of work whose outcome several callers wait for. None of them can end it for the others; when all have gone, it is given up. */
export class SharedResponse<T> {
  private readonly ending = new AbortController();
  private readonly outcome: Promise<T>;
  private waiting = 0;
  private hasEnded = false;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.outcome = work(this.ending.signal).finally(() => {
      this.hasEnded = true;
    });
    // A failure is told to those who wait, of whom there may be none left.
    this.outcome.catch(() => undefined);
  }

  /** There is no outcome yet. */
  get isUnderWay(): boolean {
    return !this.hasEnded;
  }

  /** Nobody waited any more: there is no outcome to join. */
  get isGivenUp(): boolean {
    return this.ending.signal.aborted;
  }

  /** Resolves when there is an outcome, whatever it is. */
  async ended(): Promise<void> {
    await this.outcome.catch(() => undefined);
  }

  /** The outcome. Rejects with the signal's reason when that aborts first. */
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
