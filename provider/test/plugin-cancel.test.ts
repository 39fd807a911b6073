import { Empty } from "../doors/plugin/grpc";
import { Simulator } from "../simulator";
import { TestPlugin, urnOf } from "./support/plugin";
import { configurationOf } from "./support/session";

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

test("a cancellation ends the wait for agents: the pool and its agents stay as they are", async () => {
  const { id, outputs } = await plugin.create(urn, (await plugin.check(urn, { forceDestroy: true, drainTimeoutSeconds: 600 })).inputs);
  const { id: agent } = simulator.pools.addAgent(id, { name: "busy", status: "busy" });
  // An operation of its own: one never deletes what it has made itself.
  await plugin.configure(configurationOf(simulator));
  const started = Date.now();
  let hasEnded = false;
  const deleting = plugin.delete(urn, id, outputs).finally(() => {
    hasEnded = true;
  });
  const ended = expect(deleting).rejects.toThrow("The operation was cancelled before this was done.");
  const isWaiting = () => simulator.journal.lines().includes(`GET /api/v2/agent-pools/${id}/agents`);
  while (!isWaiting() && !hasEnded) await new Promise((resolve) => setImmediate(resolve));
  await plugin.call((client, done) => client.cancel(new Empty(), done));
  await ended;
  expect(Date.now() - started).toBeLessThan(10_000);
  expect(simulator.pools.get(id)).toBeDefined();
  expect(simulator.pools.agent(agent)).toMatchObject({ status: "busy" });
});
