/**
 * An error that the user can do something about: its message says what happened, to which object, why, and what to do next. Any other error
 * is a defect of this package, and is shown with its stack.
 */
export class UserError extends Error {
  override readonly name: string = "UserError";
}
