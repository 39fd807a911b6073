import { UserError } from "../../common/user-error";
import { uuid } from "../../common/uuid";
import type { BindingRule, ClusterClient } from "../apis/cluster/client";
import { readOrMissing } from "../lifecycle/gone";
import { shortened, someOf } from "../model/text";

const forms = "Give the rule's ID, METHOD/DESCRIPTION or METHOD/SELECTOR.";

/** How many rules an error lists. Each takes a request. */
const mostListed = 20;

/**
 * The ID of a rule from the text of an import, a `get` or a look-up: the ID itself, METHOD/DESCRIPTION, or METHOD/SELECTOR. A rule's
 * description is compared first, since lists have no selectors: METHOD/ is the rule without a description, or else the one with the empty
 * selector.
 *
 * @throws UserError with the rules that may be meant, if none or several have that description or selector
 */
export async function idOfRule(cluster: ClusterClient, name: string): Promise<string> {
  if (uuid.test(name)) return name;
  const slash = name.indexOf("/");
  if (slash < 1) throw new UserError("rule-not-named", `There is no ACL binding rule ${quoted(name)}. ${forms}`);
  const [authMethod, text] = [name.slice(0, slash), name.slice(slash + 1)];
  const all = await cluster.rules.list();
  const stubs = all.filter((stub) => stub.authMethod === authMethod);
  const described = stubs.filter(({ description }) => description === text);
  if (described.length === 1 && described[0]) return described[0].id;
  const read = (described.length > 0 ? described.slice(0, mostListed) : stubs).map((stub) =>
    readOrMissing(() => cluster.rules.readListed(stub)),
  );
  const rules = (await Promise.all(read)).filter((rule) => rule !== undefined);
  const meant = described.length > 0 ? rules : rules.filter(({ selector }) => selector === text);
  if (meant.length === 1 && meant[0]) return meant[0].id;
  const what = text === "" ? "an empty description or selector" : `the description or the selector ${quoted(text)}`;
  const which = `auth method ${quoted(authMethod)} with ${what}`;
  const others = [...new Set(all.map((stub) => quoted(stub.authMethod)))];
  const found =
    stubs.length === 0
      ? `There is no ACL binding rule of an auth method ${quoted(authMethod)} on ${cluster.server}. ${others.length > 0 ? `There are rules of ${someOf(others)}` : "There is no rule at all"}`
      : meant.length === 0
        ? `There is no ACL binding rule of ${which}. Its rules are ${listed(rules)}`
        : `There are ${described.length || meant.length} ACL binding rules of ${which}: ${listed(meant, described.length)}`;
  throw new UserError("rule-not-named", `${found}. ${rules.length === 0 ? forms : "Give the ID of one."}`);
}

function listed(rules: readonly BindingRule[], count = 0): string {
  const texts = rules.slice(0, mostListed).map(({ id, description, selector, bindType, bindName }) => {
    const called = description === "" ? "" : `${quoted(description)}, `;
    const selects = selector === "" ? "the empty selector" : `selector ${quoted(selector)}`;
    return `${id} (${called}${selects}, binds ${bindName === "" ? bindType : `${bindType} ${quoted(bindName)}`})`;
  });
  const more = Math.max(count, rules.length) - texts.length;
  return [...texts, ...(more > 0 ? [`${more} more`] : [])].join("; ");
}

function quoted(text: string): string {
  return JSON.stringify(shortened(text));
}
