import type { Clock } from "../apis/http/clock";

/** What the diff of a method that is the default says: whether the program takes the default from it, or replaces it, and which object that is. */
export interface DefaultDiff {
  readonly leaves: boolean;
  /** The object, and its version, as the state has it. */
  readonly method: {
    readonly server?: string | undefined;
    readonly createTime?: string | undefined;
    readonly createIndex?: number | undefined;
    readonly modifyIndex?: number | undefined;
    readonly modifyTime?: string | undefined;
    readonly maxTokenTtl?: string | undefined;
  };
  /** The configuration of the state, with its secrets; those that it lacks are as the program gives them. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Whether the program leaves what stands at this path to others; nothing unless given. */
  readonly ignores?: (path: readonly (string | number)[]) => boolean;
}

/** How long a write waits for the diff of the method that is the default now. Both are on their way at once unless one depends on the other. */
const patienceMs = 10_000;

/** The hand-over of the one default from a method to another, whose writes arrive in no order. */
export class DefaultMethods {
  private readonly verdicts = new Map<string, DefaultDiff>();
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly demotions = new Map<string, readonly [before: string | undefined, after: string | undefined]>();

  constructor(private readonly clock: Clock) {}

  /** The hand-over took the default from a method, and with it changed its hash. */
  demoted(name: string, before: string | undefined, after: string | undefined): void {
    this.demotions.set(name, [before, after]);
  }

  /** Whether the hand-over took the default from a method, and no write of its own came since. */
  isDemoted(name: string): boolean {
    return this.demotions.has(name);
  }

  /** A method's own write took place: what the hand-over did to it is the past. */
  settled(name: string): void {
    this.demotions.delete(name);
  }

  /** The hash that a method must have now if nobody but the hand-over has changed it since it had this one. */
  hashSince(name: string, hash: string | undefined): string | undefined {
    const [before, after] = this.demotions.get(name) ?? [];
    return hash !== undefined && hash === before ? after : hash;
  }

  /** A diff saw a method that is the default in the state. */
  saw(name: string, verdict: DefaultDiff): void {
    this.verdicts.set(name, verdict);
    for (const wake of this.waiting.get(name) ?? []) wake();
  }

  /** What the diff of a method says; undefined when no diff comes: it is not of this program, is being removed, or waits for the caller. */
  async diffOf(name: string): Promise<DefaultDiff | undefined> {
    if (this.verdicts.has(name)) return this.verdicts.get(name);
    const patience = new AbortController();
    const arrived = new Promise<void>((resolve) => {
      const waiting = this.waiting.get(name) ?? new Set();
      this.waiting.set(name, waiting.add(resolve));
    });
    // The clock's sleep ends early when it is aborted, by returning or by throwing; either way the wait is over.
    await Promise.race([arrived, this.clock.sleep(patienceMs, patience.signal)]);
    patience.abort();
    return this.verdicts.get(name);
  }
}
