import { rewritten } from "../faults/rewritten";
import { only, type Program, throughEveryAdapterToEveryServer, type World } from "./harness";
import { pool } from "./samples";

const stored = (world: World) => world.simulator.pools.list(world.simulator.organization)[0];

throughEveryAdapterToEveryServer("an agent pool whose allowed workspaces the responses leave out", (start) => {
  const silent = async (where: "in lists" | "everywhere") => {
    const world = await start();
    const isSilent = (path: string) => where === "everywhere" || path.includes("/organizations/");
    return { world, options: await rewritten(world.simulator, (path, body) => (isSilent(path) ? withoutWorkspaces(body) : body)) };
  };

  test("keeps those of the server when it is renamed: they are read singly before the write", async () => {
    const { world, options } = await silent("in lists");
    await world.up(only("AgentPool", pool({ organizationScoped: false })), options);
    world.simulator.pools.update(world.entry().id, { allowedWorkspaceIds: ["ws-theirs"] });
    const { requests } = await world.up(only("AgentPool", pool({ name: "renamed", organizationScoped: false })), options);
    expect(stored(world)).toMatchObject({ name: "renamed", allowedWorkspaceIds: ["ws-theirs"] });
    expect(requests.map(({ method, path }) => `${method} ${path.replace(/apool-.*/, "ID")}`)).toEqual([
      "GET /api/v2/agent-pools/ID",
      "PATCH /api/v2/agent-pools/ID",
    ]);
  });

  test("keeps those of the server when nobody knows them: the update asks for the input, and works with it", async () => {
    const { world, options } = await silent("everywhere");
    await world.up(only("AgentPool", pool({ organizationScoped: false })), options);
    world.simulator.pools.update(world.entry().id, { allowedWorkspaceIds: ["ws-1", "ws-2"] });
    const { errors, writes } = await world.fails("up", only("AgentPool", pool({ name: "renamed", organizationScoped: false })), options);
    expect(errors).toMatch(/allowedWorkspaceIds: Agent pool "build" \(apool-.*\) can't be updated.*Set allowedWorkspaceIds in the program/);
    expect(writes).toEqual([]);
    expect(stored(world)).toMatchObject({ name: "build", allowedWorkspaceIds: ["ws-1", "ws-2"] });
    const program = only("AgentPool", pool({ name: "renamed", allowedWorkspaceIds: ["ws-2"] }));
    await world.up(program, options);
    expect(stored(world)).toMatchObject({ name: "renamed", organizationScoped: false, allowedWorkspaceIds: ["ws-2"] });
    expect((await world.preview(program, { ...options, refresh: true })).changes).toEqual([]);
    expect(world.inputs().allowedWorkspaceIds).toEqual(["ws-2"]);
  });

  test("is read singly where lists leave them out, so that drift is found, of one pool and of many", async () => {
    const { world, options } = await silent("in lists");
    await world.up((declare) => {
      for (const name of ["a", "b", "c"]) declare("AgentPool", name, pool({ name, allowedWorkspaceIds: ["ws-1"] }));
    }, options);
    for (const name of ["a", "b", "c"]) world.simulator.pools.update(world.entry(name).id, { allowedWorkspaceIds: ["ws-2"] });
    await world.refresh(options);
    expect(["a", "b", "c"].map((name) => world.inputs(name).allowedWorkspaceIds)).toEqual([["ws-2"], ["ws-2"], ["ws-2"]]);
  });

  test("keeps the attached workspaces of its state when a list or an update does not return them", async () => {
    const world = await start();
    let isSilent = false;
    const hidden = (body: string) => JSON.stringify(JSON.parse(body, (key, value: unknown) => (key === "workspaces" ? undefined : value)));
    const options = await rewritten(world.simulator, (_, body) => (isSilent ? hidden(body) : body));
    const names = ["a", "b", "c"];
    const program =
      (forceDestroy: boolean, description = ""): Program =>
      (declare) => {
        for (const name of names) declare("AgentPool", name, pool({ name: `${name}${description}`, forceDestroy }));
      };
    await world.up(program(false), options);
    const { id } = world.simulator.pools.addWorkspace("example-org", { name: "app" });
    for (const name of names) world.simulator.pools.attachWorkspace(world.entry(name).id, id);
    await world.refresh(options);
    const attached = () => names.map((name) => world.outputs(name).workspaceIds);
    expect(attached()).toEqual([[id], [id], [id]]);
    isSilent = true;
    const before = world.properties();
    expect((await world.refresh(options)).changes).toEqual([]);
    expect(world.properties()).toEqual(before);
    await world.up(program(true), options);
    expect(attached()).toEqual([[id], [id], [id]]);
    await world.up(program(true, "-renamed"), options);
    expect(attached()).toEqual([[id], [id], [id]]);
  });

  test("has no attached workspaces among its outputs while no response has them", async () => {
    const { world, options } = await silent("everywhere");
    await world.up(only("AgentPool", pool()), options);
    expect(world.outputs()).not.toHaveProperty("workspaceIds");
    expect((await world.refresh(options)).changes).toEqual([]);
    expect(world.outputs()).not.toHaveProperty("workspaceIds");
  });

  test("is adopted as equal only where the single read says so", async () => {
    const { world, options } = await silent("in lists");
    const { id } = world.simulator.pools.put({ organization: "example-org", name: "build", allowedWorkspaceIds: ["ws-1"] });
    world.simulator.pools.update(id, { organizationScoped: false });
    const program = (ids: string[]) => only("AgentPool", pool({ allowedWorkspaceIds: ids, adopt: true }));
    const { errors } = await world.fails("up", program(["ws-2"]), options);
    expect(errors).toContain('differs in allowedWorkspaceIds (["ws-1"] there)');
    await world.up(program(["ws-1"]), options);
    expect(world.entry().id).toBe(id);
    expect(stored(world)).toMatchObject({ allowedWorkspaceIds: ["ws-1"] });
  });

  test("is not adopted as equal where that is unknown, and not overwritten without them", async () => {
    const { world, options } = await silent("everywhere");
    const { id } = world.simulator.pools.put({ organization: "example-org", name: "build", allowedWorkspaceIds: ["ws-1"] });
    const theirs = world.simulator.pools.get(id);
    const given = { organizationScoped: true, allowedWorkspaceIds: ["ws-1"] };
    const equal = await world.fails("up", only("AgentPool", pool({ ...given, adopt: true })), options);
    expect(equal.errors).toContain("the API does not return allowedWorkspaceIds, so that nobody can compare it");
    const over = await world.fails("up", only("AgentPool", pool({ adopt: "overwrite" })), options);
    expect(over.errors).toMatch(/allowedWorkspaceIds: Agent pool "build" .*Set allowedWorkspaceIds in the program/);
    expect(world.simulator.pools.get(id)).toEqual(theirs);
    await world.up(only("AgentPool", pool({ ...given, allowedWorkspaceIds: ["ws-2"], adopt: "overwrite" })), options);
    expect(world.simulator.pools.get(id)).toMatchObject({ allowedWorkspaceIds: ["ws-2"] });
  });

  test("that a lost response leaves behind is no pool of ours where nobody can compare it", async () => {
    const { world, options } = await silent("everywhere");
    world.simulator.faults.add({ method: "POST", fault: { kind: "drop-after" } });
    const { errors } = await world.fails("up", only("AgentPool", pool({ allowedWorkspaceIds: ["ws-1"] })), options);
    expect(errors).toContain("exists already");
    expect(world.simulator.pools.list()).toHaveLength(1);
  });

  test("is imported without them, so that they stay as they are", async () => {
    const { world, options } = await silent("everywhere");
    const { id } = world.simulator.pools.put({
      organization: "example-org",
      name: "build",
      organizationScoped: false,
      allowedWorkspaceIds: ["ws-1"],
    });
    await world.up((declare) => void declare.get("AgentPool", "it", id), options);
    expect(world.outputs()).toMatchObject({ name: "build", organizationScoped: false });
    expect(world.outputs()).not.toHaveProperty("allowedWorkspaceIds");
  });
});

/** A document of pools as one that says no more than is documented of lists: each with its agents and tokens relationships. */
function withoutWorkspaces(body: string): string {
  return JSON.stringify(
    JSON.parse(body, (key, value: unknown) => (key === "workspaces" || key === "allowed-workspaces" ? undefined : value)),
  );
}
