// Generated from the descriptions in resources/ by `npm run generate`. Edit those.
import type * as pulumi from "@pulumi/pulumi";
import { adapter } from "../adapters/dynamic-process";
import { aclAuthMethod } from "../resources/acl-auth-method";
import { aclBindingRule } from "../resources/acl-binding-rule";
import { aclPolicy } from "../resources/acl-policy";
import { aclRole } from "../resources/acl-role";
import { aclToken } from "../resources/acl-token";
import { agentPool } from "../resources/agent-pool";
import { agentToken } from "../resources/agent-token";

export const AgentPool: pulumi.dynamic.ResourceProvider = adapter(agentPool);
export const AclAuthMethod: pulumi.dynamic.ResourceProvider = adapter(aclAuthMethod);
export const AclPolicy: pulumi.dynamic.ResourceProvider = adapter(aclPolicy);
export const AclRole: pulumi.dynamic.ResourceProvider = adapter(aclRole);
export const AclBindingRule: pulumi.dynamic.ResourceProvider = adapter(aclBindingRule);
export const AgentToken: pulumi.dynamic.ResourceProvider = adapter(agentToken);
export const AclToken: pulumi.dynamic.ResourceProvider = adapter(aclToken);
