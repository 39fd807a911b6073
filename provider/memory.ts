import type { Clock } from "./apis/clock";
import { Problem } from "./problem";

/** An object as the processes of one operation speak of it. */
export interface ObjectOnServer {
  readonly kind: string;
  readonly id: string;
  /** Of a kind whose ids are names: which of the clusters' objects of that name it is. */
  readonly createTime?: string | undefined;
}

/** The other processes of the same operation: the engine starts one for each provider, and a resource may move from one to another. */
export interface Siblings {
  /** What stands in the way of telling them, and what to do about it. */
  readonly trouble?: string | undefined;
  tell(text: string): void;
  /** Whether one of them has told this. */
  haveTold(text: string): boolean;
}

const alone: Siblings = { tell() {}, haveTold: () => false };

/**
 * What one operation (one preview, up, refresh or destroy) has seen so far. The engine's calls for different resources know nothing of each
 * other; where they must, they meet here.
 */
export class Memory {
  readonly defaults: DefaultMethods;
  private readonly claimed: Marks;
  private readonly expected: Marks;
  private readonly takenOver: Marks;
  private moves = false;
  private readonly checks = new Map<string, number>();
  private readonly told = new Set<string>();
  private readonly queues = new Map<string, Promise<unknown>>();
  private readonly startIndex = new Once<number>();
  private readonly referredMethods = new Once<ReadonlySet<string>>();

  /** @param siblings the other processes of the operation; none unless given */
  constructor(
    clock: Clock,
    private readonly siblings: Siblings = alone,
  ) {
    this.defaults = new DefaultMethods(clock);
    this.claimed = new Marks("claimed", siblings);
    this.expected = new Marks("expected", siblings);
    this.takenOver = new Marks("taken over", siblings);
  }

  /**
   * Remembers what a check answered, for the diff or the create that comes of it.
   */
  checked(kind: string, content: string): void {
    const key = `${kind} ${content}`;
    this.checks.set(key, (this.checks.get(key) ?? 0) + 1);
  }

  /**
   * Whether a check answered these inputs, once for each check. The diff of an update follows a check, the diff that ends a refresh does not: it
   * says nothing of what the program wants, and the same operation may go on to delete the object.
   */
  takeChecked(kind: string, content: string): boolean {
    const key = `${kind} ${content}`;
    const count = this.checks.get(key) ?? 0;
    if (count > 1) this.checks.set(key, count - 1);
    else this.checks.delete(key);
    return count > 0;
  }

  /**
   * Remembers that the program holds this object: a create or update answered its id, or the diff of an update found it unchanged. A delete of the same id in
   * the same operation belongs to an older entry of the state (a replacement, an adoption, a failed delete), and must not take the object with it.
   */
  claim(object: ObjectOnServer): void {
    this.claimed.add(object);
  }

  isClaimed(object: ObjectOnServer): boolean {
    return this.claimed.has(object);
  }

  /** Remembers that the diff of an update wants to change or to replace this object. Other than a claim, that does not keep it from a delete. */
  expectChange(object: ObjectOnServer): void {
    this.expected.add(object);
  }

  /** Whether a resource of the program holds this object, as far as the operation has come: no other may take it over. */
  isManaged(object: ObjectOnServer): boolean {
    return this.isClaimed(object) || this.expected.has(object);
  }

  /**
   * Remembers that a resource that adopts takes this object.
   *
   * @throws Problem when another process of the operation holds the object, or can't be told: it may go on to delete the object
   */
  takeOver(object: ObjectOnServer): void {
    if (this.siblings.trouble) throw new Problem(`${object.kind} ${object.id} was not taken over: ${this.siblings.trouble}`);
    this.takenOver.add(object);
    // Told first and asked then, here and in a diff: of two processes that do so at once, one at least learns of the other.
    if (this.isManaged(object)) {
      throw new Problem(
        `${object.kind} ${object.id} was not taken over: another resource of this program manages it, and one object can't have two resources.`,
      );
    }
  }

  isTakenOver(object: ObjectOnServer): boolean {
    return this.takenOver.has(object);
  }

  /** Remembers that resources come here from other providers of the program. */
  expectMoves(): void {
    this.moves = true;
  }

  /** Whether a resource may come from another provider of the program: its object stays behind when that one's server is another. */
  get expectsMoves(): boolean {
    return this.moves;
  }

  /** True the first time it is asked about a text: the engine checks a resource more than once, and a warning is told once. */
  firstTime(text: string): boolean {
    if (this.told.has(text)) return false;
    this.told.add(text);
    return true;
  }

  /** The index of the cluster's store before the first write of the operation, read once. */
  indexAtStart(read: () => Promise<number>): Promise<number> {
    return this.startIndex.get(read);
  }

  /** The names of the auth methods that binding rules referred to before the operation made its first method, read once. */
  methodsWithRulesAtStart(read: () => Promise<ReadonlySet<string>>): Promise<ReadonlySet<string>> {
    return this.referredMethods.get(read);
  }

  /** Runs work that must not overlap under one key: two resources of one program that ask for the same name, one after the other. */
  async exclusively<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.queues.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.queues.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.queues.get(key) === mine) this.queues.delete(key);
    }
  }
}

/** Objects that one thing is known of, by this process or by another one of the operation. */
class Marks {
  private readonly own = new Set<string>();

  constructor(
    private readonly what: string,
    private readonly siblings: Siblings,
  ) {}

  add(object: ObjectOnServer): void {
    this.own.add(`${object.kind} ${object.id}`);
    this.siblings.tell(this.text(object));
  }

  has(object: ObjectOnServer): boolean {
    return this.own.has(`${object.kind} ${object.id}`) || this.siblings.haveTold(this.text(object));
  }

  /** One process may be for another server than the other. Ids are unique in the world, except those that are names. */
  private text({ kind, id, createTime = "" }: ObjectOnServer): string {
    return `${this.what}: ${kind} ${id} ${createTime}`;
  }
}

/** A value that is read once. One that could not be read is read again for the next who asks. */
class Once<T> {
  private value: Promise<T> | undefined;

  get(read: () => Promise<T>): Promise<T> {
    this.value ??= read().catch((error: unknown) => {
      this.value = undefined;
      throw error;
    });
    return this.value;
  }
}

/** What the diffs said of a method that is the default: whether the program lets go of it, and which object that is. */
export interface DefaultVerdict {
  readonly leaves: boolean;
  readonly createTime: string | undefined;
}

/** How long a write waits for the diff of the method that is the default now. Both are on their way at once unless one depends on the other. */
const patienceMs = 10_000;

/** The hand-over of the one default from a method to another, whose writes arrive in no order. */
class DefaultMethods {
  private readonly verdicts = new Map<string, DefaultVerdict>();
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(private readonly clock: Clock) {}

  /** A diff saw a method that is the default in the state. */
  saw(name: string, verdict: DefaultVerdict): void {
    this.verdicts.set(name, verdict);
    for (const wake of this.waiting.get(name) ?? []) wake();
  }

  /** What the diff of a method says; undefined when no diff comes: it is not of this program, is being removed, or waits for the caller. */
  async verdictOn(name: string): Promise<DefaultVerdict | undefined> {
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
