import { randomInt } from "node:crypto";
import { type Door, InProcess } from "../../soak/engine";
import { soak } from "../../soak/run";

/** Random, so that every run of the tests tries something else; SOAK_SEED repeats one. */
export function chosenSeed(): number {
  const { SOAK_SEED } = process.env;
  return SOAK_SEED === undefined ? randomInt(2 ** 31 - 1) : Number(SOAK_SEED);
}

/** Defines the test that random lifecycles end well. Its error is the shortest one that does not, as a list of what happened. */
export function testLifecycles(sequences: number, doorName: string, door: Door): void {
  test(`${sequences} random lifecycles through the ${doorName} door end well`, async () => {
    const seed = chosenSeed();
    console.log(`The seed of the random lifecycles through the ${doorName} door is ${seed}. To repeat them, set SOAK_SEED to it.`);
    expect(await soak({ sequences, seed, engine: () => new InProcess(door) })).toBe(sequences);
  }, 600_000);
}
