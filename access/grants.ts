import { ownProperty } from "../common/own-property";
import { validName } from "./bound-names";
import type { BindingRule, ComparedObjects } from "./graph";
import { failingByBindName, failsByTokenName, methodNames, targetsOf } from "./graph";
import type { LoginMethod } from "./login";
import type { SelectorRelation } from "./selector-relation";
import { isUnreadable, relationOfSelections } from "./selector-relation";

/** A grant of rules. `failure` is a bind name that can't be computed or is invalid, which fails the whole login. */
export interface Given {
  readonly kind: "role" | "policy" | "management" | "failure";
  /**
   * The names of roles or policies: several if a computed bind name fits all of them. For a failure, the bind name. Empty for management.
   */
  readonly names: readonly string[];
  /** Only for a failure: whether claims decide which of the selected logins fail. Otherwise all of them fail. */
  readonly dependsOnClaims?: true;
}

/** A change of the logins of a method that get a grant. */
export interface GrantChange {
  readonly method: string;
  readonly given: Given;
  /** The policies of the granted roles: before the change if the grant is lost, and after it otherwise. */
  readonly policies: readonly string[];
  /** `before` and `after`: the rules for the grant that only one side has. */
  readonly before: readonly BindingRule[];
  readonly after: readonly BindingRule[];
  /** How the logins that get the grant by any rule relate to the ones that got it before. Never `same`. */
  readonly relation: Exclude<SelectorRelation, "same">;
}

/** The rules of a method with the same bind name, and their grant. */
export interface GrantSource extends Given {
  readonly rules: readonly BindingRule[];
  /** Whether claims decide which of the names is granted. */
  readonly computed: boolean;
}

/** The grants of each method, by its name. */
export type Sources = ReadonlyMap<string, readonly GrantSource[]>;

/** The rules that logins of a method can reach. Empty if only the other side has the method, or if all its logins fail. */
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

/** The grants of the rules. A role or policy that only the other side has gives nothing here. */
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

/** The grants of a rule, and its failure if it can fail a login. */
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
  // A computed bind name can also produce the name of a missing object.
  if (computed) return [{ kind, names: [...(exists ? targets.map(({ to }) => to) : []), bindName], computed }, ...failure];
  const isOnlyThere = kind === "role" && !exists && targetsOf(rule, method, other).some((target) => target.exists);
  return [{ kind, names: isOnlyThere ? [] : [name], computed }, ...failure];
}

interface GrantSide {
  readonly all: readonly GrantSource[];
  /** The method; undefined if it is not among the objects. */
  readonly method: LoginMethod | undefined;
  readonly roles: ComparedObjects["roles"];
  /** Whether a rule with an unknown grant may belong to the method. */
  readonly mayGiveMore: boolean;
}

/** @param old the sources of `before`. @param now the sources of `after` */
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

/**
 * The relation of the logins that fail by one bind name before and after. With equal mappings, the same ones of the selected logins fail on
 * both sides.
 */
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

/** Whether a login that begins or ceases to fail by one bind name gets anything by another one. */
function isNoticed(relation: SelectorRelation, names: readonly string[], { was, is }: { was: GrantSide; is: GrantSide }): boolean {
  const givesMore = ({ all, mayGiveMore }: GrantSide) =>
    mayGiveMore || all.some(({ kind, rules }) => kind !== "failure" && rules.some(({ bindName = "" }) => !names.includes(bindName)));
  return (relation !== "narrower" && givesMore(was)) || (relation !== "wider" && givesMore(is));
}

interface Group extends Given {
  readonly old: readonly Granting[];
  readonly now: readonly Granting[];
}

/** Groups the names that the same rules give before and after, because they change in the same way. */
function groupsOf(old: readonly GrantSource[], now: readonly GrantSource[]): Group[] {
  const givers = new Map<string, { kind: Given["kind"]; name: string; old: GrantSource[]; now: GrantSource[]; key: string }>();
  const collect = (side: "old" | "now", sources: readonly GrantSource[]) => {
    for (const [index, source] of sources.entries()) {
      for (const name of source.kind === "management" ? [""] : source.names) {
        // The sort key puts names before templates, which stand for unknown names.
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
  // The template itself is shown if it produces no known name.
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

/** A rule that grants something or fails logins. */
interface Granting {
  readonly rule: BindingRule;
  /** Whether the grant depends on claims. */
  readonly computed: boolean;
}

/** The grants that the other side lacks, compared by their selectors and computed names. */
function without(grants: readonly Granting[], others: readonly Granting[]): Granting[] {
  const keyOf = ({ rule, computed }: Granting) => (computed ? JSON.stringify([selectorKey(rule), rule.bindName]) : selectorKey(rule));
  const known = [true, false].map((computed) => new Set(others.filter((other) => other.computed === computed).map(keyOf)));
  return grants.filter((grant) => !known[grant.computed ? 0 : 1]?.has(keyOf(grant)));
}

interface SideGrants {
  readonly all: readonly Granting[];
  readonly changed: readonly Granting[];
}

/** A key that rules with the same selector share. An unreadable selector equals only itself. */
export function selectorKey({ selector = "", hiddenSelector }: BindingRule): string {
  return hiddenSelector === undefined ? selector : `hidden ${JSON.stringify(hiddenSelector)}`;
}

/** Makes the function that compares the logins that rules of a method select before and after a change. */
function comparison(
  methodBefore: LoginMethod | undefined,
  methodAfter: LoginMethod | undefined,
): (before: SideGrants, after: SideGrants) => SelectorRelation {
  const isMappedAlike = hasSameMappings(methodBefore ?? {}, methodAfter ?? {});
  const selected = (before: readonly Granting[], after: readonly Granting[]): SelectorRelation => {
    // The selector alone does not decide who gets a computed name: claims do.
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
    // An additional rule excludes no login, whatever its selector is.
    if (before.changed.length === 0) return relationOfAdded(after.changed, methodAfter, "wider");
    if (after.changed.length === 0) return relationOfAdded(before.changed, methodBefore, "narrower");
    const changed = selected(before.changed, after.changed);
    return changed === "crossing" ? "undecided" : changed;
  };
}

/** How rules that only one side has change the selected logins. */
function relationOfAdded(grants: readonly Granting[], method: LoginMethod | undefined, otherwise: "wider" | "narrower"): SelectorRelation {
  if (selectsNobody(grants, method)) return "same";
  const isRead = ({ rule: { selector = "", hiddenSelector } }: Granting) => hiddenSelector !== undefined || !isUnreadable(selector);
  return grants.some(isRead) ? otherwise : "undecided";
}

/** Whether these rules certainly give nothing to any login of the method. */
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
