import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { extract } from "tar";
import { median } from "../bench/figures";
import { canWatch, usageOf } from "../bench/process-watch";
import { table } from "../markdown";
import { root } from "../repository";

const runs = 15;
/** For an idle provider's memory: everything is loaded after a few tenths of a second. */
const idleMs = 1_500;

interface Start {
  readonly portMs: number;
  readonly idleMiB: number;
}

/** What an archive costs its users. */
export interface Cost {
  readonly what: string;
  readonly bytes?: number;
  /** Empty where the executable does not run here. */
  readonly starts: readonly Start[];
}

/**
 * Starts the provider of this system's archive and that of the npm package in turn, so that other load on the machine affects both. Only on
 * Linux, which reports the memory of other processes.
 */
export async function measure(archives: ReadonlyMap<string, string>, here: string): Promise<Cost[]> {
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-measure-"));
  try {
    const own = canWatch ? archives.get(here) : undefined;
    if (own) await extract({ file: own, cwd: folder });
    const launcher = join(folder, "pulumi-resource-agentpool-acl");
    const installed: Start[] = [];
    const unbundled: Start[] = [];
    for (let run = 0; own && run < runs; run++) {
      installed.push(await startOnce(launcher, []));
      unbundled.push(await startOnce(process.execPath, [join(root, "bin/pulumi-resource-agentpool-acl")]));
    }
    return [
      { what: `npm package, Node ${process.version}`, starts: unbundled },
      ...[...archives].map(([target, path]) => ({ what: target, bytes: statSync(path).size, starts: target === here ? installed : [] })),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function startOnce(command: string, args: readonly string[]): Promise<Start> {
  const startedAt = performance.now();
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await new Promise<void>((resolve, reject) => {
      child.stdout.once("data", () => resolve());
      child.once("error", reject).once("exit", (code) => reject(new Error(`${command} has ended with ${code} before it served`)));
    });
    const portMs = performance.now() - startedAt;
    await delay(idleMs);
    const usage = usageOf(child.pid ?? 0);
    if (!usage) throw new Error(`${command} has ended before its memory was measured`);
    return { portMs, idleMiB: usage.peakMiB };
  } finally {
    child.removeAllListeners("exit");
    child.kill();
  }
}

/** The costs as a table of medians. */
export function tableOf(costs: readonly Cost[]): string {
  const medianOf = (values: readonly number[]) => median(values)?.toFixed(0) ?? "";
  const rows = costs.map(({ what, bytes, starts }) => [
    what,
    bytes === undefined ? "" : (bytes / 1e6).toFixed(1),
    medianOf(starts.map(({ portMs }) => portMs)),
    medianOf(starts.map(({ idleMiB }) => idleMiB)),
  ]);
  return table(["archive", "size, MB", "start, ms", "idle, MiB"], rows);
}
