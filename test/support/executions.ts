/** The work of a Node process, as a number that hardly depends on the machine, its load, or the run. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import * as z from "zod";

export interface MeasuredRun {
  /** How often functions and blocks of this package and of its dependencies ran. */
  readonly executions: number;
  /** The time of another run, which counts nothing. */
  readonly seconds: number;
  readonly out: string;
  readonly status: number | null;
}

/** Runs a script, once to count what it executes, and once to measure its time. */
export function measuredRun(script: string, args: readonly string[] = []): MeasuredRun {
  const counts = mkdtempSync(join(tmpdir(), "agentpool-acl-counts-"));
  try {
    const { stdout, stderr, status } = run(script, args, { ...process.env, NODE_V8_COVERAGE: counts });
    const started = performance.now();
    run(script, args, process.env);
    const seconds = (performance.now() - started) / 1_000;
    return { executions: executionsIn(counts), seconds, out: stdout + stderr, status };
  } finally {
    rmSync(counts, { recursive: true });
  }
}

function run(script: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  return spawnSync(process.execPath, ["-e", script, "--", ...args], { encoding: "utf8", env, maxBuffer: 2 ** 26 });
}

/** The counts that Node writes, of all functions and blocks. */
const coverage = z.object({
  result: z.array(z.object({ url: z.string(), functions: z.array(z.object({ ranges: z.array(z.object({ count: z.number() })) })) })),
});

function executionsIn(folder: string): number {
  const files = readdirSync(folder).map((name) => coverage.parse(JSON.parse(readFileSync(join(folder, name), "utf8"))));
  const scripts = files.flatMap(({ result }) => result).filter(({ url }) => url.startsWith("file:"));
  const ranges = scripts.flatMap(({ functions }) => functions.flatMap((one) => one.ranges));
  return ranges.reduce((sum, { count }) => sum + count, 0);
}
