import * as pulumi from "@pulumi/pulumi";
import { configuration, namespace } from "../configuration/config";
import { packageVersion } from "../configuration/package";
import { dynamicType, pluginToken } from "../configuration/tokens";
import { pluginDownloadUrl } from "../generated/source";
import type { Resource } from "../lifecycle/resource";
import { propertiesOf } from "../model/fields";
import type { Properties } from "../model/remote";
import { refuseMissingPlugin } from "./missing-plugin";
import { warnOfPlainSecrets } from "./plain-secrets";
import { declared, withSecrets } from "./resource-inputs";
import { currentRun } from "./run";
import type { Registration } from "./stack-traces";

/** The version of the plugin for the engine, and the address from which the CLI downloads a missing plugin. */
const source = { version: packageVersion, ...(pluginDownloadUrl !== undefined && { pluginDownloadURL: pluginDownloadUrl }) };

/**
 * The arguments for the registration of a resource in a program, through the plugin. By the alias, a stack can move from dynamic resources
 * to the plugin.
 */
export function pluginResource(
  resource: Resource,
  name: string,
  args: Properties,
  options: pulumi.CustomResourceOptions = {},
): Registration {
  const run = currentRun();
  refuseMissingPlugin(run, options);
  if (run) warnOfPlainSecrets(run);
  const own = { ...source, aliases: [{ type: dynamicType(resource.kind) }] };
  return [pluginToken(resource.kind), name, declared(resource, args), pulumi.mergeOptions(own, options)];
}

/** An explicit provider in a program: its settings are sent as texts, like those of a stack's configuration. */
export function pluginProvider(name: string, args: Properties, options: pulumi.ResourceOptions = {}): Registration {
  refuseMissingPlugin(currentRun(), options);
  const settings = Object.entries(withSecrets(propertiesOf(configuration), args));
  const texts = Object.fromEntries(settings.map(([key, value]): [string, pulumi.Output<unknown>] => [key, asText(value)]));
  return [namespace, name, texts, pulumi.mergeOptions(source, options)];
}

function asText(value: unknown): pulumi.Output<unknown> {
  const output: pulumi.Output<unknown> = pulumi.output<unknown>(value);
  return output.apply((known) => (known === undefined || known === null || typeof known === "string" ? known : JSON.stringify(known)));
}

/** Calls a function of the plugin. */
export function invokePlugin<Result>(name: string, args: Properties, options: pulumi.InvokeOptions | undefined): Promise<Result> {
  refuseMissingPlugin(currentRun(), options);
  return pulumi.runtime.invoke(pluginToken(name), args, { ...source, ...options });
}

/** The same as `invokePlugin`, with arguments that may be outputs. */
export function invokePluginOutput<Result>(
  name: string,
  args: Properties,
  options: pulumi.InvokeOutputOptions | undefined,
): pulumi.Output<Result> {
  refuseMissingPlugin(currentRun(), options);
  return pulumi.runtime.invokeOutput(pluginToken(name), args, { ...source, ...options });
}
