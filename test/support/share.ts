import * as fc from "fast-check";
import { isFull } from "./extent";
import { chosenSeed } from "./seed";

let drawnBefore = 0;

/**
 * The cases that a test runs: at most `quick` of them in `npm test`, and all in `npm run test:full`. The choice depends only on the
 * committed code, so every commit that changes the code runs other cases, and a case that fails on one machine fails on every machine.
 * The environment variable SHARE_SEED gives another seed for the choice.
 */
export function shareOf<T>(quick: number, cases: readonly T[]): readonly T[] {
  if (isFull || cases.length <= quick) return cases;
  // Each table of a file has a seed of its own, so equally long tables do not always give the same rows.
  const seed = chosenSeed("SHARE_SEED") + drawnBefore++;
  return fc.sample(fc.shuffledSubarray([...cases], { minLength: quick, maxLength: quick }), { seed, numRuns: 1 }).flat();
}
