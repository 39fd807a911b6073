import type { ErrorBody } from "../error-text";

export type Service = "agent pools" | "cluster ACL";

/**
 * The effect of a request on the server, which decides whether it may be repeated. A `replace` sends a whole object to its id, so a
 * repetition has the same effect.
 */
export type Effect = "read" | "create" | "replace" | "delete";

/** How a service says that the object of a request does not exist: whether the body of an error response means that. */
export interface Absence {
  /** For a "not found", which any web server returns for an unknown address. */
  readonly unknown: (body: ErrorBody) => boolean;
  /** For a server's fault in response to a delete, or for a refused one. */
  readonly undeletable?: (body: ErrorBody) => boolean;
  /** For a refused update, which otherwise is about the content of the update. */
  readonly unchangeable?: (body: ErrorBody) => boolean;
}

/** The request of an error. */
export interface Call {
  readonly service: Service;
  readonly operation: Effect;
  readonly method: string;
  /** Path without the address, its prefix and the query. */
  readonly path: string;
  /** The whole address, for the user. */
  readonly url: string;
  /** Whole sentences: where the token comes from, and how to change it. */
  readonly tokenSource: string;
  /** Left out: the request is about no single object, so no response means that one is missing. */
  readonly absence?: Absence | undefined;
  /** The proxy that may be on the way: its host and port, and the variables that decide it. */
  readonly proxy?: string;
  /** How often the request has been sent, this time included. */
  readonly tries: number;
}

/** Whether a request to this path is a login, on which all others depend. */
export const isLogin = ({ path }: Pick<Call, "path">) => path === "/v1/acl/login";

export const isWrite = (call: Call) => call.operation !== "read";
