import type { UserErrorCode } from "./user-errors";

/**
 * An error that the user can do something about: its message says what happened, to which object, why, and what to do next. Any other error
 * is a defect of this package, and is shown with its stack.
 */
export class UserError extends Error {
  override readonly name: string = "UserError";

  /** @param code the entry of docs/troubleshooting.md */
  constructor(
    readonly code: UserErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
