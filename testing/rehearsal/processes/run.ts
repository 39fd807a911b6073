import { availableParallelism } from "node:os";
import { operate, type RehearseCommand, type RehearseResult } from "../engine/operate";
import { Report } from "../engine/report";
import { effectiveConfig, type RehearseOptions } from "../options";
import { withoutServices } from "../services";
import { StateFile } from "../state-file";
import { Monitor } from "./monitor";
import { runProgram } from "./program";
import { readProject } from "./project";
import { Providers } from "./providers";

/** A rehearsal with real processes. See `rehearse`. */
export async function rehearseWithProcesses(command: RehearseCommand, options: RehearseOptions): Promise<RehearseResult> {
  const project = readProject(options.program);
  const { stack = "rehearsal", parallel = 4 * availableParallelism() } = options;
  const env = programEnvironment(options.env);
  const file = new StateFile(options.state, project.name, stack, env.PULUMI_CONFIG_PASSPHRASE);
  const config = effectiveConfig(command, project.name, file.state, options);
  const report = new Report(config, options.onEvent);
  const onLine = (line: string): void => report.log("info", line);
  let hasSignalled = false;
  const monitor = new Monitor({
    onLog: (severity, message, urn) => report.log(severity, message, urn),
    onSignal: () => {
      hasSignalled = true;
    },
  });
  const address = await monitor.listen();
  const providers = new Providers({ project, engine: address, env, onLine }, file.state.resources);
  const run = () =>
    operate({
      command,
      state: file.state,
      config,
      provider: providers,
      report,
      parallel,
      refresh: options.refresh,
      replace: options.replace,
      showSecrets: options.showSecrets,
      signal: options.signal,
      save: (state) => file.write(state),
      program: (deployment) => {
        monitor.serve(deployment);
        const preview = command === "preview";
        return runProgram(
          { project, stack, preview, parallel, config, address, env, onLine, signalled: () => hasSignalled, report },
          deployment,
        );
      },
    });
  const result = await run().finally(async () => {
    await providers.stop();
    monitor.close();
  });
  return { ...result, diagnostics: report.told() };
}

/**
 * Variables of an outer Pulumi program or test must not reach this one: one for a dry run would turn an update into a preview. Those that
 * name services and hold their tokens must not either: a test would change the services that its author's shell is set up for. With the
 * user's proxy, gRPC would look for the engine behind it, although the engine is on this machine.
 */
function programEnvironment(given: Record<string, string> | undefined): NodeJS.ProcessEnv {
  const ofOuterProgram = /^PULUMI_(NODEJS_.*|CONFIG|CONFIG_SECRET_KEYS)$/;
  const inherited = Object.entries(withoutServices()).filter(([name]) => !ofOuterProgram.test(name));
  return { ...Object.fromEntries(inherited), ...given, no_grpc_proxy: "127.0.0.1" };
}
