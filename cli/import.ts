import { basename, resolve } from "node:path";
import { someOf } from "../provider/internal";
import { type Command, CommandError, type CommandIo, flag, oneOf, readArguments, text, texts, UsageError } from "./command-line";
import { configurationOptions, configurationUsage, refuseServerOptions, stackFolder } from "./configuration";
import { exitStatus } from "./exit-status";
import { type Choice, choose } from "./import/choice";
import { projectFiles, spelling } from "./import/files";
import { findingKinds, withId } from "./import/findings";
import { languages } from "./import/names";
import { hiddenSecrets, type Program, toProgram } from "./import/program";
import { writeProject } from "./import/project-folder";
import { dependencyFrom, placeholders, sequence } from "./import/sequence";
import { serverSource, stateSource } from "./import/sources";
import { configurationCommands } from "./import/stack-configuration";
import { readInput } from "./input";
import { type ListedObject, reportingTo } from "./inventory/servers";
import { parseState, readStack } from "./inventory/state";
import { gapMessages, selectionOptions, selectionUsage, selectNames } from "./selection";

const usage = `usage: npx --no-install pulumi-agentpool-acl import --output DIR [options]
Writes a program that declares the servers' objects, and import.json, with which \`pulumi import\` takes them over. Writes nothing to a server.
  --from-terraform FILE  objects and names from a Terraform state instead of servers: the output of \`terraform show -json\`;
                       - is standard input. Sends no request
  --from-state FILE    the same from the state of a stack with Pulumi's Nomad provider: the output of \`pulumi stack export\`
  --output DIR         the folder of the project, which must be empty or not exist
  --force              writes into a folder that is not empty, and overwrites files of the same names
  --language NAME      ${languages.join(", ")}; typescript when left out
  --split              one file for each auth method with its rules, and files for the other kinds; not for yaml
  --dynamic            a TypeScript program with dynamic resources, which adopt existing objects
  --with-import-options  the program imports at its first update; no import.json
  --with-secrets       the program takes from the configuration the secrets that the API does not return, and writes them at the first update
  --without FINDING    leaves out orphan, duplicate, unreferenced or elsewhere objects, any number of times
  --stack NAME         leaves out objects of this stack, and uses its configuration, which the Pulumi CLI reads
  --cwd DIR            the folder of the stack's project; this one when left out
  --state FILE         leaves out objects of a stack: the output of \`pulumi stack export\`, any number of times
  --rules-by-name      --match chooses rules by their own names alone; otherwise a chosen method's rules come along
  --with-managed       includes objects of these stacks, to move them from one stack to another
${selectionUsage}
${configurationUsage}
  --help               prints this`;

const options = {
  ...configurationOptions,
  ...selectionOptions,
  ...{ "from-terraform": text, "from-state": text },
  ...{ output: text, force: flag, language: text, split: flag, dynamic: flag, "with-import-options": flag, "with-secrets": flag },
  ...{ without: texts, "rules-by-name": flag, stack: text, cwd: text, state: texts, "with-managed": flag },
} as const;

function readInvocation(args: string[]) {
  const { values } = readArguments({ args, options });
  const { output, dynamic: isDynamic = false, "with-import-options": withImportOptions = false } = values;
  if (output === undefined) throw new UsageError("--output is needed");
  const language = oneOf(languages, "language", values.language) ?? "typescript";
  if (values.split && language === "yaml") throw new UsageError("--split: a YAML program is one file; give another --language");
  if (isDynamic && language !== "typescript") throw new UsageError("--dynamic is for TypeScript");
  if (isDynamic && withImportOptions) throw new UsageError("dynamic resources can't be imported: leave out --with-import-options");
  const [from, another] = (["terraform", "state"] as const).filter((one) => values[`from-${one}`] !== undefined);
  if (another) throw new UsageError("--from-terraform and --from-state are two sources: give one");
  if (from) refuseServerOptions(`from-${from}`, values);
  const without = (values.without ?? []).flatMap((word) => oneOf(findingKinds, "without", word) ?? []);
  const withSecrets = values["with-secrets"] === true;
  return { values, output, language, isDynamic, withImportOptions, withSecrets, without, from, cwd: stackFolder(values) };
}

async function run(args: string[], io: CommandIo, signal: AbortSignal): Promise<number> {
  const invocation = readInvocation(args);
  const { values, output, language, isDynamic, withSecrets, without, from, cwd } = invocation;
  const stack = values.stack === undefined ? undefined : await readStack(values.stack, cwd);
  const states = await Promise.all((values.state ?? []).map((path) => readInput(path, parseState)));
  const isNamed = selectNames(values);
  const isKept = selectNames({ exclude: values.exclude });
  const comesAlong = (rule: ListedObject) => !values["rules-by-name"] && isKept(rule);
  const source =
    from === undefined
      ? await serverSource(values, { isNamed, ...reportingTo(io, signal) })
      : await stateSource({ path: values[`from-${from}`] ?? "", from }, { ...values, isNamed });
  const { inventory, isComplete, basesOf } = source;
  const withManaged = values["with-managed"] === true;
  const choice = choose(inventory, { stack, states, isNamed, comesAlong, without, withManaged, isDynamic, isComplete });
  for (const line of source.remarks) io.print(line);
  for (const [object, { message }] of choice.unwanted) io.print(`left out: ${withId(object)} ${message}`);
  const missing = gapMessages(inventory.gaps, source.unconfigured);
  if (choice.chosen.length === 0) {
    for (const line of missing) io.complain(line);
    throw new CommandError(`There is nothing to import${leftOutText(choice)}. Nothing was written.`);
  }
  const program = toProgram(choice.chosen, { withSecrets, spell: spelling[language], ...(basesOf && { basesOf }) });
  const project =
    basename(resolve(output))
      .replace(/[^A-Za-z0-9_.-]/g, "-")
      // Go takes no module whose name begins with a dash, and npm no package whose name begins with a dot.
      .replace(/^[^A-Za-z0-9]+/, "")
      .slice(0, 100) || "imported";
  const dependency = dependencyFrom(output);
  const files = projectFiles(program, { ...invocation, project, isSplit: values.split === true, dependency });
  const others = writeProject(output, files, values.force === true);
  const commands = sequence(program, { ...invocation, configuration: configurationCommands(choice.chosen, source.settings) });
  const last = [
    ...choice.findings.map(({ kind, message }) => `${kind}: ${message}`),
    `${choice.chosen.length} of ${inventory.listed.length} objects are written to ${output}${leftOutText(choice)}`,
    ...remarksOn(program, withSecrets),
    ...source.lastSteps(choice.chosen),
    ...(others.length > 0 ? [`${output} has other source files: ${someOf(others)}. Remove the files of an earlier program.`] : []),
    ...placeholders(commands),
    commands,
  ];
  for (const line of last) io.print(line);
  for (const line of missing) io.complain(line);
  return inventory.gaps.length > 0 ? exitStatus.incomplete : exitStatus.done;
}

function leftOutText({ leftOut }: Choice): string {
  return leftOut.size === 0 ? "" : `; left out: ${[...leftOut].map(([reason, count]) => `${count} ${reason}`).join(", ")}`;
}

/** Remarks for the user before the import. */
function remarksOn({ declarations }: Program, withSecrets: boolean): string[] {
  const hidden = declarations.flatMap(({ object }) => hiddenSecrets(object)).length;
  const has = (kind: string) => declarations.some((one) => one.kind === kind);
  const isSensitive = declarations.some(({ object }) => object.sensitive !== undefined);
  const leftOut = `secrets that the API does not return are left out (${hidden}); no update touches them`;
  return [
    ...(hidden > 0
      ? [
          withSecrets
            ? "secrets that the API does not return come from the configuration: the first update writes each auth method that has one"
            : leftOut,
        ]
      : []),
    ...(has("AgentToken")
      ? ["tokens of agents are imported without their secret, which only a create returns: the next change makes a new one"]
      : []),
    ...(has("AclToken")
      ? ["ACL tokens are imported with their secret, which the stack's state keeps encrypted: no file of the program has it"]
      : []),
    ...(isSensitive ? ["secrets of the state come from the configuration: set each to its value in the state, and nothing changes"] : []),
  ];
}

export const command: Command = { summary: "writes a program for the servers' objects", usage, run };
