import type { Entry } from "./user-error-areas";

/** The errors of functions, as in `user-errors.ts`. */
export const functionErrors = {
  "arguments-invalid": {
    area: "functions",
    says: "FUNCTION: ARGUMENT ...",
    cause: "Arguments of a function are missing, unknown, or of another form. The message names each of them.",
    remedy: "Correct the arguments: [functions](functions.md).",
  },
  "arguments-not-an-object": {
    area: "functions",
    says: "... takes its arguments as one object...",
    cause: "A program in JavaScript calls a function with a text or an output.",
    remedy: 'Give an object, such as `getRole({ name: "developers" })`.',
  },
  "argument-is-output": {
    area: "functions",
    says: "... is an output or a promise. Call ...Output, which waits for it.",
    cause: "The argument is not known yet when the function is called.",
    remedy: "Call the function of the same name with `Output` at its end.",
  },
  "arguments-unclear": {
    area: "functions",
    says: "FUNCTION: give either id...",
    cause: "Both an ID and a name are given, or neither.",
    remedy: "Give one of them.",
  },
  "not-found": {
    area: "functions",
    says: "FUNCTION: ... has no ...",
    cause: "The service has no such object, or the token may not see it.",
    remedy: "Check the argument, and which cluster, region and organization are configured.",
  },
  "bind-type-unknown": {
    area: "functions",
    says: "The ACL binding rule ... has the bind type ..., which this version does not know",
    cause: "A newer version of the cluster has binding rules that give something else than a role, a policy or management.",
    remedy: "Use a newer version of this package: this one can't say what such a rule gives.",
  },
} satisfies Record<string, Entry>;
