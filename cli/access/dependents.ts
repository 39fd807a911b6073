/** The objects that are not compared, and may depend on a change. */
import type { InventoryObject } from "../inventory/inventory";
import type { Compared } from "./compared";
import type { AccessModel } from "./model";
import type { Pair } from "./pairs";
import { policyFactsOf } from "./read-model";
import { mayReferTo, nameIn, type Referrer } from "./references";
import { type KnownRules, rulesOfGift } from "./rights";
import { deniesMore, lostUnknown, movesPattern } from "./uncovered";

/** Whether the grant of a rule denies something, or may deny it. */
export function mayDeny({ outputs: { bindType, bindName } }: InventoryObject, model: AccessModel): boolean {
  if (bindType === "management") return false;
  if ((bindType !== "role" && bindType !== "policy") || typeof bindName !== "string" || bindName.includes("${")) return true;
  const { rules, unknown } = rulesOfGift(model, bindType, bindName);
  return unknown.length > 0 || deniesMore([], rules);
}

/** Which objects that are not compared may depend on a change, by their names, and whether they may gain something. */
export function dependentsOf(compared: Compared, { kind, change, pair }: Change): { readonly names: string[]; readonly mayGain: boolean } {
  const none = { names: [], mayGain: false };
  if (compared.uncompared.length === 0) return none;
  const { before, after } = pair;
  const isGift = kind === "AclPolicy" || kind === "AclRole";
  const isMoved = isGift && movesPatterns(compared, pair);
  // Logins lose a renamed role, its denies and its patterns if a rule keeps the old name.
  const mayUncover = isMoved || change === "renamed";
  // What a role or policy that keeps its name allows or denies is reported for all holders.
  if (isGift && (change === "changed" || change === "not known") && !isMoved) return none;
  const oldName = compared.renames.find((one) => one.after === after?.outputs.name)?.before;
  // Tokens hold roles by ID, and keep one that is only renamed.
  const ids = isMoved || change === "gone" || change === "replaced" ? [before?.id, after?.id] : [];
  const names = [...[before, after].flatMap((one) => (one ? [nameIn(one)] : [])), oldName, ...ids].filter((name) => name !== undefined);
  const refers = (one: Referrer) => mayReferTo(one, kind, names);
  // An object that gives the changed one only together with a compared rule or role gains nothing by it, but may regain what it took away.
  const found = compared.uncompared.filter((one) => refers(one) || (mayUncover && one.through.some(refers)));
  const isLoss = kind === "AclBindingRule" ? change === "new" : change === "gone" && !isMoved;
  return { names: [...new Set(found.map(({ name }) => name))], mayGain: !isLoss };
}

interface Change {
  readonly kind: string;
  readonly change: string;
  readonly pair: Pair;
}

/** Whether the patterns of a policy, or of a role's policies, move, or may move. */
function movesPatterns(compared: Compared, { kind, before, after }: Pair): boolean {
  const rulesOf = (model: AccessModel, one: InventoryObject | undefined): KnownRules => {
    if (!one) return { rules: [], unknown: [] };
    if (kind === "AclRole") return rulesOfGift(model, "role", String(one.outputs.name));
    const { rules } = policyFactsOf(one);
    return rules === undefined ? { rules: [], unknown: [one.name] } : { rules: [rules], unknown: [] };
  };
  const [old, now] = [rulesOf(compared.before, before), rulesOf(compared.after, after)];
  return lostUnknown(old, now).length > 0 || movesPattern(old.rules, now.rules);
}
