import { only, type TestStack, throughEveryAdapter, toEveryServer } from "./harness";
import { pool } from "./samples";

const stored = (stack: TestStack) => stack.simulator.pools.get(stack.entry().id);

toEveryServer("an agent pool", (start) => {
  test("without allowedWorkspaceIds keeps the server's workspaces in every update", async () => {
    const stack = await start();
    await stack.up(only("AgentPool", pool({ organizationScoped: false })));
    stack.simulator.pools.update(stack.entry().id, { allowedWorkspaceIds: ["ws-theirs"] });
    expect((await stack.refresh()).changes).toEqual([]);
    await stack.up(only("AgentPool", pool({ name: "renamed", organizationScoped: false })));
    expect(stored(stack)).toMatchObject({ name: "renamed", organizationScoped: false, allowedWorkspaceIds: ["ws-theirs"] });
    await stack.up(only("AgentPool", pool({ name: "renamed", organizationScoped: true })));
    expect(stored(stack)).toMatchObject({ organizationScoped: true, allowedWorkspaceIds: ["ws-theirs"] });
  });

  test("is open to all workspaces by default, and to some workspaces with allowedWorkspaceIds", async () => {
    const stack = await start();
    await stack.up(only("AgentPool", pool()));
    expect(stored(stack)?.organizationScoped).toBe(true);
    await stack.up(only("AgentPool", pool({ allowedWorkspaceIds: ["ws-one"] })));
    expect(stored(stack)).toMatchObject({ organizationScoped: false, allowedWorkspaceIds: ["ws-one"] });
    const { warnings } = await stack.up(only("AgentPool", pool({ allowedWorkspaceIds: ["ws-one"], organizationScoped: true })));
    expect(warnings.join()).toContain("organizationScoped: true lets every workspace use the pool");
    expect(stored(stack)).toMatchObject({ organizationScoped: true, allowedWorkspaceIds: ["ws-one"] });
  });

  test("with an empty list and without organizationScoped is for nobody: a warning says so unless the program writes it", async () => {
    const stack = await start();
    const nobody = 'Agent pool "build": allowedWorkspaceIds: [] limits it to no workspace, so nobody may use it.';
    const { warnings } = await stack.up(only("AgentPool", pool({ allowedWorkspaceIds: [] })));
    expect(warnings.join()).toContain(nobody);
    expect(stored(stack)).toMatchObject({ organizationScoped: false, allowedWorkspaceIds: [] });
    expect((await stack.preview(only("AgentPool", pool({ allowedWorkspaceIds: [], organizationScoped: false })))).warnings.join()).toBe("");
  });

  test("that is limited stays limited without organizationScoped, and a warning says how to open it", async () => {
    const stack = await start();
    await stack.up(only("AgentPool", pool({ allowedWorkspaceIds: ["ws-one"] })));
    const { warnings } = await stack.up(only("AgentPool", pool()));
    expect(warnings.join()).toMatch(/"build": it stays limited .* Write organizationScoped: true to open it/);
    expect(stored(stack)).toMatchObject({ organizationScoped: false, allowedWorkspaceIds: ["ws-one"] });
    expect((await stack.up(only("AgentPool", pool({ organizationScoped: false })))).warnings).toEqual([]);
    await stack.up(only("AgentPool", pool({ organizationScoped: true })));
    expect(stored(stack)).toMatchObject({ organizationScoped: true, allowedWorkspaceIds: ["ws-one"] });
    expect((await stack.up(only("AgentPool", pool()))).warnings).toEqual([]);
  });

  test("that is limited stays limited if the program adds a list and ignores its changes", async () => {
    const stack = await start();
    const theirs = { organizationScoped: false, allowedWorkspaceIds: ["ws-one"] };
    const { id } = stack.simulator.pools.put({ organization: "example-org", name: "build", ...theirs });
    await stack.up(only("AgentPool", pool({ organizationScoped: false, adopt: true })));
    const program = only("AgentPool", pool({ allowedWorkspaceIds: ["ws-one"] }), { ignoreChanges: ["allowedWorkspaceIds"] });
    expect((await stack.preview(program)).warnings.join()).toContain("it stays limited");
    await stack.up(program);
    expect(stack.simulator.pools.get(id)).toMatchObject(theirs);
    expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
  });

  test("that is limited is opened by adopt: overwrite with a warning, unless the program limits it", async () => {
    const stack = await start();
    const { pools } = stack.simulator;
    const limited = { organizationScoped: false, allowedWorkspaceIds: ["ws-one"] };
    const { id } = pools.put({ organization: "example-org", name: "build", ...limited });
    const kept = await stack.up(only("AgentPool", pool({ adopt: "overwrite", organizationScoped: false })));
    expect(kept.warnings.join()).not.toContain("opens it");
    expect(pools.get(id)).toMatchObject(limited);
    stack.forget();
    const opened = await stack.up(only("AgentPool", pool({ adopt: "overwrite" })));
    expect(opened.warnings.join()).toContain('was limited, and adopt: "overwrite" opens it to all workspaces');
    expect(pools.get(id)).toMatchObject({ ...limited, organizationScoped: true });
  });

  test("is in the configured organization, and stays there after a change of the configuration", async () => {
    const stack = await start();
    await stack.up(only("AgentPool", pool()));
    expect(stored(stack)?.organization).toBe("example-org");
    const { id } = stack.entry();
    const { changes } = await stack.up(only("AgentPool", pool()), { config: { organization: "" } });
    expect(changes).toEqual([]);
    stack.simulator.pools.addOrganization("other-org");
    await stack.up(only("AgentPool", pool({ organizationScoped: false })), { config: { organization: "other-org" } });
    expect(stack.entry().id).toBe(id);
    expect(stored(stack)).toMatchObject({ organization: "example-org", organizationScoped: false });
  });

  test("has its attached workspaces as an output, without ever showing a difference", async () => {
    const stack = await start();
    const program = only("AgentPool", pool());
    await stack.up(program);
    expect(stack.outputs().workspaceIds).toEqual([]);
    const { pools } = stack.simulator;
    const attached = ["app", "network"].map((name) => pools.addWorkspace("example-org", { name }).id);
    for (const id of attached) pools.attachWorkspace(stack.entry().id, id);
    const unread = await stack.up(program);
    expect([unread.changes, unread.requests]).toEqual([[], []]);
    expect((await stack.refresh()).changes).toEqual([]);
    expect(stack.outputs().workspaceIds).toEqual(attached.toSorted());
    const after = await stack.up(program);
    expect([after.changes, after.requests]).toEqual([[], []]);
    const before = stack.properties();
    expect((await stack.refresh()).changes).toEqual([]);
    expect(stack.properties()).toEqual(before);
    await stack.up(only("AgentPool", pool({ name: "renamed" })));
    expect(stack.outputs()).toMatchObject({ name: "renamed", workspaceIds: attached.toSorted() });
    expect(stored(stack)?.workspaceIds.toSorted()).toEqual(attached.toSorted());
  });

  test("without an organization is refused before any request, with the ways to name one", async () => {
    const stack = await start();
    const { errors, requests } = await stack.fails("preview", only("AgentPool", pool()), { config: { organization: "" } });
    expect(errors).toMatch(/organization is required.*agentpool-acl:organization.*TFE_ORGANIZATION/);
    expect(requests).toEqual([]);
  });

  test("in a missing organization is an error with the property's name", async () => {
    const stack = await start();
    const { errors } = await stack.fails("up", only("AgentPool", pool({ organization: "nowhere" })));
    expect(errors).toMatch(/^organization: organization "nowhere" does not exist, or the token may not see it: .* \S+: 404 [^.]*\.$/);
    expect(stack.simulator.pools.list()).toEqual([]);
  });

  test("beyond the limit of the organization is an error with the service's reason", async () => {
    const stack = await start({ poolsPerOrganization: 1 });
    const theirs = stack.simulator.pools.put({ organization: "example-org", name: "theirs" });
    const { errors } = await stack.fails("up", only("AgentPool", pool()));
    expect(errors).toContain("already has 1 agent pool(s)");
    expect(errors).toContain(
      "The organization has reached its limit of agent pools, which is one pool in the API's document: use the pool that exists",
    );
    expect(stack.simulator.pools.list()).toEqual([theirs]);
  });
});

throughEveryAdapter("an agent pool, on a service that has projects", (start) => {
  const { organization } = { organization: "example-org" };

  test("sends only managed and changed properties, so values of others stay", async () => {
    const stack = await start();
    await stack.up(only("AgentPool", pool({ organizationScoped: false, allowedProjectIds: ["prj-ours"] })));
    const theirs = { allowedWorkspaceIds: ["ws-theirs"], excludedWorkspaceIds: ["ws-excluded"] };
    stack.simulator.pools.update(stack.entry().id, theirs);
    expect((await stack.refresh()).changes).toEqual([]);
    stack.simulator.journal.clear();
    await stack.up(only("AgentPool", pool({ name: "renamed", organizationScoped: false, allowedProjectIds: ["prj-ours", "prj-two"] })));
    expect(stored(stack)).toMatchObject({ name: "renamed", allowedProjectIds: ["prj-ours", "prj-two"], ...theirs });
    const sent = stack.simulator.journal.entries.filter(({ method }) => method === "PATCH").map(({ body }) => JSON.stringify(body));
    expect(sent.join()).toContain("allowed-projects");
    expect(sent.join()).not.toMatch(/allowed-workspaces|excluded-workspaces/);
  });

  test("that is limited to a project has no warning about an empty list of workspaces", async () => {
    const stack = await start();
    const { warnings } = await stack.up(only("AgentPool", pool({ allowedProjectIds: ["prj-one"], allowedWorkspaceIds: [] })));
    expect(warnings).toEqual([]);
    expect(stored(stack)).toMatchObject({ organizationScoped: false, allowedProjectIds: ["prj-one"], allowedWorkspaceIds: [] });
    expect((await stack.preview(only("AgentPool", pool({ allowedProjectIds: [], allowedWorkspaceIds: [] })))).warnings.join()).toContain(
      "allowedWorkspaceIds: [] and allowedProjectIds: [] limits it to no workspace",
    );
  });

  test("that only excludes workspaces is open to the organization, and a warning says that it excludes none", async () => {
    const stack = await start();
    const { warnings } = await stack.up(only("AgentPool", pool({ excludedWorkspaceIds: ["ws-one"] })));
    expect(warnings.join()).toContain("every workspace use the pool, regardless of excludedWorkspaceIds");
    expect(stored(stack)).toMatchObject({ organizationScoped: true, excludedWorkspaceIds: ["ws-one"] });
  });

  test("is read and imported by its ID alone, in its own organization, without one in the configuration", async () => {
    const stack = await start();
    const { id } = stack.simulator.pools.put({ organization, name: "build", organizationScoped: false, allowedProjectIds: ["prj-one"] });
    const config = { organization: "" };
    await stack.up((declare) => void declare.get("AgentPool", "it", id), { config });
    expect(stack.outputs()).toMatchObject({ name: "build", organization, allowedProjectIds: ["prj-one"] });
    expect(stack.simulator.journal.lines().filter((line) => line.includes("/organizations/"))).toEqual([]);
  });

  test("that has moved to another organization is an error, and nothing is written", async () => {
    const stack = await start();
    await stack.up(only("AgentPool", pool()));
    const { id } = stack.entry();
    stack.simulator.pools.addOrganization("other-org");
    stack.simulator.pools.delete(id);
    stack.simulator.pools.put({ organization: "other-org", name: "build", ...{ id } });
    const { errors, writes } = await stack.fails("up", only("AgentPool", pool({ organizationScoped: false })));
    expect(errors).toContain('is in organization "other-org", and not in "example-org"');
    expect(writes).toEqual([]);
  });
});
