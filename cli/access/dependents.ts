/** The objects that are not compared, and may depend on a change. */
import type { InventoryObject } from "../inventory/inventory";
import type { Compared } from "./compared";
import type { AccessModel } from "./model";
import type { Pair } from "./pairs";
import { policyFactsOf } from "./read-model";
import { mayReferTo, nameIn, type Referrer } from "./references";
import { type KnownRules, rulesOfGift } from "./rights";
import { deniesMore, losesPattern, lostUnknown } from "./uncovered";

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
  const isLost = (kind === "AclPolicy" || kind === "AclRole") && losesPatterns(compared, pair);
  const isSameName = (kind === "AclPolicy" || kind === "AclRole") && (change === "changed" || change === "not known");
  // What a role or policy that keeps its name allows or denies is reported for all holders.
  if (isSameName && !isLost) return none;
  const oldName = compared.renames.find((one) => one.after === after?.outputs.name)?.before;
  // Tokens hold roles by ID, and keep one that is only renamed.
  const ids = isLost || change === "gone" || change === "replaced" ? [before?.id, after?.id] : [];
  const names = [...[before, after].flatMap((one) => (one ? [nameIn(one)] : [])), oldName, ...ids].filter((name) => name !== undefined);
  const refers = (one: Referrer) => mayReferTo(one, kind, names);
  // Through others, an object gives nothing more than these, but what it allows by a wider pattern may count now.
  const found = compared.uncompared.filter((one) => refers(one) || (isLost && one.through.some(refers)));
  const isLoss = kind === "AclBindingRule" ? change === "new" : change === "gone" && !isLost;
  return { names: [...new Set(found.map(({ name }) => name))], mayGain: !isLoss };
}

interface Change {
  readonly kind: string;
  readonly change: string;
  readonly pair: Pair;
}

/** Whether a policy, or a role by its policies, loses a pattern, or may lose one. */
function losesPatterns(compared: Compared, { kind, before, after }: Pair): boolean {
  const rulesOf = (model: AccessModel, one: InventoryObject | undefined): KnownRules => {
    if (!one) return { rules: [], unknown: [] };
    if (kind === "AclRole") return rulesOfGift(model, "role", String(one.outputs.name));
    const { rules } = policyFactsOf(one);
    return rules === undefined ? { rules: [], unknown: [one.name] } : { rules: [rules], unknown: [] };
  };
  const [old, now] = [rulesOf(compared.before, before), rulesOf(compared.after, after)];
  return lostUnknown(old, now).length > 0 || losesPattern(old.rules, now.rules);
}
