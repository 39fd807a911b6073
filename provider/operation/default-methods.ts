import type { Clock } from "../apis/http/clock";

/** The diff of a method that has the default in the state. */
export interface DefaultDiff {
  /** Whether the program takes the default from the method, or replaces the method under another name. */
  readonly leaves: boolean;
  /** The identity and version of the object, from the state. */
  readonly method: {
    readonly server?: string | undefined;
    readonly createTime?: string | undefined;
    readonly createIndex?: number | undefined;
    readonly modifyIndex?: number | undefined;
    readonly modifyTime?: string | undefined;
    readonly maxTokenTtl?: string | undefined;
  };
  /** The configuration of the state with its secrets. Secrets that the state lacks come from the program. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Whether `ignoreChanges` names this path. Default: no path is ignored. */
  readonly ignores?: (path: readonly (string | number)[]) => boolean;
}

/**
 * How long a write waits for the diff of the method that has the default. The engine calls both at about the same time, unless one depends
 * on the other.
 */
const diffTimeoutMs = 10_000;

/** Moves the one default from a method to another. The engine sends their writes in any order. */
export class DefaultMethods {
  private readonly diffs = new Map<string, DefaultDiff>();
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly demotions = new Map<string, readonly [before: string | undefined, after: string | undefined]>();

  constructor(private readonly clock: Clock) {}

  /** Records that the default was taken from a method, which changed its hash. */
  recordDemotion(name: string, before: string | undefined, after: string | undefined): void {
    this.demotions.set(name, [before, after]);
  }

  /** The present hash of a method, if since the given one only the default was taken from it. */
  hashAfterDemotion(name: string, hash: string | undefined): string | undefined {
    const [before, after] = this.demotions.get(name) ?? [];
    return hash !== undefined && hash === before ? after : hash;
  }

  /** Records the diff of a method that has the default in the state. */
  recordDiff(name: string, diff: DefaultDiff): void {
    this.diffs.set(name, diff);
    for (const wake of this.waiting.get(name) ?? []) wake();
  }

  /** The diff of a method; undefined when none comes: the method is not of this program, is being removed, or depends on the caller. */
  async diffOf(name: string): Promise<DefaultDiff | undefined> {
    if (this.diffs.has(name)) return this.diffs.get(name);
    const timeout = new AbortController();
    const arrived = new Promise<void>((resolve) => {
      const waiting = this.waiting.get(name) ?? new Set();
      this.waiting.set(name, waiting.add(resolve));
    });
    // An aborted sleep returns or throws; either ends the wait.
    await Promise.race([arrived, this.clock.sleep(diffTimeoutMs, timeout.signal)]);
    timeout.abort();
    return this.diffs.get(name);
  }
}
