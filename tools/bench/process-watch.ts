import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import * as z from "zod";
import type { AdapterName } from "../engines/engine";

/** The processor time and the highest peak memory (VmHWM) of processes. */
export interface Usage {
  readonly cpuMs: number;
  readonly peakMiB: number;
}

/** The usage of an operation. */
export interface OperationUsage {
  readonly provider: Usage;
  /** Including the engine and the program. */
  readonly all: Usage;
}

/** Whether this system has Linux's /proc, which reports the usage of other processes. */
export const canWatch = process.platform === "linux" && existsSync("/proc/self/status");

const INTERVAL_MS = 50;
/** Linux reports the time of processes in hundredths of a second. */
const MS_PER_TICK = 10;

/**
 * Watches the descendants of this process. The kernel sums up the time and keeps the peak memory, so the last sample before a process ends
 * is nearly complete. A sample costs a few dozen small reads, and does not affect other processes.
 */
export class ProcessWatch {
  private readonly all = new Map<number, Usage>();
  private readonly providers = new Map<number, Usage>();
  private readonly timer: NodeJS.Timeout | undefined;

  constructor(private readonly adapter: AdapterName) {
    if (canWatch) this.timer = setInterval(() => this.look(), INTERVAL_MS);
  }

  /** Ends the sampling, which would keep this process alive. */
  stop(): void {
    clearInterval(this.timer);
  }

  /** The usage so far; undefined if it can't be measured. @throws if no provider was found */
  soFar(): OperationUsage | undefined {
    if (!canWatch) return undefined;
    this.look();
    if (this.providers.size === 0) throw new Error("no process of a provider was seen while the operation ran");
    return { provider: sumOf(this.providers), all: sumOf(this.all) };
  }

  private look(): void {
    for (const pid of descendants(process.pid)) {
      const usage = usageOf(pid);
      if (!usage) continue;
      this.all.set(pid, usage);
      if (isProvider(this.adapter, contentOf(`/proc/${pid}/cmdline`).split("\0"))) this.providers.set(pid, usage);
    }
  }
}

function sumOf(used: ReadonlyMap<number, Usage>): Usage {
  const all = [...used.values()];
  return { cpuMs: all.reduce((sum, { cpuMs }) => sum + cpuMs, 0), peakMiB: Math.max(...all.map(({ peakMiB }) => peakMiB)) };
}

/** The usage of a process so far; undefined for an ended one. */
export function usageOf(pid: number): Usage | undefined {
  const [stat, status] = [contentOf(`/proc/${pid}/stat`), contentOf(`/proc/${pid}/status`)];
  const [, peakKib] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
  // The name in parentheses may contain any characters. User and system time are the 14th and 15th field.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (peakKib === undefined) return undefined;
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK, peakMiB: Number(peakKib) / 1024 };
}

/** The SDK's dynamic host, or the executable of a plugin, but not the shell that launches it. */
function isProvider(adapter: AdapterName, [command = "", script = ""]: readonly string[]): boolean {
  if (basename(command) !== "node") return false;
  return adapter === "plugin" ? basename(script).startsWith("pulumi-resource-") : /\/cmd\/dynamic-provider(\/index\.js)?$/.test(script);
}

function descendants(pid: number): number[] {
  const threads = unlessEnded(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  const children = threads.flatMap((thread) => contentOf(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number));
  return children.flatMap((child) => [child, ...descendants(child)]);
}

function contentOf(path: string): string {
  return unlessEnded(() => readFileSync(path, "utf8")) ?? "";
}

const ended = z.object({ code: z.enum(["ENOENT", "ESRCH"]) });

/** The result of a read; undefined if the process has ended meanwhile. */
function unlessEnded<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!ended.safeParse(error).success) throw error;
    return undefined;
  }
}
