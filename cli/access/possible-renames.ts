/** Roles that exports without IDs may show under another name: tokens hold a role by its ID, and get what it gives under its new name. */
import { compareRights } from "../../access/policy/compare";
import { compareDenials } from "../../access/policy/denials";
import type { InventoryObject } from "../inventory/inventory";
import type { ComparedModel } from "./comparable";
import type { Compared } from "./compared";
import { type Finding, keyOf } from "./finding";
import { listed } from "./markup";
import { isUnidentified } from "./pairs";
import { losesDenies, mayGainManagement, mayManage, policiesOfRole, rulesOfPolicy } from "./rights";

/** A role with its policies, and their rules together. */
interface Role {
  readonly name: string;
  readonly isUnidentified: boolean;
  readonly policies: readonly string[];
  readonly rules: readonly string[];
}

/**
 * The findings about new roles that may be former ones under a new name, and may allow more. If the objects include all tokens, these show
 * what they get.
 */
export function unseenRenames(compared: Compared): Finding[] {
  const { pairs, before, after } = compared;
  if (!before.mayLackTokens && !after.mayLackTokens) return [];
  const alone = pairs.filter((pair) => pair.kind === "AclRole" && !(pair.before && pair.after));
  if (!alone.some(({ before: old, after: now }) => [old, now].some((role) => role && isUnidentified(role)))) return [];
  // Two exports may share no name of a role. So what one role alone can exclude is not computed for every pair of them.
  const gone = alone.flatMap(({ before: role }) => {
    if (!role) return [];
    const old = roleIn(before, role);
    return [{ ...old, mayDeny: losesDenies(after, old.rules, []) }];
  });
  if (gone.length === 0) return [];
  return alone.flatMap(({ after: role }): Finding[] => {
    if (!role) return [];
    const now = roleIn(after, role);
    const others = gone.filter((old) => (old.isUnidentified || now.isUnidentified) && mayGain(compared, old, now));
    if (others.length === 0) return [];
    const isManaging = mayManage(after, now.policies);
    const brings = (old: Role) => isManaging && mayGainManagement(before, after, { old: old.policies, now: now.policies });
    const isManagement = others.some((old) => (old.mayDeny && losesDenies(after, old.rules, now.rules)) || brings(old));
    const names = others.map(({ name }) => name);
    const effect = " under a new name: then its tokens get what it gives now, and exports with --full show that";
    return [
      {
        kinds: isManagement ? ["undecided", "management"] : ["undecided"],
        about: [keyOf("role", now.name)],
        sentence: ["the role ", { code: now.name }, " may be ", ...listed(names, " or "), effect],
      },
    ];
  });
}

function roleIn(model: ComparedModel, role: InventoryObject): Role {
  const policies = policiesOfRole(model, role.name) ?? [];
  const rules = policies.flatMap((policy) => rulesOfPolicy(model, policy) ?? []);
  return { name: role.name, isUnidentified: isUnidentified(role), policies, rules };
}

/**
 * Whether tokens of the old role may gain something by the new one: it has another policy, or one with other rules, or it lacks a policy
 * that may have denied something, or allowed less than another one by a more exact pattern.
 */
function mayGain({ before, after }: Compared, old: Role, now: Role): boolean {
  const isOther = (policy: string) => rulesOfPolicy(before, policy) !== rulesOfPolicy(after, policy);
  if (now.policies.some((policy) => !old.policies.includes(policy) || isOther(policy))) return true;
  const lost = old.policies.filter((policy) => !now.policies.includes(policy));
  if (lost.length === 0) return false;
  // Unknown rules may have denied what the others allow.
  if (now.policies.length > 0 && lost.some((policy) => rulesOfPolicy(before, policy) === undefined)) return true;
  const { relation } = compareRights(old.rules, now.rules);
  return !["equal", "narrowed"].includes(relation) || compareDenials(old.rules, now.rules).length > 0;
}
