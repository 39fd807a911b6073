import { join } from "node:path";
import type { Deployment } from "../engine/deployment";
import { Stopped } from "../engine/operation";
import type { Report } from "../engine/report";
import { type ConfigValue, mapValues } from "../engine/state";
import { Child } from "./child";
import type { Project } from "./project";

export interface ProgramOptions {
  project: Project;
  stack: string;
  preview: boolean;
  parallel: number;
  config: Record<string, ConfigValue>;
  /** The engine's address. */
  address: string;
  env: NodeJS.ProcessEnv;
  onLine: (line: string) => void;
  /** Whether the program has registered everything, by its own message. */
  signalled: () => boolean;
  report: Report;
}

/**
 * Runs the program to its end by the SDK's script. It has succeeded when it reported the end, exited with 0, logged no error and registered
 * the stack's outputs. Otherwise resources that it did not register must not be deleted.
 */
export async function runProgram(options: ProgramOptions, deployment: Deployment): Promise<void> {
  const child = startProgram(options);
  try {
    const code = await Promise.race([child.exited, deployment.stopped.then(() => deployment.drain()).then(() => undefined)]);
    if (deployment.isStopped) throw new Stopped();
    // The program or the SDK has logged the error.
    if (options.report.hasErrors) throw new Stopped();
    if (code !== 0) throw new Error(`the program ended with the code ${code}: the diagnostics have its output`);
    if (!options.signalled() || !deployment.hasStackOutputs) {
      const cause = "an exported value, or a promise that it waits for, never resolves";
      throw new Error(`the program ended before it had registered everything: ${cause}. Nothing was deleted`);
    }
  } finally {
    await child.stop();
  }
}

function startProgram({ project, stack, preview, parallel, config, address, env, onLine }: ProgramOptions): Child {
  const secretKeys = Object.keys(config).filter((key) => config[key]?.secret);
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
  return new Child({
    args: [
      join(project.sdk, "cmd", "run", "index.js"),
      ...Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]),
      ...(preview ? ["--dry-run"] : []),
      project.entry,
    ],
    cwd: project.directory,
    env: {
      ...env,
      ...(project.typescript && { PULUMI_NODEJS_TYPESCRIPT: "true" }),
      PULUMI_CONFIG: JSON.stringify(mapValues(config, (item) => item.value)),
      PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(secretKeys),
    },
    onLine,
  });
}
