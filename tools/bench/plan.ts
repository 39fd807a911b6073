import { operations } from "./figures";
import type { LifePlan } from "./life";
import { carrying, type Subject, subjects } from "./subjects";
import type { WriteTrial } from "./writes";

/** The plan of a bench. */
export interface Plan {
  readonly lives: readonly LifePlan[];
  readonly alone: readonly { readonly subject: Subject; readonly size: number }[];
  /** How often the start of a provider is measured. */
  readonly starts: number;
  readonly writes: readonly WriteTrial[];
}

const life = { runs: 1, operations, latencyMs: 0, refreshLatenciesMs: [], repeats: 1, triesOptions: false } satisfies Partial<LifePlan>;
const without = (unwanted: (subject: Subject) => boolean) => subjects.filter((subject) => !unwanted(subject));
const plugins = without(({ adapter }) => adapter === "dynamic");
const withoutNaiveDynamic = without(({ provider, adapter }) => provider === "naive" && adapter === "dynamic");

/** The engine keeps the state in memory until the operation ends. */
const withoutCheckpoints = {
  setting: "PULUMI_SKIP_CHECKPOINTS=true",
  latencyMs: 0,
  env: { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" },
};

/**
 * Everything, in three quarters of an hour on two idle processors. At N = 1,000 an up takes more than a minute for every provider, so that
 * writing operations have one run, preview and refresh five, and the naive provider one adapter. At N = 100 the operations of the targets
 * have five runs, and writes are also measured with latency.
 */
export const fullPlan: Plan = {
  lives: [
    { ...life, size: 1_000, subjects: [...withoutNaiveDynamic, carrying], refreshLatenciesMs: [20, 100], repeats: 5, triesOptions: true },
    { ...life, size: 100, subjects, refreshLatenciesMs: [20, 100] },
    {
      ...life,
      size: 100,
      subjects: without(({ provider }) => provider === "naive"),
      runs: 4,
      operations: ["up", "preview", "refresh", "update of 10 %", "destroy"],
    },
    { ...life, size: 100, subjects: plugins.filter(({ provider }) => provider !== "no-op"), latencyMs: 20, operations: ["update of 10 %"] },
    {
      ...life,
      size: 100,
      subjects: plugins.filter(({ provider }) => provider !== "no-op"),
      latencyMs: 100,
      operations: ["update of 10 %"],
    },
    { ...life, size: 10, subjects: plugins, operations: ["refresh"], refreshLatenciesMs: [100] },
  ],
  alone: [1_000, 10_000].flatMap((size) => subjects.filter(({ provider }) => provider === "own").map((subject) => ({ subject, size }))),
  starts: 5,
  writes: [
    { ...withoutCheckpoints, size: 1_000 },
    { setting: "--parallel 64", size: 100, latencyMs: 100, options: ["--parallel", "64"] },
  ],
};

/** One run at N = 100, in less than three minutes. */
export const quickPlan: Plan = {
  lives: [{ ...life, size: 100, subjects: [...withoutNaiveDynamic, carrying], refreshLatenciesMs: [100], triesOptions: true }],
  alone: [],
  starts: 3,
  writes: [{ ...withoutCheckpoints, size: 100 }],
};

/** A small part of everything that needs no CLI, for tests of the bench. */
export function smallPlan(size: number): Plan {
  return {
    lives: [
      {
        ...life,
        size,
        subjects: plugins.filter(({ provider }) => provider !== "naive"),
        operations: ["second up", "refresh", "update of 10 %", "refresh, 10 drifted"],
      },
    ],
    alone: [{ subject: { provider: "naive", adapter: "dynamic" }, size }],
    starts: 1,
    writes: [],
  };
}
