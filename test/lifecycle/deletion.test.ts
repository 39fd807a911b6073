import { createServer } from "node:net";
import type { Fault } from "../../testing/simulator";
import { type Sample, samplesFor } from "../kinds";
import { isFull } from "../support/extent";
import { everything } from "./contents";
import { only, type TestStack, toEveryServer } from "./harness";
import { pool, role } from "./samples";

/** Deletes all objects of the kind, as somebody else may. */
function deleteBehind({ simulator }: TestStack, { objects, remove }: Sample): void {
  for (const { id } of objects(simulator)) remove(simulator, id);
}

toEveryServer("an object that others have deleted", (start, dialect) => {
  const samples = samplesFor(dialect);
  const begin = async (sample: Sample) => {
    const stack = await start();
    sample.prepare(stack);
    const program = only(sample.kind, sample.inputs);
    await stack.up(program);
    deleteBehind(stack, sample);
    return { stack, program };
  };

  test.each(samples)("$kind: leaves the state by a refresh, and the next up creates it again", async (sample) => {
    const { stack, program } = await begin(sample);
    expect((await stack.refresh()).changes).toEqual([`refresh delete ${sample.kind} it`]);
    expect(stack.entries()).toEqual([]);
    expect((await stack.up(program)).changes).toEqual([`create ${sample.kind} it`]);
    expect(sample.objects(stack.simulator)).toEqual([{ id: stack.entry().id }]);
  });

  test.each(samples)("$kind: fails an update without a refresh, and the error names the object and the refresh", async (sample) => {
    const { stack } = await begin(sample);
    const { id } = stack.entry();
    const changed = only(sample.kind, { ...sample.inputs, ...sample.change });
    const { errors } = await stack.fails("up", changed);
    expect(errors).toContain(id);
    expect(errors).toMatch(/no longer exists.*refresh/);
    expect(sample.objects(stack.simulator)).toEqual([]);
    await stack.up(changed, { refresh: true });
    expect(sample.objects(stack.simulator)).toHaveLength(1);
  });
});

toEveryServer("a delete", (start, dialect) => {
  const samples = samplesFor(dialect);
  test("of a missing role is sent once, although the server answers with a fault", async () => {
    const stack = await start();
    await stack.up(only("AclRole", role()));
    stack.simulator.cluster.roles.delete(stack.entry().id);
    const { writes } = await stack.destroy();
    expect(writes).toHaveLength(1);
  });

  test.each(samples)('$kind: a "404" in its name, its address or the error\'s text makes nothing look gone', async (sample) => {
    const { kind, prepare } = sample;
    const port = await freePortWith404();
    const stack = await start({ organization: "org-404", ...(kind === "AgentPool" ? { poolsPort: port } : { clusterPort: port }) });
    prepare(stack);
    const inputs =
      kind === "AclBindingRule" ? { ...sample.inputs, description: "not found, 404" } : { ...sample.inputs, name: "not-found-404" };
    await stack.up(only(kind, inputs));
    const before = { objects: everything(stack.simulator), properties: stack.properties() };
    const fault: Fault = { kind: "status", status: 503, body: "upstream said 404 not found" };
    stack.simulator.faults.add({ fault, times: Number.POSITIVE_INFINITY });
    for (const command of ["refresh", "destroy"] as const) expect((await stack.fails(command)).errors).toContain(": 503 upstream");
    expect({ objects: everything(stack.simulator), properties: stack.properties() }).toEqual(before);
    stack.simulator.faults.clear();
    await stack.destroy();
    expect(sample.objects(stack.simulator)).toEqual([]);
  });
});

toEveryServer("a pool that agents block", (start, dialect) => {
  const begin = async (inputs = {}) => {
    const stack = await start();
    await stack.up(only("AgentPool", pool(inputs)));
    const { pools } = stack.simulator;
    const { id } = stack.entry();
    return { stack, pools, id };
  };

  test("the error names the agents with status and last ping, and the state keeps the pool", async () => {
    const { stack, pools, id } = await begin();
    const busy = pools.addAgent(id, { name: "worker", status: "busy", lastPingAt: "2029-12-31T23:59:00.000Z" });
    const nameless = pools.addAgent(id, { status: "exited", lastPingAt: "2029-11-30T00:00:00.000Z" });
    const { errors } = await stack.fails("destroy");
    expect(errors).toContain(`"build" (${id})`);
    expect(errors).toContain(`agent "worker" (${busy.id}) (busy, last ping 2029-12-31T23:59:00.000Z)`);
    expect(errors).toContain(`agent ${nameless.id} (exited, last ping 2029-11-30T00:00:00.000Z)`);
    expect(errors).toContain("forceDestroy");
    expect(pools.get(id)).toBeDefined();
    expect(pools.agents(id)).toHaveLength(2);
    expect(stack.entry().id).toBe(id);
  });

  test("forceDestroy removes unknown, errored and exited agents, and then the pool", async () => {
    const { stack, pools, id } = await begin({ forceDestroy: true });
    for (const status of ["unknown", "errored", "exited"] as const) pools.addAgent(id, { status });
    await stack.destroy();
    expect(pools.list()).toEqual([]);
  });

  test("forceDestroy never touches an agent that is idle or busy", async () => {
    const { stack, pools, id } = await begin({ forceDestroy: true });
    const [busy, idle] = (["busy", "idle"] as const).map((status) => pools.addAgent(id, { status }));
    pools.addAgent(id, { status: "errored" });
    const { errors, requests } = await stack.fails("destroy");
    expect(pools.agents(id)).toEqual([busy, idle]);
    for (const agent of [busy, idle]) expect(requests.map(({ path }) => path)).not.toContain(`/api/v2/agents/${agent?.id}`);
    expect(errors).toContain(`${busy?.id} (busy`);
    expect(errors).toContain(`${idle?.id} (idle`);
    expect(errors).toContain("drainTimeoutSeconds");
    expect(stack.entry().id).toBe(id);
  });

  test("with drainTimeoutSeconds it waits for an agent that exits meanwhile", async () => {
    const { stack, pools, id } = await begin({ forceDestroy: true, drainTimeoutSeconds: 60 });
    const busy = pools.addAgent(id, { status: "busy" });
    const from = stack.clock.now();
    stack.clock.duringSleep = () => {
      if (stack.clock.now() - from >= 10_000 && pools.agent(busy.id)) pools.setStatus(busy.id, "exited");
    };
    const { log } = await stack.destroy();
    expect(pools.list()).toEqual([]);
    expect(log.join("\n")).toMatch(/waiting up to 60 s more for agent .*busy/);
    expect(stack.clock.now() - from).toBeLessThan(20_000);
  });

  // The test runs with one dialect, because it takes thousands of reads, which servers of both dialects answer alike.
  if (isFull || dialect === "measured")
    test("a long drain prints a line after each agent, and otherwise each minute", async () => {
      const { stack, pools, id } = await begin({ forceDestroy: true, drainTimeoutSeconds: 300 });
      const [first] = (["busy", "idle"] as const).map((status) => pools.addAgent(id, { status }));
      const from = stack.clock.now();
      stack.clock.duringSleep = () => {
        const seconds = (stack.clock.now() - from) / 1000;
        for (const { id } of pools.agents(stack.entry().id)) {
          // Agents in use change all the time between these two statuses.
          const inUse = seconds % 4 === 0 ? "idle" : "busy";
          pools.setStatus(id, seconds >= (id === first?.id ? 150 : 290) ? "exited" : inUse);
        }
      };
      const { log } = await stack.destroy();
      expect(pools.list()).toEqual([]);
      const waited = log.flatMap((line) => /waiting up to (\d+) s more for (.*)/.exec(line)?.slice(1, 3) ?? []).join("\n");
      const seconds = [...waited.matchAll(/^\d+$/gm)].map(([left]) => 300 - Number(left));
      expect(seconds).toEqual([0, 60, 120, 150, 210, 270]);
      expect(waited).toContain(`${first?.id} (busy`);
    });

  test("after drainTimeoutSeconds it gives up, names the remaining agents, and keeps the pool", async () => {
    const { stack, pools, id } = await begin({ forceDestroy: true, drainTimeoutSeconds: 5 });
    const busy = pools.addAgent(id, { status: "busy" });
    const from = stack.clock.now();
    const { errors } = await stack.fails("destroy");
    expect(stack.clock.now() - from).toBe(5_000);
    expect(errors).toContain(busy.id);
    expect(pools.agents(id)).toEqual([busy]);
    expect(stack.entry().id).toBe(id);
  });

  test("an agent that starts a run between the list and its removal is left alone", async () => {
    const { stack, pools, id } = await begin({ forceDestroy: true });
    const agent = pools.addAgent(id, { status: "busy" });
    const body = JSON.stringify({
      data: [{ id: agent.id, type: "agents", attributes: { name: null, status: "exited", "ip-address": "", "last-ping-at": "" } }],
      meta: { pagination: { "current-page": 1, "next-page": null, "total-pages": 1 } },
    });
    stack.simulator.faults.add({ method: "GET", path: `/api/v2/agent-pools/${id}/agents`, fault: { kind: "status", status: 200, body } });
    await stack.fails("destroy");
    expect(pools.agents(id)).toEqual([agent]);
    expect(stack.entry().id).toBe(id);
  });

  test("forceDestroy in the state is enough for a destroy, which does not run the program", async () => {
    const { stack, pools, id } = await begin();
    pools.addAgent(id, { status: "exited" });
    await stack.fails("destroy");
    const { requests } = await stack.up(only("AgentPool", pool({ forceDestroy: true })));
    expect(requests).toEqual([]);
    await stack.destroy();
    expect(pools.list()).toEqual([]);
  });
});

/** A port of this machine whose number has 404 in it. */
async function freePortWith404(): Promise<number> {
  for (const port of [40400, 40401, 40402, 40403, 40404, 40405, 40406, 40407, 40408, 40409, 14041, 24041, 34041, 44041, 54041]) {
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
  throw new Error("no port with 404 in its number is free");
}
