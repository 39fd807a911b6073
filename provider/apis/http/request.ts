import type * as Undici from "undici";
import type { ZodType } from "zod";
import type { Clock } from "./clock";
import type { Absence, Effect, Service } from "./errors";

/** PEM texts for https. Without `ca` the system's certificates count. */
export interface TlsOptions {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Name that the server's certificate must be for, where it is not the address's. */
  readonly servername?: string | undefined;
}

export interface HttpOptions {
  readonly service: Service;
  /** With http or https and perhaps a path of a reverse proxy; without a slash at the end, /api/v2 and /v1. */
  readonly address: string;
  /** Stands before every path. */
  readonly basePath: "/api/v2" | "";
  /** The header that carries the token. Its value is never shown. */
  headers(): Record<string, string>;
  /** Further texts that no error may repeat. */
  readonly secrets?: readonly string[];
  /** Whole sentences for an error: where the token comes from, and how to change it. */
  readonly tokenSource: string;
  /** For one try, from connecting to the end of the answer. */
  readonly requestTimeoutMs: number;
  /** How often a request is repeated at most, where that is safe. */
  readonly maxRetries: number;
  readonly maxConcurrentRequests: number;
  readonly tls?: TlsOptions;
  /** The proxy that leads to the address; its user and password are never shown. */
  readonly proxy?: URL | undefined;
  /** Whether the token may be sent over plain http to another machine. */
  readonly allowInsecureHttp: boolean;
  /** Query parameters of every request. */
  readonly query?: Readonly<Record<string, string>>;
  /** Instead of connections of its own; closed by whoever made it. */
  readonly dispatcher?: Undici.Dispatcher;
  readonly clock?: Clock;
}

/** What one caller wants of the requests that it makes. */
export interface RequestOptions {
  /** Is told of every retry, before the wait. */
  readonly report?: (message: string) => void;
  /** Ends waits and reads, and lets nothing new begin. A write under way comes to its end. */
  readonly signal?: AbortSignal;
  /** Whether what an update holds is too old to be sent. It is asked when the update's turn has come, before each try. */
  readonly isOutdated?: () => boolean;
}

export interface ApiRequest<T> {
  readonly operation: Effect;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path's parts, not encoded. */
  readonly path: readonly string[];
  readonly mediaType: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Parts of the body that no error may repeat. */
  readonly secrets?: readonly string[];
  /** Parses the answer's JSON. The body of a delete's answer is not looked at: it parses undefined. */
  readonly response: ZodType<T>;
  /** How the service says that the object which the request is about does not exist. */
  readonly absence?: Absence;
  /** Whether the answer is about the object that was asked for; left out, it can't be about another one. */
  isAbout?(value: T): boolean;
}

export interface ApiResponse<T> {
  readonly value: T;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
}
