import { ResourceProviderClient, ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { channelOptions, grpc } from "../../provider/adapters/plugin/grpc";
import { pluginService } from "../../provider/adapters/plugin/service";
import { namespace } from "../../provider/context/config";
import { pluginToken } from "../../provider/context/tokens";
import { RemotePlugin } from "../../provider/testing/rehearsal/processes/remote";
import type { Adapter } from "./engine";

/** The plugin behind a real gRPC connection. */
export const pluginAdapter: Adapter = {
  type: pluginToken,
  inputs: (_, given) => given,
  async open({ clock, log }) {
    const server = new grpc.Server(channelOptions);
    const warn = (_: string, message: string) => log(`warning: ${message}`);
    const service = pluginService({ clock, env: {}, log: { warn, info: (_, message) => log(message), attach() {}, async delivered() {} } });
    server.addService(ResourceProviderService, service);
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound)));
    });
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), channelOptions);
    await new Promise<void>((resolve, reject) => client.waitForReady(Date.now() + 60_000, (error) => (error ? reject(error) : resolve())));
    return {
      host: new RemotePlugin(namespace, "default", Promise.resolve(client), async () => {}),
      close: () => {
        client.close();
        server.forceShutdown();
      },
    };
  },
};
