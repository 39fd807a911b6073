import * as pulumi from "@pulumi/pulumi";
import { kindsNamingPolicies, notWaitingMessage, policiesByText } from "../../checks";
import { isRecord } from "../../common/unknown";
import { pluginToken } from "../configuration/tokens";
import type { Resource } from "../lifecycle/resource";
import type { Properties } from "../model/remote";
import type { Declared } from "./declared";
import { resolved } from "./resource-inputs";
import { previewedRun } from "./run";

interface DeclaredPolicy {
  readonly made: pulumi.CustomResource;
  /** The policy's name; undefined while a preview does not know it. */
  readonly name: Promise<{ readonly value: unknown } | undefined>;
}

interface Referrer {
  readonly made: pulumi.CustomResource;
  readonly label: string;
  readonly seen: Promise<{ readonly names: readonly string[]; readonly waitsFor: ReadonlySet<pulumi.Resource> }>;
}

const ofPlugin = pluginToken("AclPolicy");

/** The policies and other resources that each run has declared so far. */
const runs = new WeakMap<object, { readonly policies: DeclaredPolicy[]; readonly referrers: Referrer[] }>();

/**
 * Warns in a preview about resources without `dependsOn` that name a new policy of the program by a text. Only the program knows the
 * dependencies of an input.
 */
export function warnOfPoliciesByText({ kind, label }: Resource, resourceName: string, { args, made, options }: Declared): void {
  const run = previewedRun(made);
  if (run === undefined) return;
  const { policies, referrers } = runs.get(run) ?? { policies: [], referrers: [] };
  runs.set(run, { policies, referrers });
  if (kind === "AclPolicy") {
    // The name is resolved once, because it is compared with every resource that names policies. An error here also fails the registration,
    // which reports it.
    const policy = { made, name: resolved(args.name).catch(() => undefined) };
    policies.push(policy);
    for (const referrer of referrers) warnOfPair(referrer, policy);
  } else if (kindsNamingPolicies.has(kind) && options?.dependsOn === undefined) {
    const referrer = { made, label: `${label} ${JSON.stringify(resourceName)}`, seen: inspect(kind, args) };
    referrers.push(referrer);
    for (const policy of policies) warnOfPair(referrer, policy);
  }
}

async function inspect(kind: string, args: Properties) {
  const waitsFor = new Set<pulumi.Resource>();
  const known: unknown = await pulumi.runtime.serializeProperty("args", args, waitsFor).catch(() => undefined);
  return { names: isRecord(known) ? policiesByText({ kind, inputs: known }) : [], waitsFor };
}

function warnOfPair({ made, label, seen }: Referrer, policy: DeclaredPolicy): void {
  // Each provider may have a cluster of its own.
  if (made.getProvider(ofPlugin) !== policy.made.getProvider(ofPlugin)) return;
  const compare = async () => {
    const [{ names, waitsFor }, name] = [await seen, (await policy.name)?.value];
    if (typeof name !== "string" || !names.includes(name) || waitsFor.has(policy.made)) return;
    // A preview does not know the id of a new policy.
    if ((await resolved(policy.made.id)) === undefined) await pulumi.log.warn(`${label}: ${notWaitingMessage(name)}`, made);
  };
  // A failed policy has no id, and its own error is shown.
  compare().catch(() => undefined);
}
