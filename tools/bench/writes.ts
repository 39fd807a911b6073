import type { SettingTrial } from "./figures";
import { withStacks } from "./stack";
import type { Subject } from "./subjects";

/** A setting for creates and deletes, which needs a separate stack, and the CLI. */
export interface WriteTrial {
  readonly setting: string;
  readonly size: number;
  readonly latencyMs: number;
  readonly options?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const subject: Subject = { provider: "own", adapter: "plugin" };

/** Creates a stack with the setting, and deletes it. */
export async function tryWrites(trial: WriteTrial, report: (trial: SettingTrial) => void, signal: AbortSignal): Promise<void> {
  const { setting, size, latencyMs, options = [], env = {} } = trial;
  await withStacks({ engine: "cli", size, env, signal }, [subject], async ([stack]) => {
    if (!stack) return;
    for (const operation of ["up", "destroy"] as const) {
      const { requests, wallMs } = await stack.run({ command: operation, options }, latencyMs);
      stack.expectObjects(operation === "up");
      report({ setting, operation, size, latencyMs, requests, wallMs });
    }
  });
}
