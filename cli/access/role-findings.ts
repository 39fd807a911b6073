/** The findings about the policies that roles gain or lose. */
import type { RoleChange } from "../../access/changes";
import type { BindingRule } from "../../access/graph";
import type { ComparedModel } from "./comparable";
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
  { uncertainRules, before, after }: Compared,
): Finding[] {
  const mayReach = uncertainRules.some(mayGiveRoles);
  const finding = (isMore: boolean, policies: readonly string[]): Finding[] => {
    if (policies.length === 0) return [];
    const verb = isMore ? "also gives" : "no longer gives";
    const tokens = tokensOf(isMore ? after : before, role);
    return [policiesFinding(kindsOf(isMore, change), verb, { role, policies, tokens, rules, mayReach })];
  };
  return [...finding(true, added), ...finding(false, removed)];
}

function tokensOf({ objects }: ComparedModel, role: string): string[] {
  const tokens = objects.filter(({ kind, outputs: { roles } }) => kind === "AclToken" && Array.isArray(roles) && roles.includes(role));
  return tokens.map(({ name }) => name);
}

export function mayGiveRoles({ bindType = "role" }: Undecided): boolean {
  return bindType === "role";
}

interface Given {
  readonly role: string;
  readonly policies: readonly string[];
  /** The names of the tokens that have the role. */
  readonly tokens: readonly string[];
  readonly rules?: readonly BindingRule[] | undefined;
  readonly mayReach: boolean;
}

function policiesFinding(
  kinds: readonly FindingKind[],
  verb: "also gives" | "no longer gives",
  { role, policies, tokens, rules, mayReach }: Given,
): Finding {
  const logins = ({ authMethod, selector }: BindingRule): Sentence => ["logins of ", { code: authMethod }, ...withSelector(selector)];
  const nobody = `; no rule here ${verb === "also gives" ? "gives" : "gave"} this role${mayReach ? ", as far as that is known" : ""}`;
  // A rule without a selector matches all logins, so it comes first.
  const widest = rules?.toSorted((a, b) => Number((a.selector ?? "") !== "") - Number((b.selector ?? "") !== ""));
  const holders: Sentence = tokens.length > 0 ? [`the token${tokens.length > 1 ? "s" : ""} `, ...listed(tokens)] : [];
  const alone: Sentence = holders.length > 0 ? [" to ", ...holders, nobody] : [nobody];
  const also: Sentence = holders.length > 0 ? [" and to ", ...holders] : [];
  const reach = widest === undefined ? [" to its tokens"] : widest.length > 0 ? [" to ", ...joined(widest, logins), ...also] : alone;
  return { kinds, about: [keyOf("role", role)], sentence: ["the role ", { code: role }, ` ${verb} `, ...listed(policies), ...reach] };
}

function withSelector(selector = ""): Sentence {
  return selector === "" ? [" with any claims"] : [" with ", { code: selector }];
}
