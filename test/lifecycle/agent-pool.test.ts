import { only, throughEveryAdapterToEveryServer, type World } from "./harness";
import { pool } from "./samples";

const stored = (world: World) => world.simulator.pools.get(world.entry().id);

throughEveryAdapterToEveryServer("an agent pool", (start) => {
  test("without allowedWorkspaceIds keeps those of the server, whatever is updated", async () => {
    const world = await start();
    await world.up(only("AgentPool", pool({ organizationScoped: false })));
    world.simulator.pools.update(world.entry().id, { allowedWorkspaceIds: ["ws-theirs"] });
    expect((await world.refresh()).changes).toEqual([]);
    await world.up(only("AgentPool", pool({ name: "renamed", organizationScoped: false })));
    expect(stored(world)).toMatchObject({ name: "renamed", organizationScoped: false, allowedWorkspaceIds: ["ws-theirs"] });
    await world.up(only("AgentPool", pool({ name: "renamed", organizationScoped: true })));
    expect(stored(world)).toMatchObject({ organizationScoped: true, allowedWorkspaceIds: ["ws-theirs"] });
  });

  test("with an empty list of allowedWorkspaceIds removes those of the server", async () => {
    const world = await start();
    await world.up(only("AgentPool", pool({ allowedWorkspaceIds: ["ws-one"] })));
    const program = only("AgentPool", pool({ allowedWorkspaceIds: [] }));
    await world.up(program);
    expect(stored(world)).toMatchObject({ organizationScoped: false, allowedWorkspaceIds: [] });
    expect((await world.preview(program, { refresh: true })).changes).toEqual([]);
  });

  test("takes the order and the repeats of allowedWorkspaceIds for nothing", async () => {
    const world = await start();
    await world.up(only("AgentPool", pool({ allowedWorkspaceIds: ["ws-one", "ws-two"] })));
    const { requests } = await world.up(only("AgentPool", pool({ allowedWorkspaceIds: ["ws-two", "ws-one", "ws-two"] })));
    expect(requests).toEqual([]);
  });

  test("with 10,000 workspaces is updated as fast as any other when one of them changes", async () => {
    const world = await start();
    const workspaces = Array.from({ length: 10_000 }, (_, index) => `ws-${index}`);
    await world.up(only("AgentPool", pool({ allowedWorkspaceIds: workspaces })));
    const started = performance.now();
    const changed = ["ws-new", ...workspaces.slice(1)];
    await world.up(only("AgentPool", pool({ allowedWorkspaceIds: changed })));
    // Half a minute for each comparison, and there are several, where each workspace is compared with each other.
    expect(performance.now() - started).toBeLessThan(30_000);
    expect(stored(world)?.allowedWorkspaceIds).toEqual(changed);
  });

  test("is for all workspaces by default, and for some when allowedWorkspaceIds names them", async () => {
    const world = await start();
    await world.up(only("AgentPool", pool()));
    expect(stored(world)?.organizationScoped).toBe(true);
    await world.up(only("AgentPool", pool({ allowedWorkspaceIds: ["ws-one"] })));
    expect(stored(world)).toMatchObject({ organizationScoped: false, allowedWorkspaceIds: ["ws-one"] });
    const { warnings } = await world.up(only("AgentPool", pool({ allowedWorkspaceIds: ["ws-one"], organizationScoped: true })));
    expect(warnings.join()).toContain("organizationScoped: true lets every workspace use the pool");
    expect(stored(world)).toMatchObject({ organizationScoped: true, allowedWorkspaceIds: ["ws-one"] });
  });

  test("that is limited is not opened by what the program leaves out, and says what opens it", async () => {
    const world = await start();
    await world.up(only("AgentPool", pool({ allowedWorkspaceIds: ["ws-one"] })));
    const { warnings } = await world.up(only("AgentPool", pool()));
    expect(warnings.join()).toMatch(/"build": it stays limited .* Write organizationScoped: true to open it/);
    expect(stored(world)).toMatchObject({ organizationScoped: false, allowedWorkspaceIds: ["ws-one"] });
    expect((await world.up(only("AgentPool", pool({ organizationScoped: false })))).warnings).toEqual([]);
    await world.up(only("AgentPool", pool({ organizationScoped: true })));
    expect(stored(world)).toMatchObject({ organizationScoped: true, allowedWorkspaceIds: ["ws-one"] });
    expect((await world.up(only("AgentPool", pool()))).warnings).toEqual([]);
  });

  test("that is limited is not opened where the program gives a list for the first time, and ignores it", async () => {
    const world = await start();
    const theirs = { organizationScoped: false, allowedWorkspaceIds: ["ws-one"] };
    const { id } = world.simulator.pools.put({ organization: "example-org", name: "build", ...theirs });
    await world.up(only("AgentPool", pool({ organizationScoped: false, adopt: true })));
    const program = only("AgentPool", pool({ allowedWorkspaceIds: ["ws-one"] }), { ignoreChanges: ["allowedWorkspaceIds"] });
    expect((await world.preview(program)).warnings.join()).toContain("it stays limited");
    await world.up(program);
    expect(world.simulator.pools.get(id)).toMatchObject(theirs);
    expect((await world.preview(program, { refresh: true })).changes).toEqual([]);
  });

  test("is in the organization of the configuration, and stays there when that is not set any more", async () => {
    const world = await start();
    await world.up(only("AgentPool", pool()));
    expect(stored(world)?.organization).toBe("example-org");
    const { id } = world.entry();
    const { changes } = await world.up(only("AgentPool", pool()), { config: { organization: "" } });
    expect(changes).toEqual([]);
    world.simulator.pools.addOrganization("other-org");
    await world.up(only("AgentPool", pool({ organizationScoped: false })), { config: { organization: "other-org" } });
    expect(world.entry().id).toBe(id);
    expect(stored(world)).toMatchObject({ organization: "example-org", organizationScoped: false });
  });

  test("has the attached workspaces as an output, which is never a difference", async () => {
    const world = await start();
    const program = only("AgentPool", pool());
    await world.up(program);
    expect(world.outputs().workspaceIds).toEqual([]);
    const { pools } = world.simulator;
    const attached = ["app", "network"].map((name) => pools.addWorkspace("example-org", { name }).id);
    for (const id of attached) pools.attachWorkspace(world.entry().id, id);
    const unread = await world.up(program);
    expect([unread.changes, unread.requests]).toEqual([[], []]);
    expect((await world.refresh()).changes).toEqual([]);
    expect(world.outputs().workspaceIds).toEqual(attached.toSorted());
    const after = await world.up(program);
    expect([after.changes, after.requests]).toEqual([[], []]);
    const before = world.properties();
    expect((await world.refresh()).changes).toEqual([]);
    expect(world.properties()).toEqual(before);
    await world.up(only("AgentPool", pool({ name: "renamed" })));
    expect(world.outputs()).toMatchObject({ name: "renamed", workspaceIds: attached.toSorted() });
    expect(stored(world)?.workspaceIds.toSorted()).toEqual(attached.toSorted());
  });

  test("without an organization anywhere is refused before any request, with the ways to name one", async () => {
    const world = await start();
    const { errors, requests } = await world.fails("preview", only("AgentPool", pool()), { config: { organization: "" } });
    expect(errors).toMatch(/organization is required.*agentpool-acl:organization.*TFE_ORGANIZATION/);
    expect(requests).toEqual([]);
  });

  test("in an organization that does not exist is an error with the property's name", async () => {
    const world = await start();
    const { errors } = await world.fails("up", only("AgentPool", pool({ organization: "nowhere" })));
    expect(errors).toMatch(/^organization: organization "nowhere" does not exist, or the token may not see it/);
    expect(world.simulator.pools.list()).toEqual([]);
  });

  test("beyond the limit of the organization is an error with the service's reason", async () => {
    const world = await start({ poolsPerOrganization: 1 });
    const theirs = world.simulator.pools.put({ organization: "example-org", name: "theirs" });
    const { errors } = await world.fails("up", only("AgentPool", pool()));
    expect(errors).toContain("already has 1 agent pool(s)");
    expect(errors).toContain("The organization has reached its limit of agent pools: delete one that is not needed");
    expect(world.simulator.pools.list()).toEqual([theirs]);
  });

  test("that gets the name of another pool is an error with the property's name", async () => {
    const world = await start();
    await world.up(only("AgentPool", pool()));
    world.simulator.pools.put({ organization: "example-org", name: "taken" });
    const { errors } = await world.fails("up", only("AgentPool", pool({ name: "taken" })));
    expect(errors).toMatch(/^name: /);
    expect(stored(world)?.name).toBe("build");
    expect(world.inputs().name).toBe("build");
  });
});
