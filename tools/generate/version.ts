import { readdirSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { documents, root } from "../repository";
import { goModuleOf, readSource, type Source } from "./source";

/**
 * The text before a version: the name of the package or the plugin in file names, requirements, commands (where a line may end in between)
 * and the `packages` of Pulumi.yaml, and the options of a resource in YAML.
 */
const beforeVersion = /(agentpool-acl(?:-plugin|-sdk-\w+)?(?:-v|[-@]|\s+|\n +version: )|options: \{ version: )\d+\.\d+\.\d+/g;

/** The plugin in the `packages` of Pulumi.yaml, with its download address. */
const inPackages = /(\n {4}source: agentpool-acl\n {4}version: \S+\n)(?: {4}pluginDownloadURL: .*\n)?/g;

/** The dependency of the examples: until publication, the package in the folder above them. */
const dependency = /("pulumi-agentpool-acl": )"(?:file:\.\.\/\.\.|\^\d[\d.]*)"/g;

/** The import path of Go programs, and its module. */
const goPath = /[\w.-]+(?:\/[\w.-]+)+\/sdk\/go(?=\/agentpoolacl|[\s)=]|$)/gm;

/** Replaces versions of the package in a text with this one, and adds the addresses of this repository if it is published. */
export function withVersion(text: string, version: string, source: Source | undefined = readSource()): string {
  return text
    .replace(beforeVersion, (_, before: string) => before + version)
    .replace(inPackages, (_, before: string) => before + (source ? `    pluginDownloadURL: ${source.pluginDownloadUrl}\n` : ""))
    .replace(dependency, (_, before: string) => `${before}"${source ? `^${version}` : "file:../.."}"`)
    .replace(goPath, posix.dirname(goModuleOf(source)));
}

/** The files that name the package's version: documents, and dependencies of examples. The change log names every version. */
export function namingVersion(): string[] {
  const examples = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
    .map((path) => join("examples", path))
    .filter((path) => !path.includes("node_modules") && statSync(join(root, path)).isFile());
  return [...documents().filter((path) => path !== "CHANGELOG.md"), ...examples];
}
