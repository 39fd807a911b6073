import * as z from "zod";
import { secretSignature, signatureKey } from "../../provider/adapters/markers";
import { dynamicType, pluginToken } from "../../provider/context/tokens";
import { record } from "../../provider/model/record";
import type { Resource } from "../../provider/model/resource";
import { isRecord } from "../../provider/model/unknown";
import { resources } from "../../provider/resources";
import { CommandError } from "../command-line";
import { jsonOf, pulumi, sourceName, textOf } from "../input";
import { type Inventory, type InventoryObject, inOrder, inputsOf, nameOf, secretMarker } from "./inventory";

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
          delete: z.boolean().optional(),
          /** It is deleted already, by an update whose next step was to make it anew. */
          pendingReplacement: z.boolean().optional(),
          external: z.boolean().optional(),
        }),
      )
      .nullish(),
  }),
});

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

/** The objects that a stack manages, of both adapters. What it only looks up, is to delete, or is to make anew is not among them. */
export function parseState(text: string, source: string): Inventory {
  return stateIn(jsonOf(text, source), source);
}

/** As {@link parseState}, of JSON that is parsed already. */
export function stateIn(given: unknown, source: string): Inventory {
  const parsed = exported.safeParse(given);
  if (!parsed.success) throw new CommandError(`${source} is not what \`pulumi stack export\` writes: ${z.prettifyError(parsed.error)}`);
  const objects = (parsed.data.deployment.resources ?? []).flatMap(({ urn, type, id, outputs, ...entry }) => {
    const resource = kinds.get(type);
    if (!resource || !id || entry.delete || entry.pendingReplacement || entry.external) return [];
    return [objectOf(resource, { urn, id, outputs: withoutSecrets(outputs ?? {}) })];
  });
  return { source, objects: inOrder(objects), gaps: [] };
}

function objectOf(resource: Resource, { urn, id, outputs }: { urn: string; id: string; outputs: unknown }): InventoryObject {
  const known = new Set([...resource.inputs.keys(), ...resource.outputs.keys()]);
  const values = Object.fromEntries(Object.entries(isRecord(outputs) ? outputs : {}).filter(([name]) => known.has(name)));
  return { kind: resource.kind, id, name: nameOf(values, id), inputs: inputsOf(resource, values), outputs: values, urn };
}

/** Reads the state in a file that `pulumi stack export` wrote; "-" is standard input. */
export async function readStateFile(path: string): Promise<Inventory> {
  return parseState(await textOf(path), sourceName(path));
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
