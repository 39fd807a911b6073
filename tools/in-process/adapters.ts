import { dynamicProviders, ignoredKey, providerKey, providerText } from "../../provider/adapters/dynamic";
import { namespace } from "../../provider/context/config";
import { dynamicType, pluginToken } from "../../provider/context/tokens";
import type { HostedOptions, RehearseResult, StackState } from "../../testing/rehearsal";
import { DynamicHost } from "../../testing/rehearsal/dynamic-handlers";
import type { ProviderHost } from "../../testing/rehearsal/engine/provider";
import { withoutSecrets } from "../../testing/rehearsal/engine/without-secrets";
import { rehearseWith } from "../../testing/rehearsal/in-process";
import { type Connect, hostPlugin, type Surroundings } from "./plugin";

/** One of the provider's two adapters, in this process. */
export interface Adapter {
  readonly name: "dynamic" | "plugin";
  /** The type token of a kind. */
  type(kind: string): string;
  /** The inputs as the adapter's classes register them. */
  inputs(kind: string, given: Record<string, unknown>, ignoreChanges?: readonly string[]): Record<string, unknown>;
  /** A provider process for one operation. */
  open(surroundings: Surroundings): Promise<{ readonly host: ProviderHost; readonly close: () => void }>;
}

export const dynamicAdapter: Adapter = {
  name: "dynamic",
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

/** The plugin, connected in this way. */
export function pluginAdapterBy(connect: Connect): Adapter {
  return { name: "plugin", type: pluginToken, inputs: (_, given) => given, open: (surroundings) => hostPlugin(connect, surroundings) };
}

/** Runs one operation of the rehearsal engine, with a provider process of its own. */
export async function operate(
  adapter: Adapter,
  surroundings: Surroundings,
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

/** The keys of a configuration, in the package's namespace. */
export function prefixed(config: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [`${namespace}:${key}`, value]));
}
