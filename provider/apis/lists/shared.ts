/** Responses and lists that are requested once for many callers. */
import type { Clock } from "../http/clock";
import { isApiError } from "../http/errors";
import type { RequestOptions } from "../http/request";

/**
 * One task whose result several callers wait for. No caller can end the task for the others; when all have stopped waiting, the task is
 * aborted.
 */
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
    // A failure is reported to the waiting callers, if there are any.
    this.outcome.catch(() => {
      this.failed = true;
    });
  }

  /** Whether the result is still pending. */
  get isUnderWay(): boolean {
    return !this.hasEnded;
  }

  /** Whether all callers stopped waiting, so there is no result to share. */
  get isGivenUp(): boolean {
    return this.ending.signal.aborted;
  }

  /** Whether there is an error instead of a result. */
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

/**
 * A value that is requested once for all callers. After a failure, or if all callers have stopped waiting, the next caller requests it
 * again.
 */
export class Once<T> {
  private response: SharedResponse<T> | undefined;

  get(request: (signal: AbortSignal) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (!this.response || this.response.hasFailed || this.response.isGivenUp) this.response = new SharedResponse(request);
    return this.response.join(signal);
  }
}

/** The writes of one client to one kind of objects, for its lists. */
export class Writes {
  private count = 0;
  private deletes = 0;
  private underWay = 0;

  /** The number of writes that have begun so far. */
  get begun(): number {
    return this.count;
  }

  /** The number of creates and updates that have begun so far. */
  get begunWithoutDeletes(): number {
    return this.count - this.deletes;
  }

  /** Whether a write is running, so a list may or may not show it. */
  get isWriting(): boolean {
    return this.underWay > 0;
  }

  /** Runs a write. A failed write counts, too, because it may have taken effect with a lost response. */
  async during<T>(write: () => Promise<T>, isDelete = false): Promise<T> {
    this.count += 1;
    if (isDelete) this.deletes += 1;
    this.underWay += 1;
    try {
      return await write();
    } finally {
      this.underWay -= 1;
    }
  }
}

/** The number of fresh lists that are requested without a wait for more callers. Small stacks need no more. */
const unhurriedLists = 4;

/** The number of callers for which later fresh lists wait, because the engine sends creates one by one. */
const enoughCallers = 4;

/** The time without another caller or write after which the engine certainly has nothing else to work on. */
const quietMs = 300;

/** The longest wait for more callers. */
const mostWaitMs = 3_000;

/** The source of the list of one kind of objects. */
export interface ListSource<Item> {
  readonly take: (context: RequestOptions) => Promise<readonly Item[]>;
  /** The key of an object for look-ups. */
  readonly keyOf: (item: Item) => string;
  readonly writes: Writes;
  /** The number of begun writes, which may include other kinds. A higher number shows that the engine continues. */
  readonly progress: () => number;
  /** The time for which a list serves reads, in milliseconds; 0: never. */
  readonly keepMs: number;
  readonly clock: Clock;
}

interface Snapshot<Item> {
  readonly begun: number;
  readonly writes: number;
  readonly items: SharedResponse<ReadonlyMap<string, Item>>;
}

/** The list that is requested next. */
interface Upcoming<Item> {
  readonly list: SharedResponse<readonly Item[]>;
  callers: number;
  /** Ends the wait for more callers. */
  readonly begin: AbortController;
}

/** A received list, with the number of creates and updates that had begun before it. */
interface Received<Item> {
  readonly begun: number;
  readonly writes: number;
  readonly items: readonly Item[];
}

/** The list of one kind of objects, requested once for many callers. It belongs to a client, and so to one address, region and token. */
export class SharedList<Item> {
  private running: SharedResponse<readonly Item[]> | undefined;
  private next: Upcoming<Item> | undefined;
  private received: Received<Item> | undefined;
  private snapshot: Snapshot<Item> | undefined;
  private lists = 0;
  private readsAfter = { writes: 0, count: 0 };
  private failedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly source: ListSource<Item>) {}

  /**
   * A list that is requested after this call. Calls while one is running, or while the next one waits for more callers, share the next one.
   */
  fresh(context: RequestOptions): Promise<readonly Item[]> {
    if (!this.next || this.next.list.isGivenUp) this.next = this.afterRunning(context);
    const { next } = this;
    next.callers += 1;
    if (this.lists < unhurriedLists || next.callers >= enoughCallers) next.begin.abort();
    return next.list.join(context.signal);
  }

  /**
   * A list of the last seconds if that is enough, and a fresh list otherwise. The older list may have objects that were deleted since, and
   * may lack objects that others created since. It is never used after this client has created or updated an object of the kind.
   */
  async recentIf(isEnough: (items: readonly Item[]) => boolean, context: RequestOptions): Promise<readonly Item[]> {
    const { writes, keepMs, clock } = this.source;
    const { received } = this;
    const isValid = received && received.writes === writes.begunWithoutDeletes && clock.now() - received.begun < keepMs;
    return isValid && isEnough(received.items) ? received.items : this.fresh(context);
  }

  /**
   * An object from a list of the last seconds, if this client has written nothing of the kind since. Undefined when there is no such list,
   * or it lacks the object: that proves nothing, and the object must be read singly.
   *
   * The first read, also after each write, requests the single object: it may be the only read, and with many objects a list costs more.
   * The second read requests the list, which serves later ones until it is too old or a write begins. There is one list at a time. After a
   * list has failed, no other is requested for the time that a list is kept: a list that fails slowly would otherwise delay reads again and
   * again.
   */
  async recent(key: string, context: RequestOptions): Promise<Item | undefined> {
    const { writes, keepMs, clock } = this.source;
    if (keepMs <= 0 || writes.isWriting || this.isFirstRead() || clock.now() - this.failedAt < keepMs) return undefined;
    const { begun } = writes;
    const snapshot = this.takeSnapshot(context);
    if (!snapshot) return undefined;
    try {
      const items = await snapshot.join(context.signal);
      return writes.begun === begun ? items.get(key) : undefined;
    } catch (error) {
      // The token may lack the permission to list. The single read reports any error, with the object.
      if (isApiError(error) && !context.signal?.aborted) return undefined;
      throw error;
    }
  }

  private isFirstRead(): boolean {
    const { begun } = this.source.writes;
    if (this.readsAfter.writes !== begun) this.readsAfter = { writes: begun, count: 0 };
    this.readsAfter.count += 1;
    return this.readsAfter.count === 1;
  }

  /** The list that serves reads now; undefined while a running one is too old for them. */
  private takeSnapshot(context: RequestOptions): Snapshot<Item>["items"] | undefined {
    const { writes, keepMs, clock } = this.source;
    const { snapshot } = this;
    if (snapshot && !snapshot.items.isGivenUp) {
      if (snapshot.writes === writes.begun && clock.now() - snapshot.begun < keepMs) return snapshot.items;
      if (snapshot.items.isUnderWay) return undefined;
    }
    const items = new SharedResponse((signal) => this.byKey({ ...context, signal }));
    this.snapshot = { begun: clock.now(), writes: writes.begun, items };
    return items;
  }

  private async byKey(context: RequestOptions): Promise<ReadonlyMap<string, Item>> {
    const { take, keyOf, clock } = this.source;
    try {
      return new Map((await take(context)).map((item) => [keyOf(item), item] as const));
    } catch (error) {
      if (!context.signal?.aborted) this.failedAt = clock.now();
      throw error;
    }
  }

  private afterRunning(context: RequestOptions): Upcoming<Item> {
    const { take, writes, clock } = this.source;
    const before = this.running;
    const begin = new AbortController();
    const upcoming: Upcoming<Item> = {
      callers: 0,
      begin,
      list: new SharedResponse(async (signal) => {
        signal.addEventListener("abort", () => begin.abort(), { once: true });
        await before?.ended();
        await this.moreCallers(upcoming);
        // This list may have been aborted, and replaced by another one, in the meantime.
        signal.throwIfAborted();
        this.running = upcoming.list;
        this.next = undefined;
        this.lists += 1;
        const started = { begun: clock.now(), writes: writes.begunWithoutDeletes };
        const items = await take({ ...context, signal });
        this.received = { ...started, items };
        return items;
      }),
    };
    return upcoming;
  }

  /** Waits until enough callers share a list, or the engine has nothing else to work on. */
  private async moreCallers(upcoming: Upcoming<Item>): Promise<void> {
    const { progress, clock } = this.source;
    const { signal } = upcoming.begin;
    const end = clock.now() + mostWaitMs;
    const seen = () => progress() + upcoming.callers;
    while (!signal.aborted && clock.now() < end) {
      const before = seen();
      // An aborted sleep returns or throws; either ends the wait.
      await clock.sleep(quietMs, signal).catch(() => undefined);
      if (seen() === before) return;
    }
  }
}
