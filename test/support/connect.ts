import type { InterceptingListener, Interceptor, sendUnaryData, UntypedServiceImplementation } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { channelOptions, grpc } from "../../provider/adapters/plugin/grpc";
import { providerService } from "../../provider/adapters/plugin/messages";
import { type Connect, connectByGrpc } from "../../tools/in-process/plugin";
import { isFull } from "./extent";

/**
 * Connects by gRPC where everything runs. `npm test` leaves out HTTP/2 and sockets, which take a third of the time: every message is still written and
 * read as on a connection. test/plugin has the tests of the connection itself.
 */
export const connect: Connect = isFull ? connectByGrpc : connectInProcess;

/** Connects without HTTP/2 and sockets. */
export async function connectInProcess(service: UntypedServiceImplementation) {
  const client = new ResourceProviderClient("127.0.0.1:1", grpc.credentials.createInsecure(), {
    ...channelOptions,
    interceptors: [callsTo(service)],
  });
  return { client, close: () => client.close() };
}

/** Has the service handle what a client sends; nothing reaches the client's connection. */
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
