import type * as Re2 from "re2js";
import { remembering } from "./remembering";

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
