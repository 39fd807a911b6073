import type { UserErrorCode } from "./user-errors";

/**
 * An error that the user can remedy: its message says what happened, to which object, why, and what to do next. Errors of the APIs and of
 * commands are such errors, too. Any other is an error of the operating system, or a defect of this package.
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

/**
 * The error for an object that exists on the server, but differs from the inputs, could not be read after its write, or was created anew by
 * an update. The engine keeps the object in the state, so it is not lost.
 */
export class InitError extends UserError {
  override readonly name = "InitError";

  constructor(
    code: UserErrorCode,
    message: string,
    readonly id: string,
    readonly properties: Readonly<Record<string, unknown>>,
  ) {
    super(code, message);
  }
}

/** The error for a missing or invalid value of the configuration. The message says which one, and what is allowed. */
export class ConfigurationError extends UserError {
  override readonly name = "ConfigurationError";
}

/** The error for an import or a `get` of an object that does not exist. */
export function noSuchObjectError(label: string, id: string): UserError {
  return new UserError(
    "nothing-there",
    `There is no ${label} ${JSON.stringify(id)}. Check the ID that was given, and the server that is configured.`,
  );
}
