/** Waits end by a cancellation and by `customTimeouts`. */
import { Empty } from "../../provider/adapters/plugin/grpc";
import { Simulator } from "../../testing/simulator";
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

/** A pool whose delete waits for its agent, in a second operation, because an operation never deletes its own objects. */
async function busyPool() {
  const { id, outputs } = await plugin.create(urn, (await plugin.check(urn, { forceDestroy: true, drainTimeoutSeconds: 600 })).inputs);
  const agent = simulator.pools.addAgent(id, { name: "busy", status: "busy" });
  await plugin.configure(configurationOf(simulator));
  const isWaiting = () => simulator.journal.lines().includes(`GET /api/v2/agent-pools/${id}/agents`);
  return { id, outputs, agent: agent.id, isWaiting };
}

const cancel = () => plugin.call((client, done) => client.cancel(new Empty(), done));

test("a cancellation ends the wait for agents, and the pool and its agents stay", async () => {
  const { id, outputs, agent, isWaiting } = await busyPool();
  const started = Date.now();
  let hasEnded = false;
  const deleting = plugin.delete(urn, id, outputs).finally(() => {
    hasEnded = true;
  });
  const ended = expect(deleting).rejects.toThrow("The operation was cancelled before this was done.");
  while (!isWaiting() && !hasEnded) await new Promise((resolve) => setImmediate(resolve));
  await cancel();
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
