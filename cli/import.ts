import { basename, resolve } from "node:path";
import { someOf } from "../provider/context/wording";
import { type Command, CommandError, type CommandIo, oneOf, readArguments, UsageError } from "./command-line";
import { configurationOptions, configurationUsage, refuseServerOptions, stackFolder } from "./configuration";
import { exitStatus } from "./exit-status";
import { reportingTo } from "./inventory/servers";
import { readStack, readStateFile } from "./inventory/state";
import { gapsInWords, selectionOptions, selectionUsage, selectNames } from "./selection";
import { type Choice, choose } from "./takeover/choice";
import { projectFiles, spelling } from "./takeover/files";
import { findingKinds } from "./takeover/findings";
import { languages } from "./takeover/languages";
import { hiddenSecrets, type Program, programOf } from "./takeover/program";
import { writeProject } from "./takeover/project-folder";
import { serverSource, terraformSource } from "./takeover/sources";

const usage = `usage: pulumi-agentpool-acl import --output DIR [options]
Writes a program that declares what the servers have, and import.json, by which \`pulumi import\` takes it over. Writes nothing to a server.
  --from-terraform FILE  objects and names from a Terraform state and not from servers: what \`terraform show -json\` has written;
                       - is standard input. Sends no request
  --output DIR         the folder of the project, which must be empty or not exist
  --force              also writes into a folder that is not empty, over files of the same names
  --language NAME      ${languages.join(", ")}; typescript when left out
  --split              a file for each auth method with its rules, and one for each other kind; not for yaml
  --dynamic            a TypeScript program over dynamic resources, which adopt what exists
  --with-import-options  the program itself imports, at its first update; no import.json
  --with-secrets       the program takes the secrets that the API does not return from the configuration, and writes them at the first update
  --without FINDING    leaves out orphan, duplicate, unreferenced or elsewhere objects, any number of times
  --stack NAME         leaves out what this stack manages, and takes its configuration; read by the Pulumi CLI
  --cwd DIR            the folder of the stack's project; this one when left out
  --state FILE         leaves out what a stack manages: what \`pulumi stack export\` has written, any number of times
  --with-managed       also writes what these stacks manage, to move it from one stack to another
${selectionUsage}
${configurationUsage}
  --help               prints this`;

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const many = { type: "string", multiple: true } as const;
const options = {
  ...configurationOptions,
  ...selectionOptions,
  "from-terraform": text,
  ...{ output: text, force: flag, language: text, split: flag, dynamic: flag, "with-import-options": flag, "with-secrets": flag },
  ...{ without: many, stack: text, cwd: text, state: many, "with-managed": flag },
} as const;

function readInvocation(args: string[]) {
  const { values } = readArguments({ args, options });
  const { output, dynamic: isDynamic = false, "with-import-options": withImportOptions = false } = values;
  if (output === undefined) throw new UsageError("--output is needed");
  const language = oneOf(languages, "language", values.language) ?? "typescript";
  if (values.split && language === "yaml") throw new UsageError("--split: a YAML program is one file; give another --language");
  if (isDynamic && language !== "typescript") throw new UsageError("--dynamic is for TypeScript");
  if (isDynamic && withImportOptions) throw new UsageError("dynamic resources can't be imported: leave out --with-import-options");
  if (values["from-terraform"] !== undefined) refuseServerOptions("from-terraform", values);
  const without = (values.without ?? []).flatMap((word) => oneOf(findingKinds, "without", word) ?? []);
  return { values, output, language, isDynamic, withImportOptions, without, cwd: stackFolder(values) };
}

async function run(args: string[], io: CommandIo, signal: AbortSignal): Promise<number> {
  const { values, output, language, isDynamic, withImportOptions, without, cwd } = readInvocation(args);
  const { stack, "with-secrets": withSecrets = false, "with-managed": withManaged = false, force = false } = values;
  const own = stack === undefined ? undefined : await readStack(stack, cwd);
  const states = await Promise.all((values.state ?? []).map(readStateFile));
  const isNamed = selectNames(values);
  const terraform = values["from-terraform"];
  const source =
    terraform === undefined
      ? await serverSource(values, { isNamed, ...reportingTo(io, signal) })
      : await terraformSource(terraform, { ...values, isNamed });
  const { inventory, isComplete, basesOf } = source;
  const choice = choose(inventory, { stack: own, states, isNamed, without, withManaged, isDynamic, isComplete });
  for (const line of source.remarks) io.print(line);
  const missing = gapsInWords(inventory.gaps, source.unconfigured);
  if (choice.chosen.length === 0) {
    for (const line of missing) io.complain(line);
    throw new CommandError(`There is nothing to take over${leftOutText(choice)}. Nothing was written.`);
  }
  const program = programOf(choice.chosen, { withSecrets, spell: spelling[language], ...(basesOf && { basesOf }) });
  const project =
    basename(resolve(output))
      .replace(/[^A-Za-z0-9_.-]/g, "-")
      // Go takes no module whose name begins with a dash, and npm no package whose name begins with a dot.
      .replace(/^[^A-Za-z0-9]+/, "")
      .slice(0, 100) || "taken-over";
  const files = projectFiles(program, { language, project, isDynamic, withImportOptions, isSplit: values.split === true });
  const others = writeProject(output, files, force);
  for (const { kind, message } of choice.findings) io.print(`${kind}: ${message}`);
  io.print(`${choice.chosen.length} of ${inventory.listed.length} objects are written to ${output}${leftOutText(choice)}`);
  for (const line of nextSteps(program, { isDynamic, withImportOptions, withSecrets })) io.print(line);
  for (const line of source.lastSteps(choice.chosen)) io.print(line);
  if (others.length > 0)
    io.print(`${output} has source files that are not of this program: ${someOf(others)}. Remove those of an earlier one.`);
  for (const line of missing) io.complain(line);
  return inventory.gaps.length > 0 ? exitStatus.incomplete : exitStatus.done;
}

function leftOutText({ leftOut }: Choice): string {
  return leftOut.size === 0 ? "" : `; left out: ${[...leftOut].map(([reason, count]) => `${count} ${reason}`).join(", ")}`;
}

interface Way {
  readonly isDynamic: boolean;
  readonly withImportOptions: boolean;
  readonly withSecrets: boolean;
}

function nextSteps({ declarations, secrets }: Program, { isDynamic, withImportOptions, withSecrets }: Way): string[] {
  const hidden = declarations.flatMap(({ object }) => hiddenSecrets(object));
  const isWritten = hidden.length > 0 && withSecrets;
  const isSensitive = declarations.some(({ object }) => object.sensitive !== undefined);
  return [
    ...(hidden.length > 0 && !withSecrets
      ? [`secrets that the API does not return are left out (${hidden.length}); no update touches them`]
      : []),
    ...secrets.map((key) => `pulumi config set --secret ${key}`),
    ...(isWritten ? ["the first update writes each auth method with such a secret once"] : []),
    ...(isSensitive
      ? ["what is sensitive in Terraform comes from the configuration: set it to what it is there, and nothing changes"]
      : []),
    ...(isDynamic
      ? [`pulumi up    # shows creates, which adopt what exists and write ${isWritten ? "only those secrets" : "nothing"}`]
      : []),
    ...(withImportOptions ? ["pulumi up    # imports; where the program differs by then, the same update changes the object"] : []),
    ...(isDynamic || withImportOptions
      ? []
      : [
          "pulumi import --file import.json --protect=false --generate-code=false",
          `pulumi preview    # shows ${isWritten ? "only those auth methods" : "no change"}`,
        ]),
  ];
}

/** `import` as a command. */
export const importCommand: Command = { summary: "writes a program for what the servers have", usage, run };
