/** The endpoints of each kind. The document lacks policies, which roles refer to, and tokens. A kind's objects are in `store.of(kind)`. */
export { methodEndpoints } from "./method-endpoints";
export { policyEndpoints } from "./policy-endpoints";
export { roleEndpoints } from "./role-endpoints";
export { ruleEndpoints } from "./rule-endpoints";
export { tokenEndpoints } from "./token-endpoints";
