import type { ErrorBody } from "../error-text";

export type Service = "agent pools" | "cluster ACL";

/**
 * What a request does to the server, which decides what may be repeated.
 * A `replace` sends an object as a whole to its id: done twice, it leaves what done once leaves.
 */
export type Effect = "read" | "create" | "replace" | "delete";

/** How a service says that the object of a request does not exist: whether the body of an error response means that. */
export interface Absence {
  /** In a "not found", which any web server says of an address that it does not know. */
  readonly unknown: (body: ErrorBody) => boolean;
  /** In the fault of a server that was to delete the object. */
  readonly undeletable?: (body: ErrorBody) => boolean;
  /** In the refusal of an update, which otherwise is about what the update holds. */
  readonly unchangeable?: (body: ErrorBody) => boolean;
}

/** The request of an error. */
export interface Call {
  readonly service: Service;
  readonly operation: Effect;
  readonly method: string;
  /** Path without the address, its prefix and the query. */
  readonly path: string;
  /** The whole address, as a user should see it. */
  readonly url: string;
  /** Whole sentences: where the token comes from, and how to change it. */
  readonly tokenSource: string;
  /** Left out: the request is about no single object, and no response says that one is missing. */
  readonly absence?: Absence | undefined;
  /** Host and port of the proxy on the way, where there is one. */
  readonly proxy?: string;
  /** How often the request has been sent, this time included. */
  readonly tries: number;
}

export const isWrite = (call: Call) => call.operation !== "read";
