import { execFileSync } from "node:child_process";
import { join } from "node:path";
import * as z from "zod";
import type { AdapterName } from "../../tools/engines/engine";
import { root } from "../../tools/repository";
import type { Played } from "./play";

/** The previews that the tests read, a file for each adapter and scenario. */
export const fixtures = join(root, "test/fixtures/previews");

export const fixtureFile = (adapter: AdapterName, name: string) => join(fixtures, `${adapter}-${name}.json`);

const json = z.record(z.string(), z.unknown());

const previewed = z.object({ steps: z.array(json), changeSummary: json.optional() });

/** A recorded preview, and the objects of the servers before and after the update. */
export const fixture = z.object({
  /** The version of the CLI that wrote it. */
  cli: z.string(),
  before: z.array(z.string()),
  after: z.array(z.string()),
  preview: previewed,
  /** The same without `--show-replacement-steps`. */
  brief: previewed,
  state: json,
});

export function cliVersion(): string {
  return execFileSync("pulumi", ["version"], { encoding: "utf8" }).trim();
}

/**
 * The properties of a resource that a recording keeps: the ones that readers of previews and states use, and some that readers must ignore.
 */
const keptKeys = [
  ...["urn", "type", "id", "provider", "external", "delete", "pendingReplacement", "retainOnDelete", "deletedWith", "importID"],
  ...["inputs", "outputs"],
];

/** @returns a scenario's preview as it is kept: small, with stable IDs and addresses, a line for each step */
export function fixtureText(cli: string, { preview, brief, state, before, after }: Played): string {
  const { deployment } = z.object({ deployment: z.object({ resources: z.array(json) }) }).parse(JSON.parse(state));
  // Leaves out the providers, which have tokens.
  const own = deployment.resources.filter(({ type }) => /:Acl\w+$/.test(String(type)));
  const resources = own.map((resource) => ({ ...keptOf(resource), inputs: undefined }));
  const parts = [
    ["cli", JSON.stringify(cli)],
    ...Object.entries({ before, after }).map(([key, lines]) => [key, listed(lines)]),
    ...Object.entries({ preview, brief }).map(([key, text]) => [key, previewText(text)]),
    ["state", `{ "version": 3, "deployment": { "resources": ${listed(resources)} } }`],
  ];
  return withStableIds(`{\n${parts.map(([key, text]) => `"${key}": ${text}`).join(",\n")}\n}\n`);
}

function previewText(text: string): string {
  const { steps, changeSummary } = previewed.parse(JSON.parse(text));
  const states = steps.map(({ op, urn, oldState, newState }) => ({ op, urn, oldState: inStep(oldState), newState: inStep(newState) }));
  return `{ "steps": ${listed(states)}, "changeSummary": ${JSON.stringify(changeSummary)} }`;
}

/** A state in a step. Its only output is the server: the other outputs repeat the inputs, or do not matter. */
function inStep(state: unknown): unknown {
  const parsed = json.safeParse(state);
  if (!parsed.success) return undefined;
  const { server } = json.catch({}).parse(parsed.data.outputs);
  return { ...keptOf(parsed.data), outputs: server === undefined ? undefined : { server } };
}

function keptOf(state: z.output<typeof json>): z.output<typeof json> {
  const entries = keptKeys.flatMap((key) => (state[key] === undefined ? [] : [[key, settled(state[key])]]));
  return Object.fromEntries(entries);
}

/** Properties that a recording leaves out: the code of a dynamic resource's provider, and values that differ each time. */
const volatile = new Set(["__provider", "createIndex", "modifyIndex", "createTime", "modifyTime", "hash"]);

function settled(value: unknown): unknown {
  const parsed = json.safeParse(value);
  if (!parsed.success) return value;
  return Object.fromEntries(Object.entries(parsed.data).filter(([key]) => !volatile.has(key)));
}

const listed = (items: readonly unknown[]) => `[\n${items.map((item) => JSON.stringify(item)).join(",\n")}\n]`;

/** Numbers UUIDs and addresses in the order of their first place. */
function withStableIds(text: string): string {
  const numbers = new Map<string, string>();
  const uuid = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
  return text
    .replace(uuid, (id) => {
      if (id === unknownText) return id;
      const known = numbers.get(id) ?? `00000000-0000-4000-8000-${String(numbers.size + 1).padStart(12, "0")}`;
      numbers.set(id, known);
      return known;
    })
    .replace(/\bhttp:\/\/127\.0\.0\.1:\d+/g, "https://server.example.com");
}

/** The engine's text for a value that is not known yet. */
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
