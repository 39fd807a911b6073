import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { channelOptions, grpc } from "../../provider/adapters/plugin/grpc";
import { providerService } from "../../provider/adapters/plugin/messages";
import { pluginService } from "../../provider/adapters/plugin/service";
import type { Clock } from "../../provider/apis/http/clock";
import { namespace } from "../../provider/context/config";
import type { Environment } from "../../provider/context/environment";
import { RemotePlugin } from "../../testing/rehearsal/processes/remote";

/** What a provider's process gets from its surroundings. */
export interface Surroundings {
  readonly clock: Clock;
  readonly log: (message: string) => void;
  /** Default: an empty one. */
  readonly env?: Environment;
}

/** A client of a plugin's service, by which the engine sends its requests. */
export interface Connection {
  readonly client: ResourceProviderClient;
  readonly close: () => void;
}

/** Connects a client with a service. */
export type Connect = (service: UntypedServiceImplementation) => Promise<Connection>;

/** A real gRPC connection on this machine. */
export const connectByGrpc: Connect = async (service) => {
  const server = new grpc.Server(channelOptions);
  server.addService(providerService, service);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), channelOptions);
  await new Promise<void>((resolve, reject) => client.waitForReady(Date.now() + 60_000, (error) => (error ? reject(error) : resolve())));
  return {
    client,
    close: () => {
      client.close();
      server.forceShutdown();
    },
  };
};

/** The plugin, as the engine sees it. */
export async function hostPlugin(connect: Connect, { log, env = {}, ...surroundings }: Surroundings) {
  const service = pluginService({
    ...surroundings,
    env,
    log: { warn: (_, message) => log(`warning: ${message}`), info: (_, message) => log(message), async delivered() {} },
  });
  const { client, close } = await connect(service);
  return { host: new RemotePlugin(namespace, "default", Promise.resolve(client), async () => {}), close };
}
