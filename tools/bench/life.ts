import type { EngineName } from "../engines/engine";
import { drifted, type OperationName, type Sample, type SettingTrial } from "./figures";
import { type Operation, type Stack, withStacks } from "./stack";
import { type Subject, titleOf } from "./subjects";

/** The measured life of a stack. */
export interface LifePlan {
  readonly size: number;
  readonly subjects: readonly Subject[];
  readonly runs: number;
  /** The measured operations. Up and destroy are always run, and measured. */
  readonly operations: readonly OperationName[];
  /** Those of them that every run measures; the others are measured in the first run. All, where it is left out. */
  readonly everyRun?: readonly OperationName[];
  /** Milliseconds by which the servers delay each response. */
  readonly latencyMs: number;
  /** Further latencies for the refresh. */
  readonly refreshLatenciesMs: readonly number[];
  /** How often preview and refresh are measured, in turn; the naive provider once. */
  readonly repeats: number;
  /** Whether options of the CLI for large stacks are measured, too. */
  readonly triesOptions: boolean;
  /** Whether the engine writes the whole state at every step, as the CLI does with a file. False needs the CLI. */
  readonly checkpoints: boolean;
}

export interface LifeReport {
  sample(sample: Sample): void;
  trial(trial: SettingTrial): void;
}

/** The CLI then keeps the state in memory until the operation ends, and writes it once. */
export const noCheckpoints = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" } as const;

interface Context {
  readonly engine: EngineName;
  readonly plan: LifePlan;
  readonly report: LifeReport;
  /** In the order in which they run. */
  readonly stacks: readonly Stack[];
}

/**
 * Runs the lives of a plan. All its stacks are open at the same time and run each operation in turn, so that other load on the machine
 * affects all of them.
 */
export async function live(engine: EngineName, plan: LifePlan, report: LifeReport, signal: AbortSignal): Promise<void> {
  const { size, subjects, operations, everyRun = operations } = plan;
  const env = plan.checkpoints ? {} : noCheckpoints;
  for (let run = 0; run < plan.runs; run++) {
    const first = run === 0;
    const now = first ? plan : { ...plan, operations: everyRun, refreshLatenciesMs: [], repeats: 1, triesOptions: false };
    await withStacks({ engine, size, env, signal }, subjects, (stacks) =>
      // Every second run has another order, because work from before affects the first one.
      liveOnce({ engine, plan: now, report, stacks: run % 2 === 0 ? stacks : [...stacks].reverse() }, first),
    );
  }
}

async function liveOnce(context: Context, isFirst: boolean): Promise<void> {
  const { plan, stacks } = context;
  const has = (operation: OperationName) => plan.operations.includes(operation);
  await measure(context, "up", { command: "up" }, { look: (stack) => lookAtNew(stack, isFirst) });
  for (const [name, operation] of unchanging) if (has(name)) await measure(context, name, operation);
  await refreshWithLatencies(context);
  const compared = { ...context, stacks: stacks.filter(({ subject }) => subject.provider !== "naive") };
  for (let time = 1; time < plan.repeats; time++) {
    for (const command of ["preview", "refresh"] as const) await measure(compared, command, { command });
    await refreshWithLatencies(compared);
  }
  if (plan.triesOptions) await tryOptions(context);
  if (has("update of 10 %")) {
    for (const stack of stacks) stack.revise();
    await measure(context, "update of 10 %", { command: "up" });
    for (const stack of stacks) stack.expectObjects(true, true);
  }
  if (has("refresh, 10 drifted")) {
    for (const stack of stacks) stack.drift(drifted);
    await measure(context, "refresh, 10 drifted", { command: "refresh" });
  }
  await measure(context, "destroy", { command: "destroy" });
  for (const stack of stacks) stack.expectObjects(false);
}

async function refreshWithLatencies(context: Context): Promise<void> {
  for (const latencyMs of context.plan.refreshLatenciesMs) await measure(context, "refresh", { command: "refresh" }, { latencyMs });
}

/** The operations that change nothing. */
const unchanging: readonly (readonly [OperationName, Operation])[] = [
  ["second up", { command: "up" }],
  ["preview", { command: "preview" }],
  ["preview with refresh", { command: "preview", refresh: true }],
  ["refresh", { command: "refresh" }],
];

/** The state has the same size in every run, so that only the first one measures it. */
async function lookAtNew(stack: Stack, isFirst: boolean): Promise<number | undefined> {
  stack.expectObjects(true);
  if (!isFirst) return undefined;
  await stack.expectState();
  return stack.stateBytes();
}

/** Runs an operation on every stack. `look` returns the bytes of the state. */
async function measure(
  { engine, plan, report, stacks }: Context,
  operation: OperationName,
  what: Operation,
  { latencyMs = plan.latencyMs, look }: { latencyMs?: number; look?: (stack: Stack) => Promise<number | undefined> } = {},
): Promise<void> {
  for (const stack of stacks) {
    const taken = await stack.run(what, latencyMs);
    const runner = plan.checkpoints ? engine : "no checkpoints";
    report.sample({ ...stack.subject, engine: runner, size: plan.size, latencyMs, operation, ...taken, stateBytes: await look?.(stack) });
  }
}

/** The effect of the CLI's options on a large stack without changes. */
async function tryOptions({ plan: { size }, report, stacks }: Context): Promise<void> {
  const stack = stacks.find(({ subject }) => titleOf(subject) === "own plugin");
  if (!stack) return;
  const target = ["--target", "**::role-00002"];
  const trials: readonly (Pick<SettingTrial, "setting" | "operation" | "latencyMs"> & { readonly what: Operation })[] = [
    { setting: "--parallel 64", operation: "refresh", latencyMs: 100, what: { command: "refresh", options: ["--parallel", "64"] } },
    { setting: "--target of one role", operation: "refresh", latencyMs: 100, what: { command: "refresh", options: target } },
    { setting: "--target of one role", operation: "second up", latencyMs: 0, what: { command: "up", options: target } },
  ];
  for (const { setting, operation, latencyMs, what } of trials) {
    const { requests, wallMs } = await stack.run(what, latencyMs);
    report.trial({ setting, operation, size, latencyMs, requests, wallMs });
  }
}
