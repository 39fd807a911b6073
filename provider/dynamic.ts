/**
 * Where the text in the state of every dynamic resource leads: the engine's host loads this module and calls what it finds under the resource's kind.
 * A public entry point for ever.
 */
import type * as pulumi from "@pulumi/pulumi";
import { dynamicDoor } from "./doors/dynamic";
import { EngineSiblings } from "./doors/siblings";
import { aclAuthMethod, aclBindingRule, aclRole, agentPool } from "./resources";

/** The engine's address is the first argument of its host's process. */
const [engineAddress] = process.argv.slice(2);
const isEngine = engineAddress !== undefined && /^[\w.]+:\d+$/.test(engineAddress);

const door = dynamicDoor({ siblings: isEngine ? new EngineSiblings(engineAddress) : undefined });

export const AgentPool: pulumi.dynamic.ResourceProvider = door(agentPool);
export const AclAuthMethod: pulumi.dynamic.ResourceProvider = door(aclAuthMethod);
export const AclRole: pulumi.dynamic.ResourceProvider = door(aclRole);
export const AclBindingRule: pulumi.dynamic.ResourceProvider = door(aclBindingRule);
