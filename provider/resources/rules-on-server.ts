/** Warnings about rules of the server whose role is missing, or whose method is new. Servers take rules of any name. */

import { isApiError } from "../apis/http/errors";
import { identityText } from "../model/identities";
import type { Properties } from "../model/remote";
import { someOf } from "../model/text";
import type { CallContext } from "../operation/call-context";

/** Warns of a rule that was written for a role that neither the cluster has nor the program declares. */
export async function warnOfMissingRole(context: CallContext, label: string, { bindType, bindName }: Properties): Promise<void> {
  const isDeclared = () => context.operation.identities.has(identityText("AclRole", [bindName]));
  if (bindType !== "role" || typeof bindName !== "string" || bindName.includes("${") || isDeclared()) return;
  const { roles, server } = context.cluster();
  const isThere = (all: readonly { readonly name: string }[]) => all.some(({ name }) => name === bindName);
  try {
    // The program may have declared it meanwhile.
    if (isThere(await roles.recentListIf(() => true)) || isDeclared()) return;
  } catch (error) {
    // The rule is written. A token that may not list roles, or a list that fails, is no reason to report an error.
    if (isApiError(error)) return;
    throw error;
  }
  context.warn(
    `${label} gives the role ${JSON.stringify(bindName)}, which ${server} does not have: it gives nothing until there is one. ` +
      "Correct the name, or create the role; if this program declares it further down, give the rule the role's `name`, so the role is made first.",
  );
}

/** The rules that refer to the name of a method that is to be created. */
export async function olderRulesOf(context: CallContext, method: string): Promise<string[]> {
  const isOlder = ({ authMethod }: { readonly authMethod: string }) => authMethod === method;
  const rules = await context.cluster().rules.recentListIf((all) => !all.some(isOlder));
  return rules.filter(isOlder).map(({ id }) => id);
}

export function warnOfOlderRules(context: CallContext, method: string, ids: readonly string[]): void {
  if (ids.length === 0) return;
  const [rules, apply] = ids.length === 1 ? ["rule that refers", "applies"] : ["rules that refer", "apply"];
  context.warn(
    `ACL auth method ${JSON.stringify(method)} is new, and ${ids.length} older binding ${rules} to this name ${apply} to its logins from now on: ${someOf(ids)}. ` +
      "Unless this program manages them, check what they grant, and delete what is not needed.",
  );
}
