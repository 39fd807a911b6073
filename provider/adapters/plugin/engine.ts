import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import { endLogins, endLoginsBySignals } from "../../configuration/cluster-login";
import { withVerbosity } from "../../configuration/request-log";
import { channelOptions, Empty, grpc } from "./grpc";
import { EngineLog } from "./log";
import { pluginService } from "./service";

/** The interval of the checks whether the engine still runs. */
const everyMs = 30_000;

/** The service of this process for the engine that has started it, with these arguments. The process ends with the engine. */
export function engineService(engineAddress: string, args: readonly string[]): UntypedServiceImplementation {
  endLoginsBySignals();
  whenGone(engineAddress, () => void endLogins().finally(() => process.exit()));
  const env = withVerbosity(process.env, args);
  return pluginService({ log: new EngineLog(engineAddress), env });
}

/**
 * Calls back once the engine at the address has ended: a killed engine does not end its plugins. Like Pulumi's SDKs, this sends a health
 * check; the response "unimplemented" shows a running engine, too.
 */
export function whenGone(address: string, then: () => void, intervalMs = everyMs): void {
  const client = new grpc.Client(address, grpc.credentials.createInsecure(), channelOptions);
  const look = () => {
    const asBytes = (message: InstanceType<typeof Empty>) => Buffer.from(message.serializeBinary());
    client.makeUnaryRequest(
      "/grpc.health.v1.Health/Check",
      asBytes,
      (bytes) => bytes,
      new Empty(),
      (error) => {
        if (!error || error.code === grpc.status.UNIMPLEMENTED) return void setTimeout(look, intervalMs).unref();
        client.close();
        then();
      },
    );
  };
  setTimeout(look, intervalMs).unref();
}
