import * as fc from "fast-check";
import type { DialectName } from "../../testing/simulator";
import { adaptersInProcess } from "../support/adapters";
import { isFull } from "../support/extent";
import { chosenSeed } from "../support/seed";
import { shareOf } from "../support/share";
import { type Case, casesOf, run, titleOf } from "./case";
import { record } from "./recording";
import { scenarios } from "./scenarios";

/** How many cases are under way at once: some of them wait for a time-out. */
const lanes = 8;

/** `npm test` draws one case for each fault and each role of a request in the table of expectations. */
const drawnBy = ({ fault, step }: Case) => `${fault} ${step.role === "read back" || step.role === "afterthought" ? "read" : step.role}`;
/** One case for each fault through the plugin, which sends the same requests (adapters.test.ts), and with documented servers. */
const drawnByFault = ({ fault }: Case) => fault;

/** How many scenarios `npm test` draws from: with 24, there are requests of every role; with 6, requests that meet nearly every fault. */
const scenariosToDrawFrom = { everyRole: 24, everyFault: 6 };

/**
 * Runs all cases through an adapter, or as many as `npm test` has time for, and prints how many held.
 *
 * @returns the cases that did not hold, with the reasons
 */
export async function runMatrix(adapterName: string, dialect: DialectName = "measured"): Promise<string[]> {
  const begun = Date.now();
  const adapter = adaptersInProcess.find(({ name }) => name === adapterName);
  if (!adapter) throw new Error(`there is no ${adapterName} adapter`);
  const chosen = scenarios.filter(({ isBeyondDocument }) => dialect === "measured" || !isBeyondDocument);
  if (chosen.length === 0) {
    process.stdout.write(`fault matrix, ${adapterName} adapter: no case, because ${dialect} servers do not have the kind\n`);
    return [];
  }
  const meetsEveryRequest = adapterName === "dynamic" && dialect === "measured";
  const all: Case[] = [];
  for (const scenario of shareOf(meetsEveryRequest ? scenariosToDrawFrom.everyRole : scenariosToDrawFrom.everyFault, chosen))
    all.push(...casesOf(scenario, await record(adapter, scenario, dialect)));
  const cases = isFull ? all : drawn(all, meetsEveryRequest ? drawnBy : drawnByFault, `${adapterName} adapter, ${dialect} servers`);
  const waiting = [...cases];
  const broken: string[] = [];
  const lane = async () => {
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      const wrong = await run(adapter, one);
      if (wrong.length > 0) broken.push(`${titleOf(one)}\n    ${wrong.join("\n    ")}`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const seconds = Math.round((Date.now() - begun) / 1000);
  process.stdout.write(
    `fault matrix, ${adapterName} adapter, ${dialect} servers: ${cases.length - broken.length} of ${cases.length} cases held (${seconds} s)\n`,
  );
  return broken;
}

/** Draws one case for each key. Every change of the code draws other cases; SHARE_SEED repeats the drawn ones. */
function drawn(all: readonly Case[], by: (one: Case) => string, of: string): Case[] {
  const seed = chosenSeed("SHARE_SEED");
  const shuffled = fc.sample(fc.shuffledSubarray([...all], { minLength: all.length, maxLength: all.length }), { seed, numRuns: 1 }).flat();
  const cases = [...new Map(shuffled.map((one) => [by(one), one])).values()];
  process.stdout.write(
    `fault matrix, ${of}: ${cases.length} of ${all.length} cases are drawn from the seed ${seed}; SHARE_SEED repeats them, npm run test:full takes all\n`,
  );
  return cases;
}
