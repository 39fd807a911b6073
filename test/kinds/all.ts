/** The samples of all kinds. */
export { aclAuthMethod } from "./acl-auth-method";
export { aclBindingRule } from "./acl-binding-rule";
export { aclPolicy } from "./acl-policy";
export { aclRole } from "./acl-role";
export { aclToken } from "./acl-token";
export { agentPool } from "./agent-pool";
