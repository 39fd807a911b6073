import { type Declared, declare, Program } from "../../checks";
import { DeclaredIdentities } from "../model/identities";
import { ErrorDeduplicator } from "./error-deduplicator";

/** An object of the operation's server. */
export interface ObjectId {
  readonly kind: string;
  readonly id: string;
  /** For an id that is a name: the time or index of the creation, which distinguishes the object from others with the same name. */
  readonly made?: unknown;
}

/**
 * The objects that the calls of one operation hold. Each set is for a sequence of calls that would otherwise lose an object, or give it two
 * resources. In the comments on the sets, A and B are resources with their entries in the state.
 */
class OperationObjects {
  /**
   * Create or update A (or A's diff finds no change), then delete B, an older entry of the state with A's object. Such a B was replaced
   * under the same name, or was renamed in the program without an alias; or an earlier update was killed between A's adoption and B's
   * delete. The delete of B must leave A's object, even if others made it anew under the name since B was written.
   */
  private readonly held = new Set<string>();
  /** Adopt A's object, then diff B, another entry with the same object: B must not be changed. */
  private readonly adopted = new Set<string>();
  /** Diff B, which is renamed, then create A, which adopts B's old name while B still has it; or diff two entries with one object. */
  private readonly compared = new Set<string>();
  /** Delete B before its diff, if B depends on a replaced resource and has a new URN: the diff must say that B is created again. */
  private readonly deleted = new Set<string>();
  /** As for `deleted`, but the engine calls no delete of B: in a preview, or with retainOnDelete, which leaves the object on the server. */
  private readonly released = new Set<string>();

  /** Records that a resource of the program has this object. */
  hold(object: ObjectId): void {
    this.held.add(idOf(object));
  }

  isHeld(object: ObjectId): boolean {
    return this.held.has(idOf(object));
  }

  adopt(object: ObjectId): void {
    this.adopted.add(idOf(object));
  }

  isAdopted(object: ObjectId): boolean {
    return this.adopted.has(idOf(object));
  }

  /** Records that an update compares an entry with this object. @returns whether another resource has it, too */
  compare(object: ObjectId): boolean {
    const isOfTwo = this.compared.has(exactly(object)) || this.isAdopted(object);
    this.compared.add(exactly(object));
    return isOfTwo;
  }

  /** Records that the engine will delete the entry with the object, because an object that it depends on is deleted. */
  release(object: ObjectId): void {
    this.held.delete(idOf(object));
    this.compared.add(exactly(object));
    this.released.add(exactly(object));
  }

  /** Whether a resource of the program is already known to have this object: then no other may take it over. */
  isManaged(object: ObjectId): boolean {
    return this.isHeld(object) || this.compared.has(exactly(object));
  }

  markDeleted(object: ObjectId): void {
    this.deleted.add(exactly(object));
  }

  isDeleted(object: ObjectId): boolean {
    return this.deleted.has(exactly(object));
  }

  /** Whether the entry with the object is gone, or will be. Its diff must then say that the object is created again. */
  isReleased(object: ObjectId): boolean {
    return this.released.has(exactly(object)) || this.isDeleted(object);
  }
}

function idOf({ kind, id }: ObjectId): string {
  return `${kind} ${id}`;
}

function exactly(object: ObjectId): string {
  return JSON.stringify([idOf(object), object.made]);
}

/** The declared inputs of the program, and the diffs that belong to an update. */
export class Checks {
  private readonly checks = new Counts();
  private readonly reads = new Counts();
  private readonly named = new Map<string, Readonly<Record<string, unknown>>>();
  private readonly renamed = new Set<string>();

  /** Records the inputs that a check returned, for the diff or the create that follows. */
  recordCheck(kind: string, content: string, inputs: Readonly<Record<string, unknown>> = {}): void {
    this.checks.add(`${kind} ${content}`);
    if (typeof inputs.name === "string") this.named.set(`${kind} ${inputs.name}`, inputs);
  }

  /** Records that the program renames the object with this name: a declaration with this name is for another object. */
  recordRenaming(kind: string, name: string): void {
    this.renamed.add(`${kind} ${name}`);
  }

  /** The inputs that the program has declared so far for the object with this name; undefined if the program renames it. */
  declaredInputs(kind: string, name: string): Readonly<Record<string, unknown>> | undefined {
    const key = `${kind} ${name}`;
    return this.renamed.has(key) ? undefined : this.named.get(key);
  }

  /** Whether a check returned these inputs; true once for each check. */
  consumeCheck(kind: string, content: string): boolean {
    return this.checks.take(`${kind} ${content}`);
  }

  /** Records that an object of the state was read: the next diff of it may be that of a refresh. */
  recordRead(kind: string, id: string): void {
    this.reads.add(`${kind} ${id}`);
  }

  /**
   * Whether a diff belongs to an update, so that its new inputs are the program's. There are two other kinds of diffs. One ends a refresh;
   * the same operation may delete the object later. The other has unknown values outside of a preview: with it, the engine asks whether a
   * resource must be replaced because a resource that it depends on is replaced. The diff of an update follows a check, and has the inputs
   * that the check returned, unless a policy pack has changed them. In that case it counts as an update's if it is neither of the other
   * two.
   */
  isOfUpdate(kind: string, id: string, content: string, isPartlyUnknown: boolean): boolean {
    const isChecked = this.consumeCheck(kind, content);
    const isRefresh = !isPartlyUnknown && this.reads.take(`${kind} ${id}`);
    return isChecked || !(isPartlyUnknown || isRefresh);
  }
}

/** Counters for texts. */
class Counts {
  private readonly counts = new Map<string, number>();

  add(text: string): void {
    this.counts.set(text, (this.counts.get(text) ?? 0) + 1);
  }

  /** Whether the text has a count above zero, which is decreased by one. */
  take(text: string): boolean {
    const count = this.counts.get(text) ?? 0;
    if (count > 1) this.counts.set(text, count - 1);
    else this.counts.delete(text);
    return count > 0;
  }
}

/**
 * The data that the calls of one operation (a preview, up, refresh or destroy) share. The engine makes a call for each step of each
 * resource, and passes no data from one call to the next.
 */
export class OperationState {
  readonly checks = new Checks();
  readonly identities = new DeclaredIdentities();
  readonly objects = new OperationObjects();
  readonly errors = new ErrorDeduplicator();
  /** Whether resources may come from another provider of the program. If that provider has another server, the object is replaced. */
  expectsMoves = false;
  private readonly program = new Program();
  private readonly warnings = new Set<string>();
  private readonly queues = new Map<string, Promise<unknown>>();

  /** Records a resource of the program. @returns warnings about the part that is declared so far */
  declare(resource: Declared): string[] {
    return declare(this.program, resource);
  }

  /** Whether a warning is new: the engine checks a resource more than once, and each warning is reported once. */
  firstTime(text: string): boolean {
    if (this.warnings.has(text)) return false;
    this.warnings.add(text);
    return true;
  }

  /** Runs the work for one key in sequence, such as the creates of two resources with the same name. */
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
