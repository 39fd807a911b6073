import { ConfigurationError, InitError, UserError } from "../../common/user-error";
import { type ApiError, type ErrorKind, isApiError, isLogin } from "../apis/http/errors";

/** The kinds of errors that are about the server or the configuration, so every request meets them. */
const common: ReadonlySet<ErrorKind> = new Set(["denied", "unavailable", "rate-limited", "wrong-address", "misconfigured"]);

/** The errors that an operation has told in full: what many objects have in common is told once, and then by a line for each. */
export class ErrorDeduplicator {
  private readonly told = new Set<string>();

  /** The error for the user: if an earlier one had the same cause, without what that one has said. */
  shortened(error: unknown): unknown {
    if (isApiError(error)) return this.isFirst(error) ? error : new UserError("as-told-before", brief(error), { cause: error });
    if (error instanceof ConfigurationError) {
      if (!this.told.has(error.message)) this.told.add(error.message);
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
    if (!(common.has(kind) || isLogin({ path })) || !this.told.has(likeness)) {
      this.told.add(likeness);
      return true;
    }
    return false;
  }
}

function brief({ report }: ApiError): string {
  return `${report} ${elsewhere}`;
}

const elsewhere = "Another error of this operation says why, and what to do.";
