import { listOf } from "../provider/model/text";
import { type Command, type CommandIo, flag, readArguments, text, UsageError } from "./command-line";
import { configurationOptions, configurationUsage, readConfiguration, stackConfiguration, stackFolder } from "./configuration";
import { exitStatus } from "./exit-status";
import { readInput } from "./input";
import { type Comparison, compareWithServers, type Drift } from "./inventory/drift";
import { reportingTo } from "./inventory/servers";
import { parseState, readStack } from "./inventory/state";
import { endWith } from "./selection";

const usage = `usage: npx --no-install pulumi-agentpool-acl drift --stack NAME | --state FILE [options]
Compares a stack's state with the servers, without an engine: one list for each kind, and single reads if the list shows another version.
Ends with 0 when there is no drift, 3 when there is some, 4 when something could not be compared. Writes nothing to a server or a state.
  --stack NAME         the stack, read by the Pulumi CLI with its configuration
  --cwd DIR            the folder of the stack's project; this one when left out
  --state FILE         what \`pulumi stack export\` has written; - is standard input
  --json               prints the result as JSON
${configurationUsage}
  --help               prints this`;

async function run(args: string[], io: CommandIo, signal: AbortSignal): Promise<number> {
  const options = { ...configurationOptions, stack: text, cwd: text, state: text, json: flag };
  const { values } = readArguments({ args, options });
  const { stack, state } = values;
  if ((stack === undefined) === (state === undefined)) throw new UsageError("give either --stack or --state");
  const cwd = stackFolder(values);
  const known = stack === undefined ? await readInput(state ?? "-", parseState) : await readStack(stack, cwd);
  const configuration = await readConfiguration(values, stack === undefined ? {} : await stackConfiguration(stack, cwd));
  const comparison = await compareWithServers(known, { configuration, ...reportingTo(io, signal) });
  if (values.json) io.print(JSON.stringify(asJson(known.objects.length, comparison), undefined, 2));
  else print(known.objects.length, comparison, io);
  const status = endWith(io, comparison.gaps);
  return comparison.drift.length > 0 ? exitStatus.found : status;
}

function print(count: number, { drift, gaps }: Comparison, io: CommandIo): void {
  for (const line of drift.flatMap(linesOf)) io.print(line);
  const rest = gaps.length > 0 ? ", and not all could be compared" : "";
  io.print(`${count} objects in the state, ${new Set(drift.map(({ object }) => object)).size} with drift${rest}`);
}

const words = {
  changed: "changed",
  deleted: "deleted: the server does not have it",
  replaced: "deleted, and another was made under its name",
};

function linesOf({ object, kind, properties, others = [] }: Drift): string[] {
  const name = object.name === object.id ? JSON.stringify(object.name) : `${JSON.stringify(object.name)} (${object.id})`;
  const entries = listOf([object.urn ?? "", ...others]);
  const shared = `${entries} are entries of this one object: remove all but one from the state, by \`pulumi state delete URN\``;
  return [
    `${object.kind} ${name}: ${kind === "shared" ? shared : words[kind]}`,
    ...properties.map(({ path, state, server }) => `    ${path}: ${shown(state)} -> ${shown(server)}`),
  ];
}

function shown(value: unknown): string {
  return value === undefined ? "(none)" : JSON.stringify(value);
}

function asJson(objects: number, { drift, gaps }: Comparison): object {
  const items = drift.map(({ object: { kind, id, name, urn }, kind: change, ...rest }) => ({ kind, id, name, urn, change, ...rest }));
  return { objects, drift: items, incomplete: gaps };
}

export const command: Command = { summary: "compares a stack's state with the servers", usage, run };
