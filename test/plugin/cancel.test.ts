/** A cancellation ends waits, and very long `customTimeouts` do not end them too early. */
import { Simulator } from "../../testing/simulator";
import { busyPool, cancel } from "../support/busy-pool";
import { TestPlugin, urnOf } from "../support/plugin";
import { configurationOf } from "../support/session";

const urn = urnOf("AgentPool");
let simulator: Simulator;
let plugin: TestPlugin;

beforeEach(async () => {
  simulator = await Simulator.start();
  plugin = await TestPlugin.start();
  await plugin.configure(configurationOf(simulator));
});
afterEach(async () => {
  plugin.stop();
  await simulator.stop();
});

test("a cancellation ends the wait for agents, and the pool and its agents stay", async () => {
  const { id, outputs, agent, isWaiting } = await busyPool(plugin, simulator);
  const started = Date.now();
  let hasEnded = false;
  const deleting = plugin.delete(urn, id, outputs).finally(() => {
    hasEnded = true;
  });
  const ended = expect(deleting).rejects.toThrow("The operation was cancelled before this was done.");
  while (!isWaiting() && !hasEnded) await new Promise((resolve) => setImmediate(resolve));
  await cancel(plugin);
  await ended;
  expect(Date.now() - started).toBeLessThan(10_000);
  expect(simulator.pools.get(id)).toBeDefined();
  expect(simulator.pools.agent(agent)).toMatchObject({ status: "busy" });
});

test("customTimeouts of 600 hours, longer than a timer of Node can be, do not end a wait too early", async () => {
  const { id, outputs } = await plugin.create(urn, (await plugin.check(urn, { forceDestroy: true })).inputs);
  simulator.pools.addAgent(id, { name: "idle", status: "exited" });
  await plugin.configure(configurationOf(simulator));
  simulator.latencyMs = 20;
  await plugin.delete(urn, id, outputs, 600 * 3600);
  expect(simulator.pools.get(id)).toBeUndefined();
});
