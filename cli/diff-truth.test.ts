/** Random changes of objects that decide permissions, with hidden parts: `diff` leaves out no possible effect. */
import * as fc from "fast-check";
import { diff, file, useFolder } from "../test/support/diff";
import { type Change, change } from "../test/support/diff-truth/draw";
import { isNoChange, type Said, type Wrong, wrongOf } from "../test/support/diff-truth/judge";
import { smallest } from "../test/support/diff-truth/shrink";
import { written } from "../test/support/diff-truth/written";
import { sizeOf } from "../test/support/extent";
import { chosenSeed } from "../test/support/seed";

useFolder();

/** How many other values of the hidden parts are tried for each change. */
const TRIES = 8;

async function said(one: Change): Promise<Said> {
  const args = Object.entries(written(one)).flatMap(([option, content]) => [`--${option}`, file(`${option}.json`, content)]);
  const { out, errors } = await diff(...args, "--json");
  if (out === "") throw new Error(errors);
  return JSON.parse(out);
}

const judged = async (one: Change): Promise<Wrong[]> => wrongOf(one, await said(one), TRIES);

/** The smallest change with the same wrong result, and the report on it. */
async function reportOf(one: Change, { what }: Wrong): Promise<string> {
  const small = await smallest(one, async (candidate) => (await judged(candidate)).some((other) => other.what === what));
  const { findings } = await said(small);
  const [wrong] = (await judged(small)).filter((other) => other.what === what);
  const sentences = findings.map(({ kinds, text }) => `${text} [${kinds.join(", ")}]`);
  return [`${what}: ${wrong?.who}: ${wrong?.right}`, JSON.stringify(small, undefined, 1), "diff says:", ...sentences].join("\n");
}

test("every certain or possible change of a holder's permissions is reported, and a change of words alone is not", async () => {
  const counted = { changes: 0, silent: 0, hidden: 0, management: 0 };
  const numRuns = Number(process.env.CHANGES ?? sizeOf({ quick: 250, full: 3_000 }));
  const seed = chosenSeed("PROPERTY_SEED");
  for (const [index, one] of fc.sample(change, { seed, numRuns }).entries()) {
    const [wrong] = await judged(one);
    if (wrong) throw new Error(`change ${index} of PROPERTY_SEED=${seed}: ${await reportOf(one, wrong)}`);
    const { kinds } = await said(one);
    counted.changes++;
    if (isNoChange(one)) counted.silent++;
    if (one.hidden.length > 0) counted.hidden++;
    if (kinds.includes("management")) counted.management++;
  }
  expect(Math.min(...Object.values(counted))).toBeGreaterThan(0);
  if (process.env.CHANGES !== undefined) console.log(JSON.stringify(counted));
});
