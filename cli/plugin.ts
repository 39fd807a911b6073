import { setFlagsFromString } from "node:v8";
import type * as Engine from "../provider/adapters/plugin/engine";
import { channelOptions, grpc } from "../provider/adapters/plugin/grpc";
import type * as Messages from "../provider/adapters/plugin/messages";
import type * as Package from "../provider/configuration/package";
import { flag, main, readArguments, text, UsageError } from "./command-line";
import { exitStatus } from "./exit-status";

const usage = `usage: pulumi-resource-agentpool-acl ENGINE
The Pulumi engine starts this program by itself, and talks to it (gRPC) at the port of 127.0.0.1 that it prints. It serves until the engine is gone.
  ENGINE       the address of the engine that starts it, HOST:PORT
  --tracing ADDRESS, --logtostderr, -v=N
               what the engine passes on of its own options; from -v=9 on, requests are logged, as with AGENTPOOL_ACL_LOG=debug
  --version    prints the version
  --help       prints this`;

/** Serves the provider for the engine that the arguments of this process name. */
export function serveEngine(): void {
  main(usage, async (args) => {
    const options = { tracing: text, logtostderr: flag, verbose: { ...text, short: "v" }, version: flag };
    const { values, positionals } = readArguments({ args, allowPositionals: true, options });
    if (values.version) {
      const { packageVersion }: typeof Package = require("../provider/configuration/package");
      console.log(packageVersion);
      return exitStatus.done;
    }
    const [engineAddress, ...others] = positionals;
    if (engineAddress === undefined || others.length > 0)
      throw new UsageError(`give the address of one engine${engineAddress === undefined ? "" : `, and not ${positionals.join(" ")}`}`);
    await serve(engineAddress, args);
    return exitStatus.done;
  });
}

/** Serves the provider until the engine ends this process, or has ended itself. Standard output has the port's number only. */
function serve(engineAddress: string, args: readonly string[]): Promise<void> {
  // V8's space for short-lived objects would grow: at 1,000 roles the process peaks at 146 MiB then, instead of 113.
  setFlagsFromString("--semi-space-growth-factor=1");
  const server = new grpc.Server(channelOptions);
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
      if (error) return reject(error);
      process.stdout.write(`${port}\n`);
      // Loaded while the engine reads the port. A call that comes meanwhile waits until this turn of the event loop ends.
      const { providerService }: typeof Messages = require("../provider/adapters/plugin/messages");
      const { engineService }: typeof Engine = require("../provider/adapters/plugin/engine");
      server.addService(providerService, engineService(engineAddress, args));
      resolve();
    });
  });
}
