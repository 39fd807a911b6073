import { type Case, casesOf, run, titleOf } from "./case";
import { record } from "./recording";
import { scenarios } from "./scenarios";
import { matrixDoor } from "./short-cut";

/** How many cases are under way at once: some of them wait for a time-out. */
const lanes = 8;

/**
 * Runs all cases through a door, and prints how many held.
 *
 * @returns those that did not hold, with the reasons
 */
export async function runMatrix(doorName: string): Promise<string[]> {
  const begun = Date.now();
  const door = matrixDoor(doorName);
  const cases: Case[] = [];
  for (const scenario of scenarios) cases.push(...casesOf(scenario, await record(door, scenario)));
  const waiting = [...cases];
  const broken: string[] = [];
  const lane = async () => {
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      const wrong = await run(door, one);
      if (wrong.length > 0) broken.push(`${titleOf(one)}\n    ${wrong.join("\n    ")}`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const seconds = Math.round((Date.now() - begun) / 1000);
  process.stdout.write(`fault matrix, ${doorName} door: ${cases.length - broken.length} of ${cases.length} cases held (${seconds} s)\n`);
  return broken;
}
