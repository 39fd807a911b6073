import { uuid } from "../../common/uuid";
import type { BindingRule, BindingRuleStub, ClusterAclClient } from "../apis/cluster-acl/client";
import { readOrMissing } from "../lifecycle/gone";
import { shortened, someOf } from "../model/text";
import { UserError } from "../model/user-error";

const forms = "Give the rule's ID, METHOD/DESCRIPTION or METHOD/SELECTOR.";

/** How many rules an error lists, each of which is a request. */
const mostListed = 20;

/**
 * The ID of a rule by what an import, a `get` or a look-up names it with: the ID itself, METHOD/DESCRIPTION, or METHOD/SELECTOR. A rule's
 * description is compared first, since lists have no selectors: METHOD/ is the rule without a description, or else the one with the empty
 * selector.
 *
 * @throws UserError with the rules that may be meant, if none or several have that description or selector, or if there is no such
 * method
 */
export async function idOfRule(cluster: ClusterAclClient, name: string): Promise<string> {
  const slash = name.indexOf("/");
  if (uuid.test(name)) return name;
  if (slash < 1) throw new UserError("rule-not-named", `There is no ACL binding rule ${quoted(name)}. ${forms}`);
  const [authMethod, text] = [name.slice(0, slash), name.slice(slash + 1)];
  const stubs = (await cluster.rules.list()).filter((stub) => stub.authMethod === authMethod);
  if (stubs.length === 0) throw await noRulesOf(cluster, authMethod);
  const described = stubs.filter(({ description }) => description === text);
  if (described.length === 1 && described[0]) return described[0].id;
  const which = `auth method ${quoted(authMethod)} with ${text === "" ? "an empty description or selector" : `the description or the selector ${quoted(text)}`}`;
  if (described.length > 1) throw several(described.length, which, await wholeRules(cluster, described.slice(0, mostListed)));
  const rules = await wholeRules(cluster, stubs);
  const selecting = rules.filter(({ selector }) => selector === text);
  if (selecting.length === 1 && selecting[0]) return selecting[0].id;
  if (selecting.length > 1) throw several(selecting.length, which, selecting);
  throw new UserError("rule-not-named", `There is no ACL binding rule of ${which}. Its rules are ${listed(rules)}. Give the ID of one.`);
}

function several(count: number, which: string, rules: readonly BindingRule[]): UserError {
  const text = `There are ${count} ACL binding rules of ${which}: ${listed(rules, count)}. Give the ID of one.`;
  return new UserError("rule-not-named", text);
}

async function noRulesOf(cluster: ClusterAclClient, authMethod: string): Promise<UserError> {
  const names = (await cluster.methods.list()).map(({ name }) => name);
  if (names.includes(authMethod))
    return new UserError("rule-not-named", `Auth method ${quoted(authMethod)} has no binding rules on ${cluster.server}.`);
  const others = names.length > 0 ? `It has ${someOf(names.map(quoted))}` : "It has none";
  return new UserError(
    "rule-not-named",
    `${cluster.server} has no auth method ${quoted(authMethod)}, and so no rule of it. ${others}. ${forms}`,
  );
}

async function wholeRules(cluster: ClusterAclClient, stubs: readonly BindingRuleStub[]): Promise<BindingRule[]> {
  const rules = await Promise.all(stubs.map((stub) => readOrMissing(() => cluster.rules.readListed(stub))));
  return rules.filter((rule) => rule !== undefined);
}

function listed(rules: readonly BindingRule[], count = rules.length): string {
  const texts = rules.slice(0, mostListed).map(({ id, description, selector, bindType, bindName }) => {
    const parts = [
      ...(description === "" ? [] : [quoted(description)]),
      selector === "" ? "the empty selector" : `selector ${quoted(selector)}`,
      `binds ${bindName === "" ? bindType : `${bindType} ${quoted(bindName)}`}`,
    ];
    return `${id} (${parts.join(", ")})`;
  });
  return [...texts, ...(count > texts.length ? [`${count - texts.length} more`] : [])].join("; ");
}

function quoted(text: string): string {
  return JSON.stringify(shortened(text));
}
