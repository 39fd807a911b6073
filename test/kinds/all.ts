/** The samples of all kinds except AgentToken, which has no updates. */
export { aclAuthMethod } from "./acl-auth-method";
export { aclBindingRule } from "./acl-binding-rule";
export { aclPolicy } from "./acl-policy";
export { aclRole } from "./acl-role";
export { aclToken } from "./acl-token";
export { agentPool } from "./agent-pool";
