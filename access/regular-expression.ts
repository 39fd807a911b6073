import type * as Re2 from "re2js";
import { remembering } from "./remembering";

/** Whether a text has a part that matches a pattern in the servers' syntax (RE2); undefined if the pattern can't be read. */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  return compiled(pattern)?.matcher(text).find();
}

const compiled = remembering(1_000, (pattern): Re2.RE2JS | undefined => {
  // Loaded with the first pattern: most programs have none, and load the functions that evaluate logins.
  const { RE2JS }: typeof Re2 = require("re2js");
  try {
    return RE2JS.compile(pattern);
  } catch {
    // Whatever RE2 refuses, servers refuse at the login: the selector does not match.
    return undefined;
  }
});
