import { own } from "../model/own";
import type { AccessObjects, BindingRule } from "./graph";
import { failsByTokenName, targetsOf } from "./graph";
import type { LoginMethod } from "./login";
import type { SelectorRelation } from "./selector-relation";
import { relationOfSelections } from "./selector-relation";

/** What rules give: `failure` is a bind name that fails at every login of the method, which ends the whole login. */
export interface Given {
  readonly kind: "role" | "policy" | "management" | "failure";
  /** Of roles or policies: several where a bind name is computed that fits all of them. The bind name of a failure. None of management. */
  readonly names: readonly string[];
}

/** Logins of a method get something by other selectors than before. */
export interface GrantChange {
  readonly method: string;
  readonly given: Given;
  /** The policies of the roles: those before the change of what is lost, and those after it of anything else. */
  readonly policies: readonly string[];
  /** The rules of it that are not among those of the other side. */
  readonly before: readonly BindingRule[];
  readonly after: readonly BindingRule[];
  /** How the logins that get it, by all rules, relate to those before. Never `same`. */
  readonly relation: Exclude<SelectorRelation, "same">;
}

/** The rules of a method with one bind name, and what they give. */
export interface Source extends Given {
  readonly rules: readonly BindingRule[];
  /** Whether claims decide which of the names it is. */
  readonly computed: boolean;
}

/** By the name of the method. */
export type Sources = ReadonlyMap<string, readonly Source[]>;

/** What the rules give. What the other side has, and this one has no more or not yet, gives nothing here. */
export function sourcesOf(objects: AccessObjects, other: AccessObjects): Sources {
  const [methods, others] = [byName(objects.methods), byName(other.methods)];
  const known = new Map<string, Omit<Source, "rules">>();
  const givenBy = (rule: BindingRule, method: LoginMethod | undefined) => {
    // Methods that map the same names give the same, so that a bind name is tried once against all roles.
    const key = JSON.stringify([rule.bindType, rule.bindName, method && Object.values(method.claimMappings ?? {})]);
    const given = known.get(key) ?? readGiven(rule, method, { objects, other });
    known.set(key, given);
    return given;
  };
  const sources = new Map<string, Map<string, Source & { rules: BindingRule[] }>>();
  const failing = new Set(objects.methods.filter(failsByTokenName).map(({ name }) => name));
  for (const rule of objects.rules) {
    const method = methods.get(rule.authMethod);
    if ((!method && others.has(rule.authMethod)) || failing.has(rule.authMethod)) continue;
    const own = sources.get(rule.authMethod) ?? new Map();
    sources.set(rule.authMethod, own);
    const key = JSON.stringify([rule.bindType, rule.bindName]);
    const source = own.get(key);
    if (source) source.rules.push(rule);
    else own.set(key, { ...givenBy(rule, method), rules: [rule] });
  }
  return new Map([...sources].map(([method, own]) => [method, [...own.values()]]));
}

function readGiven(
  rule: BindingRule,
  method: LoginMethod | undefined,
  { objects, other }: { objects: AccessObjects; other: AccessObjects },
): Omit<Source, "rules"> {
  const targets = targetsOf(rule, method, objects);
  const [first] = targets;
  if (!first || first.toKind === "bindingRule") return { kind: "failure", names: [rule.bindName ?? ""], computed: false };
  const { toKind: kind, computed } = first;
  if (kind === "management") return { kind, names: [], computed };
  const isOnlyThere = kind === "role" && !first.exists && targetsOf(rule, method, other).some(({ exists }) => exists);
  return { kind, names: isOnlyThere ? [] : targets.map(({ to }) => to), computed };
}

interface Side {
  readonly all: readonly Source[];
  /** Undefined where it is not among the objects. */
  readonly method: LoginMethod | undefined;
  readonly roles: AccessObjects["roles"];
}

/** @param old the sources of `before`. @param now those of `after` */
export function grantChanges(before: AccessObjects, old: Sources, after: AccessObjects, now: Sources): GrantChange[] {
  const [methodsBefore, methodsAfter] = [byName(before.methods), byName(after.methods)];
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((name) => {
    const was: Side = { all: old.get(name) ?? [], method: methodsBefore.get(name), roles: before.roles };
    const is: Side = { all: now.get(name) ?? [], method: methodsAfter.get(name), roles: after.roles };
    return changesOfMethod(name, was, is);
  });
}

function changesOfMethod(method: string, was: Side, is: Side): GrantChange[] {
  const compare = comparison(was.method, is.method);
  return groupsOf(was.all, is.all).flatMap(({ kind, names, old, now }): GrantChange[] => {
    const [gone, added] = [without(old, now), without(now, old)];
    const relation = compare({ all: old, changed: gone }, { all: now, changed: added });
    if (relation === "same") return [];
    const [first, second] = relation === "narrower" ? [was, is] : [is, was];
    const policies = kind === "role" ? names.flatMap((role) => own(first.roles, role) ?? own(second.roles, role) ?? []) : [];
    const rules = (grants: readonly Granting[]) => grants.map(({ rule }) => rule);
    return [{ method, given: { kind, names }, policies: [...new Set(policies)], before: rules(gone), after: rules(added), relation }];
  });
}

interface Granting {
  readonly rule: BindingRule;
  readonly computed: boolean;
}

interface Group extends Given {
  readonly old: readonly Granting[];
  readonly now: readonly Granting[];
}

/** What is given by the same rules, before and after, is one group, since it changes in the same way. */
function groupsOf(old: readonly Source[], now: readonly Source[]): Group[] {
  const givers = new Map<string, { kind: Given["kind"]; name: string; old: Source[]; now: Source[]; key: string }>();
  const collect = (side: "old" | "now", sources: readonly Source[]) => {
    for (const [index, source] of sources.entries()) {
      for (const name of source.kind === "management" ? [""] : source.names) {
        const id = `${source.kind} ${name}`;
        const giver = givers.get(id) ?? { kind: source.kind, name, old: [], now: [], key: "" };
        givers.set(id, giver);
        giver[side].push(source);
        giver.key += `${side} ${index} `;
      }
    }
  };
  collect("old", old);
  collect("now", now);
  const groups = new Map<string, Group & { names: string[] }>();
  for (const [, giver] of [...givers].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const group = groups.get(giver.key) ?? { kind: giver.kind, names: [], old: grantingsOf(giver.old), now: grantingsOf(giver.now) };
    groups.set(giver.key, group);
    if (giver.kind !== "management") group.names.push(giver.name);
  }
  return [...groups.values()];
}

function grantingsOf(sources: readonly Source[]): Granting[] {
  return sources.flatMap(({ rules, computed }) => rules.map((rule) => ({ rule, computed })));
}

/** The grants that the other side lacks: its selector, and a computed name, are what matters. */
function without(grants: readonly Granting[], others: readonly Granting[]): Granting[] {
  const keyOf = ({ rule: { selector = "", bindName = "" }, computed }: Granting) =>
    computed ? JSON.stringify([selector, bindName]) : selector;
  const known = [true, false].map((computed) => new Set(others.filter((other) => other.computed === computed).map(keyOf)));
  return grants.filter((grant) => !known[grant.computed ? 0 : 1]?.has(keyOf(grant)));
}

interface Compared {
  readonly all: readonly Granting[];
  readonly changed: readonly Granting[];
}

function comparison(
  methodBefore: LoginMethod | undefined,
  methodAfter: LoginMethod | undefined,
): (before: Compared, after: Compared) => SelectorRelation {
  const isMappedAlike = hasSameMappings(methodBefore ?? {}, methodAfter ?? {});
  const selected = (before: readonly Granting[], after: readonly Granting[]): SelectorRelation => {
    // Of a computed name, the claims decide who gets what, and not the selector alone.
    if ([...before, ...after].some(({ computed }) => computed) || !methodBefore || !methodAfter) return "undecided";
    return relationOfSelections(
      { selectors: selectorsOf(before), mappings: methodBefore },
      { selectors: selectorsOf(after), mappings: methodAfter },
    );
  };
  return (before, after) => {
    if (before.all.length === 0) return selectsNobody(after.all, methodAfter) ? "same" : "wider";
    if (after.all.length === 0) return selectsNobody(before.all, methodBefore) ? "same" : "narrower";
    if (isMappedAlike && before.changed.length === 0 && after.changed.length === 0) return "same";
    const whole = selected(before.all, after.all);
    if (whole !== "undecided" || !isMappedAlike) return whole;
    // A rule more shuts no login out, whatever its selector says.
    if (before.changed.length === 0) return selectsNobody(after.changed, methodAfter) ? "same" : "wider";
    if (after.changed.length === 0) return selectsNobody(before.changed, methodBefore) ? "same" : "narrower";
    const changed = selected(before.changed, after.changed);
    return changed === "crossing" ? "undecided" : changed;
  };
}

/** Whether it is certain that no login of the method gets anything by these. */
function selectsNobody(grants: readonly Granting[], method: LoginMethod | undefined): boolean {
  if (!method) return grants.length === 0;
  return relationOfSelections({ selectors: [], mappings: method }, { selectors: selectorsOf(grants), mappings: method }) === "same";
}

function selectorsOf(grants: readonly Granting[]): string[] {
  return grants.map(({ rule: { selector = "" } }) => selector);
}

export const mappings = ["claimMappings", "listClaimMappings"] as const;

export function hasSameMappings(
  one: Partial<LoginMethod>,
  other: Partial<LoginMethod>,
  which: readonly (typeof mappings)[number][] = mappings,
): boolean {
  return which.every((property) => entriesText(one[property]) === entriesText(other[property]));
}

function entriesText(values: Readonly<Record<string, string>> = {}): string {
  return JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function byName(methods: readonly LoginMethod[]): ReadonlyMap<string, LoginMethod> {
  return new Map(methods.map((method) => [method.name, method]));
}
