import type { DialectName } from "../../testing/simulator";
import type { Adapter } from "../support/adapters";
import { printedSeed } from "../support/seed";
import { soak } from "./soak";

/** Defines the test of random lifecycles. Its error has a short lifecycle that fails, as a list of its commands. */
export function testLifecycles(sequences: number, adapterName: string, adapter: Adapter, dialect: DialectName = "measured"): void {
  test(`${sequences} random lifecycles through the ${adapterName} adapter, with ${dialect} servers, find no violation`, async () => {
    const seed = printedSeed(`the random lifecycles through the ${adapterName} adapter, with ${dialect} servers,`, "SOAK_SEED");
    expect(await soak({ sequences, seed, dialect, adapter })).toBe(sequences);
  }, 600_000);
}
