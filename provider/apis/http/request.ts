import type { ZodType } from "zod";
import type { Clock } from "./clock";
import type { ApiError, Effect, Refusal, Service } from "./errors";

/** PEM texts for https. Default of `ca`: Node's own list of CAs. */
export interface TlsOptions {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Name that the server's certificate must be for, if it is not the address's. */
  readonly servername?: string | undefined;
}

/** A proxy of the environment. */
export interface ProxySettings {
  /** The address. Its user and password are never shown. */
  readonly url: URL;
  /** The variable that configures the proxy. */
  readonly variable: string;
  /** The value of NO_PROXY. */
  readonly except: string;
}

export interface HttpOptions {
  readonly service: Service;
  /** It begins with http or https, and may have the path of a reverse proxy. It does not end with a slash, /api/v2 or /v1. */
  readonly address: string;
  /** The prefix of every path. */
  readonly basePath: "/api/v2" | "";
  /** The token, which is never shown. A login replaces it. */
  readonly token: string;
  /** The headers that carry a token. */
  headers(token: string): Readonly<Record<string, string>>;
  /** The source of tokens, if the token is not known beforehand. */
  readonly login?: Login | undefined;
  /** The error that each request throws, if no request can be sent. */
  readonly unusable?: (() => Error) | undefined;
  /** The source of the token, and the way to change it, as sentences for an error. */
  readonly tokenSource: string;
  /** The time-out of one try, from connecting to the end of the response. */
  readonly requestTimeoutMs: number;
  /** The maximal number of repetitions of a request after transient faults. One after a 429 with a wait, or a new login, does not count. */
  readonly maxRetries: number;
  readonly maxConcurrentRequests: number;
  readonly tls?: TlsOptions;
  readonly proxy?: ProxySettings | undefined;
  /** Whether the token may be sent over plain http to another machine. */
  readonly allowInsecureHttp: boolean;
  /** Query parameters of every request. */
  readonly query?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  /** The User-Agent. Called for each request. Default: the package's name. */
  userAgent?(): string;
  /** The log of requests. Default: none. */
  readonly log?: RequestLog | undefined;
}

/** A source of tokens with a limited lifetime. */
export interface Login {
  /** A token, after a login if necessary, which all waiting callers share. Rejects if the login fails. */
  token(report: RequestOptions["report"]): Promise<string>;
  /** Notes that a request with this token has succeeded. */
  accepted(token: string): void;
  /** Whether a request may have been refused because its token has ended, so another try may succeed. */
  hasEnded(token: string, error: ApiError): boolean;
  /** The tokens of all logins so far. */
  secrets(): readonly string[];
}

/** Takes one line for each try of a request, and never throws. `report` shows it with the resource of the request. */
export type RequestLog = (line: string, report: RequestOptions["report"]) => void;

/** The options of one caller's requests. */
export interface RequestOptions {
  /** Takes messages about waits and retries, and log lines. The second try has no message, because it often succeeds. */
  readonly report?: (message: string) => void;
  /** Ends waits and reads, and prevents new requests. A running write completes. */
  readonly signal?: AbortSignal;
  /** Whether the values of an update are too old to be sent. Called before each try, when the update's turn comes. */
  readonly isOutdated?: () => boolean;
  /** Texts that no error may repeat, neither from the address nor from a response. */
  readonly secrets?: readonly string[];
}

export interface ApiRequest<T> {
  readonly operation: Effect;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path's parts, not encoded. */
  readonly path: readonly string[];
  readonly mediaType: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** The token that is sent instead of the client's; "" sends none. */
  readonly token?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Parts of the body that no error may repeat. */
  readonly secrets?: readonly string[];
  /** The schema of the response's JSON. With the schema of `void` or `undefined`, the body is ignored. */
  readonly response: ZodType<T>;
  /** Whether the request is never repeated: nothing depends on its success, as for the description of a refused token. */
  readonly isSentOnce?: boolean;
  /** The service's refusals of requests about this object. */
  readonly refusals?: readonly Refusal[];
  /** Whether the response is about the requested object. Left out if it can't be about another one. */
  isAbout?(value: T): boolean;
}
