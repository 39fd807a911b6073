import { ConfigurationError, InitError, UserError } from "../../common/user-error";
import { type ApiError, type ErrorKind, isApiError, isLogin } from "../apis/http/errors";

/** The kinds of errors that every request meets, because they come from the server as a whole or from the configuration. */
const common: ReadonlySet<ErrorKind> = new Set(["denied", "unavailable", "rate-limited", "wrong-address", "misconfigured"]);

/** Shortens an error that many objects share: the first one is reported in full, and each later one in one line. */
export class ErrorDeduplicator {
  private readonly reported = new Set<string>();

  /** The error for the user. If an earlier error had the same cause, this one refers to it instead of repeating the details. */
  shortened(error: unknown): unknown {
    if (isApiError(error)) return this.isFirst(error) ? error : new UserError("as-told-before", brief(error), { cause: error });
    if (error instanceof ConfigurationError) {
      if (!this.reported.has(error.message)) this.reported.add(error.message);
      else return new UserError("as-told-before", `${error.message.split(/[.:] /)[0]}. ${elsewhere}`, { cause: error });
    }
    if (!(error instanceof UserError) || error instanceof InitError || !isApiError(error.cause)) return error;
    const { cause } = error;
    if (!error.message.includes(cause.message) || this.isFirst(cause)) return error;
    return new UserError(
      error.code,
      error.message.replace(cause.message, () => brief(cause)),
      { cause },
    );
  }

  private isFirst({ kind, likeness, path }: ApiError): boolean {
    if (!(common.has(kind) || isLogin({ path })) || !this.reported.has(likeness)) {
      this.reported.add(likeness);
      return true;
    }
    return false;
  }
}

function brief({ report }: ApiError): string {
  return `${report} ${elsewhere}`;
}

const elsewhere = "Another error of this operation says why, and what to do.";
