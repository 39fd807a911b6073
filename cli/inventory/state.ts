import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import * as z from "zod";
import { secretSignature, signatureKey } from "../../provider/adapters/markers";
import { dynamicType, pluginToken } from "../../provider/context/tokens";
import type { Resource } from "../../provider/model/resource";
import { isRecord } from "../../provider/model/unknown";
import { resources } from "../../provider/resources";
import { CommandError } from "../command-line";
import { type Inventory, type InventoryObject, inOrder, inputsOf, nameOf, secretMarker } from "./inventory";

const properties = z.record(z.string(), z.unknown());

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

/** The objects that a stack manages, of both adapters. What it only looks up, or is to delete, is not among them. */
export function parseState(text: string, source: string): Inventory {
  const parsed = exported.safeParse(jsonOf(text, source));
  if (!parsed.success) throw new CommandError(`${source} is not what \`pulumi stack export\` writes: ${z.prettifyError(parsed.error)}`);
  const objects = (parsed.data.deployment.resources ?? []).flatMap(({ urn, type, id, outputs, delete: isOld, external }) => {
    const resource = kinds.get(type);
    if (!resource || !id || isOld || external) return [];
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
export function readStateFile(path: string): Inventory {
  return parseState(textOf(path), path === "-" ? "standard input" : path);
}

/** Reads the state of a stack by the Pulumi CLI on PATH. @param cwd the folder of the project */
export async function readStack(stack: string, cwd: string, env: NodeJS.ProcessEnv = process.env): Promise<Inventory> {
  return parseState(await pulumi(["stack", "export", "--stack", stack], cwd, env), `stack ${JSON.stringify(stack)}`);
}

/** Runs the Pulumi CLI. @returns its standard output @throws CommandError with what it says */
export async function pulumi(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  try {
    return (await promisify(execFile)("pulumi", [...args, "--non-interactive"], { cwd, env, maxBuffer: 2 ** 30 })).stdout;
  } catch (error) {
    const { code, stderr } = z.object({ code: z.unknown(), stderr: z.string().optional() }).parse(error);
    if (code === "ENOENT") {
      throw new CommandError(
        "The Pulumi CLI is not on PATH. Put it there, or give the state as a file that `pulumi stack export` wrote (--state FILE).",
      );
    }
    throw new CommandError(`\`pulumi ${args.join(" ")}\` failed: ${(stderr ?? String(error)).trim()}`);
  }
}

/** The text of a file, or of standard input for "-". @throws CommandError when it can't be read */
export function textOf(path: string): string {
  try {
    return readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (cause) {
    throw new CommandError(`${path} can't be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** @throws CommandError without the text, which may hold secrets */
export function jsonOf(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${source} is not JSON.`);
  }
}

/** Secrets, encrypted or not, become {@link secretMarker}. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value)) return value;
  if (value[signatureKey] === secretSignature) return secretMarker;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutSecrets(item)]));
}
