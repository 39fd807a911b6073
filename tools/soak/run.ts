import * as fc from "fast-check";
import type { DialectName } from "../../testing/simulator";
import { inWords, type Sequence, sequence } from "./commands";
import type { Engine } from "./engine";
import { runLifecycle } from "./lifecycle";

export interface SoakOptions {
  readonly sequences: number;
  readonly seed: number;
  /** The servers' dialect. Default: measured. */
  readonly dialect?: DialectName;
  /** Makes the engine of one sequence. */
  readonly engine: () => Engine;
  /** The distribution of the sequences. Default: any sequence. */
  readonly drawn?: fc.Arbitrary<Sequence>;
}

/**
 * Runs random sequences.
 *
 * @returns how many were run
 * @throws for the first one that fails, reduced to the shortest one that fails, with the seed that repeats it
 */
export async function soak({ sequences, seed, dialect = "measured", engine, drawn = sequence }: SoakOptions): Promise<number> {
  const property = fc.asyncProperty(drawn, (one) => runLifecycle(one, engine(), dialect));
  const { failed, counterexample, errorInstance, numRuns, numShrinks } = await fc.check(property, { numRuns: sequences, seed });
  if (!failed) return numRuns;
  const [shortest] = counterexample ?? [];
  const words = shortest ? inWords(shortest) : "no sequence";
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  throw new Error(`sequence ${numRuns} of seed ${seed} fails (reduced ${numShrinks} times):\n\n${words}\n\n${why}`);
}
