import * as fc from "fast-check";
import { inWords, type Sequence, sequence } from "./commands";
import { type LifecycleOptions, runLifecycle } from "./lifecycle";

export interface SoakOptions extends Omit<LifecycleOptions, "dialect"> {
  readonly sequences: number;
  readonly seed: number;
  /** The servers' dialect. Default: measured. */
  readonly dialect?: LifecycleOptions["dialect"];
  /** The distribution of the sequences. Default: any sequence. */
  readonly drawn?: fc.Arbitrary<Sequence>;
}

/**
 * Runs random sequences.
 *
 * @returns how many were run
 * @throws for the first one that fails, reduced to the shortest one that fails, with the seed that repeats it
 */
export async function soak({ sequences, seed, dialect = "measured", drawn = sequence, ...options }: SoakOptions): Promise<number> {
  const property = fc.asyncProperty(drawn, (one) => runLifecycle(one, { ...options, dialect }));
  const { failed, counterexample, errorInstance, numRuns, numShrinks } = await fc.check(property, { numRuns: sequences, seed });
  if (!failed) return numRuns;
  const [shortest] = counterexample ?? [];
  const words = shortest ? inWords(shortest) : "no sequence";
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  throw new Error(`sequence ${numRuns} of seed ${seed} fails (reduced ${numShrinks} times):\n\n${words}\n\n${why}`);
}
