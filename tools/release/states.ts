import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AdapterName, adapterNames, type EngineName } from "../engines/engine";
import { hasCli, withEngine } from "../engines/engines";
import { configFor, startSimulator } from "../engines/project";
import { root } from "../repository";

/** A folder for each release, with its schema, a program, and the states that the release wrote for the program. */
export const releases = join(root, "test/releases");

/** The addresses in recorded states. They replace the simulator's, because its ports differ each time. */
export const recordedAddresses = { pools: "https://pools.example.com", cluster: "https://cluster.example.com" };

/** The engines that can run here. */
export function presentEngines(): EngineName[] {
  return hasCli() ? ["rehearsal", "cli"] : ["rehearsal"];
}

/** The target of the program's linked dependencies. Calls in the CLI's state name such folders of the machine. */
const outsideProgram = /project:\/\/\/(\.\.\/)+[^"]*?\/node_modules\//g;

/** The name of a state's file. */
export const stateFile = (engine: EngineName, adapter: AdapterName) => `${engine}-${adapter}.json`;

/**
 * Keeps the schema of this version, a program, and the states that it writes for that program through both adapters. Secrets in them are
 * the program's and the simulator's, encrypted with the key or the passphrase of the demo. Without the Pulumi CLI on PATH, its states are
 * left out.
 *
 * @returns the files of the schema and the states
 */
export async function recordRelease(version: string, folder = join(releases, version)): Promise<string[]> {
  mkdirSync(join(folder, "states"), { recursive: true });
  cpSync(join(root, "test/fixtures/release"), join(folder, "program"), { recursive: true });
  const schema = join(folder, "schema.json");
  cpSync(join(root, "schema.json"), schema);
  const files = [schema];
  for (const engine of presentEngines()) {
    for (const adapter of adapterNames) {
      const file = join(folder, "states", stateFile(engine, adapter));
      writeFileSync(file, await stateOf(join(folder, "program"), engine, adapter));
      files.push(file);
    }
  }
  return files;
}

/** The state of the program's stack after its first update. */
async function stateOf(folder: string, engineName: EngineName, adapter: AdapterName): Promise<string> {
  const simulator = await startSimulator();
  try {
    return await withEngine(engineName, { folder, adapter, ...configFor(simulator) }, async (engine) => {
      const { errors } = await engine.run("up");
      if (errors.length > 0) throw new Error(`the program of the release failed:\n${errors.join("\n")}`);
      const state = await engine.storedState();
      return state
        .replaceAll(simulator.poolsAddress, recordedAddresses.pools)
        .replaceAll(simulator.clusterAddress, recordedAddresses.cluster)
        .replace(outsideProgram, "project:///node_modules/");
    });
  } finally {
    await simulator.stop();
  }
}
