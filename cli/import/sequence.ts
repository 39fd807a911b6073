import { existsSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { packageRoot, packageVersion, pluginDownloadUrl } from "../../provider/internal";
import type { Language } from "./names";
import type { Program } from "./program";
import { shellText } from "./text";

/** Whether the package is in npm's registry, and the plugin in its releases. */
const isPublished = pluginDownloadUrl !== undefined;

/** The dependency of a program in this folder on the package of this command. */
export function dependencyFrom(folder: string): string {
  if (isPublished) return `^${packageVersion}`;
  return `file:${relative(resolve(folder), packageRoot).replaceAll(sep, "/")}`;
}

/** This machine's platform in Pulumi's spelling; undefined if there is no archive for it. */
function platform(): string | undefined {
  const system = { linux: "linux", darwin: "darwin", win32: "windows" }[String(process.platform)];
  const processor = { x64: "amd64", arm64: "arm64" }[process.arch as string];
  if (system === undefined || processor === undefined || (system === "windows" && processor === "arm64")) return undefined;
  return `${system}-${processor}`;
}

/** The commands that install the program's dependencies. */
function installation(language: Language): string[] {
  if (language === "typescript") return ["npm install"];
  if (isPublished) return ["pulumi install"];
  const name = `pulumi-resource-agentpool-acl-v${packageVersion}-${platform()}.tar.gz`;
  const isCheckout = existsSync(join(packageRoot, "tools/package")) && platform() !== undefined;
  const file = isCheckout ? shellText(join(packageRoot, name)) : "ARCHIVE";
  return [
    ...(isCheckout ? [`(cd ${shellText(packageRoot)} && npm run package -- --platform ${platform()})`] : []),
    `pulumi plugin install resource agentpool-acl ${packageVersion} --file ${file}`,
    "pulumi install",
  ];
}

export interface SequenceOptions {
  readonly output: string;
  readonly language: Language;
  readonly isDynamic: boolean;
  readonly withImportOptions: boolean;
  /** The commands that configure the services. */
  readonly configuration: readonly string[];
}

/**
 * All commands up to a stack that manages the objects, as one shell command, because the commands for secrets prompt. The last line has a
 * comment with the expected output.
 */
export function sequence({ declarations, secrets }: Program, options: SequenceOptions): string {
  const { output, language, isDynamic, withImportOptions, configuration } = options;
  const isWritten = declarations.some(({ writesSecrets }) => writesSecrets);
  const adopts = `shows creates, which adopt existing objects and write ${isWritten ? "only those secrets" : "nothing"}`;
  const last = isDynamic
    ? ["pulumi up", adopts]
    : withImportOptions
      ? ["pulumi up", "imports; if the program differs by then, the same update changes the object"]
      : ["pulumi preview", `shows ${isWritten ? "only the auth methods with secrets" : "no change"}`];
  const steps = [
    `cd ${shellText(output)}`,
    ...installation(language),
    "pulumi stack init dev",
    ...configuration,
    ...secrets.map((key) => `pulumi config set --secret ${key}`),
    ...(isDynamic || withImportOptions ? [] : ["pulumi import --file import.json --protect=false --generate-code=false"]),
    last[0],
  ];
  return `${steps.join(" &&\n  ")}    # ${last[1]}`;
}

/** The meaning of the words in capitals in the sequence. */
export function placeholders(text: string): string[] {
  return [
    ...(/ ADDRESS /.test(`${text} `.replaceAll("\n", " ")) ? ["ADDRESS stands for the address of the service"] : []),
    ...(text.includes("--file ARCHIVE")
      ? [`ARCHIVE stands for the file that \`npm run package${platform() ? ` -- --platform ${platform()}` : ""}\` makes in a checkout`]
      : []),
  ];
}
