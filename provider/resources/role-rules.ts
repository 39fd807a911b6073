import { boundNames } from "../../access/graph";
import type { BindingRule, BindingRuleStub, ClusterAclClient } from "../apis/cluster-acl/client";
import { isApiError } from "../apis/http/errors";
import type { CallContext } from "../context/call-context";
import { someOf } from "../context/wording";
import { readOrMissing } from "../lifecycle/gone";
import { identityText } from "../model/identities";
import type { Properties } from "../model/remote";

/** Warnings about rules that name a role which does not exist. Servers take such rules, and a login gets nothing from them. */

/** How many rules a delete reads for its warning: lists of rules do not say what each of them gives. */
const mostRead = 200;

/**
 * Warns of the rules that still name a deleted role. For a warning only: the role is deleted, and a failed request must not keep it in the
 * state. The engine deletes a role after the rules that refer to it, so that a list of the last seconds mostly shows that none is left.
 */
export async function warnOfRulesNaming(context: CallContext, label: string, role: string | undefined): Promise<void> {
  if (role === undefined || isDeclared(context, role)) return;
  const cluster = context.cluster();
  const consequence = "Such a rule gives nothing now, and applies again to the next role of this name. Delete what is not needed.";
  try {
    const isDeleted = (id: string) => context.operation.objects.isIdDeleted({ kind: "AclBindingRule", id, server: cluster.server });
    const left = (await cluster.rules.recentListIf((rules) => rules.every(({ id }) => isDeleted(id)))).filter(({ id }) => !isDeleted(id));
    const { rules, unread } = await wholeRules(cluster, left);
    const giving = rules.filter(({ bindType }) => bindType === "role");
    const named = giving.filter(({ bindName }) => bindName === role);
    const computed = giving.filter(({ bindName }) => bindName.includes("${") && boundNames(bindName, undefined)?.test(role));
    const parts = [
      ...counted(named, "that name it"),
      ...counted(computed, "whose computed bind name may be its name"),
      ...(unread > 0 ? [`perhaps some of ${unread} that were not read`] : []),
    ];
    if (parts.length > 0) context.warn(`${label} is deleted, and leaves binding rules behind: ${parts.join("; ")}. ${consequence}`);
  } catch (error) {
    if (!isApiError(error)) throw error;
    context.warn(`${label} is deleted, but the binding rules that name it could not be looked for. ${consequence} ${error.message}`);
  }
}

/** Warns of a rule that was written for a role that neither the cluster has nor the program declares. All rules share one list of the roles. */
export async function warnOfMissingRole(context: CallContext, label: string, { bindType, bindName }: Properties): Promise<void> {
  if (bindType !== "role" || typeof bindName !== "string" || bindName.includes("${") || isDeclared(context, bindName)) return;
  const cluster = context.cluster();
  // The rule is written. A token that may not list roles, or a list that fails, is no reason to report an error.
  const names = await context.operation.rolesAtStart.get(() =>
    cluster.roles.list().then(
      (roles) => new Set(roles.map(({ name }) => name)),
      () => undefined,
    ),
  );
  // The program may have declared it meanwhile.
  if (names === undefined || names.has(bindName) || isDeclared(context, bindName)) return;
  context.warn(
    `${label} gives the role ${JSON.stringify(bindName)}, which ${cluster.server} does not have: it gives nothing until there is one. ` +
      "Correct the name, or create the role; if this program declares it further down, give the rule the role's `name`, so that the role is made first.",
  );
}

function isDeclared(context: CallContext, role: string): boolean {
  return context.operation.identities.has(identityText("AclRole", { name: role }));
}

async function wholeRules(cluster: ClusterAclClient, stubs: readonly BindingRuleStub[]): Promise<{ rules: BindingRule[]; unread: number }> {
  const known = stubs.flatMap((stub) => cluster.rules.known(stub) ?? []);
  const unknown = stubs.filter((stub) => !cluster.rules.known(stub));
  const read = await Promise.all(unknown.slice(0, mostRead).map((stub) => readOrMissing(() => cluster.rules.readListed(stub))));
  return { rules: [...known, ...read.filter((rule) => rule !== undefined)], unread: Math.max(0, unknown.length - mostRead) };
}

function counted(rules: readonly BindingRule[], what: string): string[] {
  return rules.length === 0 ? [] : [`${rules.length} ${what} (${someOf(rules.map(({ id }) => id))})`];
}
