import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Fault, Simulator } from ".";

describe("the simulator", () => {
  let simulator: Simulator;

  beforeEach(async () => {
    simulator = await Simulator.start();
  });
  afterEach(() => simulator.stop());

  function cluster(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(simulator.clusterAddress + path, { ...init, headers: { "X-Cluster-Token": simulator.clusterToken, ...init.headers } });
  }

  function createRole(name = "dev"): Promise<Response> {
    simulator.cluster.policies.put("readonly");
    return cluster("/v1/acl/role", { method: "POST", body: JSON.stringify({ Name: name, Policies: [{ Name: "readonly" }] }) });
  }

  function failCreate(fault: Fault): void {
    simulator.faults.add({ method: "POST", path: "/v1/acl/role", fault });
  }

  it("has a pools token that no command reads as an option", async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => Simulator.start()));
    expect(all.map(({ poolsToken }) => poolsToken).filter((token) => !/^[a-z]/.test(token))).toEqual([]);
    await Promise.all(all.map((one) => one.stop()));
  });

  describe("the journal", () => {
    it("holds requests in the order of arrival, with the status of the response and without the token", async () => {
      await createRole();
      await cluster("/v1/acl/role/name/none?region=global");
      const [create, read] = simulator.journal.entries;
      expect(create).toMatchObject({
        api: "cluster",
        method: "POST",
        path: "/v1/acl/role",
        body: { Name: "dev", Policies: [{ Name: "readonly" }] },
        status: 200,
      });
      expect(create?.headers["x-cluster-token"]).toBe("<token>");
      expect(read).toMatchObject({ path: "/v1/acl/role/name/none", query: { region: "global" }, body: undefined, status: 404 });
      expect(JSON.stringify(simulator.journal.entries)).not.toContain(simulator.clusterToken);
    });

    it("keeps the latest requests if its length is limited", async () => {
      await simulator.stop();
      simulator = await Simulator.start({ journalLength: 2 });
      for (const name of ["a", "b", "c"]) await cluster(`/v1/acl/role/name/${name}`);
      expect(simulator.journal.lines()).toEqual(["GET /v1/acl/role/name/b", "GET /v1/acl/role/name/c"]);
    });

    it("selects requests by API, method and path, and can be cleared", async () => {
      await createRole();
      await fetch(`${simulator.poolsAddress}/api/v2/agent-pools/apool-x`, { headers: { Authorization: "Bearer secret" } });
      expect(simulator.journal.lines()).toEqual(["POST /v1/acl/role", "GET /api/v2/agent-pools/apool-x"]);
      expect(simulator.journal.requests({ api: "pools" })).toHaveLength(1);
      expect(simulator.journal.requests({ api: "pools" })[0]?.headers.authorization).toBe("Bearer <token>");
      expect(simulator.journal.requests({ method: "POST", path: /role/g })).toHaveLength(1);
      expect(simulator.journal.requests({ path: "/v1/acl/rol" })).toHaveLength(0);
      simulator.journal.clear();
      expect(simulator.journal.entries).toEqual([]);
    });
  });

  describe("faults", () => {
    it("drop-after: the write takes effect, and there is no response", async () => {
      failCreate({ kind: "drop-after" });
      await expect(createRole()).rejects.toThrow("fetch failed");
      expect(simulator.cluster.roles.list()).toMatchObject([{ Name: "dev" }]);
      expect(simulator.journal.entries[0]?.status).toBeUndefined();
    });

    it("delay: the write takes effect at once, and its response comes later", async () => {
      failCreate({ kind: "delay", ms: 1_000 });
      const start = performance.now();
      let hasResponse = false;
      const response = createRole().finally(() => {
        hasResponse = true;
      });
      while (simulator.cluster.roles.list().length === 0) await new Promise((resolve) => setImmediate(resolve));
      expect(hasResponse).toBe(false);
      expect((await response).status).toBe(200);
      expect(performance.now() - start).toBeGreaterThanOrEqual(999);
    });

    it("delay: stopping does not wait for a delayed response", async () => {
      failCreate({ kind: "delay", ms: 60_000 });
      const response = createRole();
      response.catch(() => undefined);
      while (simulator.cluster.roles.list().length === 0) await new Promise((resolve) => setImmediate(resolve));
      await simulator.stop();
      await expect(response).rejects.toThrow("fetch failed");
    });

    it("malformed: the write takes effect, and the response is 200 with another body", async () => {
      failCreate({ kind: "malformed" });
      const page = await createRole("a");
      expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html"]);
      expect(await page.text()).toMatch(/^<html>/);
      failCreate({ kind: "malformed", body: "[1" });
      expect(await (await createRole("b")).text()).toBe("[1");
      expect(simulator.cluster.roles.list()).toHaveLength(2);
    });

    it("null: the write takes effect, and the response lacks one property's value; a response without JSON stays the same", async () => {
      failCreate({ kind: "null", property: "Name" });
      expect(await (await createRole("a")).json()).toMatchObject({ Name: null, Description: "" });
      expect(simulator.cluster.roles.list()).toMatchObject([{ Name: "a" }]);
      failCreate({ kind: "null", property: "Name" });
      expect(await (await createRole("a")).text()).toContain("role with name a already exists");
    });

    it("apply to the given number of matching requests, after the skipped ones", async () => {
      simulator.faults.add({ api: "cluster", path: /roles$/, skip: 1, times: 2, fault: { kind: "status", status: 503 } });
      const statuses = [];
      for (let request = 0; request < 4; request++) statuses.push((await cluster("/v1/acl/roles")).status);
      expect(statuses).toEqual([200, 503, 503, 200]);
      expect(simulator.faults.pending()).toBe(0);
    });

    it("can be endless, and are cleared", async () => {
      simulator.faults.add({ times: Number.POSITIVE_INFINITY, fault: { kind: "status", status: 500 } });
      for (let request = 0; request < 3; request++) expect((await cluster("/v1/acl/roles")).status).toBe(500);
      expect(simulator.faults.pending()).toBe(Number.POSITIVE_INFINITY);
      simulator.faults.clear();
      expect((await cluster("/v1/acl/roles")).status).toBe(200);
    });
  });

  describe("the servers", () => {
    it("add the configured latency to every response", async () => {
      simulator.latencyMs = 50;
      const start = performance.now();
      await cluster("/v1/acl/roles");
      expect(performance.now() - start).toBeGreaterThanOrEqual(49);
    });

    it("refuse connections while an API is unplugged, and keep the port and the objects", async () => {
      await createRole();
      await simulator.unplug("cluster");
      await expect(cluster("/v1/acl/roles")).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
      await simulator.plug("cluster");
      expect(await (await cluster("/v1/acl/roles")).json()).toHaveLength(1);
    });

    it("do not start on a port in use", async () => {
      const port = Number(new URL(simulator.poolsAddress).port);
      await expect(Simulator.start({ clusterPort: port })).rejects.toThrow("EADDRINUSE");
    });
  });
});

describe("conformance", () => {
  const run = promisify(execFile);

  /** Exchanges that were recorded on a running server, and the program that replays them. They are not part of the package. */
  const folder = resolve(__dirname, "../../../shared/conformance");
  const replay = join(folder, "replay.mjs");
  const files = existsSync(replay) ? readdirSync(folder).filter((file) => file.endsWith(".json") && isListOfScenarios(file)) : [];

  /** The folder may hold recordings of other kinds, such as logins, which this program does not replay. */
  function isListOfScenarios(file: string): boolean {
    return Array.isArray(JSON.parse(readFileSync(join(folder, file), "utf8")));
  }

  describe("recorded exchanges with a running server", () => {
    if (files.length === 0) {
      it("are not available here, so nothing is replayed", () => {
        console.log(`No recordings were replayed: there is no ${replay} with recordings in its folder.`);
        expect(files).toEqual([]);
      });
      return;
    }

    it.each(files)("%s replays without a mismatch", async (file) => {
      const simulator = await Simulator.start();
      try {
        const { stdout } = await run(process.execPath, [
          replay,
          join(folder, file),
          "--url",
          simulator.clusterAddress,
          "--token",
          simulator.clusterToken,
        ]);
        expect(stdout).toMatch(/^[1-9]\d* passed, 0 failed\n$/);
      } finally {
        await simulator.stop();
      }
    });
  });
});
