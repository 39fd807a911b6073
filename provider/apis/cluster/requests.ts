import * as z from "zod";
import { isApiError, type Refusal } from "../http/errors";
import type { ApiRequest, RequestOptions } from "../http/request";
import type { SharedList, Writes } from "../lists/shared";
import { type Kept, listOf } from "./wire";

/** The indexes, which all objects have. */
export interface Versioned {
  readonly createIndex: number;
  readonly modifyIndex: number;
}

/** A kind of objects on the wire: its addresses, the forms in both directions, and how the server refuses requests about an object. */
export interface ClusterKind<Whole extends Kept & Versioned, Item extends Versioned, Create, Update, Written extends Whole | undefined> {
  /** The address of an object, without its key: "v1/acl/role". Without `keyOfNew`, creates are sent to this address. */
  readonly path: string;
  readonly listPath: string;
  /**
   * Whether a token without management gets only the objects of a list that it may see (`filtered`), or the whole list or an error instead
   * (`whole`).
   */
  readonly listIs: "whole" | "filtered";
  readonly refusals: readonly Refusal[];
  /** An object in a response. */
  readonly form: z.ZodType<Whole>;
  /** A list, which may leave parts of each object out. */
  readonly list: z.ZodType<Item[]>;
  /** The response to a write: the object, or nothing. */
  readonly written: z.ZodType<Written>;
  readonly createBody: (input: Create) => object;
  /** The fields of a write, which are laid over the unknown fields of the object. */
  readonly updateBody: (key: string, input: Update, over: Whole) => object;
  /** The key of an object in paths and lists. */
  readonly keyOf: (object: Item | Whole) => string;
  /** Whether the key is a UUID, in either letter case. Left out: the key is a name. */
  readonly isKeyUuid?: true;
  /**
   * The key of a new object: the address of a create ends with it, and the create replaces an existing object. Left out: the body has the
   * key, or the server makes it.
   */
  readonly keyOfNew?: (input: Create) => string;
  /** For a kind that can also be read by another property: the end of the address, and whether a response has the right object. */
  readonly alias?: { readonly path: (key: string) => readonly string[]; readonly isOf: (object: Item | Whole, key: string) => boolean };
  /** The secrets of an input: no error may repeat them from a response. */
  readonly secretsOf?: (input: Create | Update) => readonly string[];
  /** Whether objects of responses are kept by their versions, because lists lack parts of them that many calls need. */
  readonly isRemembered?: true;
}

/** The data of a kind that all views of one client share. */
export interface SharedKind<Whole, Item> {
  readonly kind: object;
  readonly list: SharedList<Item>;
  readonly writes: Writes;
  /** The objects of earlier responses, if the kind is remembered. */
  readonly versions: Map<string, Whole>;
}

/** Sends the requests of one caller. */
interface Sender {
  readonly context: RequestOptions;
  send<T>(request: Omit<ApiRequest<T>, "mediaType">): Promise<T>;
}

/**
 * The requests for one kind of objects. A failed request rejects with an ApiError. If the login fails, or there is no token, it rejects
 * with a UserError.
 */
export class Requests<
  Whole extends Kept & Versioned,
  Item extends Versioned,
  Create,
  Update = Create,
  Written extends Whole | undefined = Whole,
> {
  constructor(
    private readonly sender: Sender,
    private readonly kind: ClusterKind<Whole, Item, Create, Update, Written>,
    readonly shared: SharedKind<Whole, Item>,
  ) {}

  read(key: string): Promise<Whole> {
    return this.readAt(this.kind.alias?.path(key) ?? [key], (object) => this.isNamed(object, key));
  }

  /**
   * Reads the object at an address.
   *
   * @param isAbout whether the response is about the requested object
   */
  readAt(path: readonly string[], isAbout: (object: Whole) => boolean): Promise<Whole> {
    return this.remembered(this.send({ operation: "read", method: "GET", path, response: this.kind.form, isAbout }));
  }

  /** Every object. Simultaneous callers share a list, which is requested after all of them have called. */
  list(): Promise<readonly Item[]> {
    return this.shared.list.fresh(this.sender.context);
  }

  /** Whether the object is in a list that is requested after this call. */
  async isListed(key: string): Promise<boolean> {
    return (await this.list()).some((item) => spelled(this.kind, this.kind.keyOf(item)) === spelled(this.kind, key));
  }

  /** The objects that match a query. */
  listOnly(query: Readonly<Record<string, string | undefined>>): Promise<readonly Item[]> {
    return this.sender.send({ ...listRequest(this.kind), query });
  }

  /** The same as `list`, or a list of the last seconds if that is enough: see {@link SharedList.recentIf}. */
  recentListIf(isEnough: (items: readonly Item[]) => boolean): Promise<readonly Item[]> {
    return this.shared.list.recentIf(isEnough, this.sender.context);
  }

  /** An object from a list of the last seconds. Undefined does not prove that there is none: see {@link SharedList.recent}. */
  recent(key: string): Promise<Item | undefined> {
    return this.shared.list.recent(spelled(this.kind, key), this.sender.context);
  }

  /** The whole object of an item. If the kind is remembered, a version that an earlier response had is not requested again. */
  async readListed(item: Item): Promise<Whole> {
    return this.known(item) ?? this.read(this.kind.keyOf(item));
  }

  /** The whole object of an item, if an earlier response had this version. */
  known(item: Item): Whole | undefined {
    return this.shared.versions.get(editionOf(this.kind, item));
  }

  /** isConflict(e): the name is taken. After isAmbiguous(e), only a read shows whether the object was created. */
  create(input: Create): Promise<Written> {
    return this.remembered(this.createAs(this.kind.written, input));
  }

  /** The same as `create`, with another form of the response. */
  createAs<Response>(response: z.ZodType<Response>, input: Create): Promise<Response> {
    const { createBody, keyOfNew } = this.kind;
    return this.write({ operation: "create", path: keyOfNew ? [keyOfNew(input)] : [], body: createBody(input) }, input, response);
  }

  /**
   * Sends the fields of the input, and the object's unknown fields, because a server may treat a missing field as a change.
   *
   * @param over the object, read just before
   */
  update(key: string, input: Update, over: Whole): Promise<Written> {
    const body = { ...over.rest, ...this.kind.updateBody(key, input, over) };
    return this.remembered(this.write({ operation: "replace", path: [key], body }, input, this.kind.written));
  }

  async delete(key: string): Promise<void> {
    await this.shared.writes.during(() => this.send({ operation: "delete", method: "DELETE", path: [key], response: z.void() }), true);
  }

  private write<Response>(
    request: Pick<ApiRequest<Response>, "operation" | "path" | "body">,
    input: Create | Update,
    response: z.ZodType<Response>,
  ): Promise<Response> {
    const secrets = this.kind.secretsOf?.(input) ?? [];
    return this.shared.writes.during(() => this.send({ ...request, method: "POST", secrets, response }));
  }

  /**
   * Sends a request about one object. Unless it is a create, its path ends with the key of the object in lists, by which a doubtful error
   * is checked.
   */
  private async send<T>(request: Omit<ApiRequest<T>, "mediaType" | "refusals">): Promise<T> {
    const { path, refusals } = this.kind;
    try {
      return await this.sender.send({ ...request, refusals, path: [...path.split("/"), ...request.path] });
    } catch (error) {
      const [key] = request.path.slice(-1);
      if (key && isApiError(error) && error.mayBeMissing && (await this.isUnlisted(key))) throw error.asNotFound();
      throw error;
    }
  }

  /** Whether the list lacks an object. False also if the token may not see the whole list. */
  private async isUnlisted(key: string): Promise<boolean> {
    try {
      if (this.kind.listIs === "filtered") await this.sender.send(managementOnly);
      const listed = await this.sender.send(listRequest(this.kind));
      return !listed.some((item) => this.isNamed(item, key));
    } catch (error) {
      if (isApiError(error)) return false;
      throw error;
    }
  }

  private async remembered<Response extends Whole | undefined>(sent: Promise<Response>): Promise<Response> {
    const response = await sent;
    if (this.kind.isRemembered && response !== undefined) this.shared.versions.set(editionOf(this.kind, response), response);
    return response;
  }

  private isNamed(object: Item | Whole, key: string): boolean {
    const { alias, keyOf } = this.kind;
    return spelled(this.kind, keyOf(object)) === spelled(this.kind, key) || alias?.isOf(object, key) === true;
  }
}

type AnyKey<Whole, Item> = { readonly keyOf: (object: Item | Whole) => string; readonly isKeyUuid?: true };

/** The key in one spelling, so equal keys are equal texts. */
export function spelled({ isKeyUuid }: { readonly isKeyUuid?: true }, key: string): string {
  return isKeyUuid ? key.toLowerCase() : key;
}

export function listRequest<Item>({ listPath, list }: { readonly listPath: string; readonly list: z.ZodType<Item[]> }) {
  return { operation: "read", method: "GET", path: listPath.split("/"), response: list } satisfies Omit<ApiRequest<Item[]>, "mediaType">;
}

/** A request that only a management token may send. Such a token gets complete lists. */
const managementOnly = listRequest({ listPath: "v1/acl/binding-rules", list: listOf(z.unknown()) });

/** A key for the version of an object. It includes the index of the creation, because regions have different indexes. */
function editionOf<Whole extends Versioned, Item extends Versioned>(kind: AnyKey<Whole, Item>, object: Whole | Item): string {
  return `${spelled(kind, kind.keyOf(object))} ${object.createIndex} ${object.modifyIndex}`;
}
