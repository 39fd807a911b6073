/**
 * An error that the user can do something about: its message says what happened, to which object, why, and what to do next. Where an error is
 * not of this class it is a fault of this package, and its stack is worth showing.
 */
export class UserError extends Error {
  override readonly name: string = "UserError";
}
