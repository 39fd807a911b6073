import type { ErrorWords } from "./error-words";

/** The errors of functions, as in `user-errors.ts`. */
export const functionErrors = {
  "arguments-invalid": { says: "FUNCTION: ARGUMENT ...", remedy: "Correct what the message names: [functions](functions.md)." },
  "arguments-not-an-object": {
    says: "... takes its arguments as one object...",
    remedy: 'Give an object, such as `getRole({ name: "developers" })`.',
  },
  "argument-is-output": {
    says: "... is an output or a promise. Call ...Output",
    remedy: "Call the function of that name, with `Output` at its end.",
  },
  "arguments-unclear": { says: "FUNCTION: give either id...", remedy: "Give one of the two, and not both." },
  "not-found": {
    says: "FUNCTION: ... has no ...",
    remedy: "Check the argument, what the token may see, and which cluster, region or organization is set.",
  },
  "bind-type-unknown": {
    says: "... has the bind type ..., which this version does not know",
    remedy: "Use a newer version of this package.",
  },
} satisfies Record<string, ErrorWords>;
