import type { LifePlan } from "./life";
import { type Subject, subjects } from "./subjects";

/** What a bench measures. */
export interface Plan {
  readonly lives: readonly LifePlan[];
  readonly alone: readonly { readonly subject: Subject; readonly size: number }[];
  readonly starts: number;
  /** Size of the stacks that settings for creating and deleting are tried on; 0: none. */
  readonly writes: number;
}

const life: Omit<LifePlan, "size" | "subjects"> = { runs: 1, latencyMs: 0, refreshLatenciesMs: [], repeats: 1, triesSettings: false };
const without = (unwanted: (subject: Subject) => boolean) => subjects.filter((subject) => !unwanted(subject));
const withoutNaiveDynamic = without(({ provider, door }) => provider === "naive" && door === "dynamic");
const plugins = without(({ door }) => door === "dynamic");
const own = without(({ provider }) => provider !== "own");

/**
 * Everything, in less than 25 minutes on two processors that do nothing else. At N = 1,000 an up takes most of a minute, whatever the provider: there is one
 * run, and the naive provider has one door. What latency does to writes is measured at N = 100.
 */
export const fullPlan: Plan = {
  lives: [
    {
      ...life,
      size: 1_000,
      subjects: withoutNaiveDynamic,
      refreshLatenciesMs: [20, 100],
      triesSettings: true,
    },
    { ...life, size: 100, subjects, refreshLatenciesMs: [20, 100] },
    { ...life, size: 100, subjects: without(({ provider }) => provider === "naive"), runs: 4 },
    ...[20, 100].map((latencyMs) => ({ ...life, size: 100, subjects: plugins, latencyMs })),
    { ...life, size: 10, subjects: plugins, refreshLatenciesMs: [100] },
  ],
  alone: [1_000, 10_000].flatMap((size) => own.map((subject) => ({ subject, size }))),
  starts: 10,
  writes: 1_000,
};

/** One run at N = 100, in less than three minutes. */
export const quickPlan: Plan = {
  lives: [{ ...life, size: 100, subjects: withoutNaiveDynamic, refreshLatenciesMs: [100], triesSettings: true }],
  alone: [],
  starts: 3,
  writes: 100,
};

/** A little of everything that needs no CLI, for tests of the bench itself. */
export function smallPlan(size: number): Plan {
  return {
    lives: [{ ...life, size, subjects: plugins.filter(({ provider }) => provider !== "naive") }],
    alone: [{ subject: { provider: "naive", door: "dynamic" }, size }],
    starts: 1,
    writes: 0,
  };
}
