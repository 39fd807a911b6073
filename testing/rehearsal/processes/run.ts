import { availableParallelism } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { Deployment } from "../engine/deployment";
import { operate, type RehearseResult } from "../engine/operate";
import { type RehearseCommand, Stopped } from "../engine/operation";
import { Report } from "../engine/report";
import { mapValues } from "../engine/state";
import { effectiveConfig, type RehearseOptions } from "../options";
import { withoutServices } from "../services";
import { StateFile } from "../state-file";
import { Child, type ChildOptions } from "./child";
import { Monitor } from "./monitor";
import { readProject } from "./project";
import { Providers } from "./providers";

/** A rehearsal with real processes. See `rehearse`. */
export async function rehearseWithProcesses(command: RehearseCommand, options: RehearseOptions): Promise<RehearseResult> {
  const project = readProject(options.program);
  const { stack = "rehearsal", parallel = 4 * availableParallelism() } = options;
  const env = programEnvironment(project.directory, options.env);
  const file = new StateFile(options.state, project.name, stack);
  const config = effectiveConfig(command, project.name, file.state, options);
  const report = new Report(config, options.onEvent);
  const onLine = (line: string): void => report.log("info", line);
  const monitor = new Monitor(report);
  const address = await monitor.listen();
  const providers = new Providers({ project, engine: address, env, onLine }, file.state.resources);
  const flags = {
    monitor: address,
    engine: address,
    organization: "organization",
    project: project.name,
    "root-directory": project.root,
    stack,
    pwd: project.directory,
    parallel: String(parallel),
  };
  const program: ChildOptions = {
    args: [
      join(project.sdk, "cmd", "run", "index.js"),
      ...Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]),
      ...(command === "preview" ? ["--dry-run"] : []),
      project.entry,
    ],
    cwd: project.directory,
    env: {
      ...env,
      ...(project.typescript && { PULUMI_NODEJS_TYPESCRIPT: "true" }),
      PULUMI_CONFIG: JSON.stringify(mapValues(config, (item) => item.value)),
      PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(Object.keys(config).filter((key) => config[key]?.secret)),
    },
    onLine,
  };
  const run = () =>
    operate({
      ...options,
      command,
      state: file.state,
      config,
      provider: providers,
      report,
      parallel,
      save: (state) => file.write(state),
      program: (deployment) => runProgram(program, deployment, monitor, report),
    });
  const result = await run().finally(async () => {
    await providers.stop();
    monitor.close();
  });
  return { ...result, diagnostics: report.told() };
}

/**
 * Runs the program to its end by the SDK's script. It has succeeded when it reported the end, exited with 0, logged no error and registered
 * the stack's outputs. Otherwise resources that it did not register must not be deleted.
 */
async function runProgram(program: ChildOptions, deployment: Deployment, monitor: Monitor, report: Report): Promise<void> {
  monitor.serve(deployment);
  const child = new Child(program);
  try {
    const code = await Promise.race([child.exited, deployment.stopped.then(() => deployment.drain()).then(() => undefined)]);
    // The program or the SDK has logged the error.
    if (deployment.isStopped || report.hasErrors) throw new Stopped();
    if (code !== 0) throw new Error(`the program ended with the code ${code}: the diagnostics have its output`);
    if (!monitor.hasSignalled || !deployment.stackOutputs) {
      const cause = "an exported value, or a promise that it waits for, never resolves";
      throw new Error(`the program ended before it had registered everything: ${cause}. Nothing was deleted`);
    }
  } finally {
    await child.stop();
  }
}

/**
 * Variables of an outer Pulumi program or test must not reach this program: a dry run's variable would turn an update into a preview. Neither
 * must addresses and tokens of services, because a test would change the services of its author's shell, nor a proxy, because gRPC would
 * look for the local engine behind it.
 */
function programEnvironment(directory: string, given: Record<string, string> | undefined): NodeJS.ProcessEnv {
  const ofOuterProgram = /^PULUMI_(NODEJS_.*|CONFIG|CONFIG_SECRET_KEYS)$/;
  const inherited = Object.entries(withoutServices()).filter(([name]) => !ofOuterProgram.test(name));
  const { PATH, ...env }: NodeJS.ProcessEnv = { ...Object.fromEntries(inherited), ...given };
  // The executables of the program's packages, plugins among them.
  const folders = [directory];
  for (let folder = directory; dirname(folder) !== folder; folder = dirname(folder)) folders.push(dirname(folder));
  const path = [...folders.map((folder) => join(folder, "node_modules", ".bin")), ...(PATH === undefined ? [] : [PATH])];
  return { ...env, PATH: path.join(delimiter), no_grpc_proxy: "127.0.0.1" };
}
