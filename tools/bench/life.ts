import type { EngineName } from "../engines/engine";
import { drifted, type OperationName, type Sample, type SettingTrial } from "./figures";
import { type Operation, type Stack, withStacks } from "./stack";
import { type Subject, titleOf } from "./subjects";

/** Whole lives of stacks to measure. */
export interface LifePlan {
  readonly size: number;
  readonly subjects: readonly Subject[];
  readonly runs: number;
  /** What is measured. Up and destroy are always done, and measured. */
  readonly operations: readonly OperationName[];
  /** Milliseconds that the servers hold back each answer, all along. */
  readonly latencyMs: number;
  /** A refresh is measured with these, too. */
  readonly refreshLatenciesMs: readonly number[];
  /** How often preview and refresh are measured, in turn; the naive provider once. */
  readonly repeats: number;
  /** Whether options of the CLI for large stacks are tried on the way. */
  readonly triesOptions: boolean;
}

export interface LifeReport {
  sample(sample: Sample): void;
  trial(trial: SettingTrial): void;
}

interface Context {
  readonly engine: EngineName;
  readonly plan: LifePlan;
  readonly report: LifeReport;
  /** In the order in which they take turns. */
  readonly stacks: readonly Stack[];
}

/** Runs the lives of a plan. All its stacks are open at once and take turns at each operation, so that what else the machine does meets them all. */
export async function live(engine: EngineName, plan: LifePlan, report: LifeReport, signal: AbortSignal): Promise<void> {
  for (let run = 0; run < plan.runs; run++) {
    await withStacks({ engine, size: plan.size, signal }, plan.subjects, (stacks) =>
      // Who comes first pays for what the machine does before: it is another one in every other run.
      liveOnce({ engine, plan, report, stacks: run % 2 === 0 ? stacks : [...stacks].reverse() }, run === 0),
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

/** What changes nothing. */
const unchanging: readonly (readonly [OperationName, Operation])[] = [
  ["second up", { command: "up" }],
  ["preview", { command: "preview" }],
  ["preview with refresh", { command: "preview", refresh: true }],
  ["refresh", { command: "refresh" }],
];

/** The state is as large in every run: it is looked at in the first. */
async function lookAtNew(stack: Stack, isFirst: boolean): Promise<number | undefined> {
  stack.expectObjects(true);
  if (!isFirst) return undefined;
  await stack.expectState();
  return stack.stateBytes();
}

/** Runs an operation on every stack. What `look` answers are the bytes of the state. */
async function measure(
  { engine, plan, report, stacks }: Context,
  operation: OperationName,
  what: Operation,
  { latencyMs = plan.latencyMs, look }: { latencyMs?: number; look?: (stack: Stack) => Promise<number | undefined> } = {},
): Promise<void> {
  for (const stack of stacks) {
    const taken = await stack.run(what, latencyMs);
    report.sample({ ...stack.subject, engine, size: plan.size, latencyMs, operation, ...taken, stateBytes: await look?.(stack) });
  }
}

/** What the CLI's options do for a large stack that does not change. */
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
