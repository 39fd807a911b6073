import { UserError } from "../model/user-error";
import { alone, type ObjectOnServer, ObjectSet, type Siblings } from "./object-set";

/** What a process publishes to say that the operation is an update. */
const updating = "a resource is checked";

/** The objects that the calls of one operation have created, changed, deleted or looked up, in all of its processes. */
export class OperationObjects {
  private readonly claimed: ObjectSet;
  private readonly expected: ObjectSet;
  private readonly adopted: ObjectSet;
  private readonly lookedUp: ObjectSet;
  private readonly deleted: ObjectSet;
  private readonly entries: ObjectSet;
  private readonly inState = new Set<string>();
  private isUpdate = false;

  /** @param siblings the other processes of the operation; default: none */
  constructor(private readonly siblings: Siblings = alone) {
    this.claimed = new ObjectSet("claimed", siblings);
    this.expected = new ObjectSet("expected", siblings);
    this.adopted = new ObjectSet("taken over", siblings);
    this.lookedUp = new ObjectSet("looked up", siblings);
    this.deleted = new ObjectSet("deleted", siblings, true);
    this.entries = new ObjectSet("in an entry", siblings, true);
  }

  /**
   * Records that the program holds this object: a create or update returned its id, or the diff of an update found it unchanged. A delete
   * of the same id in the same operation belongs to an older entry of the state (a replacement, an adoption, a failed delete), and must
   * not take the object with it.
   */
  claim(object: ObjectOnServer): void {
    this.claimed.add(object);
  }

  isClaimed(object: ObjectOnServer): boolean {
    return this.claimed.has(object);
  }

  /** Records that the diff of an update changes or replaces this object. Unlike a claim, this does not prevent a delete. */
  expectChange(object: ObjectOnServer): void {
    this.expected.add(object);
  }

  /** Records that the object is to be deleted because one that it depends on is. This ends an earlier claim. */
  release(object: ObjectOnServer): void {
    this.claimed.remove(object);
    this.expected.add(object);
  }

  /**
   * Records that the update compares an entry of the state that has this object.
   *
   * @returns whether it has done so with another entry: an earlier update, which then failed, has given the object a second resource
   */
  recordEntry(object: ObjectOnServer): boolean {
    const isSecond = this.entries.hasExactly(object);
    this.entries.add(object);
    return isSecond;
  }

  /** Records that the program looks this object up (`get`), without managing it. */
  lookUp(object: ObjectOnServer): void {
    this.lookedUp.add(object);
  }

  /** Records that the engine checks a resource, as updates do. A destroy checks none, also if it runs the program (`--run-program`). */
  recordUpdate(): void {
    if (!this.isUpdate) this.siblings.publish(updating, "");
    this.isUpdate = true;
  }

  /** Records that the object is gone, because this operation has deleted it, or because the authoritative region has none. */
  markDeleted(object: ObjectOnServer): void {
    this.deleted.add(object);
  }

  /** Whether this very object was deleted, though a region still shows a copy. One that was made again under its name is another object. */
  isDeleted(object: ObjectOnServer): boolean {
    return this.deleted.hasExactly(object);
  }

  /** Whether an object of this id was deleted. */
  isIdDeleted(object: ObjectOnServer): boolean {
    return this.deleted.has(object);
  }

  /** Records that the state has this object. */
  recordInState(kind: string, id: string): void {
    this.inState.add(`${kind} ${id}`);
  }

  /** Whether the stack has this object, as far as known until now: its state was read, or a resource of the program holds it. */
  isOfStack(object: ObjectOnServer): boolean {
    return this.inState.has(`${object.kind} ${object.id}`) || this.isManaged(object);
  }

  /** Whether a resource of the program holds this object, as far as known until now: then no other may take it over. */
  isManaged(object: ObjectOnServer): boolean {
    return this.isClaimed(object) || this.expected.has(object);
  }

  /**
   * Why a delete must leave the object on the server; undefined when it may delete it.
   *
   * @param isDeclared whether the program declares a resource with the inputs of its state: then the delete is part of a replacement, and a look-up is one of the new object
   * @throws UserError when another provider holds an object of the same identity on another server
   */
  reasonToKeep(object: ObjectOnServer, isDeclared: boolean): "claimed" | "looked up" | undefined {
    if (this.isClaimed(object)) return "claimed";
    const isReplaced = this.expected.has(object) || isDeclared;
    // A destroy that runs the program reads what it looks up, and is to delete it nevertheless.
    const lookedUp = this.mayBeUpdate() ? this.lookedUp : undefined;
    if (!isReplaced && lookedUp?.has(object)) return "looked up";
    const other = this.claimed.elsewhere(object) ?? lookedUp?.elsewhere(object);
    if (other) throw underTwoServers(object, "was not deleted", other);
    return undefined;
  }

  /** Whether a resource was checked, here or in another process; also if those can't be read, because then nobody knows. */
  private mayBeUpdate(): boolean {
    const { unavailableReason } = this.siblings;
    return this.isUpdate || unavailableReason !== undefined || this.siblings.serversOf(updating).length > 0;
  }

  /**
   * Records that a resource that adopts takes this object.
   *
   * @throws UserError when another process of the operation holds the object, or can't be reached: it could delete the object later
   */
  adopt(object: ObjectOnServer): void {
    if (this.siblings.unavailableReason)
      throw new UserError("adoption-unavailable", `${object.kind} ${object.id} was not taken over: ${this.siblings.unavailableReason}`);
    this.adopted.add(object);
    // Publish first, then look, here and in a diff: of two processes that do so at once, at least one sees the other.
    if (this.isManaged(object)) {
      throw new UserError(
        "managed-by-another",
        `${object.kind} ${object.id} was not taken over: another resource of this program manages it, and one object can't have two resources.`,
      );
    }
    const other = this.claimed.elsewhere(object) ?? this.expected.elsewhere(object);
    if (other) throw underTwoServers(object, "was not taken over", other);
  }

  /** Whether a create of this operation has taken this very object over. */
  isAdopted(object: ObjectOnServer): boolean {
    return this.adopted.hasExactly(object);
  }

  /** Whether a create of this process has. It never throws: after a write nothing may keep an object out of the state. */
  isAdoptedHere(object: ObjectOnServer): boolean {
    return this.adopted.hasExactlyHere(object);
  }

  /** Before a write. @throws UserError when nobody can see any more what the other processes of the operation hold */
  requireSiblings(): void {
    this.siblings.serversOf(updating);
  }

  /** @throws UserError when one of the same identity was taken over on another server */
  isIdAdopted(object: ObjectOnServer): boolean {
    const other = this.adopted.elsewhere(object);
    if (other) throw underTwoServers(object, "was left alone", other);
    return this.adopted.has(object);
  }
}

/** Two providers have an object of one identity on two addresses. This may be one object or two, and the cases need different actions. */
function underTwoServers({ kind, id, server }: ObjectOnServer, what: string, other: string): UserError {
  return new UserError(
    "under-two-servers",
    `${kind} ${id} on ${server} ${what}: another provider of this program has one of the same identity on ${other}. It may be the same object under two addresses, or a copy of it ` +
      "in a cluster that was restored from a snapshot. If it is one cluster, give both providers the same address. If there are two, run the operation for this resource " +
      "alone, with `--target` and its URN.",
  );
}
