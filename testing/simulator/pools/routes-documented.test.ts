import { type Called, callPools } from "../../../test/support/call";
import { Simulator } from "..";

let simulator: Simulator;

beforeEach(async () => {
  simulator = await Simulator.start({ dialect: "documented", poolsPerOrganization: Number.POSITIVE_INFINITY });
});
afterEach(() => simulator.stop());

const call = (method: string, path: string, body?: unknown) => callPools(simulator, simulator.poolsToken, method, path, body);

const POOLS = "/organizations/example-org/agent-pools";

const relationships = (...ids: string[]) => ({ "allowed-workspaces": { data: ids.map((id) => ({ id, type: "workspaces" })) } });

function names(response: Called): string[] {
  return response.body.data.map((pool: { attributes: { name: string } }) => pool.attributes.name);
}

it("lists pools with the relationships of agents and tokens, and returns a single pool with all four", async () => {
  const { id } = simulator.pools.put({ organization: "example-org", name: "p", allowedWorkspaceIds: ["ws-1"] });
  const [listed] = (await call("GET", POOLS)).body.data;
  expect(Object.keys(listed.relationships)).toEqual(["agents", "authentication-tokens"]);
  expect(listed.attributes).toMatchObject({ name: "p", "agent-count": 0 });
  const shown = (await call("GET", `/agent-pools/${id}`)).body.data;
  expect(Object.keys(shown.relationships)).toEqual(["agents", "authentication-tokens", "workspaces", "allowed-workspaces"]);
  expect(shown.relationships["allowed-workspaces"].data).toEqual([{ id: "ws-1", type: "workspaces" }]);
});

it.each(["POST", "PATCH"])("422 for a %s without allowed-workspaces", async (method) => {
  const { id } = simulator.pools.put({ organization: "example-org", name: "p" });
  const path = method === "POST" ? POOLS : `/agent-pools/${id}`;
  const response = await call(method, path, { data: { type: "agent-pools", attributes: { name: "a" } } });
  expect(response.status).toBe(422);
  expect(response.body.errors).toMatchObject([{ source: { pointer: "/data/relationships" } }]);
  expect(simulator.pools.list()).toMatchObject([{ name: "p" }]);
});

it("an update keeps a name that is left out, and resets the scope to true", async () => {
  const pool = simulator.pools.put({ organization: "example-org", name: "a", organizationScoped: false });
  const body = { data: { type: "agent-pools", attributes: {}, relationships: relationships("ws-1") } };
  expect((await call("PATCH", `/agent-pools/${pool.id}`, body)).status).toBe(200);
  expect(simulator.pools.get(pool.id)).toEqual({ ...pool, organizationScoped: true, allowedWorkspaceIds: ["ws-1"] });
  const withoutAttributes = { data: { type: "agent-pools", relationships: relationships() } };
  expect((await call("PATCH", `/agent-pools/${pool.id}`, withoutAttributes)).status).toBe(200);
  expect(simulator.pools.get(pool.id)).toMatchObject({ name: "a", organizationScoped: true, allowedWorkspaceIds: [] });
});

it("422 for a second pool of an organization", async () => {
  await simulator.stop();
  simulator = await Simulator.start({ dialect: "documented" });
  const body = (name: string) => ({ data: { type: "agent-pools", attributes: { name }, relationships: relationships() } });
  expect((await call("POST", POOLS, body("a"))).status).toBe(201);
  const second = await call("POST", POOLS, body("b"));
  expect([second.status, second.body.errors[0].title]).toEqual([422, "limit reached"]);
});

it("filters by a workspace that may use the pool, and ignores the filter for projects", async () => {
  const workspace = simulator.pools.addWorkspace("example-org", { name: "prod" });
  simulator.pools.put({ organization: "example-org", name: "limited", organizationScoped: false });
  simulator.pools.put({ organization: "example-org", name: "open" });
  simulator.pools.put({ organization: "example-org", name: "mine", organizationScoped: false, allowedWorkspaceIds: [workspace.id] });
  expect(names(await call("GET", `${POOLS}?filter%5Ballowed_workspaces%5D%5Bname%5D=prod`))).toEqual(["open", "mine"]);
  expect(names(await call("GET", `${POOLS}?filter%5Ballowed_workspaces%5D%5Bname%5D=none`))).toEqual([]);
  expect(names(await call("GET", `${POOLS}?filter%5Ballowed_projects%5D%5Bname%5D=none`))).toHaveLength(3);
});

it("has no tokens of agents, no workspaces and no projects", async () => {
  const { id } = simulator.pools.put({ organization: "example-org", name: "a" });
  const { id: tokenId } = simulator.pools.addAgentToken(id, "builder");
  simulator.pools.addWorkspace("example-org", { name: "prod" });
  for (const path of [
    `/agent-pools/${id}/authentication-tokens`,
    `/authentication-tokens/${tokenId}`,
    "/organizations/example-org/workspaces/prod",
    "/organizations/example-org/projects",
  ])
    expect((await call("GET", path)).status).toBe(404);
});
