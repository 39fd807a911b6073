/** Warnings about policies of the program that others of its objects name by a text. They are of one operation, and cost no request. */
import type { CheckContext } from "../lifecycle/kind";
import { identityText } from "../model/identities";
import type { Properties } from "../model/remote";
import { notWaitingMessage, policyNameRemedy } from "../model/text";
import type { CallContext } from "../operation/call-context";
import type { Referrer } from "../operation/referrers";
import { allPolicies, warningsOfDenies } from "./denies-in-program";

const kind = "AclPolicy";

/** What the check of an object warns of that names policies: the program gives one of them another name. Templates name none. */
export function warningsOfNames(label: string, names: readonly unknown[], context: CallContext, referrer: Referrer = { label }): string[] {
  const known = names.filter((name) => typeof name === "string").filter((name) => !name.includes("${"));
  for (const name of known) context.operation.referrers.record(kind, name, referrer);
  return known.flatMap((name) => ofRenamed(label, name, context));
}

/** What the check of a role or token warns of: the same, and denies of its policies that take nothing away from it. */
export function warningsOfHolding(label: string, { policies, roles = [] }: Properties, context: CallContext): string[] {
  const referrer = { label, names: allPolicies(policies, roles, context) };
  return [...warningsOfNames(label, policiesOf({ policies }), context, referrer), ...warningsOfDenies(referrer, context)];
}

/** What the check of a policy warns of that roles and tokens have which were declared before it. */
export function warningsOfHeld(name: unknown, context: CallContext): string[] {
  if (typeof name !== "string") return [];
  return context.operation.referrers.of(kind, name).flatMap((referrer) => warningsOfDenies(referrer, context));
}

/** What an object names that has a list of policies. */
export function policiesOf({ policies }: Properties): readonly unknown[] {
  return Array.isArray(policies) ? policies : [];
}

/**
 * What the check of a new policy warns of: objects that were checked before it, and so do not wait for it. Whether those after it do, only a
 * program in TypeScript knows, and warns of all (provider/program/policies-by-text.ts). So the adapter without URNs, which only those use,
 * has nothing to add.
 */
export function warningsOfNewPolicy(name: unknown, { context, urn }: CheckContext): string[] {
  if (typeof name !== "string" || urn === undefined) return [];
  return context.operation.referrers.of(kind, name).map(({ label }) => notWaitingMessage(label, name));
}

/** What the diff of a policy warns of that gets another name: objects that were declared before it with the old one. */
export function warningsOfRenamedPolicy(name: string, context: CallContext): string[] {
  return context.operation.referrers.of(kind, name).flatMap(({ label }) => ofRenamed(label, name, context));
}

function ofRenamed(label: string, name: string, { operation: { checks, identities } }: CallContext): string[] {
  if (!checks.isRenamed(kind, name) || identities.has(identityText(kind, { name }))) return [];
  return [
    `${label} names the policy ${JSON.stringify(name)}, which this program gives another name: then there is none of this name. ${policyNameRemedy}`,
  ];
}
