import type { ErrorWords } from "./error-words";

/** The errors of functions, as in `user-errors.ts`. */
export const functionErrors = {
  "arguments-invalid": {
    says: "FUNCTION: ARGUMENT ...",
    cause: "Arguments are missing, unknown, or of another form.",
    remedy: "Correct what the message names: [functions](functions.md).",
  },
  "arguments-not-an-object": {
    says: "... takes its arguments as one object...",
    cause: "A text or an output was given.",
    remedy: 'Give an object, such as `getRole({ name: "developers" })`.',
  },
  "argument-is-output": {
    says: "... is an output or a promise. Call ...Output",
    cause: "Its value is not known yet.",
    remedy: "Call the function of that name, with `Output` at its end.",
  },
  "arguments-unclear": {
    says: "FUNCTION: give either id...",
    cause: "Both an ID and a name are given, or neither.",
    remedy: "Give one of them.",
  },
  "not-found": {
    says: "FUNCTION: ... has no ...",
    cause: "There is none, or the token may not see it.",
    remedy: "Check the argument, and which cluster, region or organization is set.",
  },
  "bind-type-unknown": {
    says: "... has the bind type ..., which this version does not know",
    cause: "The cluster is newer.",
    remedy: "Use a newer version of this package.",
  },
} satisfies Record<string, ErrorWords>;
