import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { availableParallelism, loadavg, type } from "node:os";
import { join, resolve } from "node:path";
import { main, oneOf, readArguments, UsageError, wholeNumber } from "../../cli/command-line";
import { exitStatus } from "../../cli/exit-status";
import { adapterNames } from "../engines/engine";
import { hasCli } from "../engines/engines";
import { operationsTable, type Sample, shown } from "./figures";
import { type Life, live, livesOf, partNames, targeted } from "./lives";
import type { Subject } from "./subject";
import { targetsTable } from "./targets";

const usage = `usage: npm run bench -- [--part NAME] [--adapter dynamic|plugin] [--size N] [--runs N]
       npm run bench -- --checkout DIR [--adapter dynamic|plugin] [--no-checkpoints] [--size N] [--runs N]
Measures this provider, one that does nothing, and a naive one, with the Pulumi CLI on PATH, and compares the figures with the targets. Or
measures this provider and the one of another checkout in turn.
  --part NAME       only this part, any number of times: ${partNames.join(", ")}
  --size N          roles of the stack; default: 1000
  --runs N          how often to measure each operation; default: 3
  --checkout DIR    the provider of another checkout of this repository, with its dependencies, after \`npm run build\` there
  --adapter         only this adapter; default with --checkout: plugin
  --no-checkpoints  without the state that the CLI writes at every step
  --help            prints this`;

const text = { type: "string" } as const;
const texts = { type: "string", multiple: true } as const;
const flag = { type: "boolean" } as const;
const options = { part: texts, size: text, runs: text, checkout: text, adapter: text };

main(usage, async (args) => {
  const { values } = readArguments({ args, options: { ...options, "no-checkpoints": flag } });
  const { checkout } = values;
  const size = wholeNumber("size", values.size, 1) ?? 1_000;
  const runs = wholeNumber("runs", values.runs, 1) ?? 3;
  const parts = values.part?.flatMap((name) => oneOf(partNames, "part", name) ?? []) ?? partNames;
  const given = oneOf(adapterNames, "adapter", values.adapter);
  if (checkout !== undefined && !existsSync(join(checkout, "dist/provider/index.js")))
    throw new UsageError(`--checkout ${checkout}: there is no built provider. Run \`npm run build\` there`);
  if (!hasCli()) throw new UsageError("there is no pulumi on PATH. Install the Pulumi CLI");
  if (checkout === undefined) {
    const lives = parts.flatMap((part) => livesOf(part, given ? [given] : adapterNames, size, runs));
    console.log(`\n${targetsTable(await measure(lives), size)}`);
    return exitStatus.done;
  }
  const adapter = given ?? "plugin";
  const other: Subject = { provider: "other", adapter, packages: resolve(checkout, "node_modules") };
  const life = { size, runs, operations: targeted, checkpoints: !values["no-checkpoints"], refreshLatenciesMs: [] };
  await measure([{ ...life, subjects: [{ provider: "own", adapter }, other] }]);
  return exitStatus.done;
});

/** Prints every sample as progress, and then the table. */
async function measure(lives: readonly Life[]): Promise<Sample[]> {
  const interruption = new AbortController();
  process.once("SIGINT", () => interruption.abort());
  const samples: Sample[] = [];
  const report = (sample: Sample) => {
    samples.push(sample);
    const { size, latencyMs, provider, adapter, operation, requests, wallMs } = sample;
    console.error(`N = ${size}, ${latencyMs} ms, ${provider} ${adapter}: ${operation}: ${requests} requests, ${shown(wallMs / 1000, 2)} s`);
  };
  console.log(conditions());
  for (const life of lives) await live(life, report, interruption.signal);
  console.log(operationsTable(samples));
  return samples;
}

/** "2026-11-21, 2 processors (load 0.1), Linux, Node v20.20.2, Pulumi CLI v3.259.0" */
function conditions(): string {
  const cli = execFileSync("pulumi", ["version"], { encoding: "utf8" }).trim();
  const node = execFileSync("node", ["--version"], { encoding: "utf8" }).trim();
  const machine = `${availableParallelism()} processors (load ${shown(loadavg()[0], 1)}), ${type()}`;
  return `${new Date().toISOString().slice(0, 10)}, ${machine}, Node ${node}, Pulumi CLI ${cli}`;
}
