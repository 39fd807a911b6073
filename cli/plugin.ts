import { setFlagsFromString } from "node:v8";
import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import type * as ProviderGrpc from "@pulumi/pulumi/proto/provider_grpc_pb";
import type * as Attached from "../provider/adapters/plugin/attached";
import type * as Engine from "../provider/adapters/plugin/engine";
import { channelOptions, grpc } from "../provider/adapters/plugin/grpc";
import type * as Logs from "../provider/adapters/plugin/log";
import type * as Service from "../provider/adapters/plugin/service";
import type * as Processes from "../provider/context/siblings";
import { main, readArguments, UsageError } from "./command-line";

/**
 * V8's settings for this process, which runs for one operation. By default V8 compiles undici's parser (WebAssembly) a second time,
 * optimized, and lets the space for short-lived objects grow. That takes a quarter of the peak memory, without a gain here.
 */
const frugal = ["--liftoff-only", "--semi-space-growth-factor=1"];

const usage = `usage: pulumi-resource-agentpool-acl [ENGINE]
The Pulumi engine starts this program by itself, and talks to it (gRPC) at the port of 127.0.0.1 that it prints. It serves until the engine is gone.
Started by hand it serves all engines that attach to it: run pulumi with PULUMI_DEBUG_PROVIDERS=agentpool-acl:PORT.
  ENGINE       the address of the engine that starts it, HOST:PORT
  --tracing ADDRESS, --logtostderr, -v=N
               what the engine passes on of its own options; it changes nothing here
  --help       prints this`;

/** Serves the provider for the engine that the arguments of this process name. */
export function serveEngine(): void {
  main(usage, (args) => {
    const options = { tracing: { type: "string" }, logtostderr: { type: "boolean" }, verbose: { type: "string", short: "v" } } as const;
    const { positionals } = readArguments({ args, allowPositionals: true, options });
    if (positionals.length > 1) throw new UsageError(`give one address of an engine, and not ${positionals.join(" ")}`);
    return serve(positionals[0]);
  });
}

/**
 * Serves the provider until the engine ends this process, or has ended itself. Without an engine it serves those that attach, until a
 * signal ends it. Standard output has the port's number only.
 */
function serve(engineAddress: string | undefined): Promise<number> {
  for (const flag of frugal) setFlagsFromString(flag);
  const server = new grpc.Server(channelOptions);
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
      if (error) return reject(error);
      process.stdout.write(`${port}\n`);
      // Loaded while the engine reads the port. A call that comes meanwhile waits until this turn of the event loop ends.
      const { ResourceProviderService }: typeof ProviderGrpc = require("@pulumi/pulumi/proto/provider_grpc_pb");
      server.addService(ResourceProviderService, engineAddress ? serviceFor(engineAddress) : forAll());
      resolve(0);
    });
  });
}

/** The service for the engine that has started this process, which ends with it. */
function serviceFor(engineAddress: string): UntypedServiceImplementation {
  const { pluginService }: typeof Service = require("../provider/adapters/plugin/service");
  const { EngineLog }: typeof Logs = require("../provider/adapters/plugin/log");
  const { whenGone }: typeof Engine = require("../provider/adapters/plugin/engine");
  const { EngineSiblings }: typeof Processes = require("../provider/context/siblings");
  whenGone(engineAddress, () => process.exit());
  return pluginService({ log: new EngineLog(engineAddress), siblings: new EngineSiblings(engineAddress) });
}

function forAll(): UntypedServiceImplementation {
  const { attachedService }: typeof Attached = require("../provider/adapters/plugin/attached");
  return attachedService();
}
