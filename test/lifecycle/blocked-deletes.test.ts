import { samples } from "../kinds";
import { everything } from "./contents";
import { only, type TestStack, toEveryServer } from "./harness";
import { pool } from "./samples";

/** An error document of the agent pool service. */
const refused = (detail: string) => JSON.stringify({ errors: [{ title: "refused", detail }] });
const jsonApi = { contentType: "application/vnd.api+json" };

toEveryServer("a delete of a pool that workspaces use", (start) => {
  const begin = async (inputs = {}) => {
    const stack = await start();
    await stack.up(only("AgentPool", pool(inputs)));
    const { id } = stack.entry();
    const { pools } = stack.simulator;
    const [app, web] = ["app", "web"].map((name) => pools.addWorkspace("example-org", { name }).id);
    for (const workspace of [app, web]) pools.attachWorkspace(id, workspace ?? "");
    return { stack, pools, id, app, web };
  };
  /** The path of the pool. */
  const pathOf = (stack: TestStack) => `/api/v2/agent-pools/${stack.entry().id}`;

  test("names them, says how to detach them, and leaves the pool on the server and in the state", async () => {
    const { stack, pools, id, app, web } = await begin();
    const { errors } = await stack.fails("destroy");
    expect(errors).toContain(`It is used by workspace "app" (${app}) and workspace "web" (${web}).`);
    expect(errors).toMatch(/[Gg]ive .*another agent pool or another execution mode/);
    expect(errors).toContain("returned 412: The agent pool is still used by 2 workspace(s)");
    expect(errors).not.toMatch(/forceDestroy|Stop its agents|may be attached/);
    expect(pools.get(id)).toBeDefined();
    expect(stack.entry().id).toBe(id);
    for (const workspace of [app, web]) pools.detachWorkspace(id, workspace ?? "");
    await stack.destroy();
    expect(pools.list()).toEqual([]);
  });

  test("removes no agent by forceDestroy, and names workspaces and agents", async () => {
    const { stack, pools, id } = await begin({ forceDestroy: true });
    const exited = pools.addAgent(id, { status: "exited" });
    const { errors, writes } = await stack.fails("destroy");
    expect(writes.filter((line) => line.includes("/agents/"))).toEqual([]);
    expect(pools.agents(id)).toEqual([exited]);
    expect(errors).toMatch(/used by workspace "app".*agent .*exited.*forceDestroy removes agents only, and removed none/);
  });

  test("removes no agent by forceDestroy if the workspaces can't be read, and says so", async () => {
    const { stack, pools, id } = await begin({ forceDestroy: true });
    const exited = pools.addAgent(id, { status: "exited" });
    stack.simulator.faults.add({ method: "GET", path: pathOf(stack), fault: { kind: "status", status: 403 } });
    const { errors } = await stack.fails("destroy");
    expect(pools.agents(id)).toEqual([exited]);
    expect(errors).toMatch(/can't be deleted now.*workspaces can't be read: .*403/);
  });

  test("names workspaces by their IDs if the service returns no names", async () => {
    const { stack, id, app } = await begin();
    const attributes = { name: "build", "created-at": "", "organization-scoped": true };
    const relationships = { workspaces: { data: [{ id: app, type: "workspaces" }] } };
    const body = JSON.stringify({ data: { id, type: "agent-pools", attributes, relationships } });
    stack.simulator.faults.add({ method: "GET", path: pathOf(stack), fault: { kind: "status", status: 200, body, ...jsonApi } });
    const { errors } = await stack.fails("destroy");
    expect(errors).toContain(`It is used by workspace ${app}.`);
  });

  test("names workspaces that were attached during the drain", async () => {
    const stack = await start();
    await stack.up(only("AgentPool", pool({ forceDestroy: true, drainTimeoutSeconds: 60 })));
    const { id } = stack.entry();
    const { pools } = stack.simulator;
    const busy = pools.addAgent(id, { status: "busy" });
    const { id: late } = pools.addWorkspace("example-org", { name: "late" });
    stack.clock.duringSleep = () => {
      if (pools.agent(busy.id)) pools.setStatus(busy.id, "exited");
      pools.attachWorkspace(id, late);
    };
    expect((await stack.fails("destroy")).errors).toContain(`used by workspace "late" (${late})`);
    expect(pools.get(id)).toBeDefined();
  });
});

toEveryServer("a delete of a pool", (start) => {
  test("names an agent that the service refuses to remove, with the service's text", async () => {
    const stack = await start();
    await stack.up(only("AgentPool", pool({ forceDestroy: true })));
    const { pools, faults } = stack.simulator;
    const agent = pools.addAgent(stack.entry().id, { name: "worker", status: "errored" });
    const body = refused("the agent holds a run that is not discarded");
    faults.add({ method: "DELETE", path: `/api/v2/agents/${agent.id}`, fault: { kind: "status", status: 412, body, ...jsonApi } });
    const { errors } = await stack.fails("destroy");
    expect(errors).toMatch(
      /agent "worker" \(agent-\w+\) \(errored, .*refuses to remove it: 412 the agent holds a run that is not discarded\)/,
    );
    expect(pools.agents(stack.entry().id)).toEqual([agent]);
  });

  test.each([409, 412, 422])("is blocked by a %s, and the error names the agents", async (status) => {
    const stack = await start();
    await stack.up(only("AgentPool", pool()));
    const { id } = stack.entry();
    const { pools, faults } = stack.simulator;
    const busy = pools.addAgent(id, { name: "worker", status: "busy" });
    const fault = { kind: "status", status, body: refused("the pool has agents"), ...jsonApi } as const;
    faults.add({ method: "DELETE", path: `/api/v2/agent-pools/${id}`, fault });
    const { errors } = await stack.fails("destroy");
    expect(errors).toMatch(
      new RegExp(`can't be deleted now.*agent "worker" \\(${busy.id}\\) \\(busy.*returned ${status}: the pool has agents`),
    );
    expect(pools.get(id)).toBeDefined();
    expect(stack.entry().id).toBe(id);
  });
});

const ofCluster = samples.filter(({ resource }) => resource.api === "cluster");

toEveryServer("a delete of an object of the cluster", (start) => {
  test.each(ofCluster)("$kind: names the object and the server's reason after a 412", async ({ kind, resource, inputs, prepare }) => {
    const stack = await start();
    prepare(stack);
    await stack.up(only(kind, inputs));
    const before = everything(stack.simulator);
    const { id } = stack.entry();
    stack.simulator.faults.add({ method: "DELETE", fault: { kind: "status", status: 412, body: "it is used by token 4b0a" } });
    const { errors } = await stack.fails("destroy");
    expect(errors.toLowerCase()).toMatch(new RegExp(`^${resource.label.toLowerCase()} `));
    expect(errors).toContain("can't be deleted now, and stays in the state. The server returned 412: it is used by token 4b0a.");
    expect(errors).toContain(id);
    expect(everything(stack.simulator)).toEqual(before);
    await stack.destroy();
    expect(stack.entries()).toEqual([]);
  });
});
