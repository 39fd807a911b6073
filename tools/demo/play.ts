import { NotAsItShouldBe, type Stage, type Step } from "./steps";

/** Plays the steps one after the other. Ends with the first that is not as it should be, and is false then. */
export async function play(stage: Stage, steps: readonly Step[]): Promise<boolean> {
  const startedAt = Date.now();
  for (const [index, { title, run }] of steps.entries()) {
    stage.say(`\n[${index + 1}/${steps.length}] ${title}`);
    try {
      await run(stage);
    } catch (error) {
      if (!(error instanceof NotAsItShouldBe)) throw error;
      stage.say(`  NOT  ${error.message}`);
      return false;
    }
  }
  stage.say(`\nEverything is as it should be (${Math.round((Date.now() - startedAt) / 1000)} s).`);
  return true;
}
