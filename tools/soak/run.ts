import * as fc from "fast-check";
import type { DialectName } from "../../provider/testing/simulator";
import { inWords, type Sequence, sequence } from "./commands";
import type { Engine } from "./engine";
import { live } from "./lifecycle";

export interface SoakOptions {
  readonly sequences: number;
  readonly seed: number;
  /** Which servers they live with; the measured ones unless given. */
  readonly dialect?: DialectName;
  /** Makes the engine of one sequence. */
  readonly engine: () => Engine;
  /** What the sequences are drawn from; anything unless given. */
  readonly drawn?: fc.Arbitrary<Sequence>;
}

/**
 * Lives through random sequences.
 *
 * @returns how many were lived through
 * @throws for the first one that ends badly, cut down to the shortest that does, with the seed that repeats it
 */
export async function soak({ sequences, seed, dialect = "measured", engine, drawn = sequence }: SoakOptions): Promise<number> {
  const property = fc.asyncProperty(drawn, (one) => live(one, engine(), dialect));
  const { failed, counterexample, errorInstance, numRuns, numShrinks } = await fc.check(property, { numRuns: sequences, seed });
  if (!failed) return numRuns;
  const [shortest] = counterexample ?? [];
  const words = shortest ? inWords(shortest) : "no sequence";
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  throw new Error(`sequence ${numRuns} of seed ${seed} ends badly (cut down ${numShrinks} times):\n\n${words}\n\n${why}`);
}
