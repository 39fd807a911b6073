import * as z from "zod";
import { unknownMarker } from "../../provider/adapters/markers";
import { namespace } from "../../provider/context/config";
import { isRecord, unknown } from "../../provider/model/unknown";
import { CommandError } from "../command-line";
import { jsonOf, sourceName, textOf } from "../input";
import { type Inventory, type InventoryObject, inOrder, inputsOf, nameOf, secretMarker } from "./inventory";
import { resourceOfType } from "./state";

const state = z.object({
  type: z.string(),
  id: z.string().optional(),
  inputs: z.record(z.string(), z.unknown()).nullish(),
  outputs: z.record(z.string(), z.unknown()).nullish(),
  /** URN::ID of the provider. */
  provider: z.string().optional(),
  external: z.boolean().optional(),
});
type State = z.output<typeof state>;

const step = z.object({ op: z.string(), urn: z.string(), oldState: state.nullish(), newState: state.nullish() });
type Step = z.output<typeof step>;

const preview = z
  .object({
    steps: z.array(step).optional(),
    /** How many steps of each kind there are, also of those that are not among `steps`. */
    changeSummary: z.record(z.string(), z.number()).optional(),
    diagnostics: z.array(z.object({ severity: z.string() })).optional(),
  })
  // A stack itself is a step, so that every preview has the one or the other.
  .refine(({ steps, changeSummary }) => steps !== undefined || changeSummary !== undefined, "it has neither steps nor a changeSummary");

/** The steps after which a stack manages the object of `newState`. */
const kept: ReadonlySet<string> = new Set(["create", "same", "update", "replace", "create-replacement", "import", "import-replacement"]);

/**
 * What a stack manages once a previewed update is applied. What the preview does not know is the symbol `unknown`, and a secret is
 * `secretMarker`, as the CLI writes it.
 */
export function parsePreview(text: string, source: string): Inventory {
  const parsed = preview.safeParse(jsonOf(text, source));
  if (!parsed.success) {
    throw new CommandError(`${source} is not what \`pulumi preview --json --show-sames\` writes: ${z.prettifyError(parsed.error)}`);
  }
  const { steps = [], changeSummary = {}, diagnostics = [] } = parsed.data;
  if (diagnostics.some(({ severity }) => severity === "error")) {
    throw new CommandError(
      `${source} is the preview of a program that failed, and lacks a part of its resources: correct the program first.`,
    );
  }
  if ((changeSummary.same ?? 0) > steps.filter(({ op }) => op === "same").length) {
    throw new CommandError(`${source} lacks the resources that do not change: write it by \`pulumi preview --json --show-sames\`.`);
  }
  const serverOf = serversOf(steps);
  // A replacement has several steps with the same new state.
  const objects = new Map<string, InventoryObject>();
  for (const { op, urn, oldState, newState } of steps) {
    const resource = newState && resourceOfType(newState.type);
    if (!resource || !kept.has(op) || newState.external) continue;
    const isNew = op !== "same" && op !== "update";
    const outputs = Object.fromEntries(
      Object.entries(newState.inputs ?? {})
        .filter(([name]) => resource.inputs.has(name))
        .map(([name, value]) => [name, withUnknowns(value)]),
    );
    const id = isNew ? undefined : oldState?.id;
    const server = serverOf(newState, resource.api);
    objects.set(urn, { kind: resource.kind, id, name: nameOf(outputs, id), inputs: inputsOf(resource, outputs), outputs, urn, server });
  }
  return { source, objects: inOrder([...objects.values()]), gaps: [] };
}

/**
 * On which server a provider's objects will be: where its other objects are, or else at the address that it is configured with, or else
 * the provider's name. The default providers of a stack have one configuration.
 */
function serversOf(steps: readonly Step[]): (object: State, api: "pools" | "cluster") => string {
  const known = new Map<string, string>();
  const learn = (api: string, provider: string, server: unknown) => {
    const key = `${api} ${provider}`;
    if (!known.has(key) && typeof server === "string" && server !== secretMarker && !server.includes(unknownMarker)) known.set(key, server);
  };
  for (const { oldState, newState } of steps) {
    const resource = newState && resourceOfType(newState.type);
    if (resource) learn(resource.api, providerName(newState), oldState?.outputs?.server);
  }
  for (const { urn, newState } of steps) {
    if (newState?.type !== providerType) continue;
    learn("cluster", nameOfProvider(urn), newState.inputs?.clusterAddress);
    learn("pools", nameOfProvider(urn), newState.inputs?.poolsAddress);
  }
  return (object, api) => known.get(`${api} ${providerName(object)}`) ?? providerName(object);
}

const providerType = `pulumi:providers:${namespace}`;

function providerName({ provider = "" }: State): string {
  return nameOfProvider(provider.slice(0, provider.lastIndexOf("::")));
}

function nameOfProvider(urn: string): string {
  const name = urn.slice(urn.lastIndexOf("::") + 2);
  return name === "" || /^default(_|$)/.test(name) ? "the default provider" : `the provider ${name}`;
}

/** Reads a file that `pulumi preview --json --show-sames` wrote; "-" is standard input. */
export function readPreview(path: string): Inventory {
  return parsePreview(textOf(path), sourceName(path));
}

function withUnknowns(value: unknown): unknown {
  // Within a text, a value that is not known yet may stand among others.
  if (typeof value === "string") return value.includes(unknownMarker) ? unknown : value;
  if (Array.isArray(value)) return value.map(withUnknowns);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withUnknowns(item)]));
}
