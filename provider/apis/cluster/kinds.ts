/** The kinds of objects of the API: their forms in both directions, paths, errors for a missing object, and requests of their own. */
export * as methods from "./auth-method";
export * as rules from "./binding-rule";
export * as policies from "./policy";
export * as roles from "./role";
export * as tokens from "./token";
