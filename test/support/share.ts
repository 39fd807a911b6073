import * as fc from "fast-check";
import { isFull } from "./extent";
import { chosenSeed } from "./seed";

let drawnBefore = 0;

/**
 * The cases that `npm test` runs, at most so many; `npm run test:full` runs all. Others with every change of the code, which the seed follows:
 * what fails here fails on every machine. SHARE_SEED repeats them.
 */
export function shareOf<T>(quick: number, cases: readonly T[]): readonly T[] {
  if (isFull || cases.length <= quick) return cases;
  // The tables of a file are not drawn alike.
  const seed = chosenSeed("SHARE_SEED") + drawnBefore++;
  return fc.sample(fc.shuffledSubarray([...cases], { minLength: quick, maxLength: quick }), { seed, numRuns: 1 }).flat();
}
