export type Service = "agent pools" | "cluster";

/**
 * The effect of a request on the server, which decides whether it may be repeated. A `replace` sends a whole object to its id, so a
 * repetition has the same effect.
 */
export type Effect = "read" | "create" | "replace" | "delete";

/** How a service refuses a request about an object: the meaning of a text, which takes precedence over its status. */
export interface Refusal {
  readonly says: RegExp;
  readonly means: "not-found" | "blocked" | "rejected";
  /** The requests that it answers. Default: all. */
  readonly to?: Effect;
  /** Default: every status except success. Any web server returns a 404 for an unknown address, so a read needs the service's own words. */
  readonly status?: number;
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
  readonly refusals?: readonly Refusal[] | undefined;
  /** The proxy that may be on the way: its host and port, and the variables that decide it. */
  readonly proxy?: string;
  /** How often the request has been sent, this time included. */
  readonly tries: number;
}

/** Whether a request to this path is a login, on which all others depend. */
export const isLogin = ({ path }: Pick<Call, "path">) => path === "/v1/acl/login";

export const isWrite = (call: Call) => call.operation !== "read";
