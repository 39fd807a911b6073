import type { Resource } from "../lifecycle/resource";
import { aclAuthMethod } from "./acl-auth-method";
import { aclBindingRule } from "./acl-binding-rule";
import { aclPolicy } from "./acl-policy";
import { aclRole } from "./acl-role";
import { aclToken } from "./acl-token";
import { agentPool } from "./agent-pool";
import { agentToken } from "./agent-token";

/** Every resource of the provider. */
export const resources: readonly Resource[] = [agentPool, aclAuthMethod, aclPolicy, aclRole, aclBindingRule, agentToken, aclToken];
