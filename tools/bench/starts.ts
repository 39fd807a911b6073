import { performance } from "node:perf_hooks";
import { firstResponse } from "./alone";
import type { Start } from "./figures";
import { type Launcher, withLauncher } from "./launcher";
import { subjects, titleOf } from "./subjects";

interface Timing {
  readonly portMs: number;
  readonly responseMs: number;
}

/** Measures starts, in turn, so that other load on the machine affects all of them. */
export async function measureStarts(runs: number, signal: AbortSignal): Promise<Start[]> {
  const compared = subjects.filter(({ provider }) => provider !== "naive");
  return withLaunchers(compared, async (launchers) => {
    const timings: (Timing & { what: string })[] = [];
    for (let run = 0; run < runs; run++) {
      for (const launcher of launchers) {
        signal.throwIfAborted();
        const portMs = await timed(() => launcher.startToPort());
        timings.push({ what: titleOf(launcher.subject), portMs, responseMs: await toFirstResponse(launcher) });
      }
    }
    return launchers.map(({ subject }) => {
      const own = timings.filter(({ what }) => what === titleOf(subject));
      return { what: titleOf(subject), portMs: own.map(({ portMs }) => portMs), responseMs: own.map(({ responseMs }) => responseMs) };
    });
  });
}

async function withLaunchers<T>(
  left: typeof subjects,
  use: (launchers: readonly Launcher[]) => Promise<T>,
  made: readonly Launcher[] = [],
): Promise<T> {
  const [subject, ...others] = left;
  if (!subject) return use(made);
  return withLauncher(subject, 1, (launcher) => withLaunchers(others, use, [...made, launcher]));
}

async function toFirstResponse(launcher: Launcher): Promise<number> {
  const startedAt = performance.now();
  const host = launcher.start();
  try {
    await firstResponse(host, launcher.subject);
    return performance.now() - startedAt;
  } finally {
    await host.stop();
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
