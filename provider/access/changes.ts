import { parseDuration } from "../model/durations";
import { own } from "../model/own";
import type { GrantChange, Sources } from "./grants";
import { byName, grantChanges, hasSameMappings, mappings, sourcesOf } from "./grants";
import type { AccessObjects, BindingRule } from "./graph";
import { failsByTokenName } from "./graph";

export type { Given, GrantChange } from "./grants";

/** A role that stays gives more policies, or fewer: one that does both is two changes. */
export interface RoleChange {
  readonly role: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** The rules that give it: those after the change where it gives more, and those before it where it gives fewer. */
  readonly rules: readonly BindingRule[];
}

/** A role or a method that goes while rules name it, which then give nothing. */
export interface Dangling {
  readonly kind: "role" | "method";
  readonly name: string;
  readonly rules: readonly BindingRule[];
}

export interface MethodChange {
  readonly method: string;
  readonly property: "type" | "tokenLocality" | "maxTokenTtl" | "tokenNameFormat" | "claimMappings" | "listClaimMappings";
  /** Left out for mappings. */
  readonly before?: string;
  readonly after?: string;
}

/** What a change makes possible, and what no longer is. */
export interface AccessChanges {
  readonly grants: readonly GrantChange[];
  readonly roles: readonly RoleChange[];
  readonly dangling: readonly Dangling[];
  readonly methods: readonly MethodChange[];
  /** The methods of which every login fails, but did not before, because the name of its token can't be computed. They give nothing. */
  readonly failing: readonly string[];
}

/** Compares what logins get before and after a change. Pure; it names objects and selectors alone. */
export function accessChanges(before: AccessObjects, after: AccessObjects): AccessChanges {
  const [old, now] = [sourcesOf(before, after), sourcesOf(after, before)];
  return {
    grants: grantChanges(before, old, after, now),
    roles: roleChanges([before, old], [after, now]),
    dangling: [...danglingRoles(before, after), ...danglingMethods(before, after)],
    methods: methodChanges(before, after),
    failing: failingMethods(before, after),
  };
}

type Side = readonly [objects: AccessObjects, sources: Sources];

function roleChanges([before, old]: Side, [after, now]: Side): RoleChange[] {
  const stay = Object.keys(after.roles).sort();
  const more = changedRoles(stay, before, after).map(({ role, policies }) => ({ role, added: policies, removed: [] }));
  const fewer = changedRoles(stay, after, before).map(({ role, policies }) => ({ role, added: [], removed: policies }));
  const changes = [...withRules(more, now), ...withRules(fewer, old)];
  return changes.sort((a, b) => (a.role < b.role ? -1 : Number(a.role > b.role)));
}

/** The policies that roles of both sides have on the second one only. */
function changedRoles(roles: readonly string[], one: AccessObjects, other: AccessObjects): { role: string; policies: string[] }[] {
  return roles.flatMap((role) => {
    const [was, is] = [one, other].map((side) => own(side.roles, role));
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

function danglingRoles(before: AccessObjects, after: AccessObjects): Dangling[] {
  const gone = Object.keys(before.roles).filter((role) => !Object.hasOwn(after.roles, role));
  return gone.sort().flatMap((name): Dangling[] => {
    const rules = after.rules.filter(({ bindType, bindName }) => bindType === "role" && bindName === name);
    return rules.length > 0 ? [{ kind: "role", name, rules }] : [];
  });
}

function danglingMethods(before: AccessObjects, after: AccessObjects): Dangling[] {
  const kept = byName(after.methods);
  return before.methods.flatMap(({ name }): Dangling[] => {
    if (kept.has(name)) return [];
    const rules = after.rules.filter(({ authMethod }) => authMethod === name);
    return rules.length > 0 ? [{ kind: "method", name, rules }] : [];
  });
}

const texts = ["type", "tokenLocality", "maxTokenTtl", "tokenNameFormat"] as const;

function methodChanges(before: AccessObjects, after: AccessObjects): MethodChange[] {
  const known = byName(before.methods);
  return after.methods.flatMap((method) => {
    const old = known.get(method.name);
    if (!old) return [];
    const changed = texts.flatMap((property): MethodChange[] => {
      const [was = "", is = ""] = [old[property], method[property]];
      return isSame(was, is) ? [] : [{ method: method.name, property, before: was, after: is }];
    });
    const mapped = mappings.filter((property) => !hasSameMappings(old, method, [property]));
    return [...changed, ...mapped.map((property): MethodChange => ({ method: method.name, property }))];
  });
}

function failingMethods(before: AccessObjects, after: AccessObjects): string[] {
  const known = byName(before.methods);
  const failed = ({ name }: { readonly name: string }) => {
    const old = known.get(name);
    return old !== undefined && failsByTokenName(old);
  };
  return after.methods.filter((method) => failsByTokenName(method) && !failed(method)).map(({ name }) => name);
}

/** Durations are the same where they are written differently. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [parseDuration(one), parseDuration(other)];
  return one === other || (a !== undefined && a === b);
}
