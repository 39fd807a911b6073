import type { DialectName } from "../../testing/simulator";
import type { Adapter } from "../support/adapters";
import { printedSeed } from "../support/seed";
import { killedSequence } from "./commands";
import { beginInProcesses } from "./processes";
import { soak } from "./soak";

/** Defines the test of random lifecycles. Its error is the shortest lifecycle that fails, as a list of its commands. */
export function testLifecycles(sequences: number, adapterName: string, adapter: Adapter, dialect: DialectName = "measured"): void {
  test(`${sequences} random lifecycles through the ${adapterName} adapter, with ${dialect} servers, find no violation`, async () => {
    const seed = printedSeed(`the random lifecycles through the ${adapterName} adapter, with ${dialect} servers,`, "SOAK_SEED");
    expect(await soak({ sequences, seed, dialect, adapter })).toBe(sequences);
  }, 600_000);
}

/** The same, but the first update of each runs in its own processes, which are killed. */
export function testKilledProcesses(sequences: number, adapterName: "dynamic" | "plugin", adapter: Adapter): void {
  test(`${sequences} random lifecycles through the ${adapterName} adapter whose first processes are killed find no violation`, async () => {
    const seed = printedSeed(`the killed processes behind the ${adapterName} adapter`, "SOAK_SEED");
    const fates = { killed: 0, ended: 0 };
    const begin = beginInProcesses(adapterName, fates);
    expect(await soak({ sequences, seed, adapter, begin, drawn: killedSequence })).toBe(sequences);
    expect(fates.killed + fates.ended).toBe(sequences);
    // The others sent fewer requests than the number at which they would have been killed; of a few sequences, all may have.
    if (sequences >= 20) expect(fates.killed).toBeGreaterThan(sequences / 4);
  }, 600_000);
}
