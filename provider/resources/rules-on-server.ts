/** Warnings about rules of the server whose role or method is deleted, missing, or new. Servers take rules of any name. */
import { boundNames } from "../../access/graph";
import type { BindingRule, BindingRuleStub, BindType, ClusterAclClient } from "../apis/cluster-acl/client";
import { isApiError } from "../apis/http/errors";
import { readOrMissing } from "../lifecycle/gone";
import { identityText } from "../model/identities";
import type { Properties } from "../model/remote";
import { someOf } from "../model/text";
import type { CallContext } from "../operation/call-context";

/** How many rules a delete reads for its warning: lists of rules do not say what each of them gives. */
const mostRead = 200;

/** Warns of the rules that still name a deleted role. */
export async function warnOfRulesGiving(context: CallContext, label: string, role: string | undefined): Promise<void> {
  if (role !== undefined && !isDeclared(context, role)) await warnOfRulesNaming(context, label, "role", role);
}

/** Warns of the rules that still name a deleted role or policy, which the program does not declare. */
export async function warnOfRulesNaming(context: CallContext, label: string, type: BindType, name: string): Promise<void> {
  const describe = async (stubs: readonly BindingRuleStub[]) => {
    const { rules, unread } = await wholeRules(context.cluster(), stubs);
    const giving = rules.filter(({ bindType }) => bindType === type);
    const computed = giving.filter(({ bindName }) => bindName.includes("${") && boundNames(bindName, undefined)?.test(name));
    return [
      ...counted(
        giving.filter(({ bindName }) => bindName === name),
        "that name it",
      ),
      ...counted(computed, "whose computed bind name may be its name"),
      ...(unread > 0 ? [`perhaps some of ${unread} that were not read`] : []),
    ];
  };
  await warnOfRulesLeft(context, `${label} is deleted`, { isLeft: () => true, describe });
}

/** Warns of the rules of a deleted method. */
export function warnOfRulesOf(context: CallContext, label: string, method: string): Promise<void> {
  const isLeft = ({ authMethod }: BindingRuleStub) => authMethod === method;
  return warnOfRulesLeft(context, `${label} is deleted`, { isLeft, describe: async (stubs) => counted(stubs, "of it") });
}

async function warnOfRulesLeft(
  context: CallContext,
  event: string,
  { isLeft, describe }: Pick<NamesLeft<BindingRuleStub>, "isLeft" | "describe">,
): Promise<void> {
  const consequence = "Such a rule gives nothing now, and applies again to the next one of this name. Delete what is not needed.";
  const { rules } = context.cluster();
  await warnOfNames(context, event, { kind: "AclBindingRule", nouns: "binding rules", list: rules, isLeft, describe, consequence });
}

/** The objects of a list that name what is deleted. */
export interface NamesLeft<Item extends { readonly id: string }> {
  readonly kind: string;
  readonly nouns: string;
  readonly list: { recentListIf(isEnough: (items: readonly Item[]) => boolean): Promise<readonly Item[]> };
  readonly isLeft: (item: Item) => boolean;
  /** What is left, in parts of a sentence; empty if nothing is. */
  readonly describe: (left: readonly Item[]) => readonly string[] | Promise<readonly string[]>;
  readonly consequence: string;
}

/**
 * For a warning only: the object is deleted, and a failed request must not keep it in the state. The engine deletes it after what refers to
 * it, so a list of the last seconds mostly shows that nothing is left; only otherwise there is another one.
 */
export async function warnOfNames<Item extends { readonly id: string }>(
  context: CallContext,
  event: string,
  left: NamesLeft<Item>,
): Promise<void> {
  const { kind, nouns, list, describe, consequence } = left;
  const { server } = context.cluster();
  const isLeft = (item: Item) => left.isLeft(item) && !context.operation.objects.isIdDeleted({ kind, id: item.id, server });
  try {
    const parts = await describe((await list.recentListIf((all) => !all.some(isLeft))).filter(isLeft));
    if (parts.length > 0) context.warn(`${event}, and leaves ${nouns} behind: ${parts.join("; ")}. ${consequence}`);
  } catch (error) {
    if (!isApiError(error)) throw error;
    context.warn(`${event}, but the ${nouns} that name it could not be looked for. ${consequence} ${error.message}`);
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
      "Correct the name, or create the role; if this program declares it further down, give the rule the role's `name`, so the role is made first.",
  );
}

/**
 * The rules of others that refer to the name of a method that is to be created. If no rule did at the start of the operation, they are not
 * listed again. Rules of the stack that are already known are left out.
 */
export async function olderRulesOf(context: CallContext, method: string): Promise<string[]> {
  const { rules, server } = context.cluster();
  const referred = await context.operation.methodsWithRulesAtStart.get(
    async () => new Set((await rules.list()).map(({ authMethod }) => authMethod)),
  );
  if (!referred.has(method)) return [];
  const isOthers = (id: string) => !context.operation.objects.isOfStack({ kind: "AclBindingRule", id, server });
  return (await rules.list()).filter(({ id, authMethod }) => authMethod === method && isOthers(id)).map(({ id }) => id);
}

export function warnOfOlderRules(context: CallContext, method: string, ids: readonly string[]): void {
  if (ids.length === 0) return;
  const [rules, apply] = ids.length === 1 ? ["rule that refers", "applies"] : ["rules that refer", "apply"];
  context.warn(
    `ACL auth method ${JSON.stringify(method)} is new, and ${ids.length} older binding ${rules} to this name ${apply} to its logins from now on: ${someOf(ids)}. ` +
      "Unless this program manages them, check what they grant, and delete what is not needed.",
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

function counted(rules: readonly { readonly id: string }[], what: string): string[] {
  return rules.length === 0 ? [] : [`${rules.length} ${what} (${someOf(rules.map(({ id }) => id))})`];
}
