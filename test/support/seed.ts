import { execFileSync } from "node:child_process";
import { createHash, randomInt } from "node:crypto";
import { basename, join } from "node:path";
import type { Parameters } from "fast-check";

const largest = 2 ** 31 - 1;

/**
 * The seed of a random test: the value of the environment variable, or a number that depends only on the test and the code of the current
 * commit. So every commit that changes the code tests other cases, and a test that fails on one machine fails on every machine. Outside
 * of a checkout the seed is random.
 */
export function chosenSeed(variable: string): number {
  const given = process.env[variable];
  if (given === undefined) return seedOfCode() ?? randomInt(largest);
  const seed = Number(given);
  if (!Number.isInteger(seed)) throw new Error(`${variable} is "${given}": give a whole number`);
  return seed;
}

/** Prints the {@link chosenSeed}, and returns it. @param what the random data that the seed decides, as "the random objects" */
export function printedSeed(what: string, variable: string): number {
  const seed = chosenSeed(variable);
  console.log(`The seed of ${what} is ${seed}. To repeat it, set ${variable} to it.`);
  return seed;
}

/**
 * The options of a property, with a seed for its cases ({@link chosenSeed}): so the property has the same cases on every machine with the
 * same code. fast-check prints the seed of a property that fails; the environment variable PROPERTY_SEED repeats it.
 */
export function cases<T>(options: Parameters<T> = {}): Parameters<T> {
  return { seed: chosenSeed("PROPERTY_SEED"), ...options };
}

function seedOfCode(): number | undefined {
  try {
    const folders = ["access", "access-functions", "checks", "cli", "common", "policies", "provider", "test", "testing", "tools"].map(
      (name) => `HEAD:${name}`,
    );
    const code = execFileSync("git", ["rev-parse", ...folders], { cwd: join(__dirname, "../.."), encoding: "utf8", stdio: "pipe" });
    const { testPath = "", currentTestName = "" } = expect.getState();
    const hash = createHash("sha256")
      .update(`${code} ${basename(testPath)} ${currentTestName}`)
      .digest();
    return hash.readUInt32BE() % largest;
  } catch {
    return undefined;
  }
}
