import type { InterceptingListener, Interceptor, sendUnaryData, UntypedServiceImplementation } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { Environment } from "../../common/environment";
import { channelOptions, grpc } from "../../provider/adapters/plugin/grpc";
import { providerService } from "../../provider/adapters/plugin/messages";
import { pluginService } from "../../provider/adapters/plugin/service";
import type { Clock } from "../../provider/apis/http/clock";
import { namespace } from "../../provider/configuration/config";
import { RemotePlugin } from "../../testing/rehearsal/processes/remote";

/** The surroundings of a provider's process. */
export interface Surroundings {
  readonly clock: Clock;
  readonly log: (message: string) => void;
  /** The environment of the process. Default: an empty one. */
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

/** Connects without HTTP/2 and sockets. */
export const connectInProcess: Connect = async (service) => {
  const client = new ResourceProviderClient("127.0.0.1:1", grpc.credentials.createInsecure(), {
    ...channelOptions,
    interceptors: [callsTo(service)],
  });
  return { client, close: () => client.close() };
};

/** Lets the service handle a client's requests without a connection. */
function callsTo(service: UntypedServiceImplementation): Interceptor {
  return (options, nextCall) => {
    const { method_definition: sent } = options;
    const [name, method] = Object.entries(providerService).find(([, { path }]) => path === sent.path) ?? [];
    const handle = name && service[name];
    if (!method || !handle) throw new Error(`the service has no ${sent.path}`);
    let client: InterceptingListener;
    const respond: sendUnaryData<unknown> = (error, response) => {
      if (!error) client.onReceiveMessage(sent.responseDeserialize(method.responseSerialize(response)));
      const { code = grpc.status.OK, details = "", metadata = new grpc.Metadata() } = error ?? {};
      client.onReceiveStatus({ code, details, metadata });
    };
    return new grpc.InterceptingCall(nextCall(options), {
      start: (_, listener) => {
        client = listener;
      },
      sendMessage: (message) => {
        const request = method.requestDeserialize(sent.requestSerialize(message));
        Reflect.apply(handle, service, [{ request }, respond]);
      },
      halfClose() {},
    });
  };
}

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
