import { ownProperty } from "../../common/own-property";
import { isApiError } from "../../provider/apis/http/errors";
import type { Listed, Resource, ResourceState } from "../../provider/lifecycle/resource";
import { formatPath, type Path } from "../../provider/model/check";
import { changesOf } from "../../provider/model/diff";
import type { Field } from "../../provider/model/fields";
import type { Properties } from "../../provider/model/remote";
import { relationOf } from "../../provider/model/servers";
import { UserError } from "../../provider/model/user-error";
import type { CallContext } from "../../provider/operation/call-context";
import { type Gap, holdsSecret, type Inventory, type InventoryObject, resourceOf, secretMarker } from "./inventory";
import { gapOf, type ListedPart, Progress, type ReadOptions, type Reporting, withServers } from "./servers";

/** How an object of a state differs from the server's. */
export interface Drift {
  readonly object: InventoryObject;
  /** `deleted`: the server does not have it; `replaced`: others made another object of its name; `shared`: other entries of the state have it, too. */
  readonly kind: "changed" | "deleted" | "replaced" | "shared";
  readonly properties: readonly PropertyDrift[];
  /** The URNs of the other entries, if it is shared. */
  readonly others?: readonly string[];
}

export interface PropertyDrift {
  readonly path: string;
  readonly state: unknown;
  readonly server: unknown;
}

export interface Comparison {
  readonly drift: readonly Drift[];
  /** What could not be compared. */
  readonly gaps: readonly Gap[];
}

/**
 * Compares a state with the servers: one list for each kind, and a single read of each object of which the list shows another version than
 * the state, or too little. Sends no write.
 */
export function compareWithServers(state: Inventory, options: Reporting & Pick<ReadOptions, "configuration">): Promise<Comparison> {
  return withServers(options, async (context) => {
    const progress = new Progress(options.onProgress);
    const parts = await Promise.all(groupsOf(state, context).map((group) => comparePart(group, context, progress)));
    return { drift: [...sharedOf(state), ...parts.flatMap(({ drift }) => drift)], gaps: parts.flatMap(({ gaps }) => gaps) };
  });
}

/** The objects that several entries of the state have: the delete of one of these deletes the object under the others. */
function sharedOf({ objects }: Inventory): Drift[] {
  const serverOf = ({ outputs }: InventoryObject) => String(ownProperty(outputs, "server") ?? "");
  const entries = new Map<string, InventoryObject[]>();
  for (const object of objects) {
    const key = JSON.stringify([object.kind, object.id]);
    const [first] = entries.get(key) ?? [];
    if (!first) entries.set(key, [object]);
    else if (relationOf(serverOf(first), serverOf(object)) !== "other server") entries.get(key)?.push(object);
  }
  return [...entries.values()].flatMap(([object, ...more]) =>
    object && more.length > 0 ? [{ object, kind: "shared", properties: [], others: more.map(({ urn }) => urn ?? "") }] : [],
  );
}

interface Group extends ListedPart {
  readonly objects: readonly InventoryObject[];
}

function groupsOf({ objects }: Inventory, context: CallContext): Group[] {
  const groups = new Map<string, { resource: Resource; organization?: string; objects: InventoryObject[] }>();
  for (const object of objects) {
    const resource = resourceOf(object.kind);
    if (!resource) continue;
    const organization = resource.api === "pools" ? String(object.outputs.organization ?? context.settings.organization ?? "") : "";
    const key = JSON.stringify([object.kind, organization]);
    const group = groups.get(key) ?? { resource, ...(organization && { organization }), objects: [] };
    group.objects.push(object);
    groups.set(key, group);
  }
  return [...groups.values()];
}

async function comparePart({ objects, ...part }: Group, context: CallContext, progress: Progress): Promise<Comparison> {
  try {
    const server = part.resource.server(context);
    const listed = new Map((await part.resource.list(context, part.organization)).map((one) => [one.id, one]));
    progress.add(objects.length);
    const each = await Promise.all(
      objects.map(async (object): Promise<Comparison> => {
        try {
          const drift = await driftOf(part.resource, object, { context, server, listed: listed.get(object.id ?? "") });
          return { drift: drift ? [drift] : [], gaps: [] };
        } catch (error) {
          return { drift: [], gaps: [gapOf(part, error, isApiError(error) ? `${object.name}: ` : "")] };
        } finally {
          progress.next();
        }
      }),
    );
    return { drift: each.flatMap(({ drift }) => drift), gaps: each.flatMap(({ gaps }) => gaps) };
  } catch (error) {
    return { drift: [], gaps: [gapOf(part, error)] };
  }
}

async function driftOf(
  resource: Resource,
  object: InventoryObject,
  { context, server, listed }: { readonly context: CallContext; readonly server: string; readonly listed: Listed | undefined },
): Promise<Drift | undefined> {
  const known = ownProperty(object.outputs, "server");
  if (typeof known === "string" && relationOf(known, server) === "other server") {
    throw new UserError(
      "other-server",
      `${object.kind} ${JSON.stringify(object.name)}: the state says that it is on ${known}, and ${server} is configured. Nothing was compared: correct the address.`,
    );
  }
  if (listed && isUnchanged(object, listed, server)) return undefined;
  const remote = listed ? await listed.read(object.outputs) : await readUnlisted(context, resource, object);
  if (!remote) return resource.isKeptAfterEnd(context, object.outputs) ? undefined : { object, kind: "deleted", properties: [] };
  const [before, now] = [ownProperty(object.outputs, "createTime"), ownProperty(remote.outputs, "createTime")];
  const isAnother = typeof before === "string" && typeof now === "string" && before !== now;
  const properties = propertiesOf(resource, object.outputs, remote.outputs);
  return isAnother || properties.length > 0 ? { object, kind: isAnother ? "replaced" : "changed", properties } : undefined;
}

/**
 * A token that is not for management gets a list of its own roles alone, without an error: only a single read shows that an object is gone.
 * An agent pool's "not found" says less than the list of its organization, which has all of them.
 */
async function readUnlisted(context: CallContext, resource: Resource, { id }: InventoryObject): Promise<ResourceState | undefined> {
  return resource.api === "pools" || id === undefined ? undefined : resource.read(context, id, undefined);
}

function isUnchanged({ outputs }: InventoryObject, { version }: Listed, server: string): boolean {
  const known = ownProperty(outputs, "server");
  if (!version?.hash || typeof known !== "string" || relationOf(known, server) !== "same") return false;
  return (["createIndex", "modifyIndex", "hash"] as const).every((field) => version[field] === ownProperty(outputs, field));
}

/** The differences. Secrets can't be compared: if only the hash differs, they may have changed. */
function propertiesOf(resource: Resource, state: Properties, server: Properties): PropertyDrift[] {
  const changes = changesOf(resource.inputs, state, server).filter(({ path }) => {
    return !resource.inputs.get(String(path[0]))?.traits.local && !holdsSecret(valueAt(state, path));
  });
  const paths = new Map(changes.map(({ path }) => wholeSet(resource.inputs, path)).map((path) => [formatPath(path), path]));
  const properties = [...paths].map(([name, path]) => ({ path: name, state: valueAt(state, path), server: valueAt(server, path) }));
  const [before, now] = [ownProperty(state, "hash"), ownProperty(server, "hash")];
  const isRewritten = typeof before === "string" && typeof now === "string" && before !== now;
  // Outputs that are secrets, such as a token's, can't be changed.
  const inputs = Object.fromEntries(Object.entries(state).filter(([name]) => resource.inputs.has(name)));
  const secrets = isRewritten ? secretPathsIn(inputs) : [];
  const hidden = secrets.map((path) => ({ path, state: secretMarker, server: "(it may have changed: the object's hash has)" }));
  return properties.length > 0 ? properties : hidden;
}

/** The path of the set that holds the item at a path, because a set has no order to number its items by; otherwise the path itself. */
function wholeSet(properties: ReadonlyMap<string, Field>, path: Path): Path {
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
