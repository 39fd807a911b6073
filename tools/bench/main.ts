import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, type } from "node:os";
import { join } from "node:path";
import { main, oneOf, readArguments, UsageError, wholeNumber } from "../../cli/command-line";
import { type EngineName, engineNames } from "../engines/engine";
import { hasCli } from "../engines/engines";
import { documents, root } from "../repository";
import { driveAlone } from "./alone";
import type { Figures, Machine, Sample, SettingTrial } from "./figures";
import { live } from "./life";
import { fullPlan, type Plan, quickPlan, smallPlan } from "./plan";
import { plotOf } from "./plot";
import { canWatch } from "./process-watch";
import { withFigures } from "./readme";
import { measureStarts } from "./starts";
import { titleOf } from "./subjects";
import { conditions, legend, operationsTables, settingsTable, sortedRows, startsTable } from "./table";
import { targetsTable } from "./targets";
import { tryWrites } from "./writes";

const USAGE = `usage: npm run bench -- [--engine cli|rehearsal] [--quick | --size N] [--json FILE] [--readme]
  --engine     the Pulumi CLI, or the engine of this package. Left out, the CLI is used where it is on PATH
  --quick      N = 100 alone, each operation once
  --size N     a little of everything at this N, to try the bench out
  --json FILE  writes all figures into a file
  --readme     writes the figures into README.md and docs
  --help       prints this`;

interface Options {
  readonly engine: EngineName;
  readonly plan: Plan;
  readonly json: string | undefined;
  readonly readme: boolean;
}

async function bench(args: string[]): Promise<number> {
  const { engine, plan, json, readme } = readOptions(args);
  const interruption = new AbortController();
  process.once("SIGINT", () => interruption.abort());
  const figures = await measure(engine, plan, interruption.signal).catch((error: unknown) => {
    if (!interruption.signal.aborted) throw error;
  });
  if (!figures) {
    console.error("Interrupted: no figures were written.");
    return 130;
  }
  print(figures);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(figures, undefined, 2)}\n`);
  if (readme) writeReadme(figures);
  return 0;
}

async function measure(engine: EngineName, plan: Plan, signal: AbortSignal): Promise<Figures> {
  const samples: Sample[] = [];
  const settings: SettingTrial[] = [];
  const report = {
    sample: (sample: Sample) => {
      samples.push(sample);
      const { size, operation, latencyMs, requests, wallMs } = sample;
      printProgress(`N = ${size}, ${latencyMs} ms, ${titleOf(sample)}: ${operation}`, requests, wallMs);
    },
    trial: (trial: SettingTrial) => {
      settings.push(trial);
      const { size, setting, operation, latencyMs, requests, wallMs } = trial;
      printProgress(`N = ${size}, ${latencyMs} ms, ${setting}: ${operation}`, requests, wallMs);
    },
  };
  const machine = machineOf(engine);
  const starts = await measureStarts(plan.starts, signal);
  for (const { subject, size } of plan.alone) await driveAlone(subject, size, report.sample, signal);
  const isCli = engine === "cli";
  for (const life of plan.lives) await live(engine, { ...life, triesOptions: life.triesOptions && isCli }, report, signal);
  for (const trial of isCli ? plan.writes : []) await tryWrites(trial, report.trial, signal);
  return { date: new Date().toISOString(), machine, engine, samples, starts, settings };
}

/** Prints a measured figure, as progress. */
function printProgress(what: string, requests: number, wallMs: number): void {
  console.error(`${what}: ${requests} requests, ${(wallMs / 1000).toFixed(2)} s`);
}

function machineOf(engine: EngineName): Machine {
  const cli = engine === "cli" ? execFileSync("pulumi", ["version"], { encoding: "utf8" }).trim() : undefined;
  return { platform: type(), processors: availableParallelism(), load: loadavg()[0] ?? 0, node: process.version, cli };
}

function print(figures: Figures): void {
  const settings = figures.settings.length > 0 ? ["", settingsTable(figures)] : [];
  const blind = canWatch ? [] : ["CPU and memory of another process can be measured on Linux only: they are left out here."];
  const parts = [
    conditions(figures),
    legend,
    ...blind,
    "",
    operationsTables(sortedRows(figures)),
    "",
    startsTable(figures.starts),
    ...settings,
    "",
    targetsTable(figures),
  ];
  console.log(parts.join("\n"));
}

function writeReadme(figures: Figures): void {
  for (const path of documents().map((name) => join(root, name))) writeFileSync(path, withFigures(readFileSync(path, "utf8"), figures));
  writeFileSync(join(root, "docs/speed.svg"), plotOf(figures));
}

function readOptions(args: string[]): Options {
  const [text, flag] = [{ type: "string" } as const, { type: "boolean" } as const];
  const { values } = readArguments({ args, options: { engine: text, quick: flag, size: text, json: text, readme: flag } });
  const { quick, json, readme } = values;
  const size = wholeNumber("size", values.size, 1);
  if (quick && size !== undefined) throw new UsageError("--quick and --size: give one of them");
  const plan = size !== undefined ? smallPlan(size) : quick ? quickPlan : fullPlan;
  return { engine: chooseEngine(values.engine), plan, json, readme: readme === true };
}

function chooseEngine(given: string | undefined): EngineName {
  const known = oneOf(engineNames, "engine", given);
  if (known === "cli" && !hasCli())
    throw new UsageError("--engine cli: there is no pulumi on PATH. Install the Pulumi CLI, or leave the option out");
  return known ?? (hasCli() ? "cli" : "rehearsal");
}

main(USAGE, bench);
