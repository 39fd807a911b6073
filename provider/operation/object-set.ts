import { relationOf } from "../model/servers";

/** An object, as all processes of one operation identify it. */
export interface ObjectOnServer {
  readonly kind: string;
  readonly id: string;
  /** Its server, in the form of the output `server`. */
  readonly server: string;
  /** For a kind whose ids are names: the creation time, which identifies the object among those of that name. */
  readonly createTime?: string | undefined;
  /** The same if it has no times: the index of its creation, which each region counts by itself. */
  readonly createIndex?: number | undefined;
}

/** The other processes of the same operation: the engine starts one for each provider, and a resource may move from one to another. */
export interface Siblings {
  /** Why they can't be read, and what to do. */
  readonly unavailableReason?: string | undefined;
  publish(text: string, server: string): void;
  /** The servers for which one of them has published this. @throws UserError when that can't be read any more */
  serversOf(text: string): readonly string[];
}

export const alone: Siblings = { publish() {}, serversOf: () => [] };

/** A set of objects, to which all processes of the operation add. */
export class ObjectSet {
  private readonly own = new Map<string, ObjectOnServer[]>();

  /**
   * @param isOfIndex whether two objects of a name without times are told apart by their indexes. Otherwise one counts for all of that name,
   * because another process may read from another region
   */
  constructor(
    private readonly what: string,
    private readonly siblings: Siblings,
    private readonly isOfIndex = false,
  ) {}

  add(object: ObjectOnServer): void {
    const key = keyOf(object);
    this.own.set(key, [...(this.own.get(key) ?? []), object]);
    this.siblings.publish(this.text(object), object.server);
  }

  /** Removes the object in this process. It stays published: other processes may be more careful than necessary. */
  remove(object: ObjectOnServer): void {
    this.own.delete(keyOf(object));
  }

  /** Whether the set has the object, in any region of its server. What this process added counts for every object that had the id. */
  has(object: ObjectOnServer): boolean {
    const own = this.own.get(keyOf(object)) ?? [];
    return own.some(({ server }) => isSameServer(server, object.server)) || this.hasExactly(object);
  }

  /** The same, but an object that was made again under its name is another one, also in this process. */
  hasExactly(object: ObjectOnServer): boolean {
    return this.serversOf(object).some((server) => isSameServer(server, object.server));
  }

  /** The same, as far as this process added it. */
  hasExactlyHere(object: ObjectOnServer): boolean {
    return this.ownServersOf(object).some((server) => isSameServer(server, object.server));
  }

  /** Another server with an object of the same identity in the set: the same object under two addresses, or a copy in a restored cluster. */
  elsewhere(object: ObjectOnServer): string | undefined {
    return this.has(object) ? undefined : this.serversOf(object)[0];
  }

  private serversOf(object: ObjectOnServer): readonly string[] {
    return [...this.ownServersOf(object), ...this.siblings.serversOf(this.text(object))];
  }

  private ownServersOf(object: ObjectOnServer): readonly string[] {
    const own = (this.own.get(keyOf(object)) ?? []).filter((one) => this.creationOf(one) === this.creationOf(object));
    return own.map(({ server }) => server);
  }

  private text(object: ObjectOnServer): string {
    return `${this.what}: ${object.kind} ${object.id} ${this.creationOf(object)}`;
  }

  private creationOf({ createTime, createIndex }: ObjectOnServer): string {
    return createTime ?? (this.isOfIndex && createIndex !== undefined ? String(createIndex) : "");
  }
}

function keyOf({ kind, id }: ObjectOnServer): string {
  return `${kind} ${id}`;
}

function isSameServer(one: string, other: string): boolean {
  return relationOf(one, other) !== "other server";
}
