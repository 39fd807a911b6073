import type * as Re2 from "re2js";
import { remembering } from "./remembering";
import type { Condition } from "./selector";
import { spelled } from "./selector";

/** Whether a pattern in the servers' syntax (RE2) matches a part of a text; undefined if the pattern is invalid. */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  return compiled(pattern)?.matcher(text).find();
}

const compiled = remembering(1_000, (pattern): Re2.RE2JS | undefined => {
  // Loaded for the first pattern only: most programs have no pattern, but load the functions that evaluate logins.
  const { RE2JS }: typeof Re2 = require("re2js");
  try {
    return RE2JS.compile(pattern);
  } catch {
    // Servers refuse such a pattern, too, but only at the login: then the selector does not match.
    return undefined;
  }
});

/** The claims that a selector compares with a pattern that servers can't read, such as `value.team`. */
export function claimsOfInvalidPatterns(condition: Condition): string[] {
  if ("parts" in condition) return condition.parts.flatMap(claimsOfInvalidPatterns);
  if (condition.kind === "not") return claimsOfInvalidPatterns(condition.of);
  if ("inner" in condition) return claimsOfInvalidPatterns(condition.inner);
  if (condition.kind === "state") return [];
  const isPattern = condition.operator === "matches" || condition.operator === "not matches";
  return isPattern && compiled(condition.value) === undefined ? [spelled(condition.path)] : [];
}
