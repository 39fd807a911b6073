import type * as pulumi from "@pulumi/pulumi";
import { dynamicAdapter as adapterOf, type DynamicAdapterOptions, providerText } from "../../provider/adapters/dynamic";
import { ignoredKey, providerKey } from "../../provider/adapters/values";
import { namespace } from "../../provider/configuration/config";
import { dynamicType, pluginToken } from "../../provider/configuration/tokens";
import { resources } from "../../provider/resources";
import type { HostedOptions, RehearseResult, StackState } from "../../testing/rehearsal";
import { DynamicHost } from "../../testing/rehearsal/dynamic-handlers";
import type { ProviderHost } from "../../testing/rehearsal/engine/provider";
import { withoutSecrets } from "../../testing/rehearsal/engine/without-secrets";
import { rehearseWith } from "../../testing/rehearsal/in-process";
import type * as Connections from "./connect";
import { isFull } from "./extent";

/** One of the provider's two adapters, in this process. */
export interface Adapter {
  readonly name: "dynamic" | "plugin";
  /** Whether the adapter knows the resource's name, the default of a pool's name. */
  readonly knowsNames: boolean;
  /** Whether the state must hold the text that leads to the provider. An update adds a missing one. */
  readonly needsProviderText: boolean;
  /** The type token of a kind. */
  type(kind: string): string;
  /** The inputs as the adapter's classes register them. */
  inputs(kind: string, given: Record<string, unknown>, ignoreChanges?: readonly string[]): Record<string, unknown>;
  /** A provider process for one operation. */
  open(surroundings: Connections.Surroundings): Promise<{ readonly host: ProviderHost; readonly close: () => void }>;
}

/** The dynamic providers of all resources by their type tokens, with their own operation, like a host process. */
export function dynamicProviders(options: DynamicAdapterOptions): Record<string, pulumi.dynamic.ResourceProvider> {
  const adapter = adapterOf(options);
  return Object.fromEntries(resources.map((resource) => [dynamicType(resource.kind), adapter(resource)]));
}

export const dynamicAdapter: Adapter = {
  name: "dynamic",
  knowsNames: false,
  needsProviderText: true,
  type: dynamicType,
  inputs: (kind, given, ignoreChanges = []) => ({
    ...given,
    [providerKey]: providerText(kind),
    ...(ignoreChanges.length > 0 ? { [ignoredKey]: ignoreChanges } : {}),
  }),
  async open({ env = {}, ...surroundings }) {
    const providers = Object.entries(dynamicProviders({ ...surroundings, env })).map(([type, provider]) => [type, () => provider] as const);
    return { host: withoutSecrets(new DynamicHost(Object.fromEntries(providers), "rehearsed")), close: () => {} };
  },
};

// The first operation loads this module, because the dynamic adapter does not need it.
const connections = (): typeof Connections => require("./connect");

/** The plugin, connected in this way. */
export function pluginAdapterBy(connection: "connectByGrpc" | "connectInProcess"): Adapter {
  return {
    name: "plugin",
    knowsNames: true,
    needsProviderText: false,
    type: pluginToken,
    inputs: (_, given) => given,
    open: (surroundings) => connections().hostPlugin(connections()[connection], surroundings),
  };
}

/**
 * The plugin, by gRPC in `npm run test:full`. `npm test` leaves out HTTP/2 and sockets, which take a third of the time. Every message is
 * still written and read as on a connection. test/plugin has the tests of the connection itself.
 */
export const pluginAdapter = pluginAdapterBy(isFull ? "connectByGrpc" : "connectInProcess");

/** All adapters. Tests run through each of them, and use nothing but the members of `Adapter`. */
export const adapters: readonly Adapter[] = [dynamicAdapter, pluginAdapter];

/**
 * All adapters without HTTP/2 and sockets, in the full tests as well: for tests with so many cases that connections would take most of the
 * time.
 */
export const adaptersInProcess: readonly Adapter[] = [dynamicAdapter, pluginAdapterBy("connectInProcess")];

/** Runs one operation of the rehearsal engine, with a provider process of its own. */
export async function operate(
  adapter: Adapter,
  surroundings: Connections.Surroundings,
  options: HostedOptions,
  wrapped = (host: ProviderHost): ProviderHost => host,
): Promise<RehearseResult & { state: StackState }> {
  const { host, close } = await adapter.open(surroundings);
  try {
    return await rehearseWith(wrapped(host), options);
  } finally {
    close();
  }
}

/** A configuration with its keys in the package's namespace. */
export function prefixed(config: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [`${namespace}:${key}`, value]));
}
