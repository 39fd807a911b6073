import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { Simulator } from ".";

const run = promisify(execFile);

/** Exchanges that were recorded on a running server, and the program that replays them. They are not part of the package. */
const folder = resolve(__dirname, "../../../shared/conformance");
const replay = join(folder, "replay.mjs");
const files = existsSync(replay) ? readdirSync(folder).filter((file) => file.endsWith(".json") && isListOfScenarios(file)) : [];

/** Recordings of what the simulator does not have: ACL tokens, and policies beyond those that a role refers to. */
const beyond = ["acl-neighbours.json"];
const recordings = files.filter((file) => !beyond.includes(file));

/** The folder may hold recordings of other kinds, such as logins, which the simulator does not support. */
function isListOfScenarios(file: string): boolean {
  return Array.isArray(JSON.parse(readFileSync(join(folder, file), "utf8")));
}

describe("recorded exchanges with a running server", () => {
  if (recordings.length === 0) {
    it("are not available here, so nothing is replayed", () => {
      console.log(`No recordings were replayed: there is no ${replay} with recordings beside it.`);
      expect(recordings).toEqual([]);
    });
    return;
  }

  const left = files.filter((file) => beyond.includes(file));
  if (left.length > 0)
    console.log(`${left.join(", ")} is not replayed: the simulator has no ACL tokens, and of policies only what roles need.`);

  it.each(recordings)("%s replays without a mismatch", async (file) => {
    const simulator = await Simulator.start();
    try {
      const { stdout } = await run(process.execPath, [
        replay,
        join(folder, file),
        "--url",
        simulator.clusterAddress,
        "--token",
        simulator.clusterToken,
      ]);
      expect(stdout).toMatch(/^[1-9]\d* passed, 0 failed\n$/);
    } finally {
      await simulator.stop();
    }
  });
});
