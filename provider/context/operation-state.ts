import type { Clock } from "../apis/http/clock";
import { UserError } from "../model/user-error";
import { alone, type ObjectOnServer, ObjectSet, type Siblings } from "./object-set";

/**
 * What one operation (one preview, up, refresh or destroy) has seen so far. The engine's calls for different resources know nothing of each
 * other; where they must, they meet here.
 */
export class OperationState {
  readonly defaults: DefaultMethods;
  private readonly claimed: ObjectSet;
  private readonly expected: ObjectSet;
  private readonly takenOver: ObjectSet;
  private readonly lookedUp: ObjectSet;
  private readonly deleted: ObjectSet;
  private moves = false;
  private readonly checks = new Counts();
  private readonly refreshes = new Counts();
  private readonly declared = new Set<string>();
  private readonly named = new Map<string, Readonly<Record<string, unknown>>>();
  private readonly known = new Set<string>();
  private readonly told = new Set<string>();
  private readonly queues = new Map<string, Promise<unknown>>();
  private readonly startIndex = new Lazy<number>();
  private readonly referredMethods = new Lazy<ReadonlySet<string>>();

  /** @param siblings the other processes of the operation; none unless given */
  constructor(
    clock: Clock,
    private readonly siblings: Siblings = alone,
  ) {
    this.defaults = new DefaultMethods(clock);
    this.claimed = new ObjectSet("claimed", siblings);
    this.expected = new ObjectSet("expected", siblings);
    this.takenOver = new ObjectSet("taken over", siblings);
    this.lookedUp = new ObjectSet("looked up", siblings);
    this.deleted = new ObjectSet("deleted", siblings);
  }

  /**
   * Remembers what a check answered, for the diff or the create that comes of it.
   */
  checked(kind: string, content: string, inputs: Readonly<Record<string, unknown>> = {}): void {
    this.checks.add(`${kind} ${content}`);
    this.declared.add(`${kind} ${content}`);
    if (typeof inputs.name === "string") this.named.set(`${kind} ${inputs.name}`, inputs);
  }

  /** The inputs of the resource of this name that the program declares, as far as the operation has come. */
  declaredAs(kind: string, name: string): Readonly<Record<string, unknown>> | undefined {
    return this.named.get(`${kind} ${name}`);
  }

  /** Whether a check answered these inputs, once for each check. */
  consumeCheck(kind: string, content: string): boolean {
    return this.checks.take(`${kind} ${content}`);
  }

  /** Whether the program declares a resource of these inputs, as far as the operation has come. */
  isDeclared(kind: string, content: string): boolean {
    return this.declared.has(`${kind} ${content}`);
  }

  /** Remembers that an object of the state was read: a diff of it that follows may be the one that ends a refresh. */
  refreshed(kind: string, id: string): void {
    this.refreshes.add(`${kind} ${id}`);
    this.known.add(`${kind} ${id}`);
  }

  /**
   * Whether a diff is that of an update, and so tells what the program wants. The diff that ends a refresh does not, and the same operation may go on to
   * delete the object; nor does one with unknown values outside of a preview, which asks what becomes of a resource when one that it depends on is deleted.
   *
   * The diff of an update follows a check. It mostly has the inputs that the check answered; but a policy pack may have changed them in between. Then it is
   * told by what it is not.
   */
  isOfUpdate(kind: string, id: string, content: string, isPartlyUnknown: boolean): boolean {
    const isChecked = this.consumeCheck(kind, content);
    const isRefresh = !isPartlyUnknown && this.refreshes.take(`${kind} ${id}`);
    return isChecked || !(isPartlyUnknown || isRefresh);
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

  /** Remembers that the object is to be deleted because one that it depends on is, whatever was claimed before. */
  release(object: ObjectOnServer): void {
    this.claimed.remove(object);
    this.expected.add(object);
  }

  /** Remembers that the program looks this object up (`get`), without managing it. */
  lookUp(object: ObjectOnServer): void {
    this.lookedUp.add(object);
  }

  /** Remembers that the object is gone, because this operation has deleted it, or has found that the authoritative region has none. */
  markDeleted(object: ObjectOnServer): void {
    this.deleted.add(object);
  }

  /** Whether a copy of the object that a region shows is one of an object that is gone: an object that was made anew under its name is another one. */
  isDeleted(object: ObjectOnServer): boolean {
    return this.deleted.hasExactly(object);
  }

  /** Whether the stack has this object, as far as the operation has come: its state was read, or a resource of the program holds it. */
  isOfStack(object: ObjectOnServer): boolean {
    return this.known.has(`${object.kind} ${object.id}`) || this.isManaged(object);
  }

  /** Whether a resource of the program holds this object, as far as the operation has come: no other may take it over. */
  isManaged(object: ObjectOnServer): boolean {
    return this.isClaimed(object) || this.expected.has(object);
  }

  /**
   * Why a delete must leave the object on the server; undefined when it need not.
   *
   * @param content the inputs of its state. Where the program declares a resource of these, it deletes the object to replace it, and looks up the one to come
   * @throws UserError when another provider holds an object of the same identity on another server
   */
  reasonToKeep(object: ObjectOnServer, content: string): "claimed" | "looked up" | undefined {
    if (this.isClaimed(object)) return "claimed";
    const isReplaced = this.expected.has(object) || this.isDeclared(object.kind, content);
    if (!isReplaced && this.lookedUp.has(object)) return "looked up";
    const other = this.claimed.elsewhere(object) ?? this.lookedUp.elsewhere(object);
    if (other) throw underTwoServers(object, "was not deleted", other);
    return undefined;
  }

  /**
   * Remembers that a resource that adopts takes this object.
   *
   * @throws UserError when another process of the operation holds the object, or can't be told: it may go on to delete the object
   */
  takeOver(object: ObjectOnServer): void {
    if (this.siblings.unavailableReason)
      throw new UserError(`${object.kind} ${object.id} was not taken over: ${this.siblings.unavailableReason}`);
    this.takenOver.add(object);
    // Told first and asked then, here and in a diff: of two processes that do so at once, one at least learns of the other.
    if (this.isManaged(object)) {
      throw new UserError(
        `${object.kind} ${object.id} was not taken over: another resource of this program manages it, and one object can't have two resources.`,
      );
    }
    const other = this.claimed.elsewhere(object) ?? this.expected.elsewhere(object);
    if (other) throw underTwoServers(object, "was not taken over", other);
  }

  /** @throws UserError when one of the same identity was taken over on another server */
  isTakenOver(object: ObjectOnServer): boolean {
    const other = this.takenOver.elsewhere(object);
    if (other) throw underTwoServers(object, "was left alone", other);
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
  async withLock<T>(key: string, work: () => Promise<T>): Promise<T> {
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

/** Two providers speak of one identity under two addresses. Whether that is one object can't be told from here, and what is right for one is wrong for two. */
function underTwoServers({ kind, id, server }: ObjectOnServer, what: string, other: string): UserError {
  return new UserError(
    `${kind} ${id} on ${server} ${what}: another provider of this program has one of the same identity on ${other}. It may be the same object under two addresses, or a copy of it ` +
      "in a cluster that was restored from a snapshot. If it is one cluster, give both providers the same address. If there are two, run the operation for this resource " +
      "alone, with `--target` and its URN.",
  );
}

/** How often each of some texts is still to come. */
class Counts {
  private readonly counts = new Map<string, number>();

  add(text: string): void {
    this.counts.set(text, (this.counts.get(text) ?? 0) + 1);
  }

  /** Whether the text was to come once more at least. */
  take(text: string): boolean {
    const count = this.counts.get(text) ?? 0;
    if (count > 1) this.counts.set(text, count - 1);
    else this.counts.delete(text);
    return count > 0;
  }
}

/** A value that is read once. One that could not be read is read again for the next who asks. */
class Lazy<T> {
  private value: Promise<T> | undefined;

  get(read: () => Promise<T>): Promise<T> {
    this.value ??= read().catch((error: unknown) => {
      this.value = undefined;
      throw error;
    });
    return this.value;
  }
}

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
class DefaultMethods {
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
