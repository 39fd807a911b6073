import type { Clock } from "../http/clock";
import { isApiError } from "../http/errors";
import type { RequestOptions } from "../http/request";
import { SharedResponse } from "./shared-response";

/** The writes of one client to one kind of objects, as far as its lists must know of them. */
export class Writes {
  private count = 0;
  private underWay = 0;

  /** How many have begun so far. */
  get begun(): number {
    return this.count;
  }

  /** Whether one is on its way, so that nobody can say whether a list shows it. */
  get isWriting(): boolean {
    return this.underWay > 0;
  }

  /** Runs a write. However it ends, it counts: the answer to one that took place may be lost. */
  async during<T>(write: () => Promise<T>): Promise<T> {
    this.count += 1;
    this.underWay += 1;
    try {
      return await write();
    } finally {
      this.underWay -= 1;
    }
  }
}

/**
 * How far apart fresh lists of a kind begin, by how many there were. An engine sends creates one by one, the further apart the larger its state: those that
 * come soon after a list began meet in the next one. Few need not wait; with many the engine works at others meanwhile.
 */
function apartMs(taken: number): number {
  return Math.min(50 + 10 * taken, 300);
}

/** How a kind of objects is listed. */
export interface Listing<Item> {
  readonly take: (context: RequestOptions) => Promise<readonly Item[]>;
  /** What an object is looked up by. */
  readonly keyOf: (item: Item) => string;
  readonly writes: Writes;
  /** How long a list answers reads, in milliseconds; 0: not at all. */
  readonly keepMs: number;
  readonly clock: Clock;
}

interface Snapshot<Item> {
  readonly begun: number;
  readonly writes: number;
  readonly items: SharedResponse<ReadonlyMap<string, Item>>;
}

/** The list of one kind of objects, taken once for many callers. It belongs to a client, and so to one address, region and token. */
export class SharedList<Item> {
  private current: SharedResponse<readonly Item[]> | undefined;
  private next: SharedResponse<readonly Item[]> | undefined;
  private snapshot: Snapshot<Item> | undefined;
  private lastBegun = Number.NEGATIVE_INFINITY;
  private taken = 0;
  private readsAfter = { writes: 0, count: 0 };
  private failedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly listing: Listing<Item>) {}

  /** A list that begins after this call. Those who call while one is on its way, or a moment after it began, share the one after it. */
  fresh(context: RequestOptions): Promise<readonly Item[]> {
    if (!this.next || this.next.isGivenUp) this.next = this.afterCurrent(context);
    return this.next.join(context.signal);
  }

  /**
   * An object as a list of the last seconds shows it, since when this client has written nothing of the kind. Undefined when there is no such list, or
   * it lacks the object: nothing may be concluded from that, the object is to be read by itself.
   *
   * The first read is left to be a single one: it may be the only one, and a list is dearer than that where there are many objects. The second one pays
   * for the list, which all that follow have for nothing. There is one at a time, and none for as long as a list may be kept after one has failed, counted
   * from its end: one that takes long to fail would otherwise hold up every few reads.
   */
  async recent(key: string, context: RequestOptions): Promise<Item | undefined> {
    const { writes, keepMs, clock } = this.listing;
    if (keepMs <= 0 || writes.isWriting || this.isFirstRead() || clock.now() - this.failedAt < keepMs) return undefined;
    const { begun } = writes;
    const snapshot = this.takeSnapshot(context);
    if (!snapshot) return undefined;
    try {
      const items = await snapshot.join(context.signal);
      return writes.begun === begun ? items.get(key) : undefined;
    } catch (error) {
      // A token may read single objects and no list. Whatever it is, the single read tells what is wrong, and of which object.
      if (isApiError(error) && !context.signal?.aborted) return undefined;
      throw error;
    }
  }

  private isFirstRead(): boolean {
    const { begun } = this.listing.writes;
    if (this.readsAfter.writes !== begun) this.readsAfter = { writes: begun, count: 0 };
    this.readsAfter.count += 1;
    return this.readsAfter.count === 1;
  }

  /** The list that answers reads now; undefined while one is on its way that is too old for them. */
  private takeSnapshot(context: RequestOptions): Snapshot<Item>["items"] | undefined {
    const { writes, keepMs, clock } = this.listing;
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
    const { take, keyOf, clock } = this.listing;
    try {
      return new Map((await take(context)).map((item) => [keyOf(item), item] as const));
    } catch (error) {
      if (!context.signal?.aborted) this.failedAt = clock.now();
      throw error;
    }
  }

  private afterCurrent(context: RequestOptions): SharedResponse<readonly Item[]> {
    const before = this.current;
    const list = new SharedResponse(async (signal) => {
      await before?.ended();
      await this.notTooSoon(signal);
      // Given up meanwhile, another one may have taken its place.
      signal.throwIfAborted();
      this.current = list;
      this.next = undefined;
      this.lastBegun = this.listing.clock.now();
      this.taken += 1;
      return this.listing.take({ ...context, signal });
    });
    return list;
  }

  private async notTooSoon(signal: AbortSignal): Promise<void> {
    const { clock } = this.listing;
    const waitMs = this.lastBegun + apartMs(this.taken) - clock.now();
    if (waitMs > 0) await clock.sleep(waitMs, signal);
  }
}
