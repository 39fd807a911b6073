/** Imports and `get` by the ids that users give. */
import { Simulator } from "../../provider/testing/simulator";
import { TestPlugin, urnOf } from "../support/plugin";
import { configurationOf } from "../support/session";

let simulator: Simulator;
let plugin: TestPlugin;

beforeEach(async () => {
  simulator = await Simulator.start();
  plugin = await TestPlugin.start({});
  await plugin.configure(configurationOf(simulator));
});
afterEach(async () => {
  plugin.stop();
  await simulator.stop();
});

const read = (id: string) => plugin.read(urnOf("AgentPool"), id);

test("a pool of another organization does not count as one of the configured one, because a refresh would count it as gone", async () => {
  simulator.pools.addOrganization("other-org");
  const pool = simulator.pools.put({ organization: "other-org", name: "build" });
  await expect(read(pool.id)).rejects.toThrow(
    `Agent pool "build" (${pool.id}) is not in organization "${simulator.organization}", and a response does not say which one it is in. Import it as ORGANIZATION/build.`,
  );
  expect(await read("other-org/build")).toMatchObject({ id: pool.id, inputs: { organization: "other-org" } });
});

test("a pool's bare name is no id, and the error names the form of one", async () => {
  simulator.pools.put({ organization: simulator.organization, name: "build" });
  await expect(read("build")).rejects.toThrow('There is no agent pool "build". Give its ID, apool-..., or ORGANIZATION/POOL-NAME.');
});
