import { ownProperty } from "../common/own-property";
import { validName } from "./bound-names";
import type { BindingRule, ComparedObjects } from "./graph";
import { failingByBindName, failsByTokenName, methodNames, targetsOf } from "./graph";
import type { LoginMethod } from "./login";
import type { SelectorRelation } from "./selector-relation";
import { isUnreadable, relationOfSelections } from "./selector-relation";

/** A grant of rules: `failure` is a bind name that can't be computed or is not valid, which ends the whole login. */
export interface Given {
  readonly kind: "role" | "policy" | "management" | "failure";
  /** Of roles or policies: several if a bind name is computed that fits all of them. The bind name of a failure. None of management. */
  readonly names: readonly string[];
  /** Of a failure: only logins with certain claims fail, and not all that the rule selects. */
  readonly dependsOnClaims?: true;
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
export interface GrantSource extends Given {
  readonly rules: readonly BindingRule[];
  /** Whether claims decide which of the names it is. */
  readonly computed: boolean;
}

/** By the name of the method. */
export type Sources = ReadonlyMap<string, readonly GrantSource[]>;

/** The rules that logins of a method can get to. None of a method that the other side alone has, or whose logins fail in any case. */
export function rulesByMethod(objects: ComparedObjects, other: ComparedObjects): ReadonlyMap<string, readonly BindingRule[]> {
  const [methods, others] = [methodNames(objects), methodNames(other)];
  const failing = new Set(objects.methods.filter(failsByTokenName).map(({ name }) => name));
  const rules = new Map<string, BindingRule[]>();
  for (const rule of objects.rules) {
    const isOnlyThere = !methods.has(rule.authMethod) && others.has(rule.authMethod);
    if (isOnlyThere || failing.has(rule.authMethod)) continue;
    const ofMethod = rules.get(rule.authMethod) ?? [];
    rules.set(rule.authMethod, ofMethod);
    ofMethod.push(rule);
  }
  return rules;
}

type GivenByName = Omit<GrantSource, "rules">;

/** The grants of the rules. An object of the other side alone gives nothing here. */
export function sourcesOf(objects: ComparedObjects, other: ComparedObjects): Sources {
  const methods = byName(objects.methods);
  const sources = [...rulesByMethod(objects, other)].map(([name, rules]): [string, GrantSource[]] => {
    const alike = new Map<string, { given: readonly GivenByName[]; rules: BindingRule[] }>();
    for (const rule of rules) {
      const key = JSON.stringify([rule.bindType, rule.bindName]);
      const same = alike.get(key) ?? { given: readGiven(rule, methods.get(name), { objects, other }), rules: [] };
      alike.set(key, same);
      same.rules.push(rule);
    }
    return [name, [...alike.values()].flatMap((same) => same.given.map((given) => ({ ...given, rules: same.rules })))];
  });
  return new Map(sources);
}

interface Sides {
  readonly objects: ComparedObjects;
  readonly other: ComparedObjects;
}

/** What a rule gives, and that it ends logins if it does. */
function readGiven(rule: BindingRule, method: LoginMethod | undefined, { objects, other }: Sides): GivenByName[] {
  const { bindName = "" } = rule;
  const failing = failingByBindName(rule, method);
  if (failing === "all") return [{ kind: "failure", names: [bindName], computed: false }];
  const targets = targetsOf(rule, method, objects);
  const failure: GivenByName[] = failing === "some" ? [{ kind: "failure", names: [bindName], computed: true }] : [];
  const [first] = targets;
  if (!first || first.toKind === "bindingRule") return failure;
  const { toKind: kind, to: name, exists, computed } = first;
  if (kind === "management") return [{ kind, names: [], computed }, ...failure];
  // An object that is missing here may have a computable name, too.
  if (computed) return [{ kind, names: [...(exists ? targets.map(({ to }) => to) : []), bindName], computed }, ...failure];
  const isOnlyThere = kind === "role" && !exists && targetsOf(rule, method, other).some((target) => target.exists);
  return [{ kind, names: isOnlyThere ? [] : [name], computed }, ...failure];
}

interface GrantSide {
  readonly all: readonly GrantSource[];
  /** Undefined if it is not among the objects. */
  readonly method: LoginMethod | undefined;
  readonly roles: ComparedObjects["roles"];
  /** Whether a rule with an unknown grant may belong to the method. */
  readonly mayGiveMore: boolean;
}

/** @param old the sources of `before`. @param now those of `after` */
export function grantChanges(before: ComparedObjects, old: Sources, after: ComparedObjects, now: Sources): GrantChange[] {
  const sideOf = (objects: ComparedObjects, sources: Sources) => {
    const methods = byName(objects.methods);
    return (name: string): GrantSide => ({
      all: sources.get(name) ?? [],
      method: methods.get(name),
      roles: objects.roles,
      mayGiveMore: (objects.hiddenRules ?? []).some(({ authMethod = name }) => authMethod === name),
    });
  };
  const [was, is] = [sideOf(before, old), sideOf(after, now)];
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((name) => changesOfMethod(name, was(name), is(name)));
}

function changesOfMethod(method: string, was: GrantSide, is: GrantSide): GrantChange[] {
  const compare = comparison(was.method, is.method);
  return groupsOf(was.all, is.all).flatMap(({ kind, names, old, now }): GrantChange[] => {
    const [gone, added] = [without(old, now), without(now, old)];
    const isFailure = kind === "failure";
    const relation = isFailure
      ? failingRelation(old, now, { was, is })
      : compare({ all: old, changed: gone }, { all: now, changed: added });
    const dependsOnClaims = isFailure && [...old, ...now].every(({ computed }) => computed);
    if (relation === "same" || (dependsOnClaims && !isNoticed(relation, names, { was, is }))) return [];
    const [first, second] = relation === "narrower" ? [was, is] : [is, was];
    const policies =
      kind === "role" ? names.flatMap((role) => ownProperty(first.roles, role) ?? ownProperty(second.roles, role) ?? []) : [];
    const rules = (grants: readonly Granting[]) => grants.map(({ rule }) => rule);
    const given: Given = { kind, names, ...(dependsOnClaims && { dependsOnClaims }) };
    return [{ method, given, policies: [...new Set(policies)], before: rules(gone), after: rules(added), relation }];
  });
}

/** How the logins that one bind name ends compare before and after. Among the selected logins, the same ones fail on both sides. */
function failingRelation(
  old: readonly Granting[],
  now: readonly Granting[],
  { was, is }: { was: GrantSide; is: GrantSide },
): SelectorRelation {
  const bySelector = (grants: readonly Granting[]) => grants.map(({ rule }): Granting => ({ rule, computed: false }));
  const [before, after] = [bySelector(old), bySelector(now)];
  const relation = comparison(was.method, is.method)(
    { all: before, changed: without(before, after) },
    { all: after, changed: without(after, before) },
  );
  const isComputed = [...old, ...now].some(({ computed }) => computed);
  const isOther = old.length > 0 && now.length > 0 && !hasSameMappings(was.method ?? {}, is.method ?? {});
  return isComputed && isOther ? "undecided" : relation;
}

/** Whether a login that fails by a bind name, or no longer does, gets anything by another name. */
function isNoticed(relation: SelectorRelation, names: readonly string[], { was, is }: { was: GrantSide; is: GrantSide }): boolean {
  const givesMore = ({ all, mayGiveMore }: GrantSide) =>
    mayGiveMore || all.some(({ kind, rules }) => kind !== "failure" && rules.some(({ bindName = "" }) => !names.includes(bindName)));
  return (relation !== "narrower" && givesMore(was)) || (relation !== "wider" && givesMore(is));
}

interface Group extends Given {
  readonly old: readonly Granting[];
  readonly now: readonly Granting[];
}

/** Groups the names that the same rules give before and after, since they change in the same way. */
function groupsOf(old: readonly GrantSource[], now: readonly GrantSource[]): Group[] {
  const givers = new Map<string, { kind: Given["kind"]; name: string; old: GrantSource[]; now: GrantSource[]; key: string }>();
  const collect = (side: "old" | "now", sources: readonly GrantSource[]) => {
    for (const [index, source] of sources.entries()) {
      for (const name of source.kind === "management" ? [""] : source.names) {
        // Names come before templates, which stand for unknown names.
        const id = `${source.kind} ${validName.test(name) ? "" : "~"}${name}`;
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
  // The template itself is shown if no name that it can become is known.
  return [...groups.values()].map((group) => {
    const names = group.kind === "failure" ? group.names : group.names.filter((name) => validName.test(name));
    return names.length > 0 ? { ...group, names } : group;
  });
}

function grantingsOf(sources: readonly GrantSource[]): Granting[] {
  return sources.flatMap(({ rules, computed }) => rules.map((rule) => ({ rule, computed })));
}

export function byName(methods: readonly LoginMethod[]): ReadonlyMap<string, LoginMethod> {
  return new Map(methods.map((method) => [method.name, method]));
}

/** A rule that gives something, or ends logins. */
interface Granting {
  readonly rule: BindingRule;
  /** Whether claims decide what it gives. */
  readonly computed: boolean;
}

/** The grants that the other side lacks: its selector, and a computed name, are what matters. */
function without(grants: readonly Granting[], others: readonly Granting[]): Granting[] {
  const keyOf = ({ rule, computed }: Granting) => (computed ? JSON.stringify([selectorKey(rule), rule.bindName]) : selectorKey(rule));
  const known = [true, false].map((computed) => new Set(others.filter((other) => other.computed === computed).map(keyOf)));
  return grants.filter((grant) => !known[grant.computed ? 0 : 1]?.has(keyOf(grant)));
}

interface SideGrants {
  readonly all: readonly Granting[];
  readonly changed: readonly Granting[];
}

/** The same for rules with the same selector. An unreadable selector equals itself only. */
export function selectorKey({ selector = "", hiddenSelector }: BindingRule): string {
  return hiddenSelector === undefined ? selector : `hidden ${JSON.stringify(hiddenSelector)}`;
}

/** How the logins that rules of a method select compare before and after a change. */
function comparison(
  methodBefore: LoginMethod | undefined,
  methodAfter: LoginMethod | undefined,
): (before: SideGrants, after: SideGrants) => SelectorRelation {
  const isMappedAlike = hasSameMappings(methodBefore ?? {}, methodAfter ?? {});
  const selected = (before: readonly Granting[], after: readonly Granting[]): SelectorRelation => {
    // Of a computed name, the claims decide who gets what, and not the selector alone.
    const isOpen = ({ rule, computed }: Granting) => computed || rule.hiddenSelector !== undefined;
    if ([...before, ...after].some(isOpen) || !methodBefore || !methodAfter) return "undecided";
    return relationOfSelections(
      { selectors: selectorsOf(before), mappings: methodBefore },
      { selectors: selectorsOf(after), mappings: methodAfter },
    );
  };
  return (before, after) => {
    if (before.all.length === 0) return relationOfAdded(after.all, methodAfter, "wider");
    if (after.all.length === 0) return relationOfAdded(before.all, methodBefore, "narrower");
    if (isMappedAlike && before.changed.length === 0 && after.changed.length === 0) return "same";
    const whole = selected(before.all, after.all);
    if (whole !== "undecided" || !isMappedAlike) return whole;
    // A rule more shuts no login out, whatever its selector says.
    if (before.changed.length === 0) return relationOfAdded(after.changed, methodAfter, "wider");
    if (after.changed.length === 0) return relationOfAdded(before.changed, methodBefore, "narrower");
    const changed = selected(before.changed, after.changed);
    return changed === "crossing" ? "undecided" : changed;
  };
}

/** How rules that only one side has change who is selected. */
function relationOfAdded(grants: readonly Granting[], method: LoginMethod | undefined, otherwise: "wider" | "narrower"): SelectorRelation {
  if (selectsNobody(grants, method)) return "same";
  const isRead = ({ rule: { selector = "", hiddenSelector } }: Granting) => hiddenSelector !== undefined || !isUnreadable(selector);
  return grants.some(isRead) ? otherwise : "undecided";
}

/** Whether it is certain that no login of the method gets anything by these. */
function selectsNobody(grants: readonly Granting[], method: LoginMethod | undefined): boolean {
  if (!method || grants.some(({ rule }) => rule.hiddenSelector !== undefined)) return grants.length === 0;
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
