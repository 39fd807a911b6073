import type { Issue } from "../error-text";

/** The kinds of errors that callers handle differently. */
export type ErrorKind =
  /**
   * The API reports that the object does not exist, by a text that the request's {@link Absence} recognizes. For agent pools this may also
   * mean that the token may not see it.
   */
  | "not-found"
  /** The response is not one of this API: a redirect, an HTML page, an empty 404. Never a sign that an object is gone. */
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
  /** No response, or a 5xx one. */
  | "unavailable"
  /** A success with a body that is cut off or of the wrong form. */
  | "malformed"
  /** The caller cancelled the request. */
  | "cancelled"
  /** An update that had to wait was not sent, because its values were read too long ago. */
  | "outdated"
  /** Nothing was sent, because the configuration does not allow it. */
  | "misconfigured";

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
