import type { Properties } from "./remote";
import { UserError } from "./user-error";
import type { UserErrorCode } from "./user-errors";

/** The object exists on the server, but differs from the inputs. The engine keeps it in the state, so it is not lost. */
export class InitError extends UserError {
  override readonly name = "InitError";

  constructor(
    code: UserErrorCode,
    message: string,
    readonly id: string,
    readonly properties: Properties,
  ) {
    super(code, message);
  }
}
