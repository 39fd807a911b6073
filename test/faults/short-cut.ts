import type { Interceptor, ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { channelOptions, grpc } from "../../provider/adapters/plugin/grpc";
import { providerService } from "../../provider/adapters/plugin/messages";
import { pluginService } from "../../provider/adapters/plugin/service";
import { namespace } from "../../provider/context/config";
import { rehearseWith } from "../../provider/testing/rehearsal/in-process";
import { RemotePlugin } from "../../provider/testing/rehearsal/processes/remote";
import { type Adapter, adapters } from "../lifecycle/adapters";

/**
 * The adapters of the matrix. The plugin's leaves out the wire: the engine's messages reach the service as bytes, without HTTP/2 between them, which
 * would take more time than all the rest of a case. The lifecycle suite takes the long way.
 */
export function matrixAdapter(name: string): Adapter {
  const adapter = adapters.find((candidate) => candidate.name === name);
  if (!adapter) throw new Error(`there is no ${name} adapter`);
  return name === "plugin" ? { ...adapter, run: runWithoutWire } : adapter;
}

const runWithoutWire: Adapter["run"] = async (options, { log, ...surroundings }) => {
  const service = pluginService({
    ...surroundings,
    log: { warn: (_, message) => log(`warning: ${message}`), info: (_, message) => log(message), attach() {}, async delivered() {} },
  });
  const interceptors = [answeredBy(service)];
  const client = new ResourceProviderClient("127.0.0.1:1", grpc.credentials.createInsecure(), { ...channelOptions, interceptors });
  try {
    return await rehearseWith(new RemotePlugin(namespace, "default", Promise.resolve(client), async () => {}), options);
  } finally {
    client.close();
  }
};

/** Serves every call by the service's method, without the connection. */
function answeredBy(service: ReturnType<typeof pluginService>): Interceptor {
  return (options, nextCall) => {
    const { method_definition: sent } = options;
    const name = sent.path.replace(/^.*\//, "").replace(/^[A-Z]/, (first) => first.toLowerCase());
    const [handle, method] = [service[name], providerService[name]];
    if (!handle || !method) throw new Error(`the service has no method ${name}`);
    let respond: (error: Partial<ServiceError> | null, response?: unknown) => void = () => {};
    return new grpc.InterceptingCall(nextCall(options), {
      start(_metadata, listener) {
        respond = (error, response) => {
          listener.onReceiveMetadata(new grpc.Metadata());
          if (!error) listener.onReceiveMessage(sent.responseDeserialize(method.responseSerialize(response)));
          const { code = grpc.status.OK, details = "", metadata = new grpc.Metadata() } = error ?? {};
          listener.onReceiveStatus({ code, details, metadata });
        };
      },
      sendMessage(message) {
        const request = method.requestDeserialize(sent.requestSerialize(message));
        Reflect.apply(handle, undefined, [{ request }, respond]);
      },
      halfClose() {},
    });
  };
}
