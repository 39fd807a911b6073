import { rewritten } from "../faults/rewritten";
import { only, type Program, type TestStack, toEveryServer } from "./harness";
import { pool } from "./samples";

const stored = (stack: TestStack) => stack.simulator.pools.list(stack.simulator.organization)[0];

toEveryServer("an agent pool without allowed workspaces in responses", (start) => {
  const silent = async (where: "in lists" | "everywhere") => {
    const stack = await start();
    const isSilent = (path: string) => where === "everywhere" || path.includes("/organizations/");
    return { stack, options: await rewritten(stack.simulator, (path, body) => (isSilent(path) ? withoutWorkspaces(body) : body)) };
  };

  test("keeps the server's workspaces in an update, by a single read before the write", async () => {
    const { stack, options } = await silent("in lists");
    await stack.up(only("AgentPool", pool({ organizationScoped: false })), options);
    stack.simulator.pools.update(stack.entry().id, { allowedWorkspaceIds: ["ws-theirs"] });
    const { requests } = await stack.up(only("AgentPool", pool({ name: "renamed", organizationScoped: false })), options);
    expect(stored(stack)).toMatchObject({ name: "renamed", allowedWorkspaceIds: ["ws-theirs"] });
    expect(requests.map(({ method, path }) => `${method} ${path.replace(/apool-.*/, "ID")}`)).toEqual([
      "GET /api/v2/agent-pools/ID",
      "PATCH /api/v2/agent-pools/ID",
    ]);
  });

  test("refuses an update if the workspaces are unknown, until the program gives them", async () => {
    const { stack, options } = await silent("everywhere");
    await stack.up(only("AgentPool", pool({ organizationScoped: false })), options);
    stack.simulator.pools.update(stack.entry().id, { allowedWorkspaceIds: ["ws-1", "ws-2"] });
    const { errors, writes } = await stack.fails("up", only("AgentPool", pool({ name: "renamed", organizationScoped: false })), options);
    expect(errors).toMatch(/allowedWorkspaceIds: Agent pool "build" \(apool-.*\) can't be updated.*Set allowedWorkspaceIds in the program/);
    expect(writes).toEqual([]);
    expect(stored(stack)).toMatchObject({ name: "build", allowedWorkspaceIds: ["ws-1", "ws-2"] });
    const program = only("AgentPool", pool({ name: "renamed", allowedWorkspaceIds: ["ws-2"] }));
    await stack.up(program, options);
    expect(stored(stack)).toMatchObject({ name: "renamed", organizationScoped: false, allowedWorkspaceIds: ["ws-2"] });
    expect((await stack.preview(program, { ...options, refresh: true })).changes).toEqual([]);
    expect(stack.inputs().allowedWorkspaceIds).toEqual(["ws-2"]);
  });

  test("is read singly if lists leave them out, so drift shows", async () => {
    const { stack, options } = await silent("in lists");
    await stack.up((declare) => {
      for (const name of ["a", "b", "c"]) declare("AgentPool", name, pool({ name, allowedWorkspaceIds: ["ws-1"] }));
    }, options);
    for (const name of ["a", "b", "c"]) stack.simulator.pools.update(stack.entry(name).id, { allowedWorkspaceIds: ["ws-2"] });
    await stack.refresh(options);
    expect(["a", "b", "c"].map((name) => stack.inputs(name).allowedWorkspaceIds)).toEqual([["ws-2"], ["ws-2"], ["ws-2"]]);
  });

  test("keeps the attached workspaces of its state if a list or an update does not return them", async () => {
    const stack = await start();
    let isSilent = false;
    const hidden = (body: string) => JSON.stringify(JSON.parse(body, (key, value: unknown) => (key === "workspaces" ? undefined : value)));
    const options = await rewritten(stack.simulator, (_, body) => (isSilent ? hidden(body) : body));
    const names = ["a", "b", "c"];
    const program =
      (forceDestroy: boolean, description = ""): Program =>
      (declare) => {
        for (const name of names) declare("AgentPool", name, pool({ name: `${name}${description}`, forceDestroy }));
      };
    await stack.up(program(false), options);
    const { pools } = stack.simulator;
    const workspaces = names.map((name) => {
      const { id } = pools.addWorkspace("example-org", { name });
      pools.attachWorkspace(stack.entry(name).id, id);
      return [id];
    });
    await stack.refresh(options);
    const attached = () => names.map((name) => stack.outputs(name).workspaceIds);
    expect(attached()).toEqual(workspaces);
    isSilent = true;
    const before = stack.properties();
    expect((await stack.refresh(options)).changes).toEqual([]);
    expect(stack.properties()).toEqual(before);
    await stack.up(program(true), options);
    expect(attached()).toEqual(workspaces);
    await stack.up(program(true, "-renamed"), options);
    expect(attached()).toEqual(workspaces);
  });

  test("is adopted as equal only after a single read", async () => {
    const { stack, options } = await silent("in lists");
    const { id } = stack.simulator.pools.put({ organization: "example-org", name: "build", allowedWorkspaceIds: ["ws-1"] });
    stack.simulator.pools.update(id, { organizationScoped: false });
    const program = (ids: string[]) => only("AgentPool", pool({ allowedWorkspaceIds: ids, adopt: true }));
    const { errors } = await stack.fails("up", program(["ws-2"]), options);
    expect(errors).toContain('differs in allowedWorkspaceIds (["ws-1"] there)');
    await stack.up(program(["ws-1"]), options);
    expect(stack.entry().id).toBe(id);
    expect(stored(stack)).toMatchObject({ allowedWorkspaceIds: ["ws-1"] });
  });

  test("is neither adopted as equal nor overwritten if the workspaces are unknown", async () => {
    const { stack, options } = await silent("everywhere");
    const { id } = stack.simulator.pools.put({ organization: "example-org", name: "build", allowedWorkspaceIds: ["ws-1"] });
    const theirs = stack.simulator.pools.get(id);
    const given = { organizationScoped: true, allowedWorkspaceIds: ["ws-1"] };
    const equal = await stack.fails("up", only("AgentPool", pool({ ...given, adopt: true })), options);
    expect(equal.errors).toContain("the API does not return allowedWorkspaceIds, so nobody can compare it");
    const over = await stack.fails("up", only("AgentPool", pool({ adopt: "overwrite" })), options);
    expect(over.errors).toMatch(/allowedWorkspaceIds: Agent pool "build" .*Set allowedWorkspaceIds in the program/);
    expect(stack.simulator.pools.get(id)).toEqual(theirs);
    await stack.up(only("AgentPool", pool({ ...given, allowedWorkspaceIds: ["ws-2"], adopt: "overwrite" })), options);
    expect(stack.simulator.pools.get(id)).toMatchObject({ allowedWorkspaceIds: ["ws-2"] });
  });

  test("that a lost response leaves behind is not taken over if the workspaces are unknown", async () => {
    const { stack, options } = await silent("everywhere");
    stack.simulator.faults.add({ method: "POST", fault: { kind: "drop-after" } });
    const { errors } = await stack.fails("up", only("AgentPool", pool({ allowedWorkspaceIds: ["ws-1"] })), options);
    expect(errors).toContain("exists already");
    expect(stack.simulator.pools.list()).toHaveLength(1);
  });

  test("is imported without workspaces, so they stay unchanged", async () => {
    const { stack, options } = await silent("everywhere");
    const { id } = stack.simulator.pools.put({
      organization: "example-org",
      name: "build",
      organizationScoped: false,
      allowedWorkspaceIds: ["ws-1"],
    });
    await stack.up((declare) => void declare.get("AgentPool", "it", id), options);
    expect(stack.outputs()).toMatchObject({ name: "build", organizationScoped: false });
    expect(stack.outputs()).not.toHaveProperty("allowedWorkspaceIds");
  });
});

const beyondLists = new Set(["organization", "workspaces", "allowed-workspaces", "allowed-projects", "excluded-workspaces"]);

/** A response about pools without the fields that are not documented for lists. The relationships to agents and tokens stay. */
function withoutWorkspaces(body: string): string {
  return JSON.stringify(JSON.parse(body, (key, value: unknown) => (beyondLists.has(key) ? undefined : value)));
}
