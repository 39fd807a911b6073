import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { providerText } from "../adapters/dynamic";
import { ignoredKey, providerKey } from "../adapters/values";
import { meaningless, namespace } from "../configuration/config";
import { dynamicType, pluginToken } from "../configuration/tokens";
import type { Resource } from "../lifecycle/resource";
import type { Properties } from "../model/remote";
import { warnOfPlainSecrets } from "./plain-secrets";
import { declared, secretOutputs } from "./resource-inputs";
import { currentRun, isMocked, isStartedByCli, runError } from "./run";
import type { Registration } from "./stack-traces";

/** The arguments for the registration of a resource in a program, through the dynamic adapter. */
export function dynamicResource(
  resource: Resource,
  name: string,
  args: Properties,
  options: pulumi.CustomResourceOptions = {},
): Registration {
  prepareProgram();
  checkOptions(`${resource.kind} ${name}`, resource.kind, options);
  // By this alias, a stack can move from the plugin to dynamic resources.
  const own = { aliases: [{ type: pluginToken(resource.kind) }], additionalSecretOutputs: secretOutputs(resource) };
  const merged = pulumi.mergeOptions(own, options);
  const ignoreChanges = merged.ignoreChanges?.flatMap((path) => (isAll(path) ? [...resource.inputs.keys()] : path)) ?? [];
  const inputs = { ...declared(resource, args), [providerKey]: providerText(resource.kind) };
  if (ignoreChanges.length === 0) return [dynamicType(resource.kind), name, inputs, merged];
  return [dynamicType(resource.kind), name, { ...inputs, [ignoredKey]: ignoreChanges }, { ...merged, ignoreChanges }];
}

/**
 * Whether a path means all inputs. The engine would also apply it to the additional properties, which would then keep their old
 * value, or stay missing.
 */
function isAll(path: string): boolean {
  return ["*", "[*]", '["*"]'].includes(path);
}

/** Refuses the options that dynamic resources can't have, and warns of options without an effect. */
function checkOptions(
  what: string,
  kind: string,
  { import: imported, provider, replaceOnChanges, customTimeouts }: pulumi.CustomResourceOptions,
): void {
  const plugin = `use the class of the plugin: import { ${kind} } from "pulumi-agentpool-acl/plugin"`;
  if (imported !== undefined) {
    throw runError("dynamic-import", `${what}: a dynamic resource can't be imported. Take the object over with adopt: true, or ${plugin}.`);
  }
  if (provider !== undefined) {
    throw runError(
      "dynamic-provider",
      `${what}: a dynamic resource has no provider of its own, and takes the stack's configuration. Leave the option provider out, or ${plugin}.`,
    );
  }
  if (replaceOnChanges && replaceOnChanges.length > 0) {
    void pulumi.log.warn(
      `${what}: replaceOnChanges has no effect on a dynamic resource, because the engine does not get the names of the changed properties. Replace it with \`pulumi up --replace URN\`, or ${plugin}.`,
    );
  }
  if (customTimeouts && Object.values(customTimeouts).some((timeout) => timeout !== undefined)) {
    void pulumi.log.warn(
      `${what}: customTimeouts has no effect on a dynamic resource, because its host does not get it. Leave it out, or ${plugin}.`,
    );
  }
}

const prepared = new WeakSet<object>();

/**
 * The checks once per run: whether the engine's host will find this package, and whether the configuration has unknown keys, or tokens in
 * plain text.
 */
function prepareProgram(): void {
  const run = currentRun();
  if (run === undefined || prepared.has(run)) return;
  if (!isMocked(run)) checkFolder();
  prepared.add(run);
  warnOfStrangeKeys();
  warnOfPlainSecrets(run);
}

/** Checks that this package can be found from the program's folder, where the engine's host loads it by the name in the state. */
function checkFolder(): void {
  const folder = process.cwd();
  try {
    createRequire(join(folder, "index.js")).resolve("pulumi-agentpool-acl/dynamic");
    return;
  } catch {
    // Not found. The error depends on who has chosen the folder.
  }
  if (isStartedByCli()) {
    throw runError(
      "package-not-found",
      `pulumi-agentpool-acl can't be found from the program's folder (${folder}), where the engine loads it from. ` +
        "Add it to the dependencies of the package.json there, as for a first program (README): being a dependency of a dependency is not enough.",
    );
  }
  // A warning only: the workspace's settings, which the program can't read, may name a folder that has the package.
  void pulumi.log.warn(
    `pulumi-agentpool-acl can't be found from the working directory of this process (${folder}). The engine loads it from there, unless the workspace of this inline program names another folder. ` +
      "Start the process in a folder whose node_modules has the package, or give the workspace projectSettings (or a workDir with a Pulumi.yaml) whose main is such a folder, " +
      'or import the classes from "pulumi-agentpool-acl/plugin".',
  );
}

/** Without this warning a misspelt key would have no effect and no error. */
function warnOfStrangeKeys(): void {
  for (const full of Object.keys(pulumi.runtime.allConfig())) {
    const key = full.startsWith(`${namespace}:`) ? full.slice(namespace.length + 1) : undefined;
    const warning = key === undefined ? undefined : meaningless(key);
    if (warning !== undefined) pulumi.log.warn(warning);
  }
}
