/** Warnings about policies of the program that others of its objects name by a text. They are of one operation, and cost no request. */
import { identityText } from "../model/identities";
import type { CallContext } from "../operation/call-context";

const kind = "AclPolicy";
const remedy = "Give the policy's `name`, as in readers.name.";

/** What the check of an object warns of that names policies: the program gives one of them another name. Templates name none. */
export function warningsOfNaming(label: string, names: unknown, context: CallContext): string[] {
  const known = (Array.isArray(names) ? names : [names]).filter((name): name is string => typeof name === "string" && !name.includes("${"));
  for (const name of known) context.operation.names.record(kind, name, label);
  return known.flatMap((name) => ofRenamed(label, name, context));
}

/** What the check of a new policy warns of: objects that were declared before it, and so do not wait for it. */
export function warningsOfNewPolicy(name: unknown, context: CallContext): string[] {
  if (typeof name !== "string") return [];
  const sentence = `names the policy ${JSON.stringify(name)} by a text, so it does not wait for this program to make it`;
  return context.operation.names.of(kind, name).map((label) => `${label} ${sentence}. ${remedy}`);
}

/** What the diff of a policy warns of that gets another name: objects that were declared before it with the old one. */
export function warningsOfRenamedPolicy(name: string, context: CallContext): string[] {
  return context.operation.names.of(kind, name).flatMap((label) => ofRenamed(label, name, context));
}

function ofRenamed(label: string, name: string, { operation: { checks, identities } }: CallContext): string[] {
  if (!checks.isRenamed(kind, name) || identities.has(identityText(kind, { name }))) return [];
  return [
    `${label} names the policy ${JSON.stringify(name)}, which this program gives another name: then there is none of this name. ${remedy}`,
  ];
}
