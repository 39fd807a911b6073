import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Simulator } from "../../testing/simulator";
import { runCommand } from "./commands";

/**
 * Helpers that run the command `who` in the tests of a file. Each test has a folder of its own. @param simulated returns the simulator,
 * after it was started
 */
export function whoInTests(simulated: () => Simulator) {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "who-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Writes a file. @returns its path */
  const file = (content: unknown, name = "content.json"): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  };
  const configured = (): string => {
    const { clusterAddress, clusterToken } = simulated();
    return file({ clusterAddress, clusterToken }, "config.json");
  };
  const command = async (...args: string[]) => {
    const { status, out, err } = await runCommand("who", ...args);
    return { status, out, errors: err };
  };
  return {
    file,
    pathOf: (name: string) => join(folder, name),
    configured,
    command,
    onCluster: (...args: string[]) => command(...args, "--config-file", configured()),
  };
}
