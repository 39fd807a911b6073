import * as z from "zod";
import { record } from "../../common/record";
import { dynamicType, pluginToken, type Resource, resources } from "../../provider/internal";
import { CommandError } from "../command-line";
import { jsonOf, pulumi } from "../input";
import { bridgedObject } from "./bridged";
import {
  type Gap,
  type Inventory,
  type InventoryObject,
  inOrder,
  inventoryObject,
  isSecret,
  replaced,
  secretMarker,
  withoutAdopted,
} from "./inventory";

const properties = record(z.unknown());

const entry = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  inputs: properties.optional(),
  outputs: properties.optional(),
  /** Whether the delete of this object is pending after a replacement. */
  delete: z.boolean().optional(),
  /** Whether a replacement has deleted the object, and the new object is not created yet. */
  pendingReplacement: z.boolean().optional(),
  external: z.boolean().optional(),
  protect: z.boolean().optional(),
  retainOnDelete: z.boolean().optional(),
  /** The ID of the object that an import took over. */
  importID: z.string().optional(),
  /** The URN of a resource whose delete also deletes this object. */
  deletedWith: z.string().optional(),
  /** The provider's URN::ID. */
  provider: z.string().optional(),
});

/** A resource of a state. */
export type StoredResource = z.output<typeof entry>;

/** The URN of a resource's provider; empty if the source does not name it. */
export function providerOf({ provider = "" }: { readonly provider?: string | undefined }): string {
  return provider.slice(0, Math.max(provider.lastIndexOf("::"), 0));
}

/** A pending operation of an interrupted update. */
const operation = z.object({ type: z.string(), resource: z.object({ urn: z.string(), type: z.string() }) });

const exported = z.object({
  deployment: z.object({ resources: z.array(entry).nullish(), pending_operations: z.array(operation).nullish() }),
});

/** Parses the output of `pulumi stack export`. @throws CommandError without any value of the text */
export function deploymentOf(text: string, source: string) {
  const parsed = exported.safeParse(jsonOf(text, source));
  if (!parsed.success) throw new CommandError(`${source} is not the output of \`pulumi stack export\`: ${z.prettifyError(parsed.error)}`);
  const { resources: stored, pending_operations: interrupted } = parsed.data.deployment;
  return { stored: stored ?? [], interrupted: interrupted ?? [] };
}

const kinds: ReadonlyMap<string, Resource> = new Map(
  resources.flatMap((resource) => [
    [pluginToken(resource.kind), resource],
    [dynamicType(resource.kind), resource],
  ]),
);

/** The resource of a type in a state, of either adapter; undefined for a type of another package. */
export function resourceOfType(type: string): Resource | undefined {
  return kinds.get(type);
}

/** Gaps for types of this package's resources that this version does not know. */
export function gapsOfTypes(types: readonly string[]): Gap[] {
  const prefixes = [pluginToken(""), dynamicType("")];
  const ofUs = types.flatMap((type) => prefixes.flatMap((prefix) => (type.startsWith(prefix) ? [type.slice(prefix.length)] : [])));
  return [...new Set(ofUs)].flatMap((kind): Gap[] => {
    if (kinds.has(pluginToken(kind))) return [];
    return [
      { kind, reason: "failed", message: `this version does not know resources of the kind ${kind}: use a newer one of this package.` },
    ];
  });
}

/**
 * Reads the output of `pulumi stack export`: the stack's objects on the servers, of both adapters, including pending deletes. Looked-up
 * objects, and objects deleted by an unfinished replacement, are left out.
 */
export function parseState(text: string, source: string): Inventory {
  const { stored, interrupted } = deploymentOf(text, source);
  // An unfinished replacement has deleted its object.
  const isDeleted = (one: StoredResource) => one.pendingReplacement && !one.retainOnDelete;
  const entries = stored.filter((one) => !one.external && !isDeleted(one)).flatMap(objectOf);
  const lookedUp = stored.filter(({ external }) => external).flatMap(objectOf);
  // Components have no ID.
  const types = stored.flatMap(({ type, id, external }) => (id && !external ? [type] : []));
  const bridged = stored.flatMap((one) => bridgedObject(one, one.urn) ?? []);
  const unfinished = interrupted.flatMap(({ type, resource }) => (type === "reading" ? [] : (bridgedObject(resource, resource.urn) ?? [])));
  return {
    source,
    objects: inOrder(withoutAdopted(entries)),
    gaps: [...gapsOf(interrupted), ...perhapsLeftIn(stored), ...gapsOfTypes(types)],
    lookedUp,
    bridged: [...bridged, ...unfinished.map((one) => ({ ...one, content: undefined, forms: [] }))],
  };
}

function objectOf({ urn, type, id, outputs = {}, pendingReplacement, ...one }: StoredResource): InventoryObject[] {
  const resource = kinds.get(type);
  if (!resource || !id) return [];
  // Such names belong to the dynamic provider itself.
  const known = Object.entries(outputs).filter(([name]) => !name.startsWith("__"));
  const values = Object.fromEntries(
    known.map(([name, value]) => [name, replaced(value, (part) => (isSecret(part) ? secretMarker : undefined))]),
  );
  const keptBy = one.retainOnDelete ? "retainOnDelete" : one.deletedWith ? "deletedWith" : undefined;
  const isLeft = one.delete === true || pendingReplacement === true;
  const options: Pick<InventoryObject, "keptBy" | "isImported" | "isLeft"> = {
    ...(keptBy && { keptBy }),
    ...(one.importID && { isImported: true }),
    ...(isLeft && { isLeft }),
  };
  return [inventoryObject(resource, values, { id, urn, provider: one.provider, ...options })];
}

/** Gaps for objects that an unfinished replacement may have left on the server, because of `deletedWith`. */
function perhapsLeftIn(stored: readonly StoredResource[]): Gap[] {
  return stored.flatMap(({ urn, type, pendingReplacement, retainOnDelete, deletedWith }): Gap[] => {
    const resource = kinds.get(type);
    if (resource?.api !== "cluster" || !pendingReplacement || retainOnDelete || !deletedWith) return [];
    const message = `a replacement of ${urn} is pending, and deletedWith may have left the old object on the server: finish the replacement by \`pulumi up\`.`;
    return [{ kind: resource.kind, reason: "failed", message }];
  });
}

/** Gaps for operations of an interrupted update whose results are not in the state. */
function gapsOf(interrupted: readonly z.output<typeof operation>[]): Gap[] {
  return interrupted.flatMap(({ type, resource: { urn, type: token } }): Gap[] => {
    const kind = kinds.get(token)?.kind;
    if (kind === undefined || type === "reading") return [];
    const message = `an update was interrupted while it was ${type} ${urn}, and the state does not have the result: run \`pulumi refresh\`.`;
    return [{ kind, reason: "failed", message }];
  });
}

/** Reads the state of a stack with the Pulumi CLI on PATH. @param cwd the folder of the project */
export async function readStack(stack: string, cwd: string, env: NodeJS.ProcessEnv = process.env): Promise<Inventory> {
  return parseState(await pulumi(["stack", "export", "--stack", stack], cwd, env), `stack ${JSON.stringify(stack)}`);
}
