import { randomInt } from "node:crypto";
import * as fc from "fast-check";
import type { DialectName } from "../../provider/testing/simulator";
import { type Case, casesOf, run, titleOf } from "./case";
import { record } from "./recording";
import { scenarios } from "./scenarios";
import { matrixDoor } from "./short-cut";

/** How many cases are under way at once: some of them wait for a time-out. */
const lanes = 8;

/** Of a dialect other than the measured one, every so many-th case is run, unless FAULTS is "all". */
const share = 6;

/**
 * Runs all cases through a door, or with documented servers a share of them, and prints how many held.
 *
 * @returns those that did not hold, with the reasons
 */
export async function runMatrix(doorName: string, dialect: DialectName = "measured"): Promise<string[]> {
  const begun = Date.now();
  const door = matrixDoor(doorName);
  const all: Case[] = [];
  for (const scenario of scenarios) all.push(...casesOf(scenario, await record(door, scenario, dialect)));
  const isWhole = dialect === "measured" || process.env.FAULTS === "all";
  const cases = isWhole ? all : drawn(all, Math.ceil(all.length / share), `${doorName} door, ${dialect} servers`);
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
  process.stdout.write(
    `fault matrix, ${doorName} door, ${dialect} servers: ${cases.length - broken.length} of ${cases.length} cases held (${seconds} s)\n`,
  );
  return broken;
}

/** Other ones in every run of the tests; FAULTS_SEED repeats them. */
function drawn(all: readonly Case[], count: number, of: string): Case[] {
  const { FAULTS_SEED } = process.env;
  const seed = FAULTS_SEED === undefined ? randomInt(2 ** 31 - 1) : Number(FAULTS_SEED);
  process.stdout.write(
    `fault matrix, ${of}: ${count} of ${all.length} cases are drawn from the seed ${seed}; FAULTS_SEED repeats them, FAULTS=all takes all\n`,
  );
  return fc.sample(fc.shuffledSubarray([...all], { minLength: count, maxLength: count }), { seed, numRuns: 1 }).flat();
}
