/** The end of a wait, while Node collects garbage: Node 20 may collect signals that a timer or a cancellation is to abort. */
import { Empty } from "../../provider/adapters/plugin/grpc";
import { Simulator } from "../../testing/simulator";
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

/** A pool whose delete waits for its agent, in a second operation, because an operation never deletes its own objects. */
async function busyPool() {
  const { id, outputs } = await plugin.create(urn, (await plugin.check(urn, { forceDestroy: true, drainTimeoutSeconds: 600 })).inputs);
  const agent = simulator.pools.addAgent(id, { name: "busy", status: "busy" });
  await plugin.configure(configurationOf(simulator));
  const isWaiting = () => simulator.journal.lines().includes(`GET /api/v2/agent-pools/${id}/agents`);
  return { id, outputs, agent: agent.id, isWaiting };
}

const cancel = () => plugin.call((client, done) => client.cancel(new Empty(), done));

test("customTimeouts end a wait even if garbage is collected meanwhile", async () => {
  const { id, outputs } = await busyPool();
  const deleting = plugin.delete(urn, id, outputs, 0.5);
  await expect(collectingGarbage(deleting)).rejects.toThrow("This took longer than the 0.5 s that the resource's customTimeouts allow.");
  expect(simulator.pools.get(id)).toBeDefined();
});

test("a cancellation ends a wait with customTimeouts even if garbage is collected before", async () => {
  const { id, outputs, isWaiting } = await busyPool();
  let hasEnded = false;
  const deleting = plugin.delete(urn, id, outputs, 600).finally(() => {
    hasEnded = true;
  });
  deleting.catch(() => undefined);
  while (!isWaiting() && !hasEnded) await new Promise((resolve) => setImmediate(resolve));
  await expect(collectingGarbage(deleting, 300)).rejects.toThrow("no result within 300 ms");
  await cancel();
  await expect(collectingGarbage(deleting)).rejects.toThrow("The operation was cancelled before this was done.");
  expect(simulator.pools.get(id)).toBeDefined();
});
