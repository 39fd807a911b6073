import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ProviderHost } from "../../testing/rehearsal/engine/provider";
import { secret } from "../../testing/rehearsal/engine/values";
import { startDynamicHost, startPlugin } from "../../testing/rehearsal/processes/host";
import { Monitor } from "../../testing/rehearsal/processes/monitor";
import { readProject } from "../../testing/rehearsal/processes/project";
import type { Simulator } from "../../testing/simulator";
import { packages } from "../engines/engines";
import { configFor } from "../engines/project";
import { withSimulator } from "./stack";
import { environmentOf, executableFolder, packageOf, type Subject, withProgram } from "./subjects";

/** Starts a subject's provider like an engine, in the folder of its program. */
export class Launcher {
  constructor(
    readonly subject: Subject,
    readonly simulator: Simulator,
    private readonly folder: string,
    private readonly engineAddress: string,
  ) {}

  /** Starts and configures it. The first call waits for that. */
  start(nodeOptions = "", onLine: (line: string) => void = (line) => console.error(line)): ProviderHost {
    const { subject, folder } = this;
    const env = { ...this.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} ${nodeOptions}` };
    const options = { project: readProject(folder), engine: this.engineAddress, env, onLine };
    const { config, secretConfig } = configFor(this.simulator);
    const host = subject.adapter === "dynamic" ? startDynamicHost(options) : startPlugin(packageOf(subject), "default", options, config);
    const secrets = Object.entries(secretConfig).map(([key, value]) => [key, secret(value)]);
    void host.configure({ ...config, ...Object.fromEntries(secrets) });
    return host;
  }

  /** Starts the process, waits for the port that it prints, and ends it. */
  async startToPort(): Promise<void> {
    const child = this.spawn();
    const ended = once(child, "exit");
    if (child.stdout) await Promise.race([once(createInterface(child.stdout), "line"), ended.then(failed)]);
    child.kill("SIGKILL");
    await ended;
  }

  private spawn(): ChildProcess {
    const { subject, folder, env } = this;
    const options: SpawnOptions = { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] };
    if (subject.adapter === "plugin")
      return spawn(join(executableFolder(subject, folder), `pulumi-resource-${packageOf(subject)}`), [this.engineAddress], options);
    const script = join(packages, "@pulumi/pulumi/cmd/dynamic-provider/index.js");
    return spawn(process.execPath, [script, this.engineAddress], options);
  }

  private get env(): NodeJS.ProcessEnv {
    const { subject, folder, simulator } = this;
    const forHost = { PULUMI_NODEJS_PROJECT: "bench", PULUMI_PROJECT: "bench", PULUMI_CONFIG: "{}" };
    return { ...process.env, ...forHost, ...environmentOf(subject, folder, simulator) };
  }
}

function failed(): never {
  throw new Error("a provider's process ended before it printed its port");
}

/** Makes the surroundings of a provider's process: its program's folder, the servers, and an engine's address for its log. */
export function withLauncher<T>(subject: Subject, size: number, use: (launcher: Launcher) => Promise<T>): Promise<T> {
  return withSimulator((simulator) =>
    withProgram(subject, size, async (folder) => {
      symlinkSync(packages, join(folder, "node_modules"), "junction");
      const monitor = new Monitor({ onLog: () => {}, onSignal: () => {} });
      try {
        return await use(new Launcher(subject, simulator, folder, await monitor.listen()));
      } finally {
        monitor.close();
      }
    }),
  );
}
