import { type Called, callPools } from "../../../test/support/call";
import { Simulator, type SimulatorOptions } from "..";

let simulator: Simulator;

async function start(options: SimulatorOptions = { poolsPerOrganization: Number.POSITIVE_INFINITY }): Promise<void> {
  simulator = await Simulator.start(options);
}
afterEach(() => simulator.stop());

const call = (method: string, path: string, body?: unknown, token = simulator.poolsToken) =>
  callPools(simulator, token, method, path, body);

const POOLS = "/organizations/example-org/agent-pools";

function poolBody(attributes: object, workspaceIds: string[] = []): object {
  const data = workspaceIds.map((id) => ({ id, type: "workspaces" }));
  return { data: { type: "agent-pools", attributes, relationships: { "allowed-workspaces": { data } } } };
}

function names(response: Called): string[] {
  return response.body.data.map((pool: { attributes: { name: string } }) => pool.attributes.name);
}

describe("permissions", () => {
  beforeEach(() => start());

  it("401 without a token, and with an unknown one", async () => {
    const response = await call("GET", POOLS, undefined, "unknown");
    expect([response.status, response.type]).toEqual([401, "application/vnd.api+json"]);
    expect(response.body.errors[0]).toMatchObject({ status: "401", title: "unauthorized" });
    expect((await fetch(`${simulator.poolsAddress}/api/v2${POOLS}`)).status).toBe(401);
  });

  it("a token without rights gets the same 404 as for a missing object", async () => {
    const pool = simulator.pools.put({ organization: "example-org", name: "a" });
    const agent = simulator.pools.addAgent(pool.id, { status: "exited" });
    simulator.poolsTokens.add({ token: "elsewhere", organizations: ["other"] });
    const missing = await call("GET", "/agent-pools/apool-none");
    expect(missing.status).toBe(404);
    const asked: [string, string, unknown?][] = [
      ["GET", POOLS],
      ["POST", POOLS, poolBody({ name: "b" })],
      ["GET", `/agent-pools/${pool.id}`],
      ["PATCH", `/agent-pools/${pool.id}`, poolBody({ name: "b" })],
      ["DELETE", `/agent-pools/${pool.id}`],
      ["GET", `/agent-pools/${pool.id}/agents`],
      ["GET", `/agents/${agent.id}`],
      ["DELETE", `/agents/${agent.id}`],
    ];
    for (const [method, path, body] of asked) expect(await call(method, path, body, "elsewhere")).toEqual(missing);
    expect(simulator.pools.list()).toEqual([pool]);
    expect(simulator.pools.agents(pool.id)).toEqual([agent]);
  });

  it("serves nothing outside /api/v2", async () => {
    const response = await fetch(simulator.poolsAddress + POOLS, { headers: { Authorization: `Bearer ${simulator.poolsToken}` } });
    expect([response.status, response.headers.get("content-type")]).toEqual([404, "text/html"]);
  });
});

describe("create", () => {
  it("returns 201 with the pool, without the number of its agents", async () => {
    await start();
    const response = await call("POST", POOLS, poolBody({ name: "a_B-1", "organization-scoped": false }, ["ws-1", "ws-1", "ws-2"]));
    const [stored] = simulator.pools.list();
    expect(response.status).toBe(201);
    expect(response.body.data).toEqual({
      id: stored?.id,
      type: "agent-pools",
      attributes: { name: "a_B-1", "created-at": stored?.createdAt, "organization-scoped": false },
      relationships: {
        agents: { links: { related: `/api/v2/agent-pools/${stored?.id}/agents` } },
        "authentication-tokens": { links: { related: `/api/v2/agent-pools/${stored?.id}/authentication-tokens` } },
        workspaces: { data: [] },
        "allowed-workspaces": {
          data: [
            { id: "ws-1", type: "workspaces" },
            { id: "ws-2", type: "workspaces" },
          ],
        },
        organization: { data: { id: "example-org", type: "organizations" } },
        "allowed-projects": { data: [] },
        "excluded-workspaces": { data: [] },
      },
      links: { self: `/api/v2/agent-pools/${stored?.id}` },
    });
    expect(stored?.id).toMatch(/^apool-[A-Za-z0-9]{16}$/);
    expect(stored?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it.each([
    ["a name with a space", poolBody({ name: "a b" }), "/data/attributes/name"],
    ["no name", poolBody({}), "/data/attributes/name"],
    ["a scope that is not a boolean", poolBody({ name: "a", "organization-scoped": "yes" }), "/data/attributes/organization-scoped"],
    ["another type", { data: { ...Object(poolBody({ name: "a" })).data, type: "agents" } }, "/data/type"],
    [
      "a project among the workspaces",
      {
        data: {
          ...Object(poolBody({ name: "a" })).data,
          relationships: { "allowed-workspaces": { data: [{ id: "prj-1", type: "projects" }] } },
        },
      },
      "/data/relationships/allowed-workspaces/data/0/type",
    ],
    ["no JSON", "{", ""],
  ])("422 for %s, with a pointer to it, and no pool", async (_, body, pointer) => {
    await start();
    const response = await call("POST", POOLS, body);
    expect(response.status).toBe(422);
    expect(response.body.errors).toMatchObject([{ status: "422", source: { pointer } }]);
    expect(simulator.pools.list()).toEqual([]);
  });
});

describe("lists", () => {
  beforeEach(() => start());

  it("have pages of 20 with the document's envelope", async () => {
    for (let number = 10; number < 55; number++) simulator.pools.put({ organization: "example-org", name: `pool-${number}` });
    const response = await call("GET", `${POOLS}?page%5Bnumber%5D=2&q=POOL-&sort=-name`);
    expect(names(response)).toEqual(Array.from({ length: 20 }, (_, position) => `pool-${34 - position}`));
    expect(response.body.meta).toEqual({
      pagination: { "current-page": 2, "prev-page": 1, "next-page": 3, "total-pages": 3, "total-count": 45 },
      "status-counts": { total: 45, matching: 45 },
    });
    expect(response.body.links.next).toBe(
      `${simulator.poolsAddress}/api/v2${POOLS}?page%5Bnumber%5D=3&q=POOL-&sort=-name&page%5Bsize%5D=20`,
    );
    const last = await call("GET", response.body.links.last.slice(`${simulator.poolsAddress}/api/v2`.length));
    expect([last.body.data.length, last.body.links.next, last.body.links.prev === null]).toEqual([5, null, false]);
  });

  it("never hold more than 100 in a page", async () => {
    for (let number = 0; number < 101; number++) simulator.pools.put({ organization: "example-org", name: `pool-${number}` });
    expect((await call("GET", `${POOLS}?page%5Bsize%5D=500`)).body.data).toHaveLength(100);
  });

  it("of pools count agents, search by name, and sort", async () => {
    const [zeta, alpha] = ["zeta", "alpha"].map((name) => simulator.pools.put({ organization: "example-org", name }));
    simulator.pools.addAgent(zeta?.id ?? "");
    expect(names(await call("GET", POOLS))).toEqual(["zeta", "alpha"]);
    expect(names(await call("GET", `${POOLS}?sort=name`))).toEqual(["alpha", "zeta"]);
    // An unknown order lists the oldest first.
    for (const sort of ["-foo", "surname", "-surname", "namecreated-at"])
      expect([sort, names(await call("GET", `${POOLS}?sort=${sort}`))]).toEqual([sort, ["zeta", "alpha"]]);
    const searched = await call("GET", `${POOLS}?q=ZET`);
    expect(searched.body.data[0].attributes).toMatchObject({ name: "zeta", "agent-count": 1 });
    expect(searched.body.meta["status-counts"]).toEqual({ total: 2, matching: 1 });
    expect((await call("GET", `/agent-pools/${alpha?.id}`)).body.data.attributes).not.toHaveProperty("agent-count");
  });

  it("of pools include the workspaces attached", async () => {
    const workspace = simulator.pools.addWorkspace("example-org", { name: "prod" });
    const pool = simulator.pools.put({ organization: "example-org", name: "limited", organizationScoped: false });
    simulator.pools.attachWorkspace(pool.id, workspace.id);
    const shown = await call("GET", `/agent-pools/${pool.id}?include=workspaces`);
    expect(shown.body.included).toMatchObject([{ id: workspace.id, type: "workspaces", attributes: { name: "prod" } }]);
    expect(shown.body.data.relationships.workspaces.data).toEqual([{ id: workspace.id, type: "workspaces" }]);
    expect((await call("GET", `${POOLS}?include=workspaces`)).body.included).toEqual(shown.body.included);
  });

  it("of agents can be filtered by the time of the last ping", async () => {
    const pool = simulator.pools.put({ organization: "example-org", name: "a" });
    simulator.pools.addAgent(pool.id, { lastPingAt: "2020-01-01T00:00:00Z" });
    const recent = simulator.pools.addAgent(pool.id, { name: "one", status: "busy", ip: "10.0.0.1", lastPingAt: "2021-01-01T00:00:00Z" });
    const response = await call("GET", `/agent-pools/${pool.id}/agents?filter%5Blast-ping-since%5D=2020-06-01T00%3A00%3A00Z`);
    const resource = {
      id: recent.id,
      type: "agents",
      attributes: {
        name: "one",
        status: "busy",
        "ip-address": "10.0.0.1",
        "last-ping-at": "2021-01-01T00:00:00.000Z",
        "created-at": recent.createdAt,
      },
      links: { self: `/api/v2/agents/${recent.id}` },
    };
    expect(response.body.data).toEqual([resource]);
    expect(response.body.meta).not.toHaveProperty("status-counts");
    expect((await call("GET", `/agents/${recent.id}`)).body.data).toEqual(resource);
    expect((await call("GET", `/agent-pools/${pool.id}/agents?filter%5Blast-ping-since%5D=soon`)).status).toBe(422);
  });
});
