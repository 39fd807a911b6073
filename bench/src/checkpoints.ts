import type { LargeStack } from "./figures";
import { withStacks } from "./stack";
import type { Subject } from "./subjects";

const subject: Subject = { provider: "own", door: "plugin" };

/** What creating and deleting a stack takes by the settings that matter to it. They need a stack each, and the CLI. */
export async function measureWrites(size: number, report: (figure: LargeStack) => void, signal: AbortSignal): Promise<void> {
  const trials: readonly (readonly [string, number, readonly string[], Record<string, string>])[] = [
    ["as it is", 100, [], {}],
    ["--parallel 64", 100, ["--parallel", "64"], {}],
    // The engine keeps the state in memory until the operation ends.
    ["PULUMI_SKIP_CHECKPOINTS=true", 0, [], { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" }],
  ];
  for (const [setting, latencyMs, options, env] of trials) {
    await withStacks({ engine: "cli", size, env, signal }, [subject], async (stacks) => {
      for (const stack of stacks) {
        for (const command of ["up", "destroy"] as const) {
          const { requests, wallMs } = await stack.run({ command, options }, latencyMs);
          stack.expectObjects(command === "up");
          report({ setting, operation: command, size, latencyMs, requests, wallMs });
        }
      }
    });
  }
}
