import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, type } from "node:os";
import { join } from "node:path";
import { main, oneOf, readArguments, UsageError, wholeNumber } from "../../cli/command-line";
import { exitStatus } from "../../cli/exit-status";
import { type EngineName, engineNames } from "../engines/engine";
import { hasCli } from "../engines/engines";
import { documents, root } from "../repository";
import { driveAlone } from "./alone";
import type { Figures, Machine, Sample, SettingTrial } from "./figures";
import { figuresIn, mergedFigures } from "./figures-file";
import { live } from "./life";
import { joined, type Plan, partNames, parts, quickPlan, smallPlan } from "./plan";
import { plotOf } from "./plot";
import { canWatch } from "./process-watch";
import { profileTables } from "./profile";
import { withFigures } from "./readme";
import { measureStarts } from "./starts";
import { titleOf } from "./subjects";
import { conditions, legend, operationsTables, settingsTable, sortedRows, startsTable } from "./table";
import { targetsTable } from "./targets";
import { tryWrites } from "./writes";

const USAGE = `usage: npm run bench -- [--engine cli|rehearsal] [--part NAME | --quick | --size N] [--from FILE] [--json FILE] [--readme] | --profile
  --engine     the Pulumi CLI, or the engine of this package. Left out, the CLI is used where it is on PATH
  --part NAME  only this part, any number of times: ${partNames.join(", ")}. Left out, all of them
  --quick      N = 100 alone, each operation once
  --size N     a little of everything at this N, to try the bench out
  --from FILE  adds the figures that --json has written, any number of times. Without --part nothing is measured
  --json FILE  writes all figures into a file
  --readme     writes the figures into README.md and docs
  --profile    prints where the processor time of creates and refreshes goes, by package, and measures nothing else. With --size N; left out, N = 1,000
  --help       prints this`;

interface Options {
  readonly engine: EngineName;
  readonly plan: Plan | undefined;
  /** Files with the figures of earlier runs. */
  readonly from: readonly string[];
  readonly json: string | undefined;
  readonly readme: boolean;
  /** The size of the stack whose creates are profiled instead. */
  readonly profiled: number | undefined;
}

async function bench(args: string[]): Promise<number> {
  const interruption = new AbortController();
  process.once("SIGINT", () => interruption.abort());
  const { engine, plan, from, json, readme, profiled } = readOptions(args);
  if (profiled !== undefined) {
    console.log(await profileTables(profiled, interruption.signal));
    return exitStatus.done;
  }
  const earlier = from.map((file) => figuresIn(readFileSync(file, "utf8"), file));
  const now =
    plan &&
    (await measure(engine, plan, interruption.signal).catch((error: unknown) => {
      if (!interruption.signal.aborted) throw error;
    }));
  if (plan && !now) {
    console.error("Interrupted: no figures were written.");
    return exitStatus.interrupted;
  }
  const figures = mergedFigures([...earlier, ...(now ? [now] : [])]);
  print(figures);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(figures, undefined, 2)}\n`);
  if (readme) writeReadme(figures);
  return exitStatus.done;
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
  const starts = plan.starts > 0 ? await measureStarts(plan.starts, signal) : [];
  for (const { subject, size } of plan.alone) await driveAlone(subject, size, report.sample, signal);
  const isCli = engine === "cli";
  const lives = plan.lives.filter(({ checkpoints }) => isCli || checkpoints);
  for (const life of lives) await live(engine, { ...life, triesOptions: life.triesOptions && isCli }, report, signal);
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
  const many = { ...text, multiple: true } as const;
  const { values } = readArguments({
    args,
    options: { engine: text, quick: flag, size: text, part: many, from: many, json: text, readme: flag, profile: flag },
  });
  const { part = [], from = [], json, readme } = values;
  const profiled = values.profile ? (wholeNumber("size", values.size, 1) ?? 1_000) : undefined;
  const plan = choosePlan({ ...values, part, from });
  return { engine: chooseEngine(values.engine), plan, from, json, readme: readme === true, profiled };
}

/** @returns undefined where nothing is to be measured */
function choosePlan(given: { quick?: boolean; size?: string; part: string[]; from: string[] }): Plan | undefined {
  const size = wholeNumber("size", given.size, 1);
  const chosen = given.part.flatMap((name) => oneOf(partNames, "part", name) ?? []);
  if ([given.quick, size !== undefined, chosen.length > 0].filter(Boolean).length > 1)
    throw new UsageError("--quick, --size and --part: give one of them");
  if (size !== undefined) return smallPlan(size);
  if (given.quick) return quickPlan;
  if (chosen.length === 0 && given.from.length > 0) return undefined;
  return joined((chosen.length > 0 ? chosen : partNames).map((name) => parts[name]));
}

function chooseEngine(given: string | undefined): EngineName {
  const known = oneOf(engineNames, "engine", given);
  if (known === "cli" && !hasCli())
    throw new UsageError("--engine cli: there is no pulumi on PATH. Install the Pulumi CLI, or leave the option out");
  return known ?? (hasCli() ? "cli" : "rehearsal");
}

main(USAGE, bench);
