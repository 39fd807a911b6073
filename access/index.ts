/** What a login gets, and why, as a server decides it: pure functions, without requests. */
export type { ClaimMappings, Claims } from "./claims";
export type { JsonValue } from "./go-text";
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
} from "./login";
export { evaluateLogin } from "./login";
export type { Reason } from "./match";
export type { PolicyProblem } from "./policy/check";
export { checkPolicy, policyWarnings } from "./policy/check";
export { equalRules } from "./policy/equal";
export { tokenRefusal } from "./token-check";
export type { TokenRequirement, TokenRequirements, Unchecked } from "./token-requirements";
