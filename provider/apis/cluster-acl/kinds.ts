/** The kinds of objects of the API, one file each: its forms in both directions, its path, the errors for a missing object, and the requests that only it has. */
export * as methods from "./auth-method";
export * as rules from "./binding-rule";
export * as policies from "./policy";
export * as roles from "./role";
export * as tokens from "./token";
