import { setFlagsFromString } from "node:v8";
import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import type * as Attached from "../provider/adapters/plugin/attached";
import type * as Engine from "../provider/adapters/plugin/engine";
import { channelOptions, grpc } from "../provider/adapters/plugin/grpc";
import type * as Logs from "../provider/adapters/plugin/log";
import type * as Messages from "../provider/adapters/plugin/messages";
import type * as Service from "../provider/adapters/plugin/service";
import type * as Package from "../provider/context/package";
import type * as Requests from "../provider/context/request-log";
import type * as Processes from "../provider/context/siblings";
import { main, readArguments, UsageError } from "./command-line";
import { exitStatus } from "./exit-status";

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
               what the engine passes on of its own options; from -v=9 on, requests are logged, as with AGENTPOOL_ACL_LOG=debug
  --version    prints the version
  --help       prints this`;

/** Serves the provider for the engine that the arguments of this process name, and calls back when all of it is loaded. */
export function serveEngine(whenLoaded?: () => void): void {
  main(usage, async (args) => {
    const flag = { type: "boolean" } as const;
    const text = { type: "string" } as const;
    const options = { tracing: text, logtostderr: flag, verbose: { ...text, short: "v" }, version: flag };
    const { values, positionals } = readArguments({ args, allowPositionals: true, options });
    if (values.version) {
      const { packageVersion }: typeof Package = require("../provider/context/package");
      console.log(packageVersion);
      return exitStatus.done;
    }
    if (positionals.length > 1) throw new UsageError(`give one address of an engine, and not ${positionals.join(" ")}`);
    await serve(positionals[0], args);
    whenLoaded?.();
    return exitStatus.done;
  });
}

/**
 * Serves the provider until the engine ends this process, or has ended itself. Without an engine it serves those that attach, until a
 * signal ends it. Standard output has the port's number only.
 */
function serve(engineAddress: string | undefined, args: readonly string[]): Promise<void> {
  for (const flag of frugal) setFlagsFromString(flag);
  const server = new grpc.Server(channelOptions);
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
      if (error) return reject(error);
      process.stdout.write(`${port}\n`);
      // Loaded while the engine reads the port. A call that comes meanwhile waits until this turn of the event loop ends.
      const { providerService }: typeof Messages = require("../provider/adapters/plugin/messages");
      server.addService(providerService, engineAddress ? serviceFor(engineAddress, args) : forAll(args));
      resolve();
    });
  });
}

/** The service for the engine that has started this process, which ends with it. */
function serviceFor(engineAddress: string, args: readonly string[]): UntypedServiceImplementation {
  const { pluginService }: typeof Service = require("../provider/adapters/plugin/service");
  const { EngineLog }: typeof Logs = require("../provider/adapters/plugin/log");
  const { whenGone }: typeof Engine = require("../provider/adapters/plugin/engine");
  const { EngineSiblings }: typeof Processes = require("../provider/context/siblings");
  const { withVerbosity }: typeof Requests = require("../provider/context/request-log");
  whenGone(engineAddress, () => process.exit());
  const env = withVerbosity(process.env, args);
  return pluginService({ log: new EngineLog(engineAddress), env, siblings: new EngineSiblings(engineAddress) });
}

function forAll(args: readonly string[]): UntypedServiceImplementation {
  const { attachedService }: typeof Attached = require("../provider/adapters/plugin/attached");
  const { withVerbosity }: typeof Requests = require("../provider/context/request-log");
  return attachedService(withVerbosity(process.env, args));
}
