import { readdirSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { documents, root } from "../repository";
import { readSource } from "./source";

/**
 * The name of the package or the plugin, up to its version: in names of files, in requirements, and in the `packages` of Pulumi.yaml. In a
 * command a line may end between them. And the options of a resource in YAML.
 */
const beforeVersion = /(agentpool-acl(?:-plugin|-sdk-\w+)?(?:-v|[-@]|\s+|": "\^|\n +version: )|options: \{ version: )\d+\.\d+\.\d+/g;

/** Where the Pulumi CLI downloads the plugin from. */
const downloadUrl = /github:\/\/api\.github\.com\/[\w.-]+\/[\w-]+/g;

/** What Go programs import, and the module that it is in. */
const goPath = /github\.com\/[\w.-]+\/[\w.-]+\/sdk\/go(?=\/agentpoolacl|[\s)=]|$)/gm;

/** The text with this version wherever it names one of the package, and with the addresses of this repository. */
export function withVersion(text: string, version: string, { pluginDownloadUrl, goModule } = readSource()): string {
  return text
    .replace(beforeVersion, (_, before: string) => before + version)
    .replace(downloadUrl, pluginDownloadUrl)
    .replace(goPath, posix.dirname(goModule));
}

/** The files that name the package's version: documents, and what the examples depend on. The change log names every version. */
export function namingVersion(): string[] {
  const examples = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
    .map((path) => join("examples", path))
    .filter((path) => !path.includes("node_modules") && statSync(join(root, path)).isFile());
  return [...documents().filter((path) => path !== "CHANGELOG.md"), ...examples];
}
