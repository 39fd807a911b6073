import type { ErrorWords } from "./error-words";

const named = "Correct it as the message says: [functions](functions.md).";

/** The errors of functions, as in `user-errors.ts`. */
export const functionErrors = {
  "arguments-invalid": { says: "FUNCTION: ARGUMENT ...", remedy: named },
  "arguments-not-an-object": {
    says: "... takes its arguments as one object...",
    remedy: named,
  },
  "argument-is-output": {
    says: "... is an output or a promise. Call ...Output",
    remedy: named,
  },
  "arguments-unclear": { says: "FUNCTION: give either id...", remedy: named },
  "not-found": {
    says: "FUNCTION: ... has no ...",
    remedy: "Check the argument, what the token may see, and which cluster, region or organization is set.",
  },
  "bind-type-unknown": {
    says: "... has the bind type ..., which this version does not know",
    remedy: "Use a newer version of this package.",
  },
} satisfies Record<string, ErrorWords>;
