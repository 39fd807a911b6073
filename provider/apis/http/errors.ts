import { STATUS_CODES } from "node:http";
import { type ErrorBody, type Issue, looksLikeHtml, oneLine, readErrorBody, shortestSecret } from "./error-text";
import { longestWaitMs, rateLimitReset, retryAfter } from "./retry-after";
import type { TransportFailure } from "./transport";

/** What went wrong, in the few ways that call for different reactions. */
export type ErrorKind =
  /** The API itself says that the object does not exist, in the words that the request's {@link Absence} knows. For agent pools this may also mean that the token may not see it. */
  | "not-found"
  /** Something answered that is not this API: a redirect, an HTML page, an empty 404. Never a sign that an object is gone. */
  | "wrong-address"
  /** The token is missing, unknown, or may not do this. */
  | "denied"
  /** A delete that the server refuses for now, because of the object's state. */
  | "blocked"
  /** The name is taken. */
  | "conflict"
  /** The server, or a rule of its document, refuses the input. */
  | "rejected"
  /** Too many requests, still after the retries. */
  | "rate-limited"
  /** No answer, or a server's fault. */
  | "unavailable"
  /** Success was answered, with a body that is cut off or of the wrong shape. */
  | "malformed"
  /** The caller cancelled the request. */
  | "cancelled"
  /** An update that had to wait was not sent, because what it holds was read too long ago. */
  | "outdated"
  /** Nothing was sent, because the configuration does not allow it. */
  | "misconfigured";

export type Service = "agent pools" | "cluster ACL";

/**
 * What a request does to the server, which decides what may be repeated.
 * A `replace` sends an object as a whole to its id: done twice, it leaves what done once leaves.
 */
export type Effect = "read" | "create" | "replace" | "delete";

/** How a service says that the object of a request does not exist: each asks whether the words of an error response mean that. */
export interface Absence {
  /** In a "not found", which any web server says of an address that it does not know. */
  readonly unknown: (told: ErrorBody) => boolean;
  /** In the fault of a server that was to delete the object. */
  readonly undeletable?: (told: ErrorBody) => boolean;
  /** In the refusal of an update, which otherwise is about what the update holds. */
  readonly unchangeable?: (told: ErrorBody) => boolean;
}

/** The request that an error tells of. */
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

/** What is known about a failure. */
export interface Failure {
  readonly kind: ErrorKind;
  readonly status?: number;
  /** The server's own text, or what happened on the way. Without secrets. */
  readonly detail: string;
  readonly issues?: readonly Issue[];
  /** The server's text with what secrets it holds: it decides, and is never shown. */
  readonly words?: string;
  readonly ambiguous?: boolean;
  readonly transient?: boolean;
  readonly retryAfterMs?: number;
  readonly storeIndex?: number | undefined;
  /** What to do next, where there is something better to say than the kind's usual advice. */
  readonly advice?: string;
  readonly cause?: unknown;
}

const brand = Symbol.for("pulumi-agentpool-acl.ApiError");

/** A request that did not succeed. The message is complete for a user: the request, the server's answer, and what to do next. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly [brand] = true;
  readonly kind: ErrorKind;
  readonly service: Service;
  readonly method: string;
  readonly path: string;
  /** HTTP status of the answer; undefined when there was none. */
  readonly status: number | undefined;
  /** The server's own text on one line, shortened, without secrets. */
  readonly detail: string;
  readonly issues: readonly Issue[];
  /** A write was sent, and nobody knows whether it took place. */
  readonly ambiguous: boolean;
  /** The same request may well succeed a little later. */
  readonly transient: boolean;
  /** How long the server asks to wait before the next try, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The index of the store that the answer came from, where it tells one. */
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

/** A write was sent, and nobody knows whether it took place: look before you repeat it. */
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

/** The status, where there is one, and what was said or happened. */
export function whatCame({ status, detail }: Pick<Failure, "status" | "detail">): string {
  return [status, detail].filter((part) => part !== undefined && part !== "").join(" ");
}

function messageOf(call: Call, failure: Failure): string {
  const answer = whatCame(failure);
  const tries = call.tries > 1 ? `, after ${call.tries} tries` : "";
  const sentences = [`${call.method} ${call.url}: ${answer.replace(/[\s.]+$/, "")}${tries}.`];
  if (failure.retryAfterMs !== undefined && failure.retryAfterMs > longestWaitMs) {
    sentences.push(
      `The server asks to wait ${inSeconds(failure.retryAfterMs)}, longer than the ${inSeconds(longestWaitMs)} that are waited at most.`,
    );
  }
  if (failure.ambiguous) sentences.push("Nobody knows whether the write took place.");
  sentences.push(failure.advice ?? usualAdvice(call, failure.kind));
  return sentences.join(" ").trim();
}

const saved = "a destroy or refresh uses the one that the last update saved, unless you add --run-program";

const inSeconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;

function usualAdvice(call: Call, kind: ErrorKind): string {
  switch (kind) {
    case "not-found":
      return call.service === "agent pools"
        ? "It does not exist, or this token may not see it: the API does not tell the two apart."
        : "It does not exist.";
    case "wrong-address":
      return `This is no answer of the ${call.service} API, and tells nothing of the object: check ${settings[call.service].address} (${saved}), and what stands between.`;
    case "denied":
      return `Check that the token is valid, and what it may do. ${call.tokenSource}`;
    case "blocked":
      return "The object is still there: remove what stands in the way, then try again.";
    case "conflict":
      return call.operation === "replace"
        ? "The name is taken: choose another one, or rename or delete the object that has it first. Where this program does that in the same update, run the update again."
        : "The name is taken: choose another one, or import the object that has it.";
    case "rejected":
      return "Correct the input, then try again.";
    case "rate-limited":
      return "Try again later, with less at a time (agentpool-acl:maxConcurrentRequests) or more patience (agentpool-acl:maxRetries).";
    case "unavailable":
      return `Try again; when it stays so, check that the service is up and that ${settings[call.service].address} is right, its http or https included (${saved})${call.proxy ? `; and check the proxy ${call.proxy} (HTTPS_PROXY, NO_PROXY)` : ""}.`;
    case "malformed":
      return "The server may be of another version, or something on the way cuts its answers: check that, then try again.";
    case "cancelled":
      return "";
    case "outdated":
      return "The object is read again, and what others changed meanwhile stays.";
    case "misconfigured":
      return "Nothing was sent.";
  }
}

/** An answer, as far as an error needs it. */
export interface ErrorResponse {
  readonly status: number;
  readonly text: string;
  header(name: string): string | undefined;
  readonly index?: number | undefined;
  /** When it came: milliseconds since 1970. */
  readonly at: number;
}

/** The error that an answer stands for; undefined when it is a success whose body is worth reading. */
export function errorOfResponse(call: Call, answer: ErrorResponse, secrets: readonly string[]): ApiError | undefined {
  const { status, text } = answer;
  const contentType = answer.header("content-type") ?? "";
  if (isSuccess(status) && !looksLikeHtml(text, contentType)) return undefined;
  // What a secret is taken out of may say something else: the whole text decides, and is not shown.
  const told = readErrorBody(text, contentType, []);
  const shown = readErrorBody(text, contentType, secrets);
  const kind = kindOf(call, status, told);
  const transient = passing.has(status) && (kind === "unavailable" || kind === "rate-limited") && !definite.test(told.detail);
  const wait = transient ? (retryAfter(answer) ?? (kind === "rate-limited" ? rateLimitReset(answer) : undefined)) : undefined;
  return new ApiError(call, {
    kind,
    status,
    detail: isRedirect(status)
      ? `redirect to ${originOf(answer.header("location"))}`
      : shown.detail || `${STATUS_CODES[status] ?? ""} (empty body)`.trim(),
    issues: shown.issues,
    words: wordsOf(told),
    // A success that some other service answered, too, may have come after the write.
    ambiguous: isWrite(call) && (kind === "unavailable" ? !definite.test(told.detail) : isSuccess(status)),
    transient,
    storeIndex: answer.index,
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...adviceOn(call, told),
  });
}

/** What to do next, where the answer's words tell more than its kind. */
function adviceOn(call: Call, told: ErrorBody): { readonly advice?: string } {
  if (noSuchRegion.test(told.detail)) return { advice: "The cluster knows no region of this name: check agentpool-acl:clusterRegion." };
  if (plainOnTls.test(told.detail)) return { advice: speaks("https", call.service) };
  if (call.service === "agent pools" && call.operation === "create" && limitReached.test(told.detail)) {
    return {
      advice:
        "The organization has as many agent pools as it may: delete one that nobody needs, use one that is there, or have the limit raised.",
    };
  }
  return {};
}

function speaks(protocol: string, service: Service): string {
  return `What answers there speaks ${protocol}: check how ${settings[service].address} begins (${saved}).`;
}

/** The error that stands for the lack of a whole answer. */
export function errorOfTransport(call: Call, failure: TransportFailure, secrets: readonly string[]): ApiError {
  const base = {
    ...(failure.status !== undefined && { status: failure.status }),
    // The text is the runtime's own, which has a very short secret in it by chance alone.
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
    return new ApiError(call, { ...base, kind: "wrong-address", detail: "an answer that is not HTTP", ...(advice && { advice }) });
  }
  if (/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(code)) {
    return new ApiError(call, {
      ...base,
      kind: "wrong-address",
      detail: "an answer that is not https",
      advice: speaks("plain http", call.service),
    });
  }
  if (/CERT|SIGNATURE|^ERR_(SSL|TLS)_|^EPROTO$/.test(code)) {
    const advice = `There is no trusted connection: check ${settings[call.service].tls}, and whether ${settings[call.service].address} begins rightly with https.`;
    return new ApiError(call, { ...base, kind: "unavailable", advice });
  }
  if (failure.status !== undefined && isSuccess(failure.status)) {
    return new ApiError(call, { ...base, kind: "malformed", detail: `the answer is cut off (${base.detail})`, transient: true });
  }
  return new ApiError(call, { ...base, kind: "unavailable", transient: true });
}

/** The error of a success whose body is not what the document says. `unreadable`: it is no JSON, as a body that was cut off. */
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

/** Faults that may be over by the next try. */
const passing: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

const nameTaken = /\b(already exists|already (been )?taken|already in use|is taken)\W*$/i;
const noSuchRegion = /\bno path to region\b/i;
/** The document allows one pool in an organization; services differ in how many they allow, and in their words. */
const limitReached = /\b(limit (is )?reached|limit exceeded|quota|too many|as many as|only one)\b/i;
const plainOnTls = /\bHTTP request (was )?(sent )?to (an )?HTTPS (server|port)\b/i;
/** Texts of a server's fault that say that the write did not take place. */
const definite = /\b(not found|already exists|no path to region)\b/i;

function kindOf(call: Call, status: number, told: ErrorBody): ErrorKind {
  if (status === 401 || status === 403) return "denied";
  if (status === 429) return "rate-limited";
  if (status === 408) return "unavailable";
  if (status >= 500) return faultKind(call, told);
  if (status === 413) return "rejected";
  if (told.isHtml || status < 400 || status === 405 || plainOnTls.test(told.detail)) return "wrong-address";
  if (status === 404) return call.absence?.unknown(told) ? "not-found" : "wrong-address";
  if (status === 410) return "wrong-address";
  if (call.operation === "delete" && (status === 409 || status === 412)) return "blocked";
  if (status === 409 || saysNameTaken(told)) return "conflict";
  if (call.operation === "replace" && call.absence?.unchangeable?.(told)) return "not-found";
  return "rejected";
}

/** The cluster answers 500 to the delete of an object that is gone, and to a rename onto a taken name. */
function faultKind(call: Call, told: ErrorBody): ErrorKind {
  if (told.isHtml) return "unavailable";
  if (call.operation === "delete" && call.absence?.undeletable?.(told)) return "not-found";
  return saysNameTaken(told) ? "conflict" : "unavailable";
}

function saysNameTaken(told: ErrorBody): boolean {
  return [told.detail, ...told.issues.map((issue) => issue.detail)].some((text) => nameTaken.test(text));
}

const isRedirect = (status: number) => status >= 300 && status < 400;

/** Only the origin: the rest of such an address may hold a session or a token. */
function originOf(location: string | undefined): string {
  if (location === undefined) return "nowhere";
  return URL.canParse(location) ? new URL(location).origin : "another path of the same address";
}
