/** The meaning of a response: its value, or its error. */

import { STATUS_CODES } from "node:http";
import * as z from "zod";
import { urlOf } from "../../../common/url";
import { ApiError, type Call, type ErrorCase, type ErrorKind, isLogin, isWrite } from "./errors";
import { oneLine, shortestSecret, withheld } from "./redaction";
import type { ApiRequest } from "./request";
import type { ResponseHeaders, TransportFailure } from "./transport";

/** A whole response. */
export interface WholeResponse {
  readonly status: number;
  readonly text: string;
  readonly headers: ResponseHeaders;
  /** The time of arrival: milliseconds since 1970. */
  readonly at: number;
}

/**
 * The value of a response, or its error.
 *
 * @param secrets the texts that the error may not repeat
 */
export function readResponse<T>(
  call: Call,
  request: ApiRequest<T>,
  response: WholeResponse,
  secrets: () => readonly string[],
): T | ApiError {
  const error = errorOfResponse(call, response, secrets);
  if (error) return error;
  const { status, text } = response;
  const isBodyIgnored = request.response instanceof z.ZodVoid || request.response instanceof z.ZodUndefined;
  const json = isBodyIgnored ? undefined : parseJson(text);
  if (json === undefined && !isBodyIgnored) {
    return errorOfBody(call, status, text === "" ? "the response is empty" : "the response is not JSON, or cut off", true);
  }
  const parsed = request.response.safeParse(json);
  if (!parsed.success)
    return errorOfBody(call, status, `the response has another form than documented: ${whereWrong(parsed.error, secrets())}`, false);
  if (request.isAbout && !request.isAbout(parsed.data)) return errorOfBody(call, status, "the response is about another object", false);
  return parsed.data;
}

/**
 * The error of a response; undefined for a successful one, unless its body is an HTML page.
 *
 * @param secrets the texts that the error may not repeat
 */
export function errorOfResponse(call: Call, response: WholeResponse, secrets: () => readonly string[]): ApiError | undefined {
  const { status, text } = response;
  const contentType = response.headers.get("content-type") ?? "";
  if (isSuccess(status) && !looksLikeHtml(text, contentType)) return undefined;
  // A text without its secrets may have another meaning, so the whole text decides. It is not shown.
  const body = readErrorBody(text, contentType, []);
  const shown = readErrorBody(text, contentType, secrets());
  const kind = kindOf(call, status, body);
  const transient = transientStatuses.has(status) && (kind === "unavailable" || kind === "rate-limited") && !notExecuted.test(body.detail);
  const wait = transient ? (retryAfter(response) ?? (kind === "rate-limited" ? rateLimitReset(response.headers) : undefined)) : undefined;
  const special = caseOf(call, status, body);
  return new ApiError(call, {
    kind,
    status,
    detail: isRedirect(status)
      ? `redirect to ${originOf(response.headers.get("location"), secrets())}`
      : shown.detail || `${STATUS_CODES[status] ?? ""} (empty body)`.trim(),
    words: [body.detail, ...body.texts].join(" "),
    // The write may have taken effect, even if the successful response comes from another service.
    ambiguous: isWrite(call) && (kind === "unavailable" ? !notExecuted.test(body.detail) : isSuccess(status)),
    transient,
    storeIndex: storeIndex(response.headers),
    mayBeMissing:
      kind === "wrong-address" && status === 404 && call.refusals !== undefined && !body.isHtml && saysMissing.test(body.detail),
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...(special && { case: special }),
  });
}

/**
 * The error for a successful response whose body is not as documented.
 *
 * @param unreadable whether the body is not JSON, so it may be cut off
 */
function errorOfBody(call: Call, status: number, detail: string, unreadable: boolean): ApiError {
  return new ApiError(call, {
    kind: "malformed",
    status,
    detail,
    ambiguous: isWrite(call),
    transient: unreadable && call.operation === "read",
  });
}

/**
 * The places in which a response differs from its form. The first few are enough, because if one item of a list is wrong, most are. The
 * messages of zod never repeat a value, but a place has keys, which may repeat a secret.
 */
function whereWrong(error: z.ZodError, secrets: readonly string[]): string {
  const places = error.issues.slice(0, 3).map((issue) => `${z.core.toDotPath(issue.path) || "the whole"}: ${issue.message}`);
  const more = error.issues.length - places.length;
  return oneLine(places.join("; "), secrets) + (more > 0 ? `; and ${more} more` : "");
}

/** The error of a request without a whole response. */
export function errorOfTransport(call: Call, failure: TransportFailure, secrets: readonly string[]): ApiError {
  const base = {
    ...(failure.status !== undefined && { status: failure.status }),
    // The text is the runtime's own, so it contains a very short secret only by chance.
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
    const mayUseHttps = call.url.startsWith("http:") && ({ case: "server-may-use-https" } as const);
    return new ApiError(call, { ...base, kind: "wrong-address", detail: "a response that is not HTTP", ...mayUseHttps });
  }
  if (/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(code)) {
    return new ApiError(call, { ...base, kind: "wrong-address", detail: "a response that is not https", case: "server-uses-http" });
  }
  if (/CERT|SIGNATURE|^ERR_(SSL|TLS)_|^EPROTO$/.test(code)) return new ApiError(call, { ...base, kind: "unavailable", case: "untrusted" });
  if (failure.status !== undefined && isSuccess(failure.status)) {
    return new ApiError(call, { ...base, kind: "malformed", detail: `the response is cut off (${base.detail})`, transient: true });
  }
  return new ApiError(call, { ...base, kind: "unavailable", transient: true });
}

/** The case, if the words of the response say more than its kind. */
function caseOf(call: Call, status: number, { detail, isHtml }: ErrorBody): ErrorCase | undefined {
  if (noSuchRegion.test(detail)) return "no-such-region";
  if (aclDisabled.test(detail)) return "acl-disabled";
  if (noSuchPolicy.test(detail)) return "no-such-policy";
  if (plainOnTls.test(detail)) return "server-uses-https";
  if (isLogin(call) && !isHtml && loginRefusals.has(status)) return "login-refused";
  return call.service === "agent pools" && call.operation === "create" && limitReached.test(detail) ? "pool-limit" : undefined;
}

const isSuccess = (status: number) => status >= 200 && status < 300;

/** The statuses of faults that may have passed by the next try. */
const transientStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** The statuses with which servers refuse a login. They also return 500 if they can't compute a bind name from the claims. */
const loginRefusals: ReadonlySet<number> = new Set([400, 401, 403, 500]);

/**
 * The statuses with which services refuse the delete of an object in use. 422 is one of them, because a delete has no content that could be
 * wrong.
 */
const blockingStatuses: ReadonlySet<number> = new Set([409, 412, 422]);

const saysMissing = /not[ _-]?found|\bno such\b|\bdoes(n't| not) exist\b/i;
const nameTaken = /\b(already exists|already (been )?taken|already in use|is taken)\W*( \([^()\s]*\))?$/i;
const noSuchPolicy = /\bcannot find (policy|role)\b/i;
const aclDisabled = /^ACL support disabled$/i;
const noSuchRegion = /\bno path to region\b/i;
/** The document allows one pool in an organization; services have other limits, and other texts. */
const limitReached = /\b(limit (is )?reached|limit exceeded|quota|too many|as many as|only one)\b/i;
const plainOnTls = /\bHTTP request (was )?(sent )?to (an )?HTTPS (server|port)\b/i;
/** Texts of a 5xx response that mean that the write had no effect. */
const notExecuted = /\b(not found|already exists|no path to region)\b/i;

function kindOf(call: Call, status: number, body: ErrorBody): ErrorKind {
  if (status === 401 || status === 403) return "denied";
  if (status === 429) return "rate-limited";
  if (status === 408) return "unavailable";
  const refused = body.isHtml ? undefined : refusedAs(call, status, body);
  // The cluster responds with 500 also to the delete of an object that is gone, and to a rename to a taken name.
  if (status >= 500) return refused ?? (!body.isHtml && saysNameTaken(body) ? "conflict" : "unavailable");
  if (status === 413) return "rejected";
  if (body.isHtml || status < 400 || status === 405 || aclDisabled.test(body.detail) || plainOnTls.test(body.detail))
    return "wrong-address";
  if (refused) return refused;
  if (status === 404 || status === 410) return "wrong-address";
  if (call.operation === "delete" && blockingStatuses.has(status)) return "blocked";
  return status === 409 || saysNameTaken(body) ? "conflict" : "rejected";
}

/** The meaning of a service's own words. */
function refusedAs(call: Call, status: number, { detail, isErrorDocument }: ErrorBody): ErrorKind | undefined {
  if (call.service === "agent pools") return status === 404 && isErrorDocument ? "not-found" : undefined;
  const { refusals = [], operation } = call;
  return refusals.find((one) => (one.to ?? operation) === operation && (one.status ?? status) === status && one.says.test(detail))?.means;
}

function saysNameTaken(body: ErrorBody): boolean {
  return [body.detail, ...body.texts].some((text) => nameTaken.test(text));
}

const isRedirect = (status: number) => status >= 300 && status < 400;

/** Only the origin: the rest of such an address may hold a session or a token. */
function originOf(location: string | undefined, secrets: readonly string[]): string {
  if (location === undefined) return "nowhere";
  const url = urlOf(location);
  return url ? oneLine(url.origin, secrets) : "another path of the same address";
}

/** The content of an error response's body. */
interface ErrorBody {
  /** The text on one line; "" if the body has none. */
  readonly detail: string;
  /** The text of each of its errors. */
  readonly texts: readonly string[];
  /** Whether the body is a page for a browser: then the response comes from a proxy or another service. */
  readonly isHtml: boolean;
  /** Whether the body is an error document of a JSON:API service. */
  readonly isErrorDocument: boolean;
}

/** The text of an error, with the place in the request's body that it is about, if the server names one. */
const errorObject = z
  .object({
    title: z.string().nullish().catch(undefined),
    detail: z.string().nullish().catch(undefined),
    source: z.object({ pointer: z.string().nullish() }).nullish().catch(undefined),
  })
  .transform(({ title, detail, source }) => {
    const text = detail || title || "";
    return source?.pointer ? `${text || "refused"} (${source.pointer})` : text;
  });

/**
 * The list is not empty and has objects: other services return documents with empty lists or plain texts, and their 404 says nothing about
 * the object.
 */
const errorDocument = z.object({ errors: z.array(errorObject).min(1) });

/** Without a body the content type means nothing: some frameworks set text/html for empty responses, too. */
function looksLikeHtml(text: string, contentType: string): boolean {
  return text !== "" && (/html/i.test(contentType) || text.trimStart().startsWith("<"));
}

/** The maximal number of errors that are read: a server may list one for each of many inputs. */
const mostErrors = 20;

/**
 * Reads the body of an error response, in any of the usual forms, and takes the secrets out. If a part of a secret is left, it shows
 * nothing of the body.
 */
export function readErrorBody(text: string, contentType: string, secrets: readonly string[]): ErrorBody {
  const clean = (raw: string) => oneLine(raw, secrets);
  const isHtml = looksLikeHtml(text, contentType);
  const document = errorDocument.safeParse(isHtml ? undefined : parseJson(text));
  const form = { isHtml, isErrorDocument: document.success };
  if (clean(text) === withheld) return { ...form, detail: withheld, texts: [] };
  if (isHtml) {
    const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1];
    return { ...form, detail: `an HTML page${title ? ` ("${clean(title)}")` : ""}`, texts: [] };
  }
  const texts = (document.data?.errors ?? listedErrors(text)).slice(0, mostErrors).map(clean);
  return { ...form, detail: document.success ? texts.filter((part) => part !== "").join("; ") : clean(text), texts };
}

/** The lines of a list such as "2 errors occurred:\n\t* one\n\t* two"; without such a list the whole text is one error. */
function listedErrors(text: string): string[] {
  const listed = [...text.matchAll(/^\s*\* (.+)$/gm)].map((match) => match[1] ?? "");
  return listed.length > 0 ? listed : [text];
}

/** The value of a JSON text, or undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // JSON has no undefined, so the result is clear. The parser's message is not kept, because it quotes the text, which may hold
    // secrets.
    return undefined;
  }
}

/**
 * The wait that a server requests, in milliseconds: `Retry-After`, in seconds or as an HTTP date. A date is compared with the response's
 * own `Date`, if there is one. Undefined when the response has no `Retry-After`.
 */
export function retryAfter(response: Pick<WholeResponse, "headers" | "at">): number | undefined {
  const text = response.headers.get("retry-after") ?? "";
  const ms = secondsToMs(text);
  if (ms !== undefined) return ms;
  const date = httpDate(text);
  // The server uses its own clock, which may differ from this machine's.
  return date === undefined ? undefined : Math.max(0, date - (httpDate(response.headers.get("date") ?? "") ?? response.at));
}

/**
 * The time until the next window of a rate limit, in milliseconds: `x-ratelimit-reset`, in seconds. Undefined when the response has none.
 */
export function rateLimitReset(headers: ResponseHeaders): number | undefined {
  return secondsToMs(headers.get("x-ratelimit-reset") ?? "");
}

/** Every form of an HTTP date begins with a weekday; without this check, Date.parse accepts almost any text. */
function httpDate(text: string): number | undefined {
  const date = /^\s*[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}

function secondsToMs(text: string): number | undefined {
  return /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) * 1000 : undefined;
}

/** The index of the store in a response, if it has one. Real servers call the header X-Nomad-Index. */
function storeIndex(headers: ResponseHeaders): number | undefined {
  for (const [name, value] of headers) {
    if (/^x-[a-z]+-index$/.test(name) && /^\d+$/.test(value)) return Number(value);
  }
  return undefined;
}
