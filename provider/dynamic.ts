/**
 * Where the text in the state of every dynamic resource leads: the engine's host loads this module and calls what it finds under the resource's kind.
 * A public entry point for ever.
 */
import type * as pulumi from "@pulumi/pulumi";
import { dynamicAdapter } from "./adapters/dynamic";
import { EngineSiblings } from "./context/siblings";
import { aclAuthMethod, aclBindingRule, aclRole, agentPool } from "./resources";

/** The engine's address is an argument of its host's process. Before it may stand what the engine passes on of its own options. */
const engineAddress = process.argv.slice(2).findLast((argument) => /^[\w.]+:\d+$/.test(argument));

const adapter = dynamicAdapter({ siblings: engineAddress ? new EngineSiblings(engineAddress) : undefined });

export const AgentPool: pulumi.dynamic.ResourceProvider = adapter(agentPool);
export const AclAuthMethod: pulumi.dynamic.ResourceProvider = adapter(aclAuthMethod);
export const AclRole: pulumi.dynamic.ResourceProvider = adapter(aclRole);
export const AclBindingRule: pulumi.dynamic.ResourceProvider = adapter(aclBindingRule);
