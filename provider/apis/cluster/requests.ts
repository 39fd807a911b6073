import * as z from "zod";
import { type Absence, isApiError } from "../http/errors";
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

/** A kind whose creates and updates are one request, to the address of the name, with an empty response. */
export interface UpsertKind<Whole, Item, Input> extends ReadKind<Whole, Item> {
  readonly body: (input: Input) => unknown;
}

/** A kind whose writes return the object. */
export interface WireKind<Whole, Item, Create, Update> extends ReadKind<Whole, Item> {
  readonly createBody: (input: Create) => unknown;
  readonly updateBody: (key: string, input: Update) => unknown;
  /** Texts that no error may repeat from the server. */
  readonly secretsOf?: (input: Create | Update) => readonly string[];
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
    return this.readOne([key], (object) => this.isNamed(object, key));
  }

  async delete(key: string): Promise<void> {
    await this.shared.writes.during(() => this.send({ operation: "delete", method: "DELETE", path: [key], response: z.void() }), true);
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

  protected readOne(path: readonly string[], isAbout: (object: Whole) => boolean): Promise<Whole> {
    return this.send({ operation: "read", method: "GET", path, response: this.kind.form, isAbout });
  }

  /** Sends a request about one object. Its path ends with what the list has of the object, unless it creates one. */
  protected async send<T>(request: Pick<ApiRequest<T>, "operation" | "method" | "path" | "response"> & Partial<ApiRequest<T>>): Promise<T> {
    const { path, absence } = this.kind;
    try {
      return await this.connection.send({ absence, ...request, path: [path, ...request.path] });
    } catch (error) {
      const [key] = request.path.slice(-1);
      if (key && isApiError(error) && error.mayBeMissing && (await this.isUnlisted(key))) throw error.asNotFound();
      throw error;
    }
  }

  /** Whether the list lacks an object. False also if the token may not see the whole list. */
  private async isUnlisted(key: string): Promise<boolean> {
    try {
      const listed = await this.wholeList();
      return !listed.some((item) => this.isNamed(item, key));
    } catch (error) {
      if (isApiError(error)) return false;
      throw error;
    }
  }

  /** A list that is refused if it would have a part of the objects only. */
  protected wholeList(): Promise<readonly Item[]> {
    return this.connection.send({ operation: "read", method: "GET", path: [this.kind.listPath], response: this.kind.list });
  }

  protected isNamed(object: Item | Whole, key: string): boolean {
    return spelled(this.kind, this.kind.keyOf(object)) === spelled(this.kind, key);
  }
}

/** The requests for a kind whose writes have an empty response. The delete of an object that is gone succeeds. */
export class UpsertRequests<Whole, Item, Input extends { readonly name: string }> extends ReadRequests<
  Whole,
  Item,
  UpsertKind<Whole, Item, Input>
> {
  /** Replaces an object of that name without an error: read it first. */
  create(input: Input): Promise<void> {
    return this.put("create", input);
  }

  /** Creates one if it is missing. */
  update(input: Input): Promise<void> {
    return this.put("replace", input);
  }

  private put(operation: "create" | "replace", input: Input): Promise<void> {
    const request = { operation, method: "POST", path: [input.name], body: this.kind.body(input), isBodyIgnored: true } as const;
    return this.shared.writes.during(() => this.send({ ...request, response: z.void() }));
  }
}

/**
 * The requests for a kind whose writes return the object. A delete of an object that is gone, and an update of a missing one, reject with
 * isNotFound(e).
 */
export class Requests<Whole, Item, Create, Update = Create> extends ReadRequests<Whole, Item, WireKind<Whole, Item, Create, Update>> {
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

  protected write(
    request: Omit<ApiRequest<Whole>, "mediaType" | "absence" | "response">,
    response: ApiRequest<Whole>["response"] = this.kind.form,
  ): Promise<Whole> {
    return this.shared.writes.during(() => this.send({ ...request, response }));
  }
}

/** One spelling for all of a key. */
export function spelled({ isKeyUuid }: { readonly isKeyUuid?: true }, key: string): string {
  return isKeyUuid ? key.toLowerCase() : key;
}
