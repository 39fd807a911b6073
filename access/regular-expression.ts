import type * as Re2 from "re2js";

const compiled = new Map<string, Re2.RE2JS | undefined>();

/** Whether a text has a part that matches a pattern in the servers' syntax (RE2); undefined if the pattern can't be read. */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  if (!compiled.has(pattern)) compiled.set(pattern, compile(pattern));
  return compiled.get(pattern)?.matcher(text).find();
}

function compile(pattern: string): Re2.RE2JS | undefined {
  // Loaded with the first pattern: most programs have none, and load the functions that evaluate logins.
  const { RE2JS }: typeof Re2 = require("re2js");
  try {
    return RE2JS.compile(pattern);
  } catch {
    // Whatever RE2 refuses, servers refuse at the login: the selector does not match.
    return undefined;
  }
}
