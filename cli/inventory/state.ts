import * as z from "zod";
import { secretSignature, signatureKey } from "../../provider/adapters/markers";
import { dynamicType, pluginToken } from "../../provider/configuration/tokens";
import type { Resource } from "../../provider/lifecycle/resource";
import { record } from "../../provider/model/record";
import { isRecord } from "../../provider/model/unknown";
import { resources } from "../../provider/resources";
import { CommandError } from "../command-line";
import { jsonOf, pulumi } from "../input";
import { type Gap, type Inventory, type InventoryObject, inOrder, inventoryObject, secretMarker, withoutAdopted } from "./inventory";

const properties = record(z.unknown());

const exported = z.object({
  deployment: z.object({
    resources: z
      .array(
        z.object({
          urn: z.string(),
          type: z.string(),
          id: z.string().optional(),
          outputs: properties.optional(),
          /** Its object waits for its delete since a replacement. */
          delete: z.boolean().optional(),
          /** It is deleted already, by an update whose next step was to make it anew. */
          pendingReplacement: z.boolean().optional(),
          external: z.boolean().optional(),
          retainOnDelete: z.boolean().optional(),
        }),
      )
      .nullish(),
    /** What an update was doing when it was interrupted. */
    pending_operations: z.array(z.object({ type: z.string(), resource: z.object({ urn: z.string(), type: z.string() }) })).nullish(),
  }),
});

type Interrupted = NonNullable<z.output<typeof exported>["deployment"]["pending_operations"]>;

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

/**
 * Reads what `pulumi stack export` wrote: the objects of a stack that are on the servers, of both adapters: those that it manages, and those that wait for their delete. What it
 * only looks up, or has deleted to make it anew, is not among them.
 */
export function parseState(text: string, source: string): Inventory {
  const parsed = exported.safeParse(jsonOf(text, source));
  if (!parsed.success) throw new CommandError(`${source} is not what \`pulumi stack export\` writes: ${z.prettifyError(parsed.error)}`);
  const entries = (parsed.data.deployment.resources ?? []).flatMap(({ urn, type, id, outputs, ...entry }) => {
    const resource = kinds.get(type);
    const isDeleted = entry.pendingReplacement && !entry.retainOnDelete;
    if (!resource || !id || isDeleted || entry.external) return [];
    const isLeft = entry.delete === true || entry.pendingReplacement === true;
    return [{ isLeft, object: objectOf(resource, { urn, id, outputs: withoutSecrets(outputs ?? {}) }) }];
  });
  return { source, objects: inOrder(withoutAdopted(entries)), gaps: gapsOf(parsed.data.deployment.pending_operations ?? []) };
}

/** What an interrupted update may have done to the servers, and the state does not say. */
function gapsOf(interrupted: Interrupted): Gap[] {
  return interrupted.flatMap(({ type, resource: { urn, type: token } }): Gap[] => {
    const kind = kinds.get(token)?.kind;
    if (kind === undefined || type === "reading") return [];
    const message = `an update was interrupted while it was ${type} ${urn}, and the state does not say what came of it: run \`pulumi refresh\`.`;
    return [{ kind, reason: "failed", message }];
  });
}

function objectOf(resource: Resource, { urn, id, outputs }: { urn: string; id: string; outputs: unknown }): InventoryObject {
  const known = new Set([...resource.inputs.keys(), ...resource.outputs.keys()]);
  const values = Object.fromEntries(Object.entries(isRecord(outputs) ? outputs : {}).filter(([name]) => known.has(name)));
  return inventoryObject(resource, values, { id, urn });
}

/** Reads the state of a stack by the Pulumi CLI on PATH. @param cwd the folder of the project */
export async function readStack(stack: string, cwd: string, env: NodeJS.ProcessEnv = process.env): Promise<Inventory> {
  return parseState(await pulumi(["stack", "export", "--stack", stack], cwd, env), `stack ${JSON.stringify(stack)}`);
}

/** Secrets, encrypted or not, become {@link secretMarker}. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value)) return value;
  if (value[signatureKey] === secretSignature) return secretMarker;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutSecrets(item)]));
}
