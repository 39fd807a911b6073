import type { Properties } from "./remote";
import { UserError } from "./user-error";

/** The object exists on the server, but is not as it was asked for. The engine keeps it, so that it is not lost. */
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
