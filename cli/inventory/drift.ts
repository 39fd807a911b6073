import { isDeepStrictEqual } from "node:util";
import { grouped } from "../../common/grouped";
import { ownProperty } from "../../common/own-property";
import { UserError } from "../../common/user-error";
import {
  type CallContext,
  changesOf,
  type Field,
  type Fields,
  formatPath,
  haveOtherRegions,
  isApiError,
  type Listed,
  type Path,
  type Properties,
  type Resource,
  type ResourceState,
  relationOf,
  someOf,
} from "../../provider/internal";
import { namesOfBridged } from "./bridged";
import { type Held, isElsewhere } from "./held";
import { type Gap, holdsSecret, type Inventory, type InventoryObject, resourceOf, secretMarker } from "./inventory";
import { linksIn } from "./links";
import { gapOf, type ListedPart, Lists, type Progress, progressOf, type ReadOptions, type Reporting, withServers } from "./servers";
import { findUnmanaged, type UnmanagedObjects } from "./unmanaged";

/** A difference between an object of a state and the object on the server. */
export interface Drift {
  readonly object: InventoryObject;
  /**
   * `deleted`: it is not on the server; `replaced`: others created a new object with its name; `shared`: several entries of the state are
   * this one object; `left`: it is on the server, and no resource of the program has it any more.
   */
  readonly kind: "changed" | "deleted" | "replaced" | "shared" | "left";
  readonly properties: readonly PropertyDrift[];
  /** The URNs of the other entries, if several entries share the object. */
  readonly others?: readonly string[];
}

export interface PropertyDrift {
  readonly path: string;
  readonly state: unknown;
  readonly server: unknown;
}

export interface Comparison {
  readonly drift: readonly Drift[];
  /** The number of the state's objects that were not compared at all. */
  readonly uncompared: number;
  readonly unmanaged: Pick<UnmanagedObjects, "objects" | "loginTokens">;
  /** Objects that could not be compared, and unmanaged objects that could not be read. */
  readonly gaps: readonly Gap[];
  /**
   * The parts that were not compared, in words: objects that the state names and lacks, names that the state hides as secrets, lists of
   * pools that it does not manage, other regions, and changes that only a hash shows.
   */
  readonly notLookedAt: readonly string[];
}

type Compared = Pick<Comparison, "drift" | "uncompared" | "gaps" | "notLookedAt">;

export interface CompareOptions extends Reporting, Pick<ReadOptions, "configuration"> {
  /**
   * The kinds whose unmanaged objects are all listed, except for built-in objects and for tokens that logins may have made. For other
   * kinds, only unmanaged objects that touch the state's objects are listed.
   */
  readonly unmanaged?: readonly Resource[];
}

/**
 * Compares a state with the servers by lists of each kind. A listed object is read singly if the list shows neither the whole object nor
 * the version of the state. An object of the cluster is also read singly if its list lacks it. Also reads unmanaged rules, roles and
 * policies. Writes nothing except for a configured login.
 */
export function compareWithServers(state: Inventory, options: CompareOptions): Promise<Comparison> {
  return withServers(options, async (context) => {
    const progress = progressOf(options);
    const lists = new Lists(context);
    const parts = await Promise.all(groupsOf(state, context).map((group) => comparePart(group, { context, progress, lists })));
    const drift = [...sharedOf(state), ...parts.flatMap((part) => part.drift)];
    const gaps = [...state.gaps, ...parts.flatMap((part) => part.gaps)];
    // A deleted pool has no tokens.
    const gone = new Set(drift.flatMap(({ object, kind }) => (kind === "deleted" && object.kind === "AgentPool" ? [object.id] : [])));
    const poolOf = ({ kind, id, outputs }: InventoryObject) => (kind === "AgentToken" ? String(outputs.agentPoolId) : id);
    const rest = { ...state, objects: state.objects.filter((object) => !gone.has(poolOf(object))) };
    const changed = drift.flatMap(({ object, properties }) => properties.map(({ path, server }) => ({ object, path, server })));
    const { held, ...unmanaged } = await findUnmanaged(rest, { context, lists, asked: options.unmanaged ?? [], changed });
    // A gap may already report the same failure of the same list.
    const isTold = ({ kind, message }: Gap) => gaps.some((gap) => gap.kind === kind && message.endsWith(gap.message));
    return {
      drift: drift.map((one) => ({ ...one, properties: one.properties.map((property) => withHiddenNames(property, held)) })),
      uncompared: parts.reduce((count, part) => count + part.uncompared, 0),
      unmanaged,
      gaps: [...gaps, ...unmanaged.gaps.filter((gap) => !isTold(gap))],
      notLookedAt: [...parts.flatMap((part) => part.notLookedAt), ...unmanaged.notLookedAt, ...namesOfBridged(state)],
    };
  });
}

/** A difference without names that the state hides: another object may refer to them by hand. */
function withHiddenNames({ path, state, server }: PropertyDrift, held: Held): PropertyDrift {
  return { path, state, server: held.shownValue(path, server) };
}

/** Objects with several entries in the state. The delete of one entry would delete the object of the others. */
function sharedOf({ objects }: Inventory): Drift[] {
  const serverOf = ({ outputs }: InventoryObject) => String(ownProperty(outputs, "server") ?? "");
  const sharedIn = ([object, ...more]: readonly InventoryObject[]): Drift[] => {
    if (!object) return [];
    const isOther = (one: InventoryObject) => relationOf(serverOf(object), serverOf(one)) === "other server";
    const others = more.filter((one) => !isOther(one)).map(({ urn }) => urn ?? "");
    return [...(others.length > 0 ? [{ object, kind: "shared" as const, properties: [], others }] : []), ...sharedIn(more.filter(isOther))];
  };
  return [...grouped(objects, ({ kind, id }) => JSON.stringify([kind, id])).values()].flatMap(sharedIn);
}

interface Group extends ListedPart {
  readonly objects: readonly InventoryObject[];
}

function groupsOf({ objects }: Inventory, { settings }: CallContext): Group[] {
  const organizationOf = ({ kind, outputs }: InventoryObject) =>
    resourceOf(kind)?.api === "pools" ? String(outputs.organization ?? settings.organization ?? "") : "";
  return [...grouped(objects, (object) => JSON.stringify([object.kind, organizationOf(object)])).values()].flatMap((group) => {
    const [first] = group;
    const resource = first && resourceOf(first.kind);
    const organization = first && organizationOf(first);
    return resource ? [{ resource, ...(organization && { organization }), objects: group }] : [];
  });
}

async function comparePart(
  { objects, ...part }: Group,
  { context, progress, lists }: { readonly context: CallContext; readonly progress: Progress; readonly lists: Lists },
): Promise<Compared> {
  try {
    const server = part.resource.server(context);
    const elsewhere = objects.filter((object) => isElsewhere(object, context));
    const here = objects.filter((object) => !elsewhere.includes(object));
    const listed = new Map((here.length > 0 ? await lists.of(part) : []).map((one) => [one.id, one]));
    progress.add(here.length);
    const gaps: Gap[] = gapsElsewhere(part, elsewhere, server);
    const notLookedAt: string[] = [];
    let uncompared = elsewhere.length;
    const drift = await Promise.all(
      here.map(async (object) => {
        gaps.push(...incomparable(part.resource, object));
        try {
          return await driftOf(part.resource, object, { context, server, listed: listed.get(object.id ?? ""), notLookedAt });
        } catch (error) {
          gaps.push(gapOf(part, error, isApiError(error) ? `${object.name}: ` : ""));
          uncompared += 1;
          return undefined;
        } finally {
          progress.next();
        }
      }),
    );
    const found = drift.filter((one) => one !== undefined);
    const isSeen = ({ kind, properties }: Drift) => kind !== "changed" || properties.length > 0;
    const unseen = found
      .filter((one) => !isSeen(one))
      .map(({ object: { kind, name } }) => `a change of ${kind} ${JSON.stringify(name)} that only its hash shows`);
    return { drift: found.filter(isSeen), uncompared, gaps, notLookedAt: [...notLookedAt, ...unseen].sort() };
  } catch (error) {
    return { drift: [], uncompared: objects.length, gaps: [gapOf(part, error)], notLookedAt: [] };
  }
}

/** The gaps for objects on servers that are not configured, one for each server. */
function gapsElsewhere(part: ListedPart, elsewhere: readonly InventoryObject[], server: string): Gap[] {
  return [...grouped(elsewhere, ({ outputs }) => String(outputs.server))].map(([known, objects]) => {
    const names = someOf(objects.map(({ name }) => JSON.stringify(name)));
    const message = `${names}: not compared, because the state has ${known} as the server, but ${server} is configured. Correct the address, or, for another provider of the stack, run the command again with the configuration of that provider (--config-file).`;
    return gapOf(part, new UserError("other-server", message));
  });
}

interface Sources {
  readonly context: CallContext;
  readonly server: string;
  readonly listed: Listed | undefined;
  /** The parts that are not compared, in words: lists that the state does not manage and the server fills, and tokens of other regions. */
  readonly notLookedAt: string[];
}

/**
 * The drift of an object; undefined if there is none. If a drift of the kind `changed` has no properties, only the hash shows the change.
 */
async function driftOf(
  resource: Resource,
  object: InventoryObject,
  { context, server, listed, notLookedAt }: Sources,
): Promise<Drift | undefined> {
  const known = ownProperty(object.outputs, "server");
  if (listed && !object.isLeft && isUnchanged(object, listed, server)) return undefined;
  // For a client token, a list contains only the token's own roles, without an error: only a single read shows that an object is gone.
  // For agent pools, the list of the organization is complete, and tells more than a "not found".
  const isReadAlone = resource.api !== "pools" && object.id !== undefined;
  const lists = unmanagedLists(resource, object.outputs);
  // A kind reads a list only if the state has one.
  const olds = { ...object.outputs, ...Object.fromEntries(lists.map((name) => [name, []])) };
  const remote = listed ? await listed.read(olds) : isReadAlone ? await readAlone(resource, context, object.id) : undefined;
  // All other objects are in each region.
  const isLocal = object.kind === "AclToken" && object.outputs.global !== true;
  if (!remote && isLocal && typeof known === "string" && haveOtherRegions(known, server)) {
    notLookedAt.push(`${object.kind} ${JSON.stringify(object.name)} of another region`);
    return undefined;
  }
  if (!remote) {
    const isExpected = object.isLeft || resource.isKeptAfterEnd(context, object.outputs);
    return isExpected ? undefined : { object, kind: "deleted", properties: [] };
  }
  const [before, now] = [ownProperty(object.outputs, "createTime"), ownProperty(remote.outputs, "createTime")];
  const isAnother = typeof before === "string" && typeof now === "string" && before !== now;
  const filled = lists.filter((name) => !isDeepStrictEqual(remote.outputs[name] ?? [], []));
  notLookedAt.push(...filled.map((name) => `${name} of ${object.kind} ${JSON.stringify(object.name)}`));
  const compared = Object.fromEntries(Object.entries(remote.outputs).filter(([name]) => !lists.includes(name)));
  const properties = propertiesOf(resource, object.outputs, compared);
  const kind = isAnother ? "replaced" : object.isLeft ? "left" : "changed";
  return kind !== "changed" || properties.length > 0 || hasOtherHash(object.outputs, remote.outputs)
    ? { object, kind, properties }
    : undefined;
}

/** The lists that the program leaves out, and therefore does not manage: an empty list would mean something else. */
function unmanagedLists({ inputs }: Resource, state: Properties): string[] {
  const isUnmanaged = (name: string, { traits }: Field) => traits.set && traits.emptyMatters && ownProperty(state, name) === undefined;
  return [...inputs].flatMap(([name, field]) => (isUnmanaged(name, field) ? [name] : []));
}

/**
 * The object with this id; undefined if it is gone. The resource's read throws for an unknown accessor of a token, because an import needs
 * that error.
 */
async function readAlone(resource: Resource, context: CallContext, id: string): Promise<ResourceState | undefined> {
  try {
    return await resource.read(context, id, undefined);
  } catch (error) {
    if (error instanceof UserError && error.code === "accessor-unknown") return undefined;
    throw error;
  }
}

function isUnchanged({ outputs }: InventoryObject, { version }: Listed, server: string): boolean {
  const known = ownProperty(outputs, "server");
  if (!version?.hash || typeof known !== "string" || relationOf(known, server) !== "same") return false;
  return (["createIndex", "modifyIndex", "hash"] as const).every((field) => version[field] === ownProperty(outputs, field));
}

/**
 * The differing properties. Secrets can't be compared: if the hash differs, each of them may have changed, even if other properties have
 * changed as well.
 */
function propertiesOf(resource: Resource, state: Properties, server: Properties): PropertyDrift[] {
  const changes = changesOf(resource.inputs, state, server).filter(({ path }) => {
    return !resource.inputs.get(String(path[0]))?.traits.local && !holdsSecret(valueAt(state, path));
  });
  const paths = new Map(changes.map(({ path }) => wholeSet(resource.inputs, path)).map((path) => [formatPath(path), path]));
  const known = [...paths].map(([name, path]) => ({ path: name, state: valueAt(state, path), server: valueAt(server, path) }));
  const relinked = relinkedRoles(state, server, known);
  const properties = [...known.filter(({ path }) => !relinked.some((one) => one.path === path)), ...relinked];
  if (!hasOtherHash(state, server)) return properties;
  // Secret outputs, such as a token's, can't change.
  const inputs = Object.fromEntries(Object.entries(state).filter(([name]) => resource.inputs.has(name)));
  const may = { state: secretMarker, server: "(may have changed, because the object's hash has)" };
  return [...properties, ...secretPathsIn(inputs).map((path) => ({ path, ...may }))];
}

/** The IDs of a token's roles if they differ and names do not show it: another role has the name of a role of the state. */
function relinkedRoles(state: Properties, server: Properties, known: readonly PropertyDrift[]): PropertyDrift[] {
  const [before = [], now = []] = [state, server].map(linksIn);
  if (before.length === 0 || holdsSecret([state.roles, state.linkedRoles])) return [];
  const [olds, news] = [before, now].map((links) => links.map(({ id }) => id));
  const isSame = isDeepStrictEqual(new Set(olds), new Set(news));
  const isAnother = before.some(({ id, name }) => now.some((one) => one.name === name && one.id !== id));
  return isAnother || (!isSame && !known.some(({ path }) => path === "roles")) ? [{ path: "roles", state: olds, server: news }] : [];
}

function hasOtherHash(state: Properties, server: Properties): boolean {
  const [before, now] = [ownProperty(state, "hash"), ownProperty(server, "hash")];
  return typeof before === "string" && typeof now === "string" && before !== now;
}

/** A gap for secrets without a hash in the state: nothing shows whether they have changed. */
function incomparable({ kind, inputs, outputs }: Resource, { outputs: known, id, name }: InventoryObject): Gap[] {
  const own = Object.fromEntries(
    Object.entries(known).filter(([property]) => inputs.get(property)?.traits.local !== true && inputs.has(property)),
  );
  // An update that finds a difference that it does not send leaves the hash out of the state.
  const hasHash = outputs.has("hash") && typeof ownProperty(known, "hash") === "string";
  const paths = hasHash ? [] : secretPathsIn(own);
  if (paths.length === 0) return [];
  return [
    { kind, reason: "failed", message: `${id ?? name}: ${paths.join(" and ")} is a secret in the state, and could not be compared.` },
  ];
}

/** Shortens the path of an item of a set to the path of the set, because the items have no order. Other paths stay. */
function wholeSet(properties: Fields, path: Path): Path {
  const [first, ...rest] = path;
  const field = first === undefined ? undefined : properties.get(String(first));
  if (!field || first === undefined || field.traits.set) return path.slice(0, 1);
  return field.shape.kind === "object" ? [first, ...wholeSet(field.shape.properties, rest)] : path;
}

function secretPathsIn(value: unknown, path: Path = []): string[] {
  if (value === secretMarker) return [formatPath(path)];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => secretPathsIn(item, [...path, Array.isArray(value) ? Number(key) : key]));
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, step) => (typeof at === "object" && at !== null ? Object.entries(at).find(([key]) => key === String(step))?.[1] : undefined),
    value,
  );
}
