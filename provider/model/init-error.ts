import type { Properties } from "./remote";
import { UserError } from "./user-error";

/** The object exists on the server, but differs from the inputs. The engine keeps it in the state, so that it is not lost. */
export class InitError extends UserError {
  override readonly name = "InitError";

  constructor(
    message: string,
    readonly id: string,
    readonly properties: Properties,
  ) {
    super(message);
  }
}
