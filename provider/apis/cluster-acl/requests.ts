import * as z from "zod";
import type { Absence } from "../http/errors";
import type { ApiRequest } from "../http/request";
import type { SharedList, Writes } from "../lists/shared-list";
import type { Connection } from "./connection";

/** A kind of objects on the wire, as far as all have it: the forms of responses, its address, and the errors for a missing object. */
export interface ReadKind<Whole, Item> {
  readonly path: string;
  readonly listPath: string;
  readonly absence: Absence;
  /** An object in a response. */
  readonly form: z.ZodType<Whole>;
  /** A list, which may leave parts of each object out. */
  readonly list: z.ZodType<Item[]>;
  /** What identifies an object in a path, and in a list. */
  readonly keyOf: (object: Item | Whole) => string;
  /** Left out: the key is a name. A server may accept a UUID in either letter case. */
  readonly isKeyUuid?: true;
}

/** A kind whose writes return the object. */
export interface WireKind<Whole, Item, Create, Update, Probed> extends ReadKind<Whole, Item> {
  readonly createBody: (input: Create) => unknown;
  readonly updateBody: (key: string, input: Update) => unknown;
  /** Texts that no error may repeat from the server. */
  readonly secretsOf?: (input: Create | Update) => readonly string[];
  /** An update that every server refuses: see {@link Requests.probe}. */
  readonly probeBody: (object: Probed) => unknown;
}

/** What all views of one client share of a kind. */
export interface SharedKind<Item> {
  readonly list: SharedList<Item>;
  readonly writes: Writes;
}

/** The reads and the delete of one kind of objects. Each rejects with an ApiError. */
export class ReadRequests<Whole, Item, K extends ReadKind<Whole, Item> = ReadKind<Whole, Item>> {
  constructor(
    protected readonly connection: Connection,
    protected readonly kind: K,
    protected readonly shared: SharedKind<Item>,
  ) {}

  read(key: string): Promise<Whole> {
    return this.readOne([key], (object) => spelled(this.kind, this.kind.keyOf(object)) === spelled(this.kind, key));
  }

  async delete(key: string): Promise<void> {
    const { path, absence } = this.kind;
    const request = { operation: "delete", method: "DELETE", path: [path, key], response: z.void(), absence } as const;
    await this.shared.writes.during(() => this.connection.send(request), true);
  }

  /** Simultaneous callers share a list, which begins after all of them have called. */
  list(): Promise<readonly Item[]> {
    return this.shared.list.fresh(this.connection.context);
  }

  /** The same, or a list of the last seconds if that is enough: see {@link SharedList.recentIf}. */
  recentListIf(isEnough: (items: readonly Item[]) => boolean): Promise<readonly Item[]> {
    return this.shared.list.recentIf(isEnough, this.connection.context);
  }

  /** An object from a list of the last seconds. Undefined does not mean that there is none: see {@link SharedList.recent}. */
  recent(key: string): Promise<Item | undefined> {
    return this.shared.list.recent(spelled(this.kind, key), this.connection.context);
  }

  protected readOne(below: readonly string[], isAbout: (object: Whole) => boolean): Promise<Whole> {
    const { path, form, absence } = this.kind;
    return this.connection.read([path, ...below], form, { absence, isAbout });
  }
}

/**
 * The requests for a kind whose writes return the object. A delete of an object that is gone, and an update of a missing one, reject with
 * isNotFound(e).
 */
export class Requests<Whole, Item, Create, Update = Create, Probed = string> extends ReadRequests<
  Whole,
  Item,
  WireKind<Whole, Item, Create, Update, Probed>
> {
  /** isConflict(e): the name is taken. After isAmbiguous(e) only a look shows whether the object was created. */
  create(input: Create): Promise<Whole> {
    const { createBody, secretsOf } = this.kind;
    return this.write({ operation: "create", method: "POST", path: [], body: createBody(input), secrets: secretsOf?.(input) ?? [] });
  }

  update(key: string, input: Update): Promise<Whole> {
    const { updateBody, secretsOf } = this.kind;
    const secrets = secretsOf?.(input) ?? [];
    return this.write({ operation: "replace", method: "POST", path: [key], body: updateBody(key, input), secrets });
  }

  /**
   * Checks in the authoritative region whether an object exists, by an update that every server refuses, so it writes nothing.
   * A server looks for the object before it looks at the content, which is invalid: its error says either that there is no such object, or
   * what is wrong with the content (measured: a scheduler of version 2.0). isNotFound(e): there is none; isRejected(e): there is one;
   * isDenied(e): the token may not write.
   */
  async probe(key: string, object: Probed): Promise<void> {
    const { path, absence, probeBody } = this.kind;
    const body = probeBody(object);
    await this.connection.send({ operation: "replace", method: "POST", path: [path, key], body, response: z.unknown(), absence });
  }

  private async write(request: Omit<ApiRequest<Whole>, "mediaType" | "absence" | "response">): Promise<Whole> {
    const { path, absence, form } = this.kind;
    const send = () => this.connection.send({ ...request, path: [path, ...request.path], response: form, absence });
    return (await this.shared.writes.during(send)).value;
  }
}

/** One spelling for all of a key. */
export function spelled({ isKeyUuid }: { readonly isKeyUuid?: true }, key: string): string {
  return isKeyUuid ? key.toLowerCase() : key;
}
