import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { channelOptions, grpc } from "./grpc";
import { pluginService } from "./service";

/** Serves the provider until the engine ends it. Standard output holds the port's number and nothing else. */
export function serve(engineAddress: string | undefined): void {
  const server = new grpc.Server(channelOptions);
  server.addService(ResourceProviderService, pluginService(engineAddress));
  server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    process.stdout.write(`${port}\n`);
  });
}
