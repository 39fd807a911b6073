/** An object of the one server that an operation asks. */
export interface ObjectId {
  readonly kind: string;
  readonly id: string;
  /** If the id is a name: the time or index of its creation, which tells the object from others of that name. */
  readonly made?: unknown;
}

/**
 * The objects that the calls of one operation hold. Each set is for a sequence of calls that would lose an object otherwise, or give it two
 * resources.
 */
export class OperationObjects {
  /**
   * Create or update A (or A's diff finds nothing to do), then delete B, an older entry of the state with A's object: B was replaced under
   * the same name, was renamed in the program without an alias, or an earlier update was killed between A's adoption and B's delete. The
   * delete must leave A's object, also one that was made anew under the name since B was written.
   */
  private readonly held = new Set<string>();
  /** Adopt A's object, then diff B, another entry with it: B must not be changed, because both have one object. */
  private readonly adopted = new Set<string>();
  /** Diff B, which is renamed, then create A, which adopts B's old name while B still has it; or diff two entries with one object. */
  private readonly compared = new Set<string>();
  /** Delete B before its diff: the engine does so below a replaced resource if B has a new URN. The diff must say that B is made anew. */
  private readonly deleted = new Set<string>();

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

  /** Records that the diff of an update is about an entry with this object. @returns whether another resource has it, too */
  compare(object: ObjectId): boolean {
    const isOfTwo = this.compared.has(exactly(object)) || this.isAdopted(object);
    this.compared.add(exactly(object));
    return isOfTwo;
  }

  /** Records that the object is to be deleted because one that it depends on is. */
  release(object: ObjectId): void {
    this.held.delete(idOf(object));
    this.compared.add(exactly(object));
  }

  /** Whether a resource of the program has this object, as far as known until now: then no other may take it over. */
  isManaged(object: ObjectId): boolean {
    return this.isHeld(object) || this.compared.has(exactly(object));
  }

  markDeleted(object: ObjectId): void {
    this.deleted.add(exactly(object));
  }

  isDeleted(object: ObjectId): boolean {
    return this.deleted.has(exactly(object));
  }
}

function idOf({ kind, id }: ObjectId): string {
  return `${kind} ${id}`;
}

function exactly(object: ObjectId): string {
  return JSON.stringify([idOf(object), object.made]);
}
