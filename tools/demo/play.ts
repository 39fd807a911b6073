import { CheckFailed, type Stage, type Step } from "./steps";

/** Runs the steps one after the other, up to the first that fails. @returns whether all succeeded */
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
