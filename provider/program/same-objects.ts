import * as pulumi from "@pulumi/pulumi";
import { pick } from "../../common/own-property";
import type { Resource } from "../lifecycle/resource";
import { identityOf, oneObjectReason } from "../model/identities";
import type { Properties } from "../model/remote";
import { currentRun, isMocked, isTransformed, runError } from "./run";

/** The names of the resources of each run, by the identities of their objects. */
const declared = new WeakMap<object, Map<string, string>>();

/**
 * Refuses two dynamic resources of one run that are for the same object, because their host does not know which resources it checks. Warns
 * if a server may have two such objects, because both may exist already. It compares the program's inputs, because a preview does not
 * return the registered ones. A transformation may change inputs: then nothing is refused here, and the second create fails. Nothing is
 * refused in unit tests either, because their programs declare the same objects many times.
 */
export function refuseSameObject(resource: Resource, resourceName: string, args: Properties, made: pulumi.CustomResource): void {
  const run = currentRun();
  if (run === undefined || isMocked(run) || isTransformed(made)) return;
  const { label, identity } = resource;
  if (!identity) return;
  const names = declared.get(run) ?? new Map<string, string>();
  declared.set(run, names);
  pulumi.output(pick(args, identity.names)).apply((known) => {
    const text = identityOf(resource, known);
    if (text === undefined) return;
    const other = names.get(text);
    if (other === undefined) names.set(text, resourceName);
    else if (!identity.isUnique) void pulumi.log.warn(`${label} ${JSON.stringify(resourceName)}: ${equalMessage(other)}`, made);
    // Thrown, because an error that is only logged does not fail a preview of the Pulumi CLI.
    else throw runError("managed-by-another", `${resourceName}: ${identity.property} ${oneObjectReason(label, [other, resourceName])}.`);
  });
}

function equalMessage(other: string): string {
  return `the resource ${JSON.stringify(other)} of this program is equal, so one of them is redundant, and the create of a second one fails. Remove one.`;
}
