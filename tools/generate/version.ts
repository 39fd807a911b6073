import { readdirSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { documents, root } from "../repository";
import { goModuleOf, readSource, type Source } from "./source";

/**
 * The name of the package or the plugin, up to its version: in names of files, in requirements, and in the `packages` of Pulumi.yaml. In a
 * command a line may end between them. And the options of a resource in YAML.
 */
const beforeVersion = /(agentpool-acl(?:-plugin|-sdk-\w+)?(?:-v|[-@]|\s+|\n +version: )|options: \{ version: )\d+\.\d+\.\d+/g;

/** The plugin among the `packages` of Pulumi.yaml, with the address that it is downloaded from. */
const inPackages = /(\n {4}source: agentpool-acl\n {4}version: \S+\n)(?: {4}pluginDownloadURL: .*\n)?/g;

/** What the examples depend on: the package in the folder above them until npm's registry has it. */
const dependency = /("pulumi-agentpool-acl": )"(?:file:\.\.\/\.\.|\^\d[\d.]*)"/g;

/** What Go programs import, and the module that it is in. */
const goPath = /[\w.-]+(?:\/[\w.-]+)+\/sdk\/go(?=\/agentpoolacl|[\s)=]|$)/gm;

/** The text with this version wherever it names one of the package, and with the addresses of this repository if it is published. */
export function withVersion(text: string, version: string, source: Source | undefined = readSource()): string {
  return text
    .replace(beforeVersion, (_, before: string) => before + version)
    .replace(inPackages, (_, before: string) => before + (source ? `    pluginDownloadURL: ${source.pluginDownloadUrl}\n` : ""))
    .replace(dependency, (_, before: string) => `${before}"${source ? `^${version}` : "file:../.."}"`)
    .replace(goPath, posix.dirname(goModuleOf(source)));
}

/** The files that name the package's version: documents, and what the examples depend on. The change log names every version. */
export function namingVersion(): string[] {
  const examples = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
    .map((path) => join("examples", path))
    .filter((path) => !path.includes("node_modules") && statSync(join(root, path)).isFile());
  return [...documents().filter((path) => path !== "CHANGELOG.md"), ...examples];
}
