import { STATUS_CODES } from "node:http";
import { type ErrorBody, type Issue, looksLikeHtml, oneLine, readErrorBody, shortestSecret } from "./error-text";
import { longestWaitMs, rateLimitReset, retryAfter } from "./retry-after";
import type { TransportFailure } from "./transport";

/** The kinds of errors that callers handle differently. */
export type ErrorKind =
  /**
   * The API reports that the object does not exist, by a text that the request's {@link Absence} recognizes. For agent pools this may also
   * mean that the token may not see it.
   */
  | "not-found"
  /** The response is not from this API: a redirect, an HTML page, an empty 404. It never means that an object is gone. */
  | "wrong-address"
  /** The token is missing, unknown, or may not do this. */
  | "denied"
  /** A delete that the server refuses for now, because of the object's state. */
  | "blocked"
  /** The name is taken. */
  | "conflict"
  /** The server, or a rule of the API's document, refuses the input. */
  | "rejected"
  /** Too many requests, still after the retries. */
  | "rate-limited"
  /** No response, or a fault of the server. */
  | "unavailable"
  /** A successful response with a body that is cut off or has the wrong form. */
  | "malformed"
  /** The caller cancelled the request. */
  | "cancelled"
  /** An update that had to wait was not sent, because its values were read too long ago. */
  | "outdated"
  /** Nothing was sent, because the configuration does not allow it. */
  | "misconfigured";

export type Service = "agent pools" | "cluster ACL";

/**
 * The effect of a request on the server, which decides whether it may be repeated. A `replace` sends a whole object to its id, so that a
 * repetition has the same effect.
 */
export type Effect = "read" | "create" | "replace" | "delete";

/** How a service reports that the object of a request does not exist: each function checks the body of an error response. */
export interface Absence {
  /** For a "not found", which any web server returns for an unknown address. */
  readonly unknown: (body: ErrorBody) => boolean;
  /** For a server's fault in response to a delete. */
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
  /** Left out: the request is about no single object, so that no response means that one is missing. */
  readonly absence?: Absence | undefined;
  /** Host and port of the proxy on the way, where there is one. */
  readonly proxy?: string;
  /** How often the request has been sent, this time included. */
  readonly tries: number;
}

/** The facts about a failure. */
export interface Failure {
  readonly kind: ErrorKind;
  readonly status?: number;
  /** The server's text, or the failure of the connection. Without secrets. */
  readonly detail: string;
  readonly issues?: readonly Issue[];
  /** The server's text with any secrets in it: for decisions, and never shown. */
  readonly words?: string;
  readonly ambiguous?: boolean;
  readonly transient?: boolean;
  readonly retryAfterMs?: number;
  readonly storeIndex?: number | undefined;
  /** What to do next, where that differs from the kind's usual advice. */
  readonly advice?: string;
  readonly cause?: unknown;
}

const brand = Symbol.for("pulumi-agentpool-acl.ApiError");

/** A request that did not succeed. The message is complete: the request, the server's response, and what to do next. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly [brand] = true;
  readonly kind: ErrorKind;
  readonly service: Service;
  readonly method: string;
  readonly path: string;
  /** HTTP status of the response; undefined when there was none. */
  readonly status: number | undefined;
  /** The server's text on one line, shortened, without secrets. */
  readonly detail: string;
  readonly issues: readonly Issue[];
  /** A write was sent, and it is not known whether it took effect. */
  readonly ambiguous: boolean;
  /** The same request may succeed a little later. */
  readonly transient: boolean;
  /** The wait before the next try that the server requests, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The index of the store in the response, where it has one. */
  readonly storeIndex: number | undefined;
  // Private, so that nothing that prints an error shows it.
  readonly #words: string;

  constructor(call: Call, failure: Failure) {
    super(messageOf(call, failure), failure.cause === undefined ? undefined : { cause: failure.cause });
    this.kind = failure.kind;
    this.service = call.service;
    this.method = call.method;
    this.path = call.path;
    this.status = failure.status;
    this.detail = failure.detail;
    this.issues = failure.issues ?? [];
    this.ambiguous = failure.ambiguous ?? false;
    this.transient = failure.transient ?? false;
    this.retryAfterMs = failure.retryAfterMs;
    this.storeIndex = failure.storeIndex;
    this.#words = failure.words ?? wordsOf(failure);
  }

  /** Whether the server's text fits the pattern, before the secrets are taken out of it. */
  says(pattern: RegExp): boolean {
    return pattern.test(this.#words);
  }
}

function wordsOf({ detail, issues = [] }: Pick<Failure, "detail" | "issues">): string {
  return [detail, ...issues.map((issue) => `${issue.pointer ?? ""} ${issue.detail}`)].join(" ");
}

/** By a brand and not by instanceof: two copies of this package can meet in one process. */
export function isApiError(error: unknown): error is ApiError {
  return typeof error === "object" && error !== null && Reflect.get(error, brand) === true;
}

const guard =
  (kind: ErrorKind) =>
  (error: unknown): error is ApiError =>
    isApiError(error) && error.kind === kind;

export const isNotFound = guard("not-found");
export const isWrongAddress = guard("wrong-address");
export const isDenied = guard("denied");
export const isBlocked = guard("blocked");
export const isConflict = guard("conflict");
export const isRejected = guard("rejected");
export const isRateLimited = guard("rate-limited");
export const isUnavailable = guard("unavailable");
export const isMalformed = guard("malformed");
export const isCancelled = guard("cancelled");
export const isOutdated = guard("outdated");
export const isMisconfigured = guard("misconfigured");

/** A write was sent, and it is not known whether it took effect: read before a repetition. */
export function isAmbiguous(error: unknown): error is ApiError {
  return isApiError(error) && error.ambiguous;
}

const settings: Record<Service, { readonly address: string; readonly tls: string }> = {
  "agent pools": { address: "agentpool-acl:poolsAddress", tls: "agentpool-acl:poolsCaCert" },
  "cluster ACL": {
    address: "agentpool-acl:clusterAddress",
    tls: "agentpool-acl:clusterCaCert, clusterClientCert, clusterClientKey and clusterTlsServerName",
  },
};

/** The status, where there is one, and the text. */
export function whatCame({ status, detail }: Pick<Failure, "status" | "detail">): string {
  return [status, detail].filter((part) => part !== undefined && part !== "").join(" ");
}

function messageOf(call: Call, failure: Failure): string {
  const response = whatCame(failure);
  const tries = call.tries > 1 ? `, after ${call.tries} tries` : "";
  const sentences = [`${call.method} ${call.url}: ${response.replace(/[\s.]+$/, "")}${tries}.`];
  if (failure.retryAfterMs !== undefined && failure.retryAfterMs > longestWaitMs) {
    sentences.push(
      `The server requests a wait of ${inSeconds(failure.retryAfterMs)}, longer than the limit of ${inSeconds(longestWaitMs)}.`,
    );
  }
  if (failure.ambiguous) sentences.push("It is not known whether the write took effect.");
  sentences.push(failure.advice ?? usualAdvice(call, failure.kind));
  return sentences.join(" ").trim();
}

const saved = "a destroy or refresh uses the one that the last update saved, unless you add --run-program";

const inSeconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;

function usualAdvice(call: Call, kind: ErrorKind): string {
  switch (kind) {
    case "not-found":
      return call.service === "agent pools"
        ? "It does not exist, or this token may not see it: the API does not distinguish the two."
        : "It does not exist.";
    case "wrong-address":
      return `This is not a response of the ${call.service} API, and says nothing about the object: check ${settings[call.service].address} (${saved}), and any proxy in between.`;
    case "denied":
      return `Check that the token is valid, and what it may do. ${call.tokenSource}`;
    case "blocked":
      return "The object still exists: remove what blocks the delete, then try again.";
    case "conflict":
      return call.operation === "replace"
        ? "The name is taken: choose another one, or rename or delete the object that has it first. Where this program does that in the same update, run the update again."
        : "The name is taken: choose another one, or import the object that has it.";
    case "rejected":
      return "Correct the input, then try again.";
    case "rate-limited":
      return "Try again later, with fewer requests at a time (agentpool-acl:maxConcurrentRequests) or more retries (agentpool-acl:maxRetries).";
    case "unavailable":
      return `Try again; when it stays so, check that the service is up and that ${settings[call.service].address} is right, its http or https included (${saved})${call.proxy ? `; and check the proxy ${call.proxy} (HTTPS_PROXY, NO_PROXY)` : ""}.`;
    case "malformed":
      return "The server may have another version, or a proxy may cut its responses: check that, then try again.";
    case "cancelled":
      return "";
    case "outdated":
      return "The object is read again, and changes that others made meanwhile stay.";
    case "misconfigured":
      return "Nothing was sent.";
  }
}

/** The part of a response that an error needs. */
export interface ErrorResponse {
  readonly status: number;
  readonly text: string;
  header(name: string): string | undefined;
  readonly index?: number | undefined;
  /** The time of arrival: milliseconds since 1970. */
  readonly at: number;
}

/** The error of a response; undefined for a success whose body is to be read. */
export function errorOfResponse(call: Call, response: ErrorResponse, secrets: readonly string[]): ApiError | undefined {
  const { status, text } = response;
  const contentType = response.header("content-type") ?? "";
  if (isSuccess(status) && !looksLikeHtml(text, contentType)) return undefined;
  // Without its secrets the text may have another meaning: the whole text decides, and is not shown.
  const body = readErrorBody(text, contentType, []);
  const shown = readErrorBody(text, contentType, secrets);
  const kind = kindOf(call, status, body);
  const transient = passing.has(status) && (kind === "unavailable" || kind === "rate-limited") && !definite.test(body.detail);
  const wait = transient ? (retryAfter(response) ?? (kind === "rate-limited" ? rateLimitReset(response) : undefined)) : undefined;
  return new ApiError(call, {
    kind,
    status,
    detail: isRedirect(status)
      ? `redirect to ${originOf(response.header("location"))}`
      : shown.detail || `${STATUS_CODES[status] ?? ""} (empty body)`.trim(),
    issues: shown.issues,
    words: wordsOf(body),
    // A success from some other service may also have come after the write.
    ambiguous: isWrite(call) && (kind === "unavailable" ? !definite.test(body.detail) : isSuccess(status)),
    transient,
    storeIndex: response.index,
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...adviceOn(call, body),
  });
}

/** What to do next, where the response's text says more than its kind. */
function adviceOn(call: Call, body: ErrorBody): { readonly advice?: string } {
  if (noSuchRegion.test(body.detail)) return { advice: "The cluster knows no region of this name: check agentpool-acl:clusterRegion." };
  if (plainOnTls.test(body.detail)) return { advice: speaks("https", call.service) };
  if (call.service === "agent pools" && call.operation === "create" && limitReached.test(body.detail)) {
    return {
      advice:
        "The organization has reached its limit of agent pools: delete one that is not needed, use an existing one, or have the limit raised.",
    };
  }
  return {};
}

function speaks(protocol: string, service: Service): string {
  return `The server at this address uses ${protocol}: check how ${settings[service].address} begins (${saved}).`;
}

/** The error for the lack of a complete response. */
export function errorOfTransport(call: Call, failure: TransportFailure, secrets: readonly string[]): ApiError {
  const base = {
    ...(failure.status !== undefined && { status: failure.status }),
    // The text is the runtime's, and could have only a very short secret in it, by chance.
    detail: oneLine(
      failure.message,
      secrets.filter(({ length }) => length >= shortestSecret),
    ),
    ambiguous: isWrite(call) && failure.sent,
    cause: failure,
  };
  if (failure.reason === "cancelled") return new ApiError(call, { ...base, kind: "cancelled" });
  if (failure.reason === "time-out") return new ApiError(call, { ...base, kind: "unavailable", transient: true });
  if (failure.reason !== "connection") return new ApiError(call, { ...base, kind: "malformed" });
  const code = failure.code ?? "";
  if (/^(HPE_|HTTPParserError$)/.test(code) && failure.status === undefined) {
    const advice = call.url.startsWith("http:") ? speaks("https, perhaps", call.service) : undefined;
    return new ApiError(call, { ...base, kind: "wrong-address", detail: "a response that is not HTTP", ...(advice && { advice }) });
  }
  if (/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(code)) {
    return new ApiError(call, {
      ...base,
      kind: "wrong-address",
      detail: "a response that is not https",
      advice: speaks("plain http", call.service),
    });
  }
  if (/CERT|SIGNATURE|^ERR_(SSL|TLS)_|^EPROTO$/.test(code)) {
    const advice = `There is no trusted connection: check ${settings[call.service].tls}, and whether ${settings[call.service].address} begins rightly with https.`;
    return new ApiError(call, { ...base, kind: "unavailable", advice });
  }
  if (failure.status !== undefined && isSuccess(failure.status)) {
    return new ApiError(call, { ...base, kind: "malformed", detail: `the response is cut off (${base.detail})`, transient: true });
  }
  return new ApiError(call, { ...base, kind: "unavailable", transient: true });
}

/** The error of a success whose body is not what the document says. `unreadable`: it is not JSON, like a body that was cut off. */
export function errorOfBody(call: Call, status: number, detail: string, unreadable: boolean): ApiError {
  return new ApiError(call, {
    kind: "malformed",
    status,
    detail,
    ambiguous: isWrite(call),
    transient: unreadable && call.operation === "read",
  });
}

const isWrite = (call: Call) => call.operation !== "read";
const isSuccess = (status: number) => status >= 200 && status < 300;

/** Faults that may be gone at the next try. */
const passing: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

const nameTaken = /\b(already exists|already (been )?taken|already in use|is taken)\W*$/i;
const noSuchRegion = /\bno path to region\b/i;
/** The document allows one pool in an organization; services have other limits, and other texts. */
const limitReached = /\b(limit (is )?reached|limit exceeded|quota|too many|as many as|only one)\b/i;
const plainOnTls = /\bHTTP request (was )?(sent )?to (an )?HTTPS (server|port)\b/i;
/** Texts of a server's fault which mean that the write had no effect. */
const definite = /\b(not found|already exists|no path to region)\b/i;

function kindOf(call: Call, status: number, body: ErrorBody): ErrorKind {
  if (status === 401 || status === 403) return "denied";
  if (status === 429) return "rate-limited";
  if (status === 408) return "unavailable";
  if (status >= 500) return faultKind(call, body);
  if (status === 413) return "rejected";
  if (body.isHtml || status < 400 || status === 405 || plainOnTls.test(body.detail)) return "wrong-address";
  if (status === 404) return call.absence?.unknown(body) ? "not-found" : "wrong-address";
  if (status === 410) return "wrong-address";
  if (call.operation === "delete" && (status === 409 || status === 412)) return "blocked";
  if (status === 409 || saysNameTaken(body)) return "conflict";
  if (call.operation === "replace" && call.absence?.unchangeable?.(body)) return "not-found";
  return "rejected";
}

/** The cluster returns 500 for the delete of a missing object, and for a rename to a taken name. */
function faultKind(call: Call, body: ErrorBody): ErrorKind {
  if (body.isHtml) return "unavailable";
  if (call.operation === "delete" && call.absence?.undeletable?.(body)) return "not-found";
  return saysNameTaken(body) ? "conflict" : "unavailable";
}

function saysNameTaken(body: ErrorBody): boolean {
  return [body.detail, ...body.issues.map((issue) => issue.detail)].some((text) => nameTaken.test(text));
}

const isRedirect = (status: number) => status >= 300 && status < 400;

/** Only the origin: the rest of such an address may hold a session or a token. */
function originOf(location: string | undefined): string {
  if (location === undefined) return "nowhere";
  return URL.canParse(location) ? new URL(location).origin : "another path of the same address";
}
