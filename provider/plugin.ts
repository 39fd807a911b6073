/**
 * The same resources and functions as the package's main module, served by the plugin instead of dynamic resources: with import,
 * property-level diffs, explicit providers, and for every Pulumi language. A stack moves by a change of the import line.
 */
import * as pulumi from "@pulumi/pulumi";
import type { ProviderArgs } from "./generated/resources";
import { pluginProvider } from "./program/plugin";

export * from "./generated/plugin";

/**
 * An explicit provider: another address, organization or token than the stack's configuration has, for some of a program's resources.
 *
 * @example
 * const staging = new Provider("staging", { clusterAddress: "https://staging.example.com:4646" });
 * new AclRole("developers", { name: "developers", policies: ["read-jobs"] }, { provider: staging });
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, options?: pulumi.ResourceOptions) {
    super(...pluginProvider(name, { ...args }, options));
  }
}
