/** The findings about the policies that roles gain or lose. */
import type { RoleChange } from "../../access/changes";
import type { BindingRule } from "../../access/graph";
import type { Compared } from "./compared";
import { type Finding, type FindingKind, keyOf } from "./finding";
import { joined, listed, type Sentence } from "./markup";
import type { Undecided } from "./model";
import { kindsOf } from "./policy-findings";
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
  { uncertainRules }: Compared,
): Finding[] {
  const mayReach = uncertainRules.some(mayGiveRoles);
  const finding = (isMore: boolean, policies: readonly string[]): Finding[] => {
    if (policies.length === 0) return [];
    const verb = isMore ? "also gives" : "no longer gives";
    return [policiesFinding(kindsOf(isMore, change), verb, { role, policies, rules, mayReach })];
  };
  return [...finding(true, added), ...finding(false, removed)];
}

export function mayGiveRoles({ bindType = "role" }: Undecided): boolean {
  return bindType === "role";
}

function policiesFinding(
  kinds: readonly FindingKind[],
  verb: "also gives" | "no longer gives",
  { role, policies, rules, mayReach }: { role: string; policies: readonly string[]; rules?: readonly BindingRule[]; mayReach: boolean },
): Finding {
  const logins = ({ authMethod, selector }: BindingRule): Sentence => ["logins of ", { code: authMethod }, ...withSelector(selector)];
  const nobody = `; no rule here ${verb === "also gives" ? "gives" : "gave"} this role${mayReach ? ", as far as that is known" : ""}`;
  // A rule without a selector matches all logins, so it comes first.
  const widest = rules?.toSorted((a, b) => Number((a.selector ?? "") !== "") - Number((b.selector ?? "") !== ""));
  const reach = widest === undefined ? [" to its tokens"] : widest.length > 0 ? [" to ", ...joined(widest, logins)] : [nobody];
  return { kinds, about: [keyOf("role", role)], sentence: ["the role ", { code: role }, ` ${verb} `, ...listed(policies), ...reach] };
}

function withSelector(selector = ""): Sentence {
  return selector === "" ? [" with any claims"] : [" with ", { code: selector }];
}
