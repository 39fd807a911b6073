/** The kinds of objects of the API, each in a file of its own: its forms in both directions, where it is, and how the cluster says that it is not there. */
export * as methods from "./auth-method";
export * as rules from "./binding-rule";
export * as roles from "./role";
