import { type Called, callPools } from "../../../test/support/call";
import { Simulator } from "..";

// Behaviour beyond the document, which the service's clients rely on.

let simulator: Simulator;

beforeEach(async () => {
  simulator = await Simulator.start();
});
afterEach(() => simulator.stop());

const call = (method: string, path: string, body?: unknown, token = simulator.poolsToken) =>
  callPools(simulator, token, method, path, body);

const POOLS = "/organizations/example-org/agent-pools";
const poolBody = (attributes?: object, relationships?: object) => ({ data: { type: "agent-pools", attributes, relationships } });
const to = (type: string, ...ids: string[]) => ({ data: ids.map((id) => ({ id, type })) });

const names = (response: Called): string[] => response.body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name);

const idOf = ({ id }: { id: string }) => id;

const limited = (name: string, change = {}) =>
  simulator.pools.put({ organization: "example-org", name, organizationScoped: false, ...change });

describe("a pool", () => {
  it("has its organization, projects and exclusions in every response", async () => {
    const relationships = {
      "allowed-workspaces": to("workspaces", "ws-1"),
      "allowed-projects": to("projects", "prj-1"),
      "excluded-workspaces": to("workspaces", "ws-2"),
    };
    const created = (await call("POST", POOLS, poolBody({ name: "a", "organization-scoped": false }, relationships))).body.data;
    const organization = { data: { id: "example-org", type: "organizations" } };
    expect(created.relationships).toMatchObject({ ...relationships, organization, workspaces: { data: [] } });
    const path = `/agent-pools/${created.id}`;
    expect((await call("GET", path)).body.data).toEqual(created);
    expect((await call("PATCH", path, poolBody({ name: "a" }))).body.data).toEqual(created);
    const [listed] = (await call("GET", POOLS)).body.data;
    expect(listed).toEqual({ ...created, attributes: { ...created.attributes, "agent-count": 0 } });
  });

  it.each([
    ["the name alone", poolBody({ name: "b" }), { name: "b" }],
    ["the scope alone", poolBody({ "organization-scoped": true }), { organizationScoped: true }],
    ["workspaces alone", poolBody(undefined, { "allowed-workspaces": to("workspaces", "ws-9") }), { allowedWorkspaceIds: ["ws-9"] }],
    ["projects alone", poolBody(undefined, { "allowed-projects": to("projects", "prj-9") }), { allowedProjectIds: ["prj-9"] }],
    ["no workspaces", poolBody(undefined, { "allowed-workspaces": to("workspaces") }), { allowedWorkspaceIds: [] }],
    ["no projects", poolBody(undefined, { "allowed-projects": to("projects") }), { allowedProjectIds: [] }],
    ["no exclusions", poolBody(undefined, { "excluded-workspaces": to("workspaces") }), { excludedWorkspaceIds: [] }],
    ["a relationship without data", poolBody(undefined, { "allowed-projects": {} }), {}],
    ["nothing", poolBody(), {}],
  ])("keeps the fields that an update leaves out: %s", async (_, body, change) => {
    const pool = limited("a", { allowedWorkspaceIds: ["ws-1"], allowedProjectIds: ["prj-1"], excludedWorkspaceIds: ["ws-2"] });
    const response = await call("PATCH", `/agent-pools/${pool.id}`, body);
    expect(response.status).toBe(200);
    expect(simulator.pools.get(pool.id)).toEqual({ ...pool, ...change });
  });

  it("counts running agents, but not ended ones", async () => {
    const pool = limited("a");
    for (const status of ["idle", "busy", "unknown", "exited", "errored"] as const) simulator.pools.addAgent(pool.id, { status });
    expect((await call("GET", POOLS)).body.data[0].attributes["agent-count"]).toBe(3);
  });
});

describe("the list of pools", () => {
  const byWorkspace = (name: string) => `${POOLS}?filter%5Ballowed_workspaces%5D%5Bname%5D=${name}`;
  const byProject = (name: string) => `${POOLS}?filter%5Ballowed_projects%5D%5Bname%5D=${name}`;

  it("has the pools that a workspace may use, itself or by its project, and no pool that excludes it", async () => {
    const project = simulator.pools.addProject("example-org", { name: "shop" });
    const app = simulator.pools.addWorkspace("example-org", { name: "app", projectId: project.id });
    simulator.pools.addWorkspace("example-org", { name: "web" });
    simulator.pools.put({ organization: "example-org", name: "open" });
    limited("nobody");
    limited("itself", { allowedWorkspaceIds: [app.id] });
    limited("project", { allowedProjectIds: [project.id] });
    limited("excluded", { allowedProjectIds: [project.id], excludedWorkspaceIds: [app.id] });
    expect(names(await call("GET", byWorkspace("app")))).toEqual(["open", "itself", "project"]);
    expect(names(await call("GET", byWorkspace("web")))).toEqual(["open"]);
    expect(names(await call("GET", byWorkspace("none")))).toEqual(["open"]);
    expect(names(await call("GET", byWorkspace("app").replace("_", "-")))).toEqual(["open", "itself", "project"]);
  });

  it("has the pools that a project may use", async () => {
    const project = simulator.pools.addProject("example-org", { name: "shop" });
    simulator.pools.put({ organization: "example-org", name: "open" });
    limited("shop", { allowedProjectIds: [project.id] });
    limited("other", { allowedProjectIds: ["prj-1"] });
    const response = await call("GET", byProject("shop"));
    expect(names(response)).toEqual(["open", "shop"]);
    expect(response.body.meta.pagination["total-count"]).toBe(2);
    expect(names(await call("GET", byProject("none")))).toEqual(["open"]);
  });

  it("has no rows for a page beyond the last one, but the requested number and the true count", async () => {
    limited("a");
    const response = await call("GET", `${POOLS}?page%5Bnumber%5D=999&page%5Bsize%5D=100`);
    expect([response.status, response.body.data]).toEqual([200, []]);
    expect(response.body.meta.pagination).toMatchObject({ "current-page": 999, "next-page": null, "total-count": 1, "total-pages": 1 });
  });

  it("may be sorted by the time of creation, in both directions", async () => {
    for (const name of ["z", "a", "k"]) simulator.pools.put({ organization: "example-org", name });
    expect(names(await call("GET", `${POOLS}?sort=created-at`))).toEqual(["z", "a", "k"]);
    expect(names(await call("GET", `${POOLS}?sort=-created-at`))).toEqual(["k", "a", "z"]);
  });
});

it("agents may be sorted by the time of creation, and filtered by their status", async () => {
  const { id } = limited("a");
  const ids = (["idle", "busy"] as const).map((status) => simulator.pools.addAgent(id, { status }).id);
  const listed = async (sort: string) => (await call("GET", `/agent-pools/${id}/agents?sort=${sort}`)).body.data.map(idOf);
  expect(await listed("created-at")).toEqual(ids);
  expect(await listed("-created-at")).toEqual(ids.toReversed());
  expect(await listed("created-at&filter%5Bstatus%5D=busy")).toEqual(ids.slice(1));
});

describe("an agent's token", () => {
  const tokenBody = (description?: unknown, type = "authentication-tokens") => ({ data: { type, attributes: { description } } });
  const begin = () => {
    const { id } = limited("a");
    return { id, path: `/agent-pools/${id}/authentication-tokens` };
  };

  it.each(["authentication-tokens", "agent-tokens"])("has its secret in the response to its create only (%s)", async (type) => {
    const { id, path } = begin();
    const created = await call("POST", path, tokenBody("builder", type));
    const [stored] = simulator.pools.agentTokens(id);
    expect(created.status).toBe(201);
    expect(created.body.data).toEqual({
      id: stored?.id,
      type: "authentication-tokens",
      attributes: { "created-at": stored?.createdAt, "last-used-at": null, description: "builder", token: stored?.token },
      relationships: { "created-by": { data: { id: stored?.createdById, type: "users" } } },
    });
    expect(stored?.id).toMatch(/^at-[A-Za-z0-9]{16}$/);
    const shown = await call("GET", `/authentication-tokens/${stored?.id}`);
    expect(shown.body.data).toEqual({ ...created.body.data, attributes: { ...created.body.data.attributes, token: null } });
    const listed = await call("GET", path);
    expect(listed.body.data).toEqual([shown.body.data]);
    expect(shown.text + listed.text).not.toContain(stored?.token);
  });

  it.each([
    ["no description", tokenBody()],
    ["an empty one", tokenBody("")],
    ["one that is no text", tokenBody(1)],
    ["another type", tokenBody("a", "users")],
  ])("422 for %s, and no token", async (_, body) => {
    const { id, path } = begin();
    expect((await call("POST", path, body)).status).toBe(422);
    expect(simulator.pools.agentTokens(id)).toEqual([]);
  });

  it("is listed in pages, sorted on request", async () => {
    const { id, path } = begin();
    const ids = Array.from({ length: 21 }, (_, number) => simulator.pools.addAgentToken(id, `token-${number}`).id);
    const first = await call("GET", path);
    expect(first.body.data.map(idOf)).toEqual(ids.slice(0, 20));
    expect(first.body.meta.pagination).toMatchObject({ "current-page": 1, "next-page": 2, "total-pages": 2, "total-count": 21 });
    expect((await call("GET", `${path}?page%5Bnumber%5D=2`)).body.data.map(idOf)).toEqual(ids.slice(20));
    const newestFirst = await call("GET", `${path}?sort=-created-at&page%5Bsize%5D=100`);
    const byTime = newestFirst.body.data.map(
      ({ attributes, id }: { attributes: { "created-at": string }; id: string }) => `${attributes["created-at"]} ${id}`,
    );
    expect(byTime).toEqual(byTime.toSorted().toReversed());
    expect((await call("GET", `${path}?sort=name`)).status).toBe(400);
  });

  it("shows its last use, is deleted once, and is deleted with its pool", async () => {
    const { id, path } = begin();
    const [used, other] = ["used", "other"].map((description) => simulator.pools.addAgentToken(id, description));
    simulator.pools.useAgentToken(used?.id ?? "", "2026-01-01T00:00:00Z");
    const shown = await call("GET", `/authentication-tokens/${used?.id}`);
    expect(shown.body.data.attributes["last-used-at"]).toBe("2026-01-01T00:00:00.000Z");
    expect(await call("DELETE", `/authentication-tokens/${used?.id}`)).toMatchObject({ status: 204, text: "", body: undefined });
    expect((await call("DELETE", `/authentication-tokens/${used?.id}`)).status).toBe(404);
    expect((await call("DELETE", `/agent-pools/${id}`)).status).toBe(204);
    expect((await call("GET", `/authentication-tokens/${other?.id}`)).status).toBe(404);
    expect((await call("GET", path)).status).toBe(404);
  });

  it("is not found with a token of another organization", async () => {
    const { id, path } = begin();
    const token = simulator.pools.addAgentToken(id, "a");
    simulator.poolsTokens.add({ token: "elsewhere", organizations: ["other"] });
    const asked: [string, string, unknown?][] = [
      ["GET", path],
      ["POST", path, tokenBody("b")],
      ["GET", `/authentication-tokens/${token.id}`],
      ["DELETE", `/authentication-tokens/${token.id}`],
    ];
    for (const [method, at, body] of asked) expect((await call(method, at, body, "elsewhere")).status).toBe(404);
    expect(simulator.pools.agentTokens(id)).toEqual([token]);
  });
});

describe("workspaces and projects", () => {
  it("are found by their names", async () => {
    const project = simulator.pools.addProject("example-org", { name: "shop" });
    const workspace = simulator.pools.addWorkspace("example-org", { name: "app", projectId: project.id });
    const shown = await call("GET", "/organizations/example-org/workspaces/app");
    expect(shown.body.data).toMatchObject({
      id: workspace.id,
      type: "workspaces",
      attributes: { name: "app", "execution-mode": "remote" },
      relationships: { project: { data: { id: project.id, type: "projects" } }, "agent-pool": { data: null } },
    });
    expect((await call("GET", `/workspaces/${workspace.id}`)).body).toEqual(shown.body);
    expect((await call("GET", "/organizations/example-org/workspaces/none")).status).toBe(404);
    expect((await call("GET", "/organizations/none/workspaces/app")).status).toBe(404);
    expect(names(await call("GET", "/organizations/example-org/workspaces?search%5Bname%5D=AP"))).toEqual(["app"]);
    simulator.pools.addWorkspace("example-org", { name: "web" });
    const inProject = await call("GET", `/organizations/example-org/workspaces?filter%5Bproject%5D%5Bid%5D=${project.id}`);
    expect(names(inProject)).toEqual(["app"]);
    const listed = await call("GET", "/organizations/example-org/projects?filter%5Bnames%5D=shop,none");
    expect(listed.body.data.map(idOf)).toEqual([project.id]);
    expect((await call("GET", `/projects/${project.id}`)).body.data).toEqual(listed.body.data[0]);
    expect(names(await call("GET", "/organizations/example-org/projects"))).toEqual(["Default Project", "shop"]);
  });

  it("have no runs", async () => {
    simulator.pools.addWorkspace("example-org", { name: "app" });
    for (const path of ["runs?filter%5Bagent_pool_names%5D=a", "workspaces?filter%5Bcurrent-run%5D%5Bstatus%5D=planning"])
      expect((await call("GET", `/organizations/example-org/${path}`)).body.data).toEqual([]);
  });

  it("a workspace without a given project belongs to the first one, and to the pool that it was attached to last", async () => {
    const { id } = simulator.pools.addWorkspace("example-org", { name: "app" });
    const [project] = simulator.pools.projects("example-org");
    const [before, after] = [limited("before"), limited("after")];
    for (const pool of [before, after]) simulator.pools.attachWorkspace(pool.id, id);
    const { attributes, relationships } = (await call("GET", `/workspaces/${id}`)).body.data;
    expect(attributes["execution-mode"]).toBe("agent");
    expect(relationships).toMatchObject({ project: { data: { id: project?.id } }, "agent-pool": { data: { id: after.id } } });
    expect((await call("DELETE", `/agent-pools/${before.id}`)).status).toBe(204);
    expect((await call("DELETE", `/agent-pools/${after.id}`)).status).toBe(412);
  });

  it("a workspace is attached by its execution mode and a pool that it may use, and detached by another mode", async () => {
    const { id } = simulator.pools.addWorkspace("example-org", { name: "app" });
    const [mine, other] = [limited("mine", { allowedWorkspaceIds: [id] }), limited("other")];
    const write = (attributes: object) => call("PATCH", `/workspaces/${id}`, { data: { type: "workspaces", attributes } });
    const attachedTo = () => simulator.pools.poolOf(id)?.name;
    const agent = { "execution-mode": "agent" };
    const refused = await write({ ...agent, "agent-pool-id": other.id });
    expect([refused.status, refused.body.errors[0].source.pointer]).toEqual([422, "/data/attributes/agent-pool-id"]);
    for (const attributes of [agent, { ...agent, "agent-pool-id": "apool-none" }]) expect((await write(attributes)).status).toBe(422);
    expect(attachedTo()).toBeUndefined();
    const attached = await write({ ...agent, "agent-pool-id": mine.id });
    expect(attached.body.data.relationships["agent-pool"].data).toEqual({ id: mine.id, type: "agent-pools" });
    expect([(await write({ name: "app" })).status, attachedTo()]).toEqual([200, "mine"]);
    const byName = { data: { type: "workspaces", attributes: { "execution-mode": "local" } } };
    expect((await call("PATCH", "/organizations/example-org/workspaces/app", byName)).status).toBe(200);
    expect(attachedTo()).toBeUndefined();
  });
});
