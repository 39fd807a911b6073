import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { namespace } from "../configuration/config";
import { packageVersion } from "../configuration/package";
import { pluginDownloadUrl } from "../generated/source";
import { isMocked, isStartedByCli, runError } from "./run";

/** The options of a resource or a function that select a plugin other than this package's. */
interface PluginOptions {
  readonly version?: string | undefined;
  readonly pluginDownloadURL?: string | undefined;
}

const present = new WeakMap<object, boolean>();

/**
 * Refuses a program of the CLI whose plugin is not installed, as long as the package is not published: the engine would try to download it
 * for 18 seconds, from addresses that have nothing to do with this package.
 *
 * @param run undefined if there is no engine
 */
export function refuseMissingPlugin(run: object | undefined, options: PluginOptions = {}): void {
  if (pluginDownloadUrl !== undefined || run === undefined || isMocked(run) || !isStartedByCli()) return;
  if (options.version !== undefined || options.pluginDownloadURL !== undefined) return;
  const isPresent = present.get(run) ?? isPluginPresent();
  present.set(run, isPresent);
  if (isPresent) return;
  throw runError(
    "plugin-missing",
    `The plugin ${namespace} ${packageVersion} is not installed, and there is no release to download it from. Name the folder of its executable in Pulumi.yaml:\n\n` +
      `plugins:\n  providers:\n    - name: ${namespace}\n      path: node_modules/pulumi-agentpool-acl/bin\n\n` +
      `Or install an archive, which \`npm run package\` makes in a checkout: pulumi plugin install resource ${namespace} ${packageVersion} --file ARCHIVE`,
  );
}

/** Whether the engine may find the plugin: in its usual places, or by a setting that may name another one. */
function isPluginPresent(env = process.env): boolean {
  const settings = ["PULUMI_DEBUG_PROVIDERS", "PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES"];
  if (settings.some((name) => env[name])) return true;
  const home = env.PULUMI_HOME || join(homedir(), ".pulumi");
  return existsSync(join(home, "plugins", `resource-${namespace}-v${packageVersion}`)) || isOnPath(env) || isNamedByProject();
}

function isOnPath(env: NodeJS.ProcessEnv): boolean {
  if (env.PULUMI_IGNORE_AMBIENT_PLUGINS === "true") return false;
  const files = ["", ".exe", ".cmd"].map((ending) => `pulumi-resource-${namespace}${ending}`);
  return (env.PATH ?? "").split(delimiter).some((folder) => folder !== "" && files.some((file) => existsSync(join(folder, file))));
}

/**
 * Whether the project's file has the plugin among its `plugins` or `packages`. A key of the configuration (`agentpool-acl:clusterAddress`)
 * does not count: no space follows its first colon.
 */
function isNamedByProject(): boolean {
  const files = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].map((name) => join(pulumi.getRootDirectory(), name));
  const entry = new RegExp(`["'\\s]${namespace}["']?\\s*(:\\s|,|\\}|$)`, "m");
  return files.some((file) => existsSync(file) && entry.test(readFileSync(file, "utf8")));
}
