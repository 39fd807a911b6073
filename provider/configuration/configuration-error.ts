import { UserError } from "../model/user-error";

/** A value of the configuration is missing or invalid. The message names the key, its variables, and what is allowed. */
export class ConfigurationError extends UserError {
  override readonly name = "ConfigurationError";
}
