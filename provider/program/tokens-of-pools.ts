import * as pulumi from "@pulumi/pulumi";
import type { Resource } from "../lifecycle/resource";
import { labelInProgram } from "../model/text";
import type { Declared } from "./declared";
import { previewedRun } from "./run";

/** The declared pools without `retainOnDelete`. */
const deletable = new WeakSet<pulumi.Resource>();

/**
 * Warns in a preview about an agent token without the option `deletedWith`, if the program declares its pool, and neither has
 * `retainOnDelete`. Only the program knows the resource that an input comes from.
 */
export function warnOfTokenBeforePool({ kind, label }: Resource, resourceName: string, { args, made, options }: Declared): void {
  if (kind === "AgentPool" && !options?.retainOnDelete) deletable.add(made);
  if (kind !== "AgentToken" || options?.deletedWith || options?.retainOnDelete || !previewedRun(made)) return;
  const warn = async () => {
    const sources = new Set<pulumi.Resource>();
    await pulumi.runtime.serializeProperty("agentPoolId", args.agentPoolId, sources);
    if ([...sources].some((source) => deletable.has(source))) await pulumi.log.warn(withoutPoolMessage(label, resourceName), made);
  };
  // An error here also fails the registration, which reports it.
  warn().catch(() => undefined);
}

function withoutPoolMessage(label: string, resourceName: string): string {
  return (
    `${labelInProgram(label, resourceName)}: a delete of its pool revokes the token first, and then waits for agents that have no valid token, ` +
    "or fails and leaves the pool without one. Set the option deletedWith to the pool: { deletedWith: pool }."
  );
}
