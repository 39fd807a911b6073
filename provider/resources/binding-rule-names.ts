import type { BindingRule, BindingRuleStub, ClusterAclClient } from "../apis/cluster-acl/client";
import { readOrMissing } from "../context/certainty";
import { shortened, someOf, uuid } from "../context/wording";
import { UserError } from "../model/user-error";

/**
 * The ID of a rule by what an import or a `get` names it with: the ID itself, METHOD/DESCRIPTION, or METHOD/SELECTOR. A rule's description
 * is compared first, since lists have no selectors.
 *
 * @throws UserError with the rules of the method, where none or several have that description or selector
 */
export async function idOfRule(cluster: ClusterAclClient, name: string): Promise<string> {
  const slash = name.indexOf("/");
  if (uuid.test(name) || slash < 1) return name;
  const [authMethod, text] = [name.slice(0, slash), name.slice(slash + 1)];
  const stubs = (await cluster.listBindingRules()).filter((stub) => stub.authMethod === authMethod);
  const described = stubs.filter(({ description }) => description === text);
  if (described.length === 1 && described[0]) return described[0].id;
  const rules = described.length > 0 ? described : await selecting(cluster, stubs, text);
  const [rule, ...more] = rules;
  if (rule && more.length === 0) return rule.id;
  const wanted = `auth method ${JSON.stringify(authMethod)} with the description or the selector ${JSON.stringify(shortened(text))}`;
  if (rule)
    throw new UserError(
      "rule-not-named",
      `There are ${rules.length} ACL binding rules of ${wanted}: ${namesOf(rules)}. Give the ID of one.`,
    );
  const others =
    stubs.length > 0 ? `Its rules are ${namesOf(stubs)}. Give the ID of one.` : `The method has no rules on ${cluster.server}.`;
  throw new UserError("rule-not-named", `There is no ACL binding rule of ${wanted}. ${others}`);
}

async function selecting(cluster: ClusterAclClient, stubs: readonly BindingRuleStub[], selector: string): Promise<BindingRule[]> {
  const rules = await Promise.all(stubs.map((stub) => readOrMissing(() => cluster.readListedBindingRule(stub))));
  return rules.filter((rule) => rule !== undefined).filter((rule) => rule.selector === selector);
}

function namesOf(rules: readonly BindingRuleStub[]): string {
  return someOf(rules.map(({ id, description }) => (description ? `${id} (${JSON.stringify(shortened(description))})` : id)));
}
