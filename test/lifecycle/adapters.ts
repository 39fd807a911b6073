import { dynamicProviders, ignoredKey, providerKey, providerText } from "../../provider/adapters/dynamic";
import type { Clock } from "../../provider/apis/http/clock";
import type { Environment } from "../../provider/context/environment";
import { dynamicType, pluginToken } from "../../provider/context/tokens";
import { type HostedOptions, type RehearseResult, rehearseInProcess, type StackState } from "../../testing/rehearsal";
import { rehearseWith } from "../../testing/rehearsal/in-process";
import { type Connect, hostPlugin } from "../../tools/soak/plugin-adapter";
import { connect, connectInProcess } from "../support/connect";

/** What the provider's process gets from its surroundings. */
export interface ProviderProcess {
  readonly clock: Clock;
  readonly env: Environment;
  readonly log: (message: string) => void;
}

/** A way into the provider. The suite passes every one of them, and knows nothing else of it. */
export interface Adapter {
  readonly name: string;
  /** Whether an input that is left out may be the resource's name, which only some adapters know. */
  readonly knowsNames: boolean;
  /** Whether the state must hold the way back to the provider, which an update adds where it is missing. */
  readonly needsProviderText: boolean;
  /** The type token of a kind. */
  type(kind: string): string;
  /** The inputs as the adapter's classes register them. */
  inputs(kind: string, given: Record<string, unknown>, ignoreChanges?: readonly string[]): Record<string, unknown>;
  /** Runs one operation with a provider process of its own. */
  run(options: HostedOptions, process: ProviderProcess): Promise<RehearseResult & { state: StackState }>;
}

export const dynamic: Adapter = {
  name: "dynamic",
  knowsNames: false,
  needsProviderText: true,
  type: dynamicType,
  inputs: (kind, given, ignoreChanges = []) => ({
    ...given,
    [providerKey]: providerText(kind),
    ...(ignoreChanges.length > 0 ? { [ignoredKey]: ignoreChanges } : {}),
  }),
  run(options, process) {
    const providers = Object.entries(dynamicProviders(process)).map(([type, provider]) => [type, () => provider] as const);
    return rehearseInProcess({ ...options, providers: Object.fromEntries(providers) });
  },
};

/** The plugin, connected in this way. */
const pluginBy = (connection: Connect): Adapter => ({
  name: "plugin",
  knowsNames: true,
  needsProviderText: false,
  type: pluginToken,
  inputs: (_, given) => given,
  async run(options, process) {
    const { host, close } = await hostPlugin(connection, process);
    try {
      return await rehearseWith(host, options);
    } finally {
      close();
    }
  },
});

export const adapters: readonly Adapter[] = [dynamic, pluginBy(connect)];

/** The same without HTTP/2 and sockets also in the full tests, for those with so many cases that these would take most of the time. */
export const adaptersInProcess: readonly Adapter[] = [dynamic, pluginBy(connectInProcess)];
