/**
 * References of objects that are not compared: of @pulumi/nomad, or looked up. Such an object may give something new although it does not
 * change: because an object that it names is created, or because its auth method changes.
 */
import { boundNames } from "../../access/bound-names";
import type { Properties } from "../../provider/internal";
import { nameOfLookedUp, onlyLookedUp } from "../inventory/bridged";
import { type BridgedObject, type Inventory, type InventoryObject, isUncertain } from "../inventory/inventory";

/** An object whose properties refer to others. */
export interface Referrer {
  readonly name: string;
  readonly kind: string;
  /** Undefined if nothing is known of the object. */
  readonly properties: Properties | undefined;
}

/** An object that is not compared, with a name such as `AclRole "ops" of @pulumi/nomad`. */
export interface Uncompared extends Referrer {
  /** The compared rules and roles to which it refers, or may refer, directly or through a rule. */
  readonly through: readonly Referrer[];
}

/** The properties by which each kind refers to others. The rules of a method together decide what its logins get. */
const references: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AclBindingRule: { AclAuthMethod: "authMethod", AclBindingRule: "authMethod", AclPolicy: "bindName", AclRole: "bindName" },
  AclRole: { AclPolicy: "policies" },
  AclToken: { AclPolicy: "policies", AclRole: "roles" },
};

/** The objects that are not compared on the servers after the change, also ones that the program no longer looks up. */
export function uncomparedIn(before: Inventory, after: Inventory): Uncompared[] {
  const { objects, bridged = [], lookedUp = [] } = after;
  const looked = onlyLookedUp({ objects, lookedUp: [...(before.lookedUp ?? []), ...lookedUp] });
  const formsOf = ({ forms }: BridgedObject) => (forms.length > 0 ? forms : [undefined]);
  const reach = reachIn([...before.objects, ...objects].filter(({ kind }) => kind === "AclBindingRule" || kind === "AclRole"));
  return [
    ...bridged.flatMap((one) => formsOf(one).map((properties) => ({ kind: one.kind, name: one.name, properties }))),
    ...looked.map((one) => ({ ...referrerOf(one), name: nameOfLookedUp(one) })),
  ].map((one) => ({ ...one, through: reach(one) }));
}

function referrerOf({ kind, name, outputs }: InventoryObject): Referrer {
  return { kind, name, properties: outputs };
}

/** Finds the rules and roles to which an object refers, or may refer: the rules of its method, and their roles, too. */
function reachIn(objects: readonly InventoryObject[]): (from: Referrer) => Referrer[] {
  const nodes = objects.map((one) => ({ ...referrerOf(one), names: [nameIn(one), one.id].filter((name) => name !== undefined) }));
  const targets = (from: Referrer) => nodes.filter(({ kind, names }) => mayReferTo(from, kind, names));
  const rolesOfRules = new Map<Referrer, Referrer[]>();
  const rolesOf = (rule: Referrer) => {
    const roles = rolesOfRules.get(rule) ?? targets(rule).filter(({ kind }) => kind === "AclRole");
    rolesOfRules.set(rule, roles);
    return roles;
  };
  return (from) => targets(from).flatMap((one) => [one, ...(one.kind === "AclBindingRule" ? rolesOf(one) : [])]);
}

/** The name by which others refer to an object. Rules refer to each other by their method. */
export function nameIn({ kind, outputs }: InventoryObject): unknown {
  return outputs[kind === "AclBindingRule" ? "authMethod" : "name"];
}

/** Whether an object refers, or may refer, to one of a kind by one of these names or IDs. */
export function mayReferTo({ kind, properties }: Referrer, to: string, names: readonly unknown[]): boolean {
  const property = references[kind]?.[to];
  if (property === undefined) return false;
  if (properties === undefined) return true;
  const { [property]: value, bindType } = properties;
  const isOtherGrant = property === "bindName" && !isUncertain(bindType) && `Acl${bindType}`.toLowerCase() !== to.toLowerCase();
  if (isOtherGrant) return false;
  if (isUncertain(value) || names.some(isUncertain)) return true;
  if (property !== "bindName") {
    const text = JSON.stringify(value ?? null);
    return names.some((name) => text.includes(JSON.stringify(name)));
  }
  if (typeof value !== "string") return false;
  return value.includes("${") ? names.some((name) => boundNames(value, undefined)?.test(String(name))) : names.includes(value);
}
