import type { EngineName, Project } from "../engines/engine";
import { withEngine } from "../engines/engines";
import { demoProject, startSimulator } from "../engines/project";
import { CheckFailed, type Stage, type Step, steps } from "./steps";

/** Plays the demo on an engine, with servers of its own. @param changes changes to the demo's project @returns whether all checks passed */
export async function playDemo(
  engineName: EngineName,
  changes: Partial<Project>,
  say: (line: string) => void,
  signal?: AbortSignal,
): Promise<boolean> {
  const simulator = await startSimulator();
  try {
    const project = { ...demoProject(simulator), ...changes };
    return await withEngine(engineName, project, (engine) => play({ engine, simulator, say }, steps), signal);
  } finally {
    await simulator.stop();
  }
}

/** Runs the steps one after the other, up to the first failure. @returns whether all succeeded */
export async function play(stage: Stage, steps: readonly Step[]): Promise<boolean> {
  const startedAt = Date.now();
  for (const [index, { title, run }] of steps.entries()) {
    stage.say(`\n[${index + 1}/${steps.length}] ${title}`);
    try {
      await run(stage);
    } catch (error) {
      if (!(error instanceof CheckFailed)) throw error;
      stage.say(`  NOT  ${error.message}`);
      return false;
    }
  }
  stage.say(`\nAll checks passed (${Math.round((Date.now() - startedAt) / 1000)} s).`);
  return true;
}
