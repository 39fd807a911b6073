/**
 * References of objects that are not compared: of @pulumi/nomad, or looked up. Such an object may give something new although it does not
 * change: because an object that it names is created, or because its auth method changes.
 */
import { boundNames } from "../../access/bound-names";
import type { Properties } from "../../provider/internal";
import { nameOfLookedUp, onlyLookedUp } from "../inventory/bridged";
import { type BridgedObject, type Inventory, type InventoryObject, isUncertain } from "../inventory/inventory";
import type { AccessModel } from "./model";
import { rulesOfGift } from "./rights";
import { deniesMore } from "./uncovered";

/** An object that the update leaves as it is. */
export interface Referrer {
  /** Such as `AclRole "ops" of @pulumi/nomad`. */
  readonly name: string;
  readonly kind: string;
  /** Undefined if nothing is known of the object. */
  readonly properties: Properties | undefined;
}

/** The properties by which each kind refers to others. The rules of a method together decide what its logins get. */
const references: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AclBindingRule: { AclAuthMethod: "authMethod", AclBindingRule: "authMethod", AclPolicy: "bindName", AclRole: "bindName" },
  AclRole: { AclPolicy: "policies" },
  AclToken: { AclPolicy: "policies", AclRole: "roles" },
};

/** The objects that are not compared on the servers after the change, also ones that the program no longer looks up. */
export function referrersIn(before: Inventory, { objects, bridged = [], lookedUp = [] }: Inventory): Referrer[] {
  const looked = onlyLookedUp({ objects, lookedUp: [...(before.lookedUp ?? []), ...lookedUp] });
  const formsOf = ({ forms }: BridgedObject) => (forms.length > 0 ? forms : [undefined]);
  return [
    ...bridged.flatMap((one) => formsOf(one).map((properties) => ({ kind: one.kind, name: one.name, properties }))),
    ...looked.map((one) => ({ kind: one.kind, name: nameOfLookedUp(one), properties: one.outputs })),
  ];
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
  const text = JSON.stringify(value ?? null);
  const isNamed = (name: unknown) =>
    property === "bindName"
      ? typeof value === "string" && boundNames(value, undefined)?.test(String(name)) === true
      : text.includes(JSON.stringify(name));
  return names.some(isNamed);
}

/** Whether the grant of a rule denies something, or may deny it. */
export function mayDeny({ outputs: { bindType, bindName } }: InventoryObject, model: AccessModel): boolean {
  if (bindType === "management") return false;
  if ((bindType !== "role" && bindType !== "policy") || typeof bindName !== "string" || bindName.includes("${")) return true;
  const { rules, unknown } = rulesOfGift(model, bindType, bindName);
  return unknown.length > 0 || deniesMore([], rules);
}
