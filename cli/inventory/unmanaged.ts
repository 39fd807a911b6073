/** Unmanaged objects, which are on the servers but not in the state, and their grants. */
import { mayBeAll } from "../../access/policy/management";
import { aclRole, agentPool, type CallContext, listOf, organizationOf, type Resource, resources } from "../../provider/internal";
import { areAllElsewhere, type Held, heldBy, type KnownJob, knownJobOf, type ServerValue } from "./held";
import { type Gap, type Inventory, type InventoryObject, resourceOf } from "./inventory";
import { loginTokens } from "./login-tokens";
import { notLookedAt } from "./not-looked-at";
import { gapOf, type ListedPart, type Lists, ownAlone } from "./servers";

/** An object that no resource of the state has. */
export interface Unmanaged {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  /**
   * Whether the unmanaged object gives an object of the state, belongs to one, or may be given by one. Also true for a policy that
   * everybody has, or that tasks of jobs may have.
   */
  readonly touches: boolean;
  /** The grant in words. Empty if the object gives nothing by itself. */
  readonly gives: string;
  /** The rules of a policy. */
  readonly rules?: string;
}

/** Objects of one kind, or of several. */
export interface UnmanagedObjects {
  readonly objects: readonly Unmanaged[];
  /** The number of tokens left out because logins may have made them: they have the lifetime and the grants of login tokens. */
  readonly loginTokens: number;
  readonly gaps: readonly Gap[];
}

interface SearchOptions {
  readonly context: CallContext;
  readonly lists: Lists;
  /** The kinds whose unmanaged objects are all listed. For other kinds, only objects that touch the state's objects are. */
  readonly asked: readonly Resource[];
  /** The changes by others on the servers. */
  readonly changed: readonly ServerValue[];
}

export async function findUnmanaged(
  { objects: known }: Inventory,
  { asked, ...sources }: SearchOptions,
): Promise<UnmanagedObjects & { readonly held: Held; readonly notLookedAt: readonly string[] }> {
  const { context, lists } = sources;
  const { held, gaps } = await heldBy(known, sources);
  const found = await Promise.all(
    resources.map(async (resource): Promise<UnmanagedObjects> => {
      const isAsked = asked.includes(resource);
      if (areAllElsewhere(known, resource, context) || !(isAsked || held.isTouchedBy(resource.kind))) return nothing;
      try {
        const all = await unmanagedOf(resource, { context, lists, held, isAsked });
        const missing = await unseen(resource, lists);
        return {
          ...nothing,
          ...all,
          objects: all.objects.filter(({ touches }) => touches || isAsked),
          gaps: [...(all.gaps ?? []), ...missing],
        };
      } catch (error) {
        return { ...nothing, gaps: [gapOf({ resource }, error, "Unmanaged objects could not be listed. ")] };
      }
    }),
  );
  return {
    objects: found.flatMap(({ objects }) => objects),
    loginTokens: found.reduce((sum, { loginTokens }) => sum + loginTokens, 0),
    gaps: [...gaps, ...found.flatMap((one) => one.gaps)],
    held,
    notLookedAt: notLookedAt(known, held, context),
  };
}

/** A gap for roles or policies: a client token gets a list with only its own, and no list of rules. */
async function unseen(resource: Resource, lists: Lists): Promise<Gap[]> {
  const rules = resourceOf("AclBindingRule");
  if (!rules || !(resource.kind in ownAlone)) return [];
  try {
    await lists.of({ resource: rules });
    return [];
  } catch (error) {
    return [gapOf({ resource }, error, "Unmanaged objects may be missing: a client token gets a list of its own only. ")];
  }
}

const nothing: UnmanagedObjects = { objects: [], loginTokens: 0, gaps: [] };

interface Search extends Pick<SearchOptions, "context" | "lists"> {
  readonly held: Held;
  readonly isAsked: boolean;
}

type Found = Pick<UnmanagedObjects, "objects"> & Partial<UnmanagedObjects>;

async function unmanagedOf(resource: Resource, search: Search): Promise<Found> {
  const { kind } = resource;
  if (kind === "AclToken") return tokens(search);
  if (kind === "AgentToken") return agentTokens(resource, search);
  const parts = resource.api === "pools" ? organizationsOf(search).map((organization) => ({ resource, organization })) : [{ resource }];
  const describe = describers[kind];
  const found = await Promise.all(
    parts.map(async (part) => {
      const others = (await search.lists.of(part)).filter(({ id, isBuiltIn }) => !isBuiltIn && !search.held.has(kind, id));
      return foundAt(others, part, async ({ id, name, read }): Promise<Unmanaged[]> => {
        if (!describe) return [{ kind, id, name, touches: false, gives: "" }];
        const remote = await read();
        // The object was deleted after the list was read.
        if (!remote) return [];
        const shown = kind === "AclRole" ? search.held.shownName("role", name) : name;
        return [{ kind, id, name: shown, ...describe(remote.outputs, search.held) }];
      });
    }),
  );
  return { objects: found.flatMap(({ objects }) => objects), gaps: found.flatMap(({ gaps }) => gaps) };
}

/** The unmanaged objects found for each item. An unreadable item hides no objects of the others. */
async function foundAt<Item>(
  items: readonly Item[],
  part: ListedPart,
  find: (item: Item) => Promise<Unmanaged[]>,
): Promise<Pick<UnmanagedObjects, "objects" | "gaps">> {
  const failures: unknown[] = [];
  const objects = await Promise.all(
    items.map(async (item) => {
      try {
        return await find(item);
      } catch (error) {
        failures.push(error);
        return [];
      }
    }),
  );
  const [first] = failures;
  const count = `Unmanaged objects may be missing: ${failures.length} of ${items.length} could not be read. `;
  return { objects: objects.flat(), gaps: first === undefined ? [] : [gapOf(part, first, count)] };
}

function organizationsOf({ context, held }: Search): string[] {
  const all = [context.settings.organization, ...held.pools.map(({ outputs }) => String(outputs.organization))];
  const known = new Set(all.filter((organization) => organization !== undefined));
  return known.size > 0 ? [...known] : [organizationOf(context)];
}

type Described = Pick<Unmanaged, "touches" | "gives" | "rules">;

/** The kinds whose objects are read for their grants. */
const describers: { readonly [kind: string]: (outputs: InventoryObject["outputs"], held: Held) => Described } = {
  AclBindingRule: rule,
  AclRole: role,
  AclPolicy: policy,
};

function rule(outputs: InventoryObject["outputs"], held: Held): Described {
  const textOf = (name: string) => String(outputs[name] ?? "");
  const [authMethod, selector, bindName] = [textOf("authMethod"), textOf("selector"), textOf("bindName")];
  const given = textOf("bindType");
  const bindType = given === "role" || given === "policy" ? given : undefined;
  const what = given === "management" ? given : `a grant that this version does not know (bindType ${quoted(given)})`;
  const method = quoted(held.shownName("method", authMethod));
  const logins = `${selector === "" ? "every login" : "logins"} of ${method}${selector === "" ? "" : ` with ${selector}`}`;
  return {
    touches: held.hasName("method", authMethod) || (bindType !== undefined && held.mayBind(bindType, bindName)),
    gives: `gives ${bindType ? `the ${bindType} ${quoted(held.shownName(bindType, bindName))}` : what} to ${logins}`,
  };
}

function role({ name: own, policies }: InventoryObject["outputs"], held: Held): Described {
  const names = Array.isArray(policies) ? policies.map(String) : [];
  // Rules of the state give a role by its name, whichever role has it.
  const hasItsName = held.hasName("role", String(own));
  return {
    touches: hasItsName || names.some((name) => held.hasName("policy", name)) || held.mayGive("role", String(own)),
    gives: names.length > 0 ? `gives ${plural("policy", "policies", shownPolicies(names, held))}` : "",
  };
}

/**
 * A policy gives something to everybody, to logins by a computed name, or to tasks that holders of the state's policies may run. Or it lets
 * its holders run tasks with a policy of the state that equals management.
 */
function policy({ name, rules, jobAcl }: InventoryObject["outputs"], held: Held): Described {
  const job = knownJobOf({ jobAcl });
  const gives = [
    ...(name === "anonymous" ? ["everybody has it, without a token"] : []),
    ...(held.mayGive("policy", String(name)) ? ["a rule of the state computes this name from claims"] : []),
    ...(job ? tasksWith(job, held) : []),
  ];
  const known = typeof rules === "string" ? [rules] : [];
  const isByJobs = held.mayManageByJobs(known);
  if (gives.length > 0 && (isByJobs || mayBeAll(known))) gives.push("it may equal management");
  if (gives.length === 0 && isByJobs) gives.push("by a job with a policy of the state, it may equal management");
  return {
    touches: gives.length > 0,
    gives: listOf(gives),
    ...(typeof rules === "string" && { rules }),
  };
}

function tasksWith(job: KnownJob, held: Held): string[] {
  if (held.mayRunIn(job.namespace)) return [`tasks of jobs in the namespace ${quoted(job.namespace)} have it`];
  return held.hasTasksOf(job) ? ["tasks with a policy of the state have it"] : [];
}

/** Uses the list alone, because a single read would return each token's secret. */
async function tokens({ context, lists, held }: Search): Promise<Found> {
  const [all, roles] = await Promise.all([context.cluster().tokens.list(), lists.of({ resource: aclRole })]);
  const roleName = (id: string) => roles.find((one) => one.id === id)?.name;
  const nameOf = (id: string) => roleName(id) ?? id;
  // A role by hand may have the name of one of the state's roles, which an adoption takes over.
  const isOfState = ({ id }: { readonly id: string }) => held.hasName("role", id) || held.hasName("role", nameOf(id));
  const mayBeOfLogin = await loginTokens(held, lists, roleName);
  const others = all.filter(({ id }) => !held.has("AclToken", id));
  const rest = others.filter((token) => !mayBeOfLogin(token));
  const objects = rest.map((token): Unmanaged => {
    const roleNames = token.roles.map(({ id }) => held.shownName("role", nameOf(id)));
    const given = [
      ...(roleNames.length > 0 ? [plural("role", "roles", roleNames)] : []),
      ...(token.policies.length > 0 ? [plural("policy", "policies", shownPolicies(token.policies, held))] : []),
    ];
    const what = token.type === "management" ? "management" : listOf(given);
    const end = token.expirationTime === undefined ? "" : ` until ${token.expirationTime}`;
    return {
      ...{ kind: "AclToken", id: token.id, name: token.name || token.id },
      touches: token.policies.some((name) => held.hasName("policy", name)) || token.roles.some(isOfState),
      gives: what === "" ? "" : `gives ${what}${end}`,
    };
  });
  return { objects, loginTokens: others.length - rest.length };
}

async function agentTokens(resource: Resource, search: Search): Promise<Found> {
  const { context, held, isAsked } = search;
  const lists = isAsked
    ? await Promise.all(organizationsOf(search).map((organization) => search.lists.of({ resource: agentPool, organization })))
    : [];
  const pools = isAsked ? lists.flat() : held.pools.map(({ id = "", name }) => ({ id, name }));
  return foundAt(pools, { resource }, async ({ id: pool, name }): Promise<Unmanaged[]> => {
    const found = await context.pools().listTokens(pool);
    return found
      .filter(({ id }) => !held.has("AgentToken", id))
      .map(({ id, description }) => ({
        ...{ kind: "AgentToken", id, name: description },
        touches: held.has("AgentPool", pool),
        gives: `lets agents join the pool ${quoted(name)}`,
      }));
  });
}

function shownPolicies(names: readonly string[], held: Held): string[] {
  return names.map((name) => held.shownName("policy", name));
}

function plural(one: string, several: string, names: readonly string[]): string {
  return `the ${names.length === 1 ? one : several} ${listOf(names.map(quoted))}`;
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
