import { longestWaitMs } from "../headers";
import { type ErrorCase, type ErrorKind, type Explained, errorCases, errorKinds } from "./advice";
import type { Call } from "./call";

/** The facts about a failure. */
export interface Failure {
  readonly kind: ErrorKind;
  /** HTTP status of the response; undefined when there was none. */
  readonly status?: number;
  /** The server's text, or the failure of the connection: on one line, shortened, without secrets. */
  readonly detail: string;
  /** The server's text with any secrets in it: for decisions, and never shown. */
  readonly words?: string;
  /** A write was sent, and it is not known whether it took effect. */
  readonly ambiguous?: boolean;
  /** The same request may succeed a little later. */
  readonly transient?: boolean;
  /** The wait before the next try that the server requests, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The index of the store that the response came from, if it has one. */
  readonly storeIndex?: number | undefined;
  /**
   * A 404 in other words than this service's: the object is missing if the service's list lacks it.
   */
  readonly mayBeMissing?: boolean;
  /** The case, if it has better advice than its kind. */
  readonly case?: ErrorCase;
  /** A sentence about the cause that another request has shown. */
  readonly note?: string;
  readonly cause?: unknown;
}

const brand = Symbol.for("pulumi-agentpool-acl.ApiError");

/** A request that did not succeed. The message is complete for a user: the request, the response, and what to do next. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly [brand] = true;
  readonly kind: ErrorKind;
  readonly path: string;
  readonly status: number | undefined;
  readonly detail: string;
  readonly ambiguous: boolean;
  readonly transient: boolean;
  readonly retryAfterMs: number | undefined;
  readonly storeIndex: number | undefined;
  readonly mayBeMissing: boolean;
  /** The message without its advice, for errors with advice of their own. */
  readonly report: string;
  /** Equal for errors that differ in their requests only. */
  readonly likeness: string;
  // Private, so nothing that prints an error shows the server's words.
  readonly #made: readonly [call: Call, failure: Failure];

  constructor(call: Call, failure: Failure) {
    const report = reportOf(call, failure);
    const { advice }: Explained = failure.case ? errorCases[failure.case] : errorKinds[failure.kind];
    const sentences = [report, ...(failure.note ? [failure.note] : []), advice(call, failure.status)];
    super(sentences.join(" ").trim(), failure.cause === undefined ? undefined : { cause: failure.cause });
    this.report = report;
    this.likeness = [call.service, failure.kind, failure.case, failure.status, failure.detail].join("\n");
    this.kind = failure.kind;
    this.path = call.path;
    this.status = failure.status;
    this.detail = failure.detail;
    this.ambiguous = failure.ambiguous ?? false;
    this.transient = failure.transient ?? false;
    this.retryAfterMs = failure.retryAfterMs;
    this.storeIndex = failure.storeIndex;
    this.mayBeMissing = failure.mayBeMissing ?? false;
    this.#made = [call, failure];
  }

  /** The same with a further sentence about its cause, before the advice. */
  withNote(note: string): ApiError {
    const [call, failure] = this.#made;
    return new ApiError(call, { ...failure, note: failure.note === undefined ? note : `${failure.note} ${note}` });
  }

  /** The same response as the error for a missing object, if something else has shown that it means that. */
  asNotFound(): ApiError {
    const [call, failure] = this.#made;
    return new ApiError(call, { ...failure, kind: "not-found", mayBeMissing: false });
  }

  /** Whether the server's text fits the pattern, before the secrets are taken out of it. */
  says(pattern: RegExp): boolean {
    const [, { words, detail }] = this.#made;
    return pattern.test(words ?? detail);
  }
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

/** The status, if there is one, and the text of the response or of the failure. */
export function whatCame({ status, detail }: Pick<Failure, "status" | "detail">): string {
  return [status, detail].filter((part) => part !== undefined && part !== "").join(" ");
}

function reportOf(call: Call, failure: Failure): string {
  const response = whatCame(failure);
  const tries = call.tries > 1 ? `, after ${call.tries} tries` : "";
  const sentences = [`${call.method} ${call.url}: ${response.replace(/[\s.]+$/, "")}${tries}.`];
  if (failure.retryAfterMs !== undefined && failure.retryAfterMs > longestWaitMs) {
    sentences.push(
      `The server requests a wait of ${inSeconds(failure.retryAfterMs)}, longer than the limit of ${inSeconds(longestWaitMs)}.`,
    );
  }
  if (failure.ambiguous) sentences.push("It is not known whether the write took effect.");
  return sentences.join(" ");
}

const inSeconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
