/** What a login gets, and why, as a server decides it: pure functions, without requests. */
export type { ClaimMappings, Claims } from "./access/claims";
export type { JsonValue } from "./access/go-text";
export type {
  Access,
  Grant,
  Login,
  LoginMethod,
  LoginOptions,
  LoginOutcome,
  LoginRule,
  LoginToken,
  RuleResult,
} from "./access/login";
export { evaluateLogin } from "./access/login";
export type { Reason } from "./access/match";
export { tokenRefusal } from "./access/token-check";
export type { TokenRequirement, TokenRequirements, Unchecked } from "./access/token-requirements";
