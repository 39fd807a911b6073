import { parseDuration } from "../model/durations";
import type { GrantChange, Sources } from "./grants";
import { byName, grantChanges, hasSameMappings, mappings, sourcesOf } from "./grants";
import type { AccessObjects, BindingRule } from "./graph";

export type { Given, GrantChange } from "./grants";

/** A role that stays gives other policies. */
export interface RoleChange {
  readonly role: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** The rules that give it after the change. */
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
}

/** Compares what logins get before and after a change. Pure; it names objects and selectors alone. */
export function accessChanges(before: AccessObjects, after: AccessObjects): AccessChanges {
  const [old, now] = [sourcesOf(before, after), sourcesOf(after, before)];
  return {
    grants: grantChanges(before, old, after, now),
    roles: roleChanges(before, after, now),
    dangling: [...danglingRoles(before, after), ...danglingMethods(before, after)],
    methods: methodChanges(before, after),
  };
}

function roleChanges(before: AccessObjects, after: AccessObjects, now: Sources): RoleChange[] {
  const changes = Object.keys(after.roles)
    .sort()
    .flatMap((role): (RoleChange & { rules: BindingRule[] })[] => {
      const [was, is] = [Object.hasOwn(before.roles, role) ? before.roles[role] : undefined, after.roles[role] ?? []];
      if (!was) return [];
      const added = is.filter((policy) => !was.includes(policy));
      const removed = was.filter((policy) => !is.includes(policy));
      return added.length + removed.length > 0 ? [{ role, added, removed, rules: [] }] : [];
    });
  const byRole = new Map(changes.map((change) => [change.role, change]));
  for (const { kind, names, rules } of [...now.values()].flat()) {
    if (kind === "role") for (const name of names) byRole.get(name)?.rules.push(...rules);
  }
  return changes;
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

/** Durations are the same where they are written differently. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [parseDuration(one), parseDuration(other)];
  return one === other || (a !== undefined && a === b);
}
