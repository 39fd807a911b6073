/** The endpoints of each kind. The document lacks tokens and policies. */
export { methodEndpoints } from "./method-endpoints";
export { policyEndpoints } from "./policy-endpoints";
export { roleEndpoints } from "./role-endpoints";
export { ruleEndpoints } from "./rule-endpoints";
export { tokenEndpoints } from "./token-endpoints";
