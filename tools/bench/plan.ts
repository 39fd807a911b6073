import { operations } from "./figures";
import { type LifePlan, noCheckpoints } from "./life";
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

const life = {
  runs: 1,
  operations,
  latencyMs: 0,
  refreshLatenciesMs: [],
  repeats: 1,
  triesOptions: false,
  checkpoints: true,
} satisfies Partial<LifePlan>;
const nothing: Plan = { lives: [], alone: [], starts: 0, writes: [] };

const without = (unwanted: (subject: Subject) => boolean) => subjects.filter((subject) => !unwanted(subject));
const plugins = without(({ adapter }) => adapter === "dynamic");
const compared = without(({ provider }) => provider === "naive");
const naivePlugin = plugins.filter(({ provider }) => provider === "naive");
const own = subjects.filter(({ provider }) => provider === "own");

/** The operations of the targets. */
const targeted = ["up", "preview", "preview with refresh", "refresh", "destroy"] as const;

const atOnce: WriteTrial = { setting: "--parallel 64", size: 100, latencyMs: 100, options: ["--parallel", "64"] };
const unsaved = (size: number): WriteTrial => ({ setting: "PULUMI_SKIP_CHECKPOINTS=true", latencyMs: 0, env: noCheckpoints, size });

/**
 * The parts of the bench. Each can be measured when the machine has nothing else to do; the documents show the last figures of each.
 *
 * - `targets`: this provider and the no-op, three runs at N = 1,000 and five at N = 300
 * - `peers`: the naive and the carrying provider, latencies, and small stacks
 * - `journal`: without checkpoints, three runs at N = 1,000
 * - `tenfold`: without checkpoints, this provider alone, one run at N = 10,000
 * - `alone`: the provider without an engine, and the starts of its process
 * - `settings`: settings for large stacks
 */
export const parts = {
  targets: {
    ...nothing,
    lives: [
      { ...life, size: 1_000, subjects: compared, runs: 3, everyRun: targeted, refreshLatenciesMs: [100], triesOptions: true },
      { ...life, size: 300, subjects: compared, runs: 5, operations: targeted },
    ],
  },
  peers: {
    ...nothing,
    lives: [
      { ...life, size: 1_000, subjects: [...naivePlugin, carrying], refreshLatenciesMs: [100] },
      { ...life, size: 300, subjects: naivePlugin, operations: targeted },
      { ...life, size: 100, subjects, refreshLatenciesMs: [20, 100] },
      {
        ...life,
        size: 100,
        subjects: plugins.filter(({ provider }) => provider !== "no-op"),
        latencyMs: 100,
        operations: ["update of 10 %"],
      },
      { ...life, size: 10, subjects: plugins, operations: ["refresh"], refreshLatenciesMs: [100] },
    ],
  },
  journal: {
    ...nothing,
    lives: [{ ...life, size: 1_000, subjects: compared, runs: 3, operations: targeted, checkpoints: false }],
  },
  tenfold: { ...nothing, lives: [{ ...life, size: 10_000, subjects: own, operations: targeted, checkpoints: false }] },
  alone: { ...nothing, alone: [1_000, 10_000].flatMap((size) => own.map((subject) => ({ subject, size }))), starts: 5 },
  settings: { ...nothing, writes: [unsaved(1_000), atOnce] },
} as const satisfies Record<string, Plan>;

export type PartName = keyof typeof parts;
export const partNames: readonly PartName[] = ["targets", "peers", "journal", "tenfold", "alone", "settings"];

export function joined(plans: readonly Plan[]): Plan {
  return {
    lives: plans.flatMap(({ lives }) => lives),
    alone: plans.flatMap(({ alone }) => alone),
    starts: Math.max(...plans.map(({ starts }) => starts)),
    writes: plans.flatMap(({ writes }) => writes),
  };
}

/** One run at N = 100, in less than three minutes. */
export const quickPlan: Plan = {
  lives: [{ ...life, size: 100, subjects: [...compared, ...naivePlugin, carrying], refreshLatenciesMs: [100], triesOptions: true }],
  alone: [],
  starts: 3,
  writes: [unsaved(100)],
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
