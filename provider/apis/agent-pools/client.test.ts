import { createServer } from "node:http";
import { listen } from "../../../test/support/http/listen";
import { Simulator } from "../../../testing/simulator";
import {
  isAmbiguous,
  isBlocked,
  isConflict,
  isDenied,
  isMalformed,
  isNotFound,
  isRejected,
  isUnavailable,
  isWrongAddress,
} from "../http/errors";
import { Http } from "../http/http";
import { AgentPoolsClient } from "./client";

let simulator: Simulator;
let http: Http;
let client: AgentPoolsClient;

function connect(address: string, token: string): Http {
  return new Http({
    service: "agent pools",
    address,
    basePath: "/api/v2",
    token,
    headers: (sent) => ({ authorization: `Bearer ${sent}` }),
    tokenSource: "The token comes from the environment variable TFE_TOKEN.",
    requestTimeoutMs: 5_000,
    maxRetries: 3,
    maxConcurrentRequests: 8,
    allowInsecureHttp: false,
    clock: { now: Date.now, sleep: async () => undefined, random: () => 0 },
  });
}

beforeEach(async () => {
  simulator = await Simulator.start({ poolsPerOrganization: Number.POSITIVE_INFINITY });
  http = connect(simulator.poolsAddress, simulator.poolsToken);
  client = new AgentPoolsClient(http);
});

afterEach(async () => {
  await http.close();
  await simulator.stop();
});

const make = (name: string) => simulator.pools.put({ organization: simulator.organization, name });
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("pools", () => {
  it("are created with everything that was asked for", async () => {
    const workspace = simulator.pools.addWorkspace(simulator.organization, { name: "network" });
    const pool = await client.createPool(simulator.organization, {
      name: "a",
      organizationScoped: false,
      allowedWorkspaceIds: [workspace.id],
    });
    expect(simulator.pools.get(pool.id)).toMatchObject({ name: "a", organizationScoped: false, allowedWorkspaceIds: [workspace.id] });
    expect(pool).toMatchObject({ name: "a", organizationScoped: false, allowedWorkspaceIds: [workspace.id], workspaceIds: [] });
    expect(pool.createdAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it("are updated whole", async () => {
    const workspace = simulator.pools.addWorkspace(simulator.organization, { name: "network" });
    const { id } = make("a");
    const pool = await client.updatePool(id, { name: "b", organizationScoped: false, allowedWorkspaceIds: [workspace.id] });
    expect(pool).toMatchObject({ id, name: "b", organizationScoped: false, allowedWorkspaceIds: [workspace.id] });
    expect(simulator.pools.get(id)).toMatchObject({ name: "b", organizationScoped: false, allowedWorkspaceIds: [workspace.id] });
  });

  it("are shown, with the names of their workspaces when asked for", async () => {
    const workspace = simulator.pools.addWorkspace(simulator.organization, { name: "network" });
    const { id } = make("a");
    simulator.pools.attachWorkspace(id, workspace.id);
    expect(await client.showPool(id)).toMatchObject({ id, name: "a", workspaceIds: [workspace.id], agentCount: undefined });
    expect((await client.showPool(id, { include: "workspaces" })).workspaces).toEqual([{ id: workspace.id, name: "network" }]);
  });

  it("are deleted", async () => {
    const { id } = make("a");
    await client.deletePool(id);
    expect(simulator.pools.get(id)).toBeUndefined();
    expect(isNotFound(await failure(client.deletePool(id)))).toBe(true);
  });

  it("are listed from all pages, filtered, sorted, with the count of their agents and their workspaces", async () => {
    const pools = Array.from({ length: 230 }, (_, number) => make(`pool-${String(number).padStart(3, "0")}`));
    simulator.pools.addAgent(pools[0]?.id ?? "", {});
    expect((await client.listPools(simulator.organization)).map((pool) => pool.name).sort()).toEqual(pools.map((pool) => pool.name));
    expect(simulator.journal.requests({ method: "GET" }).map((entry) => entry.query["page[number]"])).toEqual(["1", "2", "3"]);
    const found = await client.listPools(simulator.organization, { query: "pool-00", sort: "-name", include: "workspaces" });
    expect(found.map((pool) => pool.name)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((digit) => `pool-00${digit}`));
    expect(found.at(-1)).toMatchObject({ agentCount: 1, workspaces: [] });
  });

  it("are listed by the workspace that may use them", async () => {
    const workspace = simulator.pools.addWorkspace(simulator.organization, { name: "network" });
    const { id } = make("a");
    make("b");
    simulator.pools.update(id, { organizationScoped: false, allowedWorkspaceIds: [workspace.id] });
    const found = await client.listPools(simulator.organization, { allowedWorkspaceName: "network" });
    expect(found.map((pool) => pool.id)).toContain(id);
    expect(simulator.journal.entries.at(-1)?.query["filter[allowed_workspaces][name]"]).toBe("network");
  });

  it("whose name is taken are a conflict, on create and on update", async () => {
    make("a");
    const { id } = make("b");
    const input = { name: "a", organizationScoped: true, allowedWorkspaceIds: [] };
    expect(isConflict(await failure(client.createPool(simulator.organization, input)))).toBe(true);
    expect(isConflict(await failure(client.updatePool(id, input)))).toBe(true);
    expect(simulator.pools.list()).toHaveLength(2);
  });

  it("with a name that is not allowed are refused, with the place in the request", async () => {
    const error = await failure(
      client.createPool(simulator.organization, { name: "not allowed", organizationScoped: true, allowedWorkspaceIds: [] }),
    );
    expect(isRejected(error) && error.detail).toContain(" (/data/attributes/name)");
  });

  it("of an organization that does not exist, or that the token may not see, are not found", async () => {
    const { id } = make("a");
    simulator.poolsTokens.add({ token: "stranger", organizations: [] });
    const stranger = connect(simulator.poolsAddress, "stranger");
    expect(isNotFound(await failure(client.listPools("nobody")))).toBe(true);
    expect(isNotFound(await failure(new AgentPoolsClient(stranger).showPool(id)))).toBe(true);
    await stranger.close();
  });

  it("with agents are blocked from being deleted, and stay", async () => {
    const { id } = make("a");
    simulator.pools.addAgent(id, { status: "busy" });
    const error = await failure(client.deletePool(id));
    expect(isBlocked(error)).toBe(true);
    expect(simulator.pools.get(id)).toBeDefined();
  });
});

describe("agents", () => {
  it("are listed from all pages, shown, and filtered by their last sign of life", async () => {
    const { id } = make("a");
    for (let number = 0; number < 101; number += 1) simulator.pools.addAgent(id, { lastPingAt: "2026-01-01T00:00:00.000Z" });
    const agent = simulator.pools.addAgent(id, {
      name: "builder",
      status: "exited",
      ip: "10.0.0.1",
      lastPingAt: "2026-02-01T00:00:00.000Z",
    });
    expect(await client.listAgents(id)).toHaveLength(102);
    const links = { self: `/api/v2/agents/${agent.id}` };
    const lastPingAt = "2026-02-01T00:00:00.000Z";
    const alive = [{ id: agent.id, name: "builder", status: "exited", ipAddress: "10.0.0.1", lastPingAt, links }];
    expect(await client.listAgents(id, { lastPingSince: "2026-01-15T00:00:00Z" })).toEqual(alive);
    expect([await client.showAgent(agent.id)]).toEqual(alive);
  });

  it("are deleted when they no longer run, and only then", async () => {
    const { id } = make("a");
    const gone = simulator.pools.addAgent(id, { status: "exited" });
    const busy = simulator.pools.addAgent(id, { status: "busy" });
    await client.deleteAgent(gone.id);
    expect(isBlocked(await failure(client.deleteAgent(busy.id)))).toBe(true);
    expect(simulator.pools.agents(id).map((agent) => agent.id)).toEqual([busy.id]);
    expect(isNotFound(await failure(client.showAgent(gone.id)))).toBe(true);
  });
});

describe("on a bad day", () => {
  const input = { name: "a", organizationScoped: true, allowedWorkspaceIds: [] };

  it("a create whose response is lost is ambiguous and not repeated", async () => {
    simulator.faults.add({ method: "POST", fault: { kind: "drop-after" } });
    expect(isAmbiguous(await failure(client.createPool(simulator.organization, input)))).toBe(true);
    expect(simulator.pools.list()).toHaveLength(1);
    expect(simulator.journal.requests({ method: "POST" })).toHaveLength(1);
  });

  it("an update whose response is lost is repeated", async () => {
    const { id } = make("b");
    simulator.faults.add({ method: "PATCH", fault: { kind: "drop-after" } });
    expect(await client.updatePool(id, input)).toMatchObject({ name: "a" });
  });

  it("a delete whose response is lost is repeated, and then finds no object", async () => {
    const { id } = make("a");
    simulator.faults.add({ method: "DELETE", fault: { kind: "drop-after" } });
    expect(isNotFound(await failure(client.deletePool(id)))).toBe(true);
    expect(simulator.pools.list()).toEqual([]);
  });

  it("an unknown token is denied, and the error says where it comes from", async () => {
    const stranger = connect(simulator.poolsAddress, "unknown");
    const error = await failure(new AgentPoolsClient(stranger).listPools(simulator.organization));
    expect(isDenied(error) && error.message).toContain("TFE_TOKEN");
    await stranger.close();
  });

  it("an empty 404 is a wrong address and a page of HTML too, never a missing pool", async () => {
    const { id } = make("a");
    simulator.faults.add({ fault: { kind: "status", status: 404 } });
    simulator.faults.add({ fault: { kind: "malformed" } });
    expect(isWrongAddress(await failure(client.showPool(id)))).toBe(true);
    expect(isWrongAddress(await failure(client.showPool(id)))).toBe(true);
  });

  it("a response about another pool is malformed", async () => {
    const { id } = make("a");
    simulator.faults.add({ fault: { kind: "malformed", body: JSON.stringify({ data: otherPool }) } });
    expect(isMalformed(await failure(client.showPool(id)))).toBe(true);
  });

  it("a service that is down is unavailable, and the same client works when it is up again", async () => {
    make("a");
    await simulator.unplug("pools");
    expect(isUnavailable(await failure(client.listPools(simulator.organization)))).toBe(true);
    await simulator.plug("pools");
    expect(await client.listPools(simulator.organization)).toHaveLength(1);
  });

  it("another view of the client reports its own retries", async () => {
    const reports: string[] = [];
    simulator.faults.add({ times: 2, fault: { kind: "status", status: 503 } });
    const view = client.with({ report: (message) => reports.push(message) });
    await view.listPools(simulator.organization);
    expect(view.server).toBe(simulator.poolsAddress);
    expect(reports).toEqual([expect.stringContaining("503 Service Unavailable (empty body); try 3 of 4 in ")]);
  });
});

const otherPool = { id: "apool-other", type: "agent-pools", attributes: { name: "x", "created-at": "", "organization-scoped": true } };

describe("a list that changes while its pages are read", () => {
  const many = () => Array.from({ length: 150 }, (_, number) => make(`pool-${number}`));
  const pagesAsked = () => simulator.journal.requests({ method: "GET" }).length;
  /** Deletes the first pool when so many requests have come. */
  const deletesFirstAfter = (requests: number, first: string) => {
    const { request } = http;
    let seen = 0;
    jest.spyOn(http, "request").mockImplementation(async (...args) => {
      const response = await request.apply(http, args);
      seen += 1;
      if (seen === requests) simulator.pools.delete(first);
      return response;
    });
  };

  it("is read again until it agrees with itself, and says so", async () => {
    const [first, ...others] = many();
    deletesFirstAfter(1, first?.id ?? "");
    const reports: string[] = [];
    const found = await client.with({ report: (message) => reports.push(message) }).listPools(simulator.organization);
    expect(found.map(({ id }) => id)).toEqual(others.map(({ id }) => id));
    expect(reports).toEqual([expect.stringMatching(/changed between its pages, which count 150 and 149 items; reading the list again$/)]);
  });

  it("proves that a pool is missing only when a second list lacks it too", async () => {
    const pools = many();
    // It stands first on the second page, and moves to the first one, which has been read.
    const shifted = pools[100]?.id ?? "";
    deletesFirstAfter(1, pools[0]?.id ?? "");
    expect(await client.isListed(simulator.organization, shifted)).toBe(true);
    simulator.pools.delete(shifted);
    simulator.journal.clear();
    expect(await client.isListed(simulator.organization, shifted)).toBe(false);
    expect(pagesAsked()).toBe(4);
  });

  it("finds a pool by its name although it has moved to a page that was read", async () => {
    const [first] = Array.from({ length: 100 }, (_, number) => make(`pool-${number}`));
    const { id } = make("pool");
    deletesFirstAfter(1, first?.id ?? "");
    expect(await client.findPool(simulator.organization, "pool")).toMatchObject({ id });
    expect(await client.findPool(simulator.organization, "poo")).toBeUndefined();
  });

  it("is an error when it counts other items than it has, however often it is read, unless a filter chose them", async () => {
    make("a");
    const says = (path: string, count: number) =>
      simulator.faults.add({
        path,
        times: 4,
        fault: { kind: "status", status: 200, body: JSON.stringify({ data: [otherPool], meta: { pagination: { "total-count": count } } }) },
      });
    says(`/api/v2/organizations/${simulator.organization}/agent-pools`, 3);
    const error = await failure(client.listPools(simulator.organization));
    expect(isUnavailable(error) && error.message).toContain("the list counts 3 items and has 1, after 4 tries.");
    says(`/api/v2/organizations/${simulator.organization}/agent-pools`, 3);
    expect(await client.listPools(simulator.organization, { query: "x" })).toHaveLength(1);
  });
});

describe("a list without an end", () => {
  type Pagination = (asked: number) => Record<string, number | null>;

  async function listFrom(pagination: Pagination, idOf: (asked: number) => string): Promise<unknown> {
    const server = createServer((request, response) => {
      const asked = Number(new URL(request.url ?? "", "http://localhost").searchParams.get("page[number]"));
      response.end(JSON.stringify({ data: [{ ...otherPool, id: idOf(asked) }], meta: { pagination: pagination(asked) } }));
    });
    const endless = connect(`http://127.0.0.1:${await listen(server)}`, "token");
    const outcome = await new AgentPoolsClient(endless).listPools("any").catch((error: unknown) => error);
    await endless.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    return outcome;
  }

  it.each<[string, Pagination, (asked: number) => string]>([
    ["a page names itself as the next", (asked) => ({ "next-page": asked }), String],
    ["a page names one before it as the next", (asked) => ({ "next-page": asked === 2 ? 1 : 2 }), String],
    ["every page is the first one", () => ({ "current-page": 1, "next-page": 2 }), String],
    ["every page brings the same", (asked) => ({ "next-page": asked + 1 }), () => "same"],
    ["the next page is after the last", (asked) => ({ "next-page": asked + 1, "total-pages": 2 }), String],
  ])("is an error: %s", async (_, pagination, idOf) => {
    expect(isMalformed(await listFrom(pagination, idOf))).toBe(true);
  });

  it("is one whose end is shown: an object that two pages bring is one object", async () => {
    const outcome = await listFrom(
      (asked) => ({ "current-page": asked, "next-page": asked < 3 ? asked + 1 : null }),
      (asked) => `apool-${Math.min(asked, 2)}`,
    );
    expect(outcome).toEqual([expect.objectContaining({ id: "apool-1" }), expect.objectContaining({ id: "apool-2" })]);
  });
});
