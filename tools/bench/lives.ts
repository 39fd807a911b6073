import type { AdapterName } from "../engines/engine";
import { type OperationName, operations, type Sample } from "./figures";
import { type Stack, withStacks } from "./stack";
import type { Subject } from "./subject";

/** The measured life of a stack. `operations` has to include up and destroy: the others need the stack between them. */
export interface Life {
  readonly size: number;
  readonly subjects: readonly Subject[];
  readonly runs: number;
  readonly operations: readonly OperationName[];
  readonly checkpoints: boolean;
  /** Further latencies of the refresh. */
  readonly refreshLatenciesMs: readonly number[];
}

/** The operations whose time and processor time have targets. */
export const targeted = ["up", "preview", "preview with refresh", "refresh", "destroy"] as const;

/**
 * The parts of the bench.
 *
 * - `checkpoints`: this provider and the no-op; the first run includes the naive provider and every operation
 * - `journal`: without checkpoints, which is closest to a backend that keeps a journal
 * - `growth`: a stack ten times as large, with this provider alone
 */
export const partNames = ["checkpoints", "journal", "growth"] as const;

export function livesOf(part: (typeof partNames)[number], adapters: readonly AdapterName[], size: number, runs: number): Life[] {
  const own = adapters.map((adapter): Subject => ({ provider: "own", adapter }));
  const compared = adapters.flatMap((adapter) => (["own", "no-op"] as const).map((provider): Subject => ({ provider, adapter })));
  const naive = adapters.includes("plugin") ? [{ provider: "naive", adapter: "plugin" } as const] : [];
  const life = { size, subjects: compared, runs, operations: targeted, checkpoints: false, refreshLatenciesMs: [] };
  switch (part) {
    case "checkpoints":
      return [
        { ...life, subjects: [...compared, ...naive], runs: 1, operations, checkpoints: true, refreshLatenciesMs: [100] },
        { ...life, runs: runs - 1, checkpoints: true },
      ];
    case "journal":
      return [life];
    case "growth":
      return [{ ...life, size: 10 * size, subjects: own, runs: 1 }];
  }
}

/** Runs a life. All its stacks run each operation in turn, so other load on the machine affects all of them. */
export async function live(life: Life, report: (sample: Sample) => void, signal: AbortSignal): Promise<void> {
  for (let run = 0; run < life.runs; run++) {
    await withStacks({ ...life, signal }, life.subjects, (stacks) =>
      // Every second run reverses the order, because previous work affects the first stack.
      liveOnce(run % 2 === 0 ? stacks : [...stacks].reverse(), life, report),
    );
  }
}

async function liveOnce(stacks: readonly Stack[], life: Life, report: (sample: Sample) => void): Promise<void> {
  const measure = async (operation: OperationName, latencyMs = 0) => {
    for (const stack of life.operations.includes(operation) ? stacks : []) {
      if (operation === "update of 10 %") stack.revise();
      if (operation === "refresh, 10 drifted") stack.drift(10);
      const sample = await stack.run(operation, latencyMs);
      if (operation === "up" || operation === "destroy") await stack.expectResources(operation === "up");
      report(operation === "up" ? { ...sample, stateBytes: await stack.stateBytes() } : sample);
    }
  };
  for (const operation of operations) {
    await measure(operation);
    if (operation === "refresh") for (const latencyMs of life.refreshLatenciesMs) await measure(operation, latencyMs);
  }
}
