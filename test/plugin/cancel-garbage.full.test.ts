/** Waits end although Node collects garbage meanwhile. Node 20 may collect a signal before a timer or a cancellation has aborted it. */
import { Simulator } from "../../testing/simulator";
import { busyPool, cancel } from "../support/busy-pool";
import { collectingGarbage } from "../support/garbage";
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

test("customTimeouts end a wait even if garbage is collected meanwhile", async () => {
  const { id, outputs } = await busyPool(plugin, simulator);
  const deleting = plugin.delete(urn, id, outputs, 0.5);
  await expect(collectingGarbage(deleting)).rejects.toThrow("This took longer than the 0.5 s that the resource's customTimeouts allow.");
  expect(simulator.pools.get(id)).toBeDefined();
});

test("a cancellation ends a wait with customTimeouts even if garbage is collected before", async () => {
  const { id, outputs, isWaiting } = await busyPool(plugin, simulator);
  let hasEnded = false;
  const deleting = plugin.delete(urn, id, outputs, 600).finally(() => {
    hasEnded = true;
  });
  deleting.catch(() => undefined);
  while (!isWaiting() && !hasEnded) await new Promise((resolve) => setImmediate(resolve));
  await expect(collectingGarbage(deleting, 300)).rejects.toThrow("no result within 300 ms");
  await cancel(plugin);
  await expect(collectingGarbage(deleting)).rejects.toThrow("The operation was cancelled before this was done.");
  expect(simulator.pools.get(id)).toBeDefined();
});
