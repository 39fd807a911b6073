import { isDeepStrictEqual } from "node:util";
import { type BindingRule, type ComparedObjects, targetsOf } from "../../access/graph";
import type { LoginMethod } from "../../access/login";
import { type Inventory, type InventoryObject, isUncertain, secretMarker } from "../inventory/inventory";
import type { PreviewedChange } from "../inventory/preview";
import type { Undecided } from "./model";
import { factsOf, isUnnamedRole, policyFactsOf, type ReadModel, toAccessModel, uncertainPartsOf, undecidedOf } from "./read-model";

/** One side of a comparison. */
export interface ComparedModel extends ReadModel, ComparedObjects {
  /** All objects, including the incomparable ones. */
  readonly objects: readonly InventoryObject[];
  /** Whether the default method is unknown: it may be a method whose `default` or name can't be read. */
  readonly isDefaultHidden: boolean;
  /** Whether a role that is not among the objects may exist: only an export without a selection and without unread roles has all roles. */
  readonly mayLackRoles: boolean;
  /** The options by which an export left objects out. */
  readonly selection: string | undefined;
}

/** The possible targets of a rule. A computed name may also be the name of a role that only the server has. */
export function possibleTargets(rule: BindingRule, method: LoginMethod | undefined, model: ComparedModel): ReturnType<typeof targetsOf> {
  const targets = targetsOf(rule, method, model);
  const isMore = model.mayLackRoles && targets.some(({ toKind, computed, exists }) => toKind === "role" && computed && exists);
  return isMore ? [...targets, { toKind: "role", to: rule.bindName ?? "", exists: false, computed: true }] : targets;
}

/** The names of the roles that rules may give, also of roles that the model lacks. */
export function rolesGiven(model: ComparedModel): string[] {
  const methods = new Map(model.methods.map((method) => [method.name, method]));
  const targets = model.rules.flatMap((rule) => possibleTargets(rule, methods.get(rule.authMethod), model));
  return targets.flatMap(({ toKind, to }) => (toKind === "role" ? [to] : []));
}

/** The comparable parts of both sides, and the incomparable ones. */
export interface Comparable {
  readonly before: ComparedModel;
  readonly after: ComparedModel;
  /** Objects with unknown parts that may have changed. */
  readonly undecided: readonly Undecided[];
  /** Unchanged rules with an unknown part other than the selector, by ID. They matter if a role or policy that they may give changes. */
  readonly hidden: ReadonlyMap<string, Undecided>;
  /** All rules with an unknown part. */
  readonly uncertainRules: readonly Undecided[];
}

/**
 * Makes two sides comparable. A part of an object may be secret, or unknown before an update.
 *
 * - The object does not change: a rule with only its selector unknown, and a role with unknown policies, are compared as any other object.
 *   A method counts as unknown on both sides. Any other rule is hidden.
 * - The object may have changed: both sides leave it and its counterpart out, because half an object would look like a change.
 * - The object is new, or goes: it is undecided. A rule with only its selector unknown, and a role with unknown policies, are compared as
 *   well.
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
      // The known values of the other side also count: a rule with a secret selector may become a rule for management.
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
  /** The unknown parts of each object. */
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

  /** The counterparts of an object of the other side: objects with its URN, its ID or its name. */
  twinsOf(object: InventoryObject): InventoryObject[] {
    return [...new Set(keysOf(object).flatMap((key) => this.known.get(key) ?? []))];
  }

  /** For an object that does not change: both sides show it with the same key, so it equals itself. */
  keep(object: InventoryObject, parts: readonly Undecided[]): void {
    const key = `${object.urn} ${object.id}`;
    if (this.canShow(parts)) this.shown.set(object, key);
    else this.leaveOut(object);
    const [first] = parts;
    if (first?.kind === "rule" && !this.canShow(parts)) this.hidden.set(object.id ?? key, first);
  }

  /** For an object that the other side lacks: its key equals no key of the other side. */
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
    const { objects: all } = this.inventory;
    // The tasks of a job have its policies, whatever the names of these are.
    const unnamed = objects.filter(({ kind, outputs }) => kind === "AclPolicy" && isUncertain(outputs.name));
    const ofJobs = factsOf(unnamed.filter((object) => policyFactsOf(object).job));
    return {
      ...model,
      policyFacts: { ...model.policyFacts, ...ofJobs },
      objects: all,
      hasUnnamedRoles: all.some(isUnnamedRole),
      defaultMethod,
      isDefaultHidden,
      mayLackRoles: this.mayLackRoles(),
      selection: this.inventory.selection,
      hiddenRules,
      hiddenMethods: methods.flatMap(({ name }) => name ?? []),
    };
  }

  private mayLackRoles(): boolean {
    const { kinds, gaps, selection } = this.inventory;
    return !kinds?.includes("AclRole") || selection !== undefined || gaps.some(({ kind }) => kind === "AclRole");
  }

  /** The known parts of incomparable methods. */
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

  /** The name or ID of an object as an unknown part, if another method, role, policy or rule has the same. */
  private twiceOf(object: InventoryObject): Undecided[] {
    const isTwice = (key: string | undefined) => key !== undefined && (this.known.get(key) ?? []).length > 1;
    const part = isTwice(nameKeyOf(object)) ? "name" : isTwice(idKeyOf(object)) ? "id" : undefined;
    const kind = object.kind === "AclBindingRule" ? "rule" : (namedKinds[object.kind] ?? "method");
    return part === undefined ? [] : [{ ...undecidedOf(object, kind, part), isTwice: true }];
  }
}

function keysOf(object: InventoryObject): string[] {
  const { kind, urn, id } = object;
  const identity = urn !== undefined ? `urn ${kind} ${urn}` : id !== undefined ? `id ${kind} ${id}` : undefined;
  return [...new Set([identity, idKeyOf(object), nameKeyOf(object)])].filter((key) => key !== undefined);
}

/** A state has two entries of one role or rule if a resource has adopted the object of another one. */
function idKeyOf({ kind, id }: InventoryObject): string | undefined {
  return (kind === "AclBindingRule" || kind === "AclRole") && id !== undefined ? `id ${kind} ${id}` : undefined;
}

/** Kinds whose name identifies one object. */
const namedKinds: Readonly<Record<string, Undecided["kind"]>> = { AclAuthMethod: "method", AclRole: "role", AclPolicy: "policy" };

function nameKeyOf({ kind, outputs: { name } }: InventoryObject): string | undefined {
  const isNamed = kind in namedKinds && typeof name === "string" && name !== secretMarker;
  return isNamed ? `name ${kind} ${name}` : undefined;
}

/**
 * No file lists the existing policies, so a policy that one side names counts as existing on both sides. Otherwise, the grants of a
 * computed bind name would seem to change.
 */
function withSamePolicies(old: ComparedModel, now: ComparedModel): readonly [ComparedModel, ComparedModel] {
  const policies = [...new Set([...old.policies, ...now.policies])].sort();
  return [
    { ...old, policies },
    { ...now, policies },
  ];
}

/** The unknown part of an object, with the known values of its counterpart on the other side. */
function ofTwin({ object, kind, part, isTwice }: Undecided, twin: InventoryObject): Undecided {
  return { ...undecidedOf(twin, kind, part), object, ...(isTwice && { isTwice }) };
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
