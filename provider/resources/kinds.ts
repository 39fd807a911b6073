/** The table of the kinds: every resource that is exported here belongs to the provider. */
export { aclAuthMethod } from "./acl-auth-method";
export { aclBindingRule } from "./acl-binding-rule";
export { aclPolicy } from "./acl-policy";
export { aclRole } from "./acl-role";
export { aclToken } from "./acl-token";
export { agentPool } from "./agent-pool";
export { agentToken } from "./agent-token";
