import type { BindingRuleStub, ClusterAclClient } from "../../apis/cluster-acl/client";
import { isApiError } from "../../apis/http/errors";
import type { CallContext } from "../../context/call-context";
import { someOf } from "../../context/wording";

/**
 * The rules of others that refer to the name of a method that is to be created. If no rule did at the start of the operation, they are not
 * listed again. Rules of the stack that are already known are left out.
 */
export async function olderRulesOf(context: CallContext, method: string): Promise<string[]> {
  const cluster = context.cluster();
  const referred = await context.operation.methodsWithRulesAtStart.get(
    async () => new Set((await cluster.rules.list()).map((rule) => rule.authMethod)),
  );
  if (!referred.has(method)) return [];
  const isOthers = (id: string) => !context.operation.objects.isOfStack({ kind: "AclBindingRule", id, server: cluster.server });
  return (await rulesOf(cluster, method)).filter(isOthers);
}

export function warnOfOlderRules(context: CallContext, method: string, rules: readonly string[]): void {
  if (rules.length === 0) return;
  const [refer, apply, grant] = rules.length === 1 ? ["refers", "applies", "it grants"] : ["refer", "apply", "they grant"];
  context.warn(
    `ACL auth method ${JSON.stringify(method)} is new, and ${counted("older binding rule", rules)} that ${refer} to this name ${apply} to its logins from now on: ${someOf(rules)}. ` +
      `Unless this program manages them, check what ${grant}, and delete what is not needed.`,
  );
}

/**
 * For a warning only: the method is deleted, and a failed list of its rules must not keep it in the state. The engine deletes a method after the rules that refer to it,
 * so that a list of the last seconds mostly shows that none is left; only otherwise there is another one.
 */
export async function warnOfRulesLeft(context: CallContext, label: string, method: string): Promise<void> {
  const cluster = context.cluster();
  const consequence = "They grant nothing now, but apply again to the next method of this name. Delete those that are not needed.";
  try {
    const isDeleted = (id: string) => context.operation.objects.isIdDeleted({ kind: "AclBindingRule", id, server: cluster.server });
    const isLeft = (rule: BindingRuleStub) => rule.authMethod === method && !isDeleted(rule.id);
    const listed = await cluster.rules.recentListIf((rules) => !rules.some(isLeft));
    const rules = listed.filter(isLeft).map(({ id }) => id);
    if (rules.length === 0) return;
    context.warn(`${label} is deleted, and leaves ${counted("binding rule", rules)} behind: ${someOf(rules)}. ${consequence}`);
  } catch (error) {
    if (!isApiError(error)) throw error;
    context.warn(`${label} is deleted, but its remaining binding rules could not be listed. ${consequence} ${error.message}`);
  }
}

async function rulesOf(cluster: ClusterAclClient, method: string): Promise<string[]> {
  return (await cluster.rules.list()).filter((rule) => rule.authMethod === method).map((rule) => rule.id);
}

function counted(what: string, rules: readonly string[]): string {
  return `${rules.length} ${what}${rules.length === 1 ? "" : "s"}`;
}
