import type { Issue } from "../error-text";
import type { ErrorCase, ErrorKind } from "./advice";

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
  /** A 404 that says in other words than this service's that something is not found. */
  readonly mayBeMissing?: boolean;
  /** The case, where it has a better advice than its kind. */
  readonly case?: ErrorCase;
  /** A sentence about the cause that another request has shown. */
  readonly note?: string;
  readonly cause?: unknown;
}
