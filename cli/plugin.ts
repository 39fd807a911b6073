import { serve } from "../provider/adapters/plugin/serve";
import type * as Provider from "../provider/internal";
import { flag, main, readArguments, text, UsageError } from "./command-line";
import { exitStatus } from "./exit-status";

const usage = `usage: pulumi-resource-agentpool-acl ENGINE
The Pulumi engine starts this program, and calls it by gRPC at the port of 127.0.0.1 that it prints. It serves until the engine ends.
  ENGINE       the address of the engine that starts it, HOST:PORT
  --tracing ADDRESS, --logtostderr, -v=N
               options that the engine passes on; from -v=9 on, requests are logged, as with AGENTPOOL_ACL_LOG=debug
  --version    prints the version
  --help       prints this`;

/** Serves the provider to the engine in this process's arguments. */
export function serveEngine(): void {
  main(usage, async (args) => {
    const options = { tracing: text, logtostderr: flag, verbose: { ...text, short: "v" }, version: flag };
    const { values, positionals } = readArguments({ args, allowPositionals: true, options });
    if (values.version) {
      const { packageVersion }: typeof Provider = require("../provider/internal");
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
