import { basename, resolve } from "node:path";
import { type Command, CommandError, type CommandIo, oneOf, readArguments, UsageError } from "./command-line";
import { configurationOptions, configurationUsage, readConfiguration, stackConfiguration } from "./configuration";
import { exitStatus } from "./exit-status";
import type { InventoryObject } from "./inventory/inventory";
import { readServers } from "./inventory/servers";
import { readStack, readStateFile } from "./inventory/state";
import { gapsInWords, selectionOptions, selectionUsage, selectKinds, selectNames } from "./selection";
import { languages, projectFiles, spelling, writeProject } from "./takeover/files";
import { type Finding, findingsIn } from "./takeover/findings";
import { hiddenSecrets, type Program, programOf } from "./takeover/program";

const usage = `usage: pulumi-agentpool-acl import --output DIR [options]
Writes a program that declares what the servers have, and import.json, by which \`pulumi import\` takes it over. Writes nothing to a server.
  --output DIR         the folder of the project, which must be empty or not exist
  --force              also writes into a folder that is not empty, over files of the same names
  --language NAME      ${languages.join(", ")}; typescript when left out
  --dynamic            a TypeScript program over dynamic resources, which adopt what exists
  --with-import-options  the program itself imports, at its first update; no import.json
  --with-secrets       the program takes the secrets that the API does not return from the configuration, and writes them at the first update
  --without FINDING    leaves out orphan, duplicate or unreferenced objects, any number of times
  --stack NAME         leaves out what this stack manages, and takes its configuration; read by the Pulumi CLI
  --cwd DIR            the folder of the stack's project; this one when left out
  --state FILE         leaves out what a stack manages: what \`pulumi stack export\` has written, any number of times
${selectionUsage}
${configurationUsage}
  --help               prints this`;

const found = ["orphan", "duplicate", "unreferenced"] as const;

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const many = { type: "string", multiple: true } as const;
const options = {
  ...configurationOptions,
  ...selectionOptions,
  ...{ output: text, force: flag, language: text, dynamic: flag, "with-import-options": flag, "with-secrets": flag },
  ...{ without: many, stack: text, cwd: text, state: many },
} as const;

function readInvocation(args: string[]) {
  const { values } = readArguments({ args, options });
  const { output, dynamic: isDynamic = false, "with-import-options": withImportOptions = false } = values;
  if (output === undefined) throw new UsageError("--output is needed");
  const language = oneOf(languages, "language", values.language) ?? "typescript";
  if (isDynamic && language !== "typescript") throw new UsageError("--dynamic is for TypeScript");
  if (isDynamic && withImportOptions) throw new UsageError("dynamic resources can't be imported: leave out --with-import-options");
  const without = (values.without ?? []).map((word) => oneOf(found, "without", word));
  return { values, output, language, isDynamic, withImportOptions, without };
}

async function run(args: string[], io: CommandIo, signal: AbortSignal): Promise<number> {
  const { values, output, language, isDynamic, withImportOptions, without } = readInvocation(args);
  const { stack, cwd = process.cwd(), "with-secrets": withSecrets = false, force = false } = values;
  const states = [...(stack === undefined ? [] : [await readStack(stack, cwd)]), ...(values.state ?? []).map(readStateFile)];
  const configuration = readConfiguration(values, stack === undefined ? {} : await stackConfiguration(stack, cwd));
  const { resources, unconfigured } = selectKinds(values, configuration);
  const organizations = values.organization ?? [];
  const { objects, gaps } = await readServers({ configuration, resources, organizations, report: io.complain, signal });
  const isComplete = (kind: string) => resources.some((one) => one.kind === kind) && !gaps.some((gap) => gap.kind === kind);
  const findings = findingsIn(objects, isComplete);
  const managed = new Map(states.flatMap((state) => state.objects.map((object) => [keyOf(object), state.source] as const)));
  const left = new Set(findings.filter(({ kind }) => without.some((word) => word === kind)).map(({ object }) => object));
  const free = objects.filter((object) => !managed.has(keyOf(object)));
  const chosen = free.filter(selectNames(values)).filter((object) => !left.has(object));
  if (chosen.length === 0) throw new CommandError("There is nothing to take over, and nothing was written.");
  const program = programOf(chosen, { withSecrets, spell: spelling[language] });
  const project = basename(resolve(output)).replace(/[^A-Za-z0-9_.-]/g, "-") || "taken-over";
  writeProject(output, projectFiles(program, { language, project, isDynamic, withImportOptions }), force);
  report(io, { read: objects.length, managed: objects.length - free.length, program, findings, output });
  for (const line of nextSteps(program, { isDynamic, withImportOptions, hasLeftSecrets: !withSecrets })) io.print(line);
  for (const line of gapsInWords(gaps, unconfigured)) io.complain(line);
  return gaps.length > 0 ? exitStatus.incomplete : exitStatus.done;
}

function keyOf({ kind, id }: InventoryObject): string {
  return `${kind} ${id?.toLowerCase()}`;
}

interface Summary {
  readonly read: number;
  readonly managed: number;
  readonly program: Program;
  readonly findings: readonly Finding[];
  readonly output: string;
}

function report(io: CommandIo, { read, managed, program, findings, output }: Summary): void {
  for (const { kind, message } of findings) io.print(`${kind}: ${message}`);
  const left = read - managed - program.declarations.length;
  const rest = [...(managed > 0 ? [`${managed} are managed already`] : []), ...(left > 0 ? [`${left} were left out`] : [])];
  io.print(`${program.declarations.length} of ${read} objects are written to ${output}${rest.length > 0 ? `; ${rest.join(", ")}` : ""}`);
}

function nextSteps(
  { declarations, secrets }: Program,
  { isDynamic, withImportOptions, hasLeftSecrets }: { isDynamic: boolean; withImportOptions: boolean; hasLeftSecrets: boolean },
): string[] {
  const hidden = declarations.flatMap(({ object }) => hiddenSecrets(object));
  return [
    ...(hidden.length > 0 && hasLeftSecrets
      ? [`secrets that the API does not return are left out (${hidden.length}); no update touches them`]
      : []),
    ...secrets.map((key) => `pulumi config set --secret ${key}`),
    ...(secrets.length > 0 ? ["the first update writes each auth method with such a secret once"] : []),
    ...(isDynamic ? ["pulumi up    # shows creates, which adopt what exists and write nothing"] : []),
    ...(withImportOptions ? ["pulumi up    # imports; where the program differs by then, the same update changes the object"] : []),
    ...(isDynamic || withImportOptions
      ? []
      : ["pulumi import --file import.json --protect=false --generate-code=false", "pulumi preview    # shows no change"]),
  ];
}

/** `import` as a command. */
export const importCommand: Command = { summary: "writes a program for what the servers have", usage, run };
