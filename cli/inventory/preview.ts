import * as z from "zod";
import { unknownMarker } from "../../provider/adapters/markers";
import { namespace } from "../../provider/context/config";
import { record } from "../../provider/model/record";
import { isRecord, unknown } from "../../provider/model/unknown";
import { CommandError } from "../command-line";
import { jsonOf, sourceName, textOf } from "../input";
import { type Inventory, type InventoryObject, inOrder, inputsOf, nameOf, secretMarker } from "./inventory";
import { resourceOfType } from "./state";

const state = z.object({
  type: z.string(),
  id: z.string().optional(),
  inputs: record(z.unknown()).nullish(),
  outputs: record(z.unknown()).nullish(),
  /** URN::ID of the provider. */
  provider: z.string().optional(),
  external: z.boolean().optional(),
  /** A stale object, which a replacement that failed has left. */
  delete: z.boolean().optional(),
  /** It is deleted before it is made anew: by this update, or already by an earlier one. */
  pendingReplacement: z.boolean().optional(),
});
type State = z.output<typeof state>;

const step = z.object({ op: z.string(), urn: z.string(), oldState: state.nullish(), newState: state.nullish() });
type Step = z.output<typeof step>;

const preview = z
  .object({
    steps: z.array(step).optional(),
    /** How many steps of each kind there are, also of those that are not among `steps`. */
    changeSummary: record(z.number()).optional(),
    diagnostics: z.array(z.object({ severity: z.string() })).optional(),
  })
  // A stack itself is a step, so that every preview has the one or the other.
  .refine(({ steps, changeSummary }) => steps !== undefined || changeSummary !== undefined, "it has neither steps nor a changeSummary");

/** The steps before which a stack manages the object of `oldState`. */
const managed: ReadonlySet<string> = new Set([
  ...["same", "update", "delete", "replace", "create-replacement", "delete-replaced", "import", "import-replacement"],
]);

/** The steps after which a stack manages the object of `newState`. */
const kept: ReadonlySet<string> = new Set(["create", "same", "update", "replace", "create-replacement", "import", "import-replacement"]);

/** What a stack manages before a previewed update, and once it is applied. */
export interface PreviewedChange {
  readonly before: Inventory;
  readonly after: Inventory;
  /** The URNs of the resources that the update leaves as they are. */
  readonly unchanged: ReadonlySet<string>;
}

/**
 * What a stack manages once a previewed update is applied. What the preview does not know is the symbol `unknown`, and a secret is
 * `secretMarker`, as the CLI writes it.
 */
export function parsePreview(text: string, source: string): Inventory {
  return parsePreviewedChange(text, source).after;
}

export function parsePreviewedChange(text: string, source: string): PreviewedChange {
  const steps = stepsOf(text, source);
  const serverOf = serversOf(steps);
  const deletedFirst = new Set(steps.flatMap(({ op, urn, oldState }) => (op === "delete-replaced" && !oldState?.delete ? [urn] : [])));
  // A replacement has several steps with the same states.
  const [before, after] = [new Map<string, InventoryObject>(), new Map<string, InventoryObject>()];
  for (const { op, urn, oldState, newState } of steps) {
    // What an update imports is on the server already.
    const old = op === "import" ? newState : oldState;
    const isThere = old && !old.delete && (!old.pendingReplacement || deletedFirst.has(urn));
    if (isThere && managed.has(op)) add(before, { urn, state: old, id: oldState?.id }, serverOf);
    const isNew = op !== "same" && op !== "update";
    if (newState && kept.has(op)) add(after, { urn, state: newState, id: isNew ? undefined : oldState?.id }, serverOf);
  }
  const inventory = (objects: ReadonlyMap<string, InventoryObject>) => ({ source, objects: inOrder([...objects.values()]), gaps: [] });
  const unchanged = new Set(steps.flatMap(({ op, urn }) => (op === "same" ? [urn] : [])));
  return { before: inventory(before), after: inventory(after), unchanged };
}

interface Managed {
  readonly urn: string;
  readonly state: State;
  readonly id: string | undefined;
}

function add(
  objects: Map<string, InventoryObject>,
  { urn, state: { type, external, inputs }, state: found, id }: Managed,
  serverOf: ReturnType<typeof serversOf>,
): void {
  const resource = resourceOfType(type);
  if (!resource || external) return;
  const outputs = Object.fromEntries(
    Object.entries(inputs ?? {})
      .filter(([name]) => resource.inputs.has(name))
      .map(([name, value]) => [name, withUnknowns(value)]),
  );
  const server = serverOf(found, resource.api);
  objects.set(urn, { kind: resource.kind, id, name: nameOf(outputs, id), inputs: inputsOf(resource, outputs), outputs, urn, server });
}

function stepsOf(text: string, source: string): Step[] {
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
  return steps;
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

/** The same, and what the stack manages before. */
export async function readPreviewedChange(path: string): Promise<PreviewedChange> {
  return parsePreviewedChange(await textOf(path), sourceName(path));
}

/** Reads a file that `pulumi preview --json --show-sames` wrote; "-" is standard input. */
export async function readPreview(path: string): Promise<Inventory> {
  return parsePreview(await textOf(path), sourceName(path));
}

function withUnknowns(value: unknown): unknown {
  // Within a text, a value that is not known yet may stand among others.
  if (typeof value === "string") return value.includes(unknownMarker) ? unknown : value;
  if (Array.isArray(value)) return value.map(withUnknowns);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withUnknowns(item)]));
}
