import { ResourceProviderClient, ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { dynamicProviders, ignoredKey, providerKey, providerText } from "../../provider/adapters/dynamic";
import { channelOptions, grpc } from "../../provider/adapters/plugin/grpc";
import { pluginService } from "../../provider/adapters/plugin/service";
import type { Clock } from "../../provider/apis/http/clock";
import { type Environment, namespace } from "../../provider/context/config";
import { dynamicType, pluginToken } from "../../provider/context/tokens";
import { type HostedOptions, type RehearseResult, rehearseInProcess, type StackState } from "../../provider/testing/rehearsal";
import { rehearseWith } from "../../provider/testing/rehearsal/in-process";
import { RemotePlugin } from "../../provider/testing/rehearsal/processes/remote";
import { listening } from "../support/plugin";

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

const dynamic: Adapter = {
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

const plugin: Adapter = {
  name: "plugin",
  knowsNames: true,
  needsProviderText: false,
  type: pluginToken,
  inputs: (_, given) => given,
  async run(options, { log, ...surroundings }) {
    const service = pluginService({
      ...surroundings,
      log: { warn: (_, message) => log(`warning: ${message}`), info: (_, message) => log(message), attach() {}, async delivered() {} },
    });
    const server = new grpc.Server(channelOptions);
    server.addService(ResourceProviderService, service);
    const { address } = await listening(server);
    const client = new ResourceProviderClient(address, grpc.credentials.createInsecure(), channelOptions);
    try {
      return await rehearseWith(new RemotePlugin(namespace, "default", Promise.resolve(client), async () => {}), options);
    } finally {
      client.close();
      server.forceShutdown();
    }
  },
};

export const adapters: readonly Adapter[] = [dynamic, plugin];
