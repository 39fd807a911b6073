/** The findings about the policies that roles gain or lose. */
import type { RoleChange } from "../../access/changes";
import type { BindingRule } from "../../access/graph";
import type { ComparedModel } from "./comparable";
import type { Compared } from "./compared";
import { type Finding, keyOf } from "./finding";
import { joined, listed, type Sentence } from "./markup";
import type { Undecided } from "./model";
import { kindsOf, named } from "./policy-findings";
import type { RightsChange } from "./rights-changes";

/**
 * The findings about the policies that a role gains or loses.
 *
 * @param one without `rules` if only tokens have this role, because logins get roles by name
 * @param change the change of the permissions, as far as it is known
 */
export function roleFindings(
  { role, added, removed, rules }: Omit<RoleChange, "rules"> & Partial<Pick<RoleChange, "rules">>,
  change: RightsChange | undefined,
  { uncertainRules, before, after }: Compared,
): Finding[] {
  const doubt = uncertainRules.some(mayGiveRoles) ? ", as far as that is known" : "";
  const logins = loginsOf(rules ?? []);
  const finding = (isMore: boolean, policies: readonly string[]): Finding[] => {
    if (policies.length === 0) return [];
    const [verb, gives] = isMore ? [" also gives ", "gives"] : [" no longer gives ", "gave"];
    const tokens = named("token", tokensWith(role, isMore ? after : before));
    const both = logins.length > 0 && tokens.length > 0 ? [" and to "] : [];
    const to = logins.length + tokens.length > 0 ? [" to ", ...logins, ...both, ...tokens] : [];
    const nobody = logins.length > 0 ? [] : [`; no rule here ${gives} this role${doubt}`];
    const reach: Sentence = rules ? [...to, ...nobody] : [" to its tokens"];
    const sentence = ["the role ", { code: role }, verb, ...listed(policies), ...reach];
    return [{ kinds: kindsOf(isMore, change), about: [keyOf("role", role)], sentence }];
  };
  return [...finding(true, added), ...finding(false, removed)];
}

/** The logins that match these rules, in words. A rule without a selector matches all logins, so it comes first. */
function loginsOf(rules: readonly BindingRule[]): Sentence {
  const widest = rules.toSorted((a, b) => Number((a.selector ?? "") !== "") - Number((b.selector ?? "") !== ""));
  return joined(widest, ({ authMethod, selector }) => ["logins of ", { code: authMethod }, ...withSelector(selector)]);
}

function withSelector(selector = ""): Sentence {
  return selector === "" ? [" with any claims"] : [" with ", { code: selector }];
}

function tokensWith(role: string, { objects }: ComparedModel): string[] {
  const tokens = objects.filter(({ kind, outputs: { roles } }) => kind === "AclToken" && Array.isArray(roles) && roles.includes(role));
  return tokens.map(({ name }) => name);
}

export function mayGiveRoles({ bindType = "role" }: Undecided): boolean {
  return bindType === "role";
}
