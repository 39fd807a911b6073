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
  /** The case, where it has a better advice than its kind. */
  readonly case?: ErrorCase;
  readonly cause?: unknown;
}
