/** Checks of the options of `accessPolicies`, for programs without types: a misspelled option would be no limit. */
import { nearest } from "../common/nearest";
import { UserError } from "../common/user-error";

export function refuse(problem: string): never {
  throw new UserError("policy-option-invalid", `accessPolicies: ${problem}`);
}

/** @param lists the options that are lists @throws UserError for another option, and for a list that is none */
export function checkOptions(given: object, lists: readonly string[], others: readonly string[] = []): void {
  const known = [...others, ...lists];
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name)) {
      const near = nearest(name, known);
      refuse(`there is no option ${name}. ${near === undefined ? `The options are ${known.join(", ")}.` : `Did you mean ${near}?`}`);
    }
    if (lists.includes(name) && value !== undefined && !Array.isArray(value)) refuse(`${name} must be a list.`);
  }
}
