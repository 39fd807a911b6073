import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { listening } from "../../../test/support/plugin";
import { unary } from "../../../testing/rehearsal/processes/grpc";
import { Empty, grpc } from "./grpc";
import { EngineLog } from "./log";

test("a warning reaches the engine on this machine, though the environment has a proxy", async () => {
  const logged: string[] = [];
  const server = new grpc.Server();
  server.addService(EngineService, {
    log: unary((request: LogRequest) => {
      logged.push(request.getMessage());
      return new Empty();
    }),
  });
  const { address } = await listening(server);
  const before = process.env.http_proxy;
  process.env.http_proxy = "http://127.0.0.1:1";
  try {
    const log = new EngineLog(address);
    log.warn("urn", "careful");
    await log.delivered();
    expect(logged).toEqual(["careful"]);
  } finally {
    if (before === undefined) delete process.env.http_proxy;
    else process.env.http_proxy = before;
    server.forceShutdown();
  }
});
