import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { types } from "node:util";
import * as z from "zod";
import { StateFile } from "../../testing/rehearsal/state-file";
import type { Simulator } from "../../testing/simulator";
import type { Kill } from "./commands";
import type { Begin, FirstOperation } from "./stack";

const program = join(__dirname, "program");
const bin = join(__dirname, "../../bin/pulumi-agentpool-acl");
const recordPid = join(__dirname, "record-pid.js");

const heldBackMs = 50;

const report = z.object({
  ok: z.boolean(),
  diagnostics: z.array(z.object({ severity: z.enum(["info", "warning", "error"]), message: z.string(), urn: z.string().optional() })),
});

/** How many first operations were killed, and how many ended before. */
export interface Fates {
  killed: number;
  ended: number;
}

/**
 * Runs the first operation in processes: the rehearsal's command, the program with the package's own classes, and the SDK's dynamic host or
 * the plugin. A kill ends all of them.
 */
export function beginInProcesses(adapter: "dynamic" | "plugin", fates: Fates): Begin {
  return async (first) => {
    const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-soak-"));
    try {
      const result = await rehearse(first, adapter, folder);
      fates[result ? "ended" : "killed"]++;
      const { state } = new StateFile(join(folder, "stack.json"), "rehearsed", "rehearsal");
      return { state, result: { steps: [], ...(result ?? { ok: false, diagnostics: [] }) } };
    } finally {
      first.simulator.latencyMs = 0;
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

/** @returns undefined when the processes were killed */
async function rehearse(
  first: FirstOperation,
  adapter: "dynamic" | "plugin",
  folder: string,
): Promise<z.output<typeof report> | undefined> {
  const { command, config, secretConfig, declarations, simulator } = first;
  const pids = join(folder, "pids");
  mkdirSync(pids);
  const settings = (flag: string, values: Record<string, string>) =>
    Object.entries(values).flatMap(([key, value]) => [flag, `${key}=${value}`]);
  const args = [
    "rehearse",
    command.do,
    "--program",
    program,
    "--state",
    join(folder, "stack.json"),
    "--parallel",
    String(command.parallel),
    "--json",
  ];
  const env = {
    ...process.env,
    SOAK_ADAPTER: adapter,
    SOAK_DECLARATIONS: JSON.stringify(declarations),
    SOAK_PIDS: pids,
    NODE_OPTIONS: `--require ${JSON.stringify(recordPid)}`,
  };
  const child = spawn(process.execPath, [bin, ...args, ...settings("--config", config), ...settings("--secret-config", secretConfig)], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (data) => {
    printed += data;
  });
  // So that the kill comes while a write waits for its response.
  simulator.latencyMs = heldBackMs;
  const reaper = command.kill && watch(simulator, command.kill, () => killAll(pids));
  await new Promise((resolve) => child.once("close", resolve));
  clearInterval(reaper);
  return child.signalCode === null ? report.parse(JSON.parse(printed)) : undefined;
}

/**
 * Kills the processes as soon as the given request has arrived. The number of a call counts writes here; the kill comes while the response
 * is delayed.
 */
function watch({ journal }: Simulator, kill: Kill, killProcesses: () => void): NodeJS.Timeout {
  const isWrite = ({ method }: { method: string }) => method !== "GET";
  const isDue = () => ("request" in kill ? journal.entries.length > kill.request : journal.entries.filter(isWrite).length >= kill.call);
  return setInterval(() => isDue() && killProcesses(), 1);
}

function killAll(pids: string): void {
  for (const pid of readdirSync(pids)) {
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch (error) {
      // It has ended already.
      if (!(types.isNativeError(error) && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}
