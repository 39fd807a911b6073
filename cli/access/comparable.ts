import { isDeepStrictEqual } from "node:util";
import type { ComparedObjects } from "../../access/graph";
import { type Inventory, type InventoryObject, isUncertain, secretMarker } from "../inventory/inventory";
import type { PreviewedChange } from "../inventory/preview";
import type { Undecided } from "./model";
import { isUnnamedRole, type ReadModel, toAccessModel, uncertainPartsOf, undecidedOf } from "./read-model";

/** One side of a comparison. */
export interface ComparedModel extends ReadModel, ComparedObjects {
  /** All objects, also those that can't be compared. */
  readonly objects: readonly InventoryObject[];
  /** Whether a method is the default one, or may be, of which nobody can read that. */
  readonly isDefaultHidden: boolean;
}

/** Both sides as far as they can be compared, and what can't be. */
export interface Comparable {
  readonly before: ComparedModel;
  readonly after: ComparedModel;
  /** Objects of which a part is not known, and that may have changed. */
  readonly undecided: readonly Undecided[];
  /** Those that have not, by the IDs of their rules: they matter if something else changes that they may lead to. */
  readonly hidden: ReadonlyMap<string, Undecided>;
  /** All rules of which a part is not known. */
  readonly uncertainRules: readonly Undecided[];
}

/**
 * Makes two sides comparable. A part of an object may be a secret, or not known before an update.
 *
 * - It does not change: a rule of which the selector alone is not known, and a role of which the policies are not, are compared as any other.
 *   Of a method nothing is known on either side. Any other rule is a hidden one.
 * - It may have changed: neither side has it, or what stands for it on the other side, because half an object would be a change.
 * - It is new, or goes: it is compared as far as it is known, and is undecided as well.
 */
export function comparable({ before, after, unchanged }: PreviewedChange): Comparable {
  const [was, is] = [new ComparedSide(before, "before"), new ComparedSide(after, "after")];
  const left: Undecided[] = [];
  const sort = (one: ComparedSide, other: ComparedSide) => {
    for (const [object, parts] of one.uncertain) {
      const twins = other.twinsOf(object);
      const [twin] = twins;
      const isAlone = twins.length === 1 && twin !== undefined && one.twinsOf(twin).length === 1;
      const isKept = isAlone && object.urn !== undefined && unchanged.has(object.urn) && isDeepStrictEqual(object.outputs, twin.outputs);
      if (isKept) one.keep(object, parts);
      else if (twins.length === 0) one.show(object, parts);
      else for (const gone of [object, ...twins]) [one, other].map((side) => side.leaveOut(gone));
      if (!isKept) one.undecided.push(...parts);
      // What is known of the other side counts, too: a rule of a secret selector may become one that gives management.
      if (!isKept)
        left.push(...twins.filter((twin) => !other.uncertain.has(twin)).flatMap((twin) => parts.map((part) => ofTwin(part, twin))));
    }
  };
  sort(was, is);
  sort(is, was);
  const [old, now] = withSamePolicies(was.model(), is.model());
  const rules = [...was.uncertain.values(), ...is.uncertain.values(), left].flat().filter(({ kind }) => kind === "rule");
  return {
    before: old,
    after: now,
    undecided: distinct([...was.undecided, ...is.undecided, ...left]),
    hidden: is.hidden,
    uncertainRules: rules,
  };
}

class ComparedSide {
  /** What is not known of an object. */
  readonly uncertain: ReadonlyMap<InventoryObject, readonly Undecided[]>;
  readonly undecided: Undecided[] = [];
  readonly hidden = new Map<string, Undecided>();
  private readonly left = new Set<InventoryObject>();
  private readonly shown = new Map<InventoryObject, string>();
  private readonly known = new Map<string, InventoryObject[]>();

  constructor(
    private readonly inventory: Inventory,
    private readonly time: "before" | "after",
  ) {
    for (const object of inventory.objects) {
      for (const key of keysOf(object)) this.known.set(key, [...(this.known.get(key) ?? []), object]);
    }
    this.uncertain = new Map(
      inventory.objects.flatMap((object) => {
        const parts = [...(uncertainPartsOf(object) ?? []), ...this.twiceOf(object)];
        return parts.length > 0 ? [[object, parts] as const] : [];
      }),
    );
  }

  /** The objects of this side that are the given one of the other side, by its URN, its ID or its name. */
  twinsOf(object: InventoryObject): InventoryObject[] {
    return [...new Set(keysOf(object).flatMap((key) => this.known.get(key) ?? []))];
  }

  /** An object that does not change. */
  keep(object: InventoryObject, parts: readonly Undecided[]): void {
    const key = `${object.urn} ${object.id}`;
    if (this.canShow(parts)) this.shown.set(object, key);
    else this.leaveOut(object);
    const [first] = parts;
    if (first?.kind === "rule" && !this.canShow(parts)) this.hidden.set(object.id ?? key, first);
  }

  /** An object that the other side does not have. */
  show(object: InventoryObject, parts: readonly Undecided[]): void {
    if (this.canShow(parts)) this.shown.set(object, `${this.time} ${this.shown.size}`);
    else this.leaveOut(object);
  }

  leaveOut(object: InventoryObject): void {
    this.left.add(object);
  }

  model(): ComparedModel {
    const objects = this.inventory.objects.filter((object) => !this.left.has(object));
    const hiddenRules = [...this.hidden].map(([id, { authMethod, bindType, bindName }]) => ({ id, authMethod, bindType, bindName }));
    const model = toAccessModel({ ...this.inventory, objects }, undefined, this.shown);
    const methods = this.hiddenMethods();
    const hiddenDefaults = methods.filter(({ isDefault }) => isDefault !== false);
    const defaultMethod = model.defaultMethod ?? hiddenDefaults.find(({ isDefault }) => isDefault)?.name;
    const isDefaultHidden = defaultMethod === undefined && hiddenDefaults.length > 0;
    const all = this.inventory.objects;
    return {
      ...model,
      objects: all,
      hasUnnamedRoles: all.some(isUnnamedRole),
      defaultMethod,
      isDefaultHidden,
      hiddenRules,
      hiddenMethods: methods.flatMap(({ name }) => name ?? []),
    };
  }

  /** What is known of the methods that can't be compared. */
  private hiddenMethods(): { name?: string; isDefault?: boolean }[] {
    const hidden = this.inventory.objects.filter((object) => object.kind === "AclAuthMethod" && this.left.has(object));
    return hidden.map(({ outputs: { name, default: isDefault } }) => ({
      ...(typeof name === "string" && name !== secretMarker && { name }),
      ...(!isUncertain(isDefault) && { isDefault: isDefault === true }),
    }));
  }

  private canShow(parts: readonly Undecided[]): boolean {
    return parts.every(
      ({ kind, part, isTwice }) => !isTwice && (kind === "rule" ? part === "selector" : kind === "role" && part === "policies"),
    );
  }

  /** Methods, roles and policies of which another one has the name. */
  private twiceOf(object: InventoryObject): Undecided[] {
    const name = nameKeyOf(object);
    if (name === undefined || (this.known.get(name) ?? []).length < 2) return [];
    return [{ ...undecidedOf(object, namedKinds[object.kind] ?? "method", "name"), isTwice: true }];
  }
}

function keysOf(object: InventoryObject): string[] {
  const { kind, urn, id } = object;
  const identity = urn !== undefined ? `urn ${kind} ${urn}` : id !== undefined ? `id ${kind} ${id}` : undefined;
  return [identity, nameKeyOf(object)].filter((key) => key !== undefined);
}

/** Their names are those of one object. */
const namedKinds: Readonly<Record<string, Undecided["kind"]>> = { AclAuthMethod: "method", AclRole: "role", AclPolicy: "policy" };

function nameKeyOf({ kind, outputs: { name } }: InventoryObject): string | undefined {
  const isNamed = kind in namedKinds && typeof name === "string" && name !== secretMarker;
  return isNamed ? `name ${kind} ${name}` : undefined;
}

/** No file says which policies there are, and what one side names exists on the other, too: otherwise a computed name would change. */
function withSamePolicies(old: ComparedModel, now: ComparedModel): readonly [ComparedModel, ComparedModel] {
  const policies = [...new Set([...old.policies, ...now.policies])].sort();
  return [
    { ...old, policies },
    { ...now, policies },
  ];
}

/** What is known of the other side of an object that can't be compared. */
function ofTwin({ object, kind, part, isTwice }: Undecided, twin: InventoryObject): Undecided {
  return { ...undecidedOf(twin, kind, part), object, ...(isTwice && { isTwice }) };
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
