/** The grants of a login, and the reasons for them, as a server decides: pure functions, without requests. */
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
export type { Answer, PolicyQuestion } from "./policy/allow";
export { policiesAllow } from "./policy/allow";
export type { PolicyProblem } from "./policy/check";
export { checkPolicy, policyWarnings } from "./policy/check";
export type { RightsComparison, RightsDifference } from "./policy/compare";
export { compareRights } from "./policy/compare";
export { equalRules } from "./policy/equal";
export type { NamedRights, Rights, VariableRights } from "./policy/rights";
export { rightsOf } from "./policy/rights";
export { tokenRefusal } from "./token-check";
export type { TokenRequirement, TokenRequirements, Unchecked } from "./token-requirements";
