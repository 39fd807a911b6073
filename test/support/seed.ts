import { execFileSync } from "node:child_process";
import { createHash, randomInt } from "node:crypto";
import { basename, join } from "node:path";

const largest = 2 ** 31 - 1;

/**
 * The seed of a random test: that of the environment variable, or one that follows from the commit that is checked out and the test.
 * So other cases are tested with every commit, and what fails on one machine fails on another. Outside of a checkout it is random.
 */
export function chosenSeed(variable: string): number {
  const given = process.env[variable];
  if (given === undefined) return seedOfCommit() ?? randomInt(largest);
  const seed = Number(given);
  if (!Number.isInteger(seed)) throw new Error(`${variable} is "${given}": give a whole number`);
  return seed;
}

function seedOfCommit(): number | undefined {
  try {
    const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: join(__dirname, "../.."), encoding: "utf8", stdio: "pipe" });
    const { testPath = "", currentTestName = "" } = expect.getState();
    const hash = createHash("sha256")
      .update(`${commit} ${basename(testPath)} ${currentTestName}`)
      .digest();
    return hash.readUInt32BE() % largest;
  } catch {
    return undefined;
  }
}
