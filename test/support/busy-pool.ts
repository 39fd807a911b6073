import { Empty } from "../../provider/adapters/plugin/grpc";
import type { Simulator } from "../../testing/simulator";
import { type TestPlugin, urnOf } from "./plugin";
import { configurationOf } from "./session";

/** A pool whose delete waits for its agent, in a second operation, because an operation never deletes its own objects. */
export async function busyPool(plugin: TestPlugin, simulator: Simulator) {
  const urn = urnOf("AgentPool");
  const { id, outputs } = await plugin.create(urn, (await plugin.check(urn, { forceDestroy: true, drainTimeoutSeconds: 600 })).inputs);
  const agent = simulator.pools.addAgent(id, { name: "busy", status: "busy" });
  await plugin.configure(configurationOf(simulator));
  const isWaiting = () => simulator.journal.lines().includes(`GET /api/v2/agent-pools/${id}/agents`);
  return { id, outputs, agent: agent.id, isWaiting };
}

/** Cancels the calls of a plugin, as the engine does at Ctrl-C. */
export const cancel = (plugin: TestPlugin) => plugin.call((client, done) => client.cancel(new Empty(), done));
