import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { nearest } from "../check";
import { configuration, isEngineKey, namespace } from "../config";
import type { Properties, Resource } from "../resource";
import { declared } from "./declared";
import { providerKey, providerText } from "./dynamic";
import type { Registration } from "./registered";
import { runError } from "./run-error";
import { dynamicType, pluginToken } from "./tokens";

/** What a resource of this package is registered with in a program, through the dynamic door. */
export function dynamicResource(
  resource: Resource,
  name: string,
  args: Properties,
  options: pulumi.CustomResourceOptions = {},
): Registration {
  prepareProgram();
  if (options.import !== undefined) {
    throw runError(
      `${resource.kind} ${name}: a dynamic resource can't be imported. Take the object over with adopt: true, or import it with the class of pulumi-agentpool-acl/plugin.`,
    );
  }
  if (options.replaceOnChanges && options.replaceOnChanges.length > 0) {
    const message = `${resource.kind} ${name}: replaceOnChanges has no effect on a dynamic resource, because the engine learns of no single property that changes. Replace it with \`pulumi up --replace URN\`, or use the class of pulumi-agentpool-acl/plugin.`;
    void pulumi.log.warn(message);
  }
  // A stack that has it from the plugin moves over as it is.
  const own = { aliases: [{ type: pluginToken(resource.kind) }] };
  const inputs = { ...declared(resource, args), [providerKey]: providerText(resource.kind) };
  return [dynamicType(resource.kind), name, inputs, pulumi.mergeOptions(own, options)];
}

let isPrepared = false;

/** What is checked once for a program: that the engine's host will find this package, that the configuration's keys mean something, and that tokens are secrets. */
function prepareProgram(): void {
  if (isPrepared) return;
  try {
    createRequire(join(process.cwd(), "index.js")).resolve("pulumi-agentpool-acl/dynamic");
  } catch {
    throw runError(
      `pulumi-agentpool-acl can't be found from the program's folder (${process.cwd()}), where the engine loads it from. ` +
        "Add it to the dependencies of the package.json there (`npm install pulumi-agentpool-acl`): being a dependency of a dependency is not enough.",
    );
  }
  isPrepared = true;
  warnOfStrangeKeys();
  for (const key of ["poolsToken", "clusterToken", "clusterClientKey"]) {
    const full = `${namespace}:${key}`;
    if (configured(full) !== undefined && isPlain(full)) {
      pulumi.log.warn(
        `The configuration holds ${full} in plain text. Encrypt it: pulumi config set --secret ${full} VALUE; and replace the token, which is in the configuration's history.`,
      );
    }
  }
}

/** A key that is misspelt would do nothing, without a word: the engine hands it on, and nobody asks for it. */
function warnOfStrangeKeys(): void {
  const known = configuration.keyof().options;
  for (const full of Object.keys(pulumi.runtime.allConfig())) {
    const key = full.startsWith(`${namespace}:`) ? full.slice(namespace.length + 1) : undefined;
    if (key === undefined || isEngineKey(key) || known.some((name) => name === key)) continue;
    const near = nearest(key, known);
    pulumi.log.warn(
      `The configuration key ${full} means nothing to this provider. ${near ? `Did you mean ${namespace}:${near}?` : `The keys are ${known.join(", ")}.`}`,
    );
  }
}

/** The SDK tells which keys are secrets, but does not declare the function: where it is missing, nobody is warned. */
function isPlain(key: string): boolean {
  const isConfigSecret: unknown = Reflect.get(pulumi.runtime, "isConfigSecret");
  return typeof isConfigSecret === "function" && isConfigSecret(key) === false;
}

function configured(key: string): string | undefined {
  return pulumi.runtime.allConfig()[key];
}
