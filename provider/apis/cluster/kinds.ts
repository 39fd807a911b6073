/** The kinds of objects whose requests have a name of their own in the client. */
export { methods } from "./auth-method";
export { rules } from "./binding-rule";
export { policies } from "./policy";
export { roles } from "./role";
export { tokens } from "./token";
