import { parseDuration } from "../common/durations";
import { ownProperty } from "../common/own-property";
import { boundNames } from "./bound-names";
import type { OrderChange } from "./endings";
import { orderChanges } from "./endings";
import type { GrantChange, Sources } from "./grants";
import { byName, grantChanges, hasSameMappings, mappings, sourcesOf } from "./grants";
import type { BindingRule, ComparedObjects, Failing, HiddenRule } from "./graph";
import { failingByTokenName, failsByTokenName, methodNames } from "./graph";
import type { LoginMethod } from "./login";
import type { SelectorRelation } from "./selector-relation";

export type { OrderChange } from "./endings";
export type { Given, GrantChange } from "./grants";

/** A change of a role that both sides have: it grants more policies, or fewer. A role that gains some and loses others has two changes. */
export interface RoleChange {
  readonly role: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** The rules that give the role: the rules after the change if it grants more, or before the change if it grants fewer. */
  readonly rules: readonly BindingRule[];
}

/** A removed role or method that rules still name. These rules then give nothing. */
export interface Dangling {
  readonly kind: "role" | "method";
  readonly name: string;
  /** Whether the rules compute a name, which may be the role's. */
  readonly isComputed?: true;
  readonly rules: readonly BindingRule[];
}

export interface MethodChange {
  readonly method: string;
  readonly property: "type" | "tokenLocality" | "maxTokenTtl" | "tokenNameFormat" | "claimMappings" | "listClaimMappings";
  /** `before` and `after` are left out for mappings. */
  readonly before?: string;
  readonly after?: string;
  /** How the logins whose token name can't be computed relate to the ones before. Only for `tokenNameFormat`. */
  readonly failing?: SelectorRelation;
}

/** The grants that a change adds and removes. */
export interface AccessChanges {
  readonly grants: readonly GrantChange[];
  readonly roles: readonly RoleChange[];
  readonly dangling: readonly Dangling[];
  readonly methods: readonly MethodChange[];
  /** The methods whose logins all begin to fail, because their token names can't be computed. Their rules give nothing after the change. */
  readonly failing: readonly string[];
  readonly order: readonly OrderChange[];
  /** The IDs of the hidden rules that may refer to a new, changed or removed object. */
  readonly hidden: readonly string[];
}

/** Compares the grants of logins before and after a change. A pure function. */
export function accessChanges(before: ComparedObjects, after: ComparedObjects): AccessChanges {
  const [old, now] = [sourcesOf(before, after), sourcesOf(after, before)];
  const grants = grantChanges(before, old, after, now);
  return {
    grants,
    roles: roleChanges([before, old], [after, now]),
    dangling: [...danglingRoles(before, after), ...danglingMethods(before, after)],
    methods: methodChanges(before, after),
    failing: failingMethods(before, after),
    order: orderChanges(before, after, grants),
    hidden: hiddenChanges(before, after),
  };
}

type ComparedSide = readonly [objects: ComparedObjects, sources: Sources];

function roleChanges([before, old]: ComparedSide, [after, now]: ComparedSide): RoleChange[] {
  const stay = Object.keys(after.roles).sort();
  const more = changedRoles(stay, before, after).map(({ role, policies }) => ({ role, added: policies, removed: [] }));
  const fewer = changedRoles(stay, after, before).map(({ role, policies }) => ({ role, added: [], removed: policies }));
  const changes = [...withRules(more, now), ...withRules(fewer, old)];
  return changes.sort((a, b) => (a.role < b.role ? -1 : Number(a.role > b.role)));
}

/** The policies that a role has on the second side only, for roles of both sides. */
function changedRoles(roles: readonly string[], one: ComparedObjects, other: ComparedObjects): { role: string; policies: string[] }[] {
  return roles.flatMap((role) => {
    const [was, is] = [one, other].map((side) => ownProperty(side.roles, role));
    const policies = was && is ? is.filter((policy) => !was.includes(policy)) : [];
    return policies.length > 0 ? [{ role, policies }] : [];
  });
}

function withRules(changes: readonly Omit<RoleChange, "rules">[], sources: Sources): RoleChange[] {
  const rules = new Map<string, BindingRule[]>(changes.map(({ role }) => [role, []]));
  for (const source of [...sources.values()].flat()) {
    if (source.kind === "role") for (const name of source.names) rules.get(name)?.push(...source.rules);
  }
  return changes.map((change) => ({ ...change, rules: rules.get(change.role) ?? [] }));
}

function danglingRoles(before: ComparedObjects, after: ComparedObjects): Dangling[] {
  const gone = Object.keys(before.roles).filter((role) => !Object.hasOwn(after.roles, role));
  const ofRoles = after.rules.filter(({ bindType }) => bindType === "role");
  const methods = byName(after.methods);
  const giving = ofRoles.map((rule) => ({ rule, names: boundNames(rule.bindName ?? "", methods.get(rule.authMethod)) }));
  const byClaims = giving.filter(({ names }) => names?.isComputed);
  return gone.sort().flatMap((name): Dangling[] => {
    const rules = giving.filter(({ names }) => names?.isComputed === false && names.constant === name).map(({ rule }) => rule);
    const computed = byClaims.filter(({ names }) => names?.test(name)).map(({ rule }) => rule);
    return [
      ...(rules.length > 0 ? [{ kind: "role", name, rules } as const] : []),
      ...(computed.length > 0 ? [{ kind: "role", name, rules: computed, isComputed: true } as const] : []),
    ];
  });
}

function danglingMethods(before: ComparedObjects, after: ComparedObjects): Dangling[] {
  const kept = methodNames(after);
  return [...methodNames(before)].flatMap((name): Dangling[] => {
    if (kept.has(name)) return [];
    const rules = after.rules.filter(({ authMethod }) => authMethod === name);
    return rules.length > 0 ? [{ kind: "method", name, rules }] : [];
  });
}

const texts = ["type", "tokenLocality", "maxTokenTtl", "tokenNameFormat"] as const;

function methodChanges(before: ComparedObjects, after: ComparedObjects): MethodChange[] {
  const known = byName(before.methods);
  return after.methods.flatMap((method) => {
    const old = known.get(method.name);
    if (!old) return [];
    const changed = texts.flatMap((property): MethodChange[] => {
      const [was = "", is = ""] = [old[property], method[property]];
      if (isSame(was, is)) return [];
      const failing = property === "tokenNameFormat" && { failing: failingRelation(old, method) };
      return [{ method: method.name, property, before: was, after: is, ...failing }];
    });
    const mapped = mappings.filter((property) => !hasSameMappings(old, method, [property]));
    return [...changed, ...mapped.map((property): MethodChange => ({ method: method.name, property }))];
  });
}

const order: readonly Failing[] = ["none", "some", "all"];

/**
 * The relation of the failing logins before and after. The logins that have the interpolated claims are unknown, so `some` before and
 * `some` after may differ.
 */
function failingRelation(before: LoginMethod, after: LoginMethod): SelectorRelation {
  const [was, is] = [before, after].map((method) => order.indexOf(failingByTokenName(method)));
  if (was === undefined || is === undefined || (was === 1 && is === 1)) return "undecided";
  return is === was ? "same" : is > was ? "wider" : "narrower";
}

/** The IDs of the rules with unknown parts that may refer to a new, changed or removed object. */
function hiddenChanges(before: ComparedObjects, after: ComparedObjects): string[] {
  const changed = [...changedRoles(Object.keys(after.roles), before, after), ...changedRoles(Object.keys(after.roles), after, before)];
  const roles = [...onOneSide(Object.keys(before.roles), Object.keys(after.roles)), ...changed.map(({ role }) => role)];
  const methods = onOneSide([...methodNames(before)], [...methodNames(after)]);
  const known = byName([...before.methods, ...after.methods]);
  const mayLead = ({ authMethod, bindType = "role", bindName }: HiddenRule) => {
    if (methods.some((name) => authMethod === undefined || name === authMethod)) return true;
    if (bindType !== "role") return false;
    if (bindName === undefined) return roles.length > 0;
    const names = boundNames(bindName, authMethod === undefined ? undefined : known.get(authMethod));
    return names !== undefined && roles.some(names.test);
  };
  return (after.hiddenRules ?? []).filter(mayLead).map(({ id }) => id);
}

function onOneSide(one: readonly string[], other: readonly string[]): string[] {
  const [first, second] = [new Set(one), new Set(other)];
  return [...one.filter((name) => !second.has(name)), ...other.filter((name) => !first.has(name))];
}

function failingMethods(before: ComparedObjects, after: ComparedObjects): string[] {
  const known = byName(before.methods);
  const failed = ({ name }: { readonly name: string }) => {
    const old = known.get(name);
    return old !== undefined && failsByTokenName(old);
  };
  return after.methods.filter((method) => failsByTokenName(method) && !failed(method)).map(({ name }) => name);
}

/** Whether two durations are equal: spellings can differ. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [parseDuration(one), parseDuration(other)];
  return one === other || (a !== undefined && a === b);
}
