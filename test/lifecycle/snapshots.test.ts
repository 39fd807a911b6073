import type { Fault } from "../../testing/simulator";
import { type Program, type RunOptions, toEveryServer } from "./harness";
import { oidc, pkce, pool, role, rule } from "./samples";

const singly: RunOptions = { config: { readSnapshotSeconds: "0" } };
const three = [0, 1, 2] as const;

toEveryServer("batched reads", (start, dialect) => {
  test("find the changes and deletes of others among several objects, as single reads do", async () => {
    const stack = await start();
    const program: Program = (declare) => {
      for (const n of three) {
        declare("AclRole", `role-${n}`, role({ name: `role-${n}` }));
        const method = declare("AclAuthMethod", `m${n}`, oidc({}, { name: `m${n}` }));
        declare("AclBindingRule", `rule-${n}`, rule({ authMethod: method.output("name") }));
        declare("AgentPool", `pool-${n}`, pool({ name: `pool-${n}` }));
      }
    };
    await stack.up(program);
    const { cluster, pools } = stack.simulator;
    const idOf = (name: string) => stack.entry(name).id;
    cluster.roles.put({ ID: idOf("role-0"), Description: "theirs" });
    cluster.roles.delete(idOf("role-1"));
    cluster.methods.put({ Name: "m0", MaxTokenTTL: "2h" });
    cluster.methods.put({ Name: "m1", Config: { VerboseLogging: true } });
    cluster.rules.put({ ID: idOf("rule-0"), Selector: "ops in list.groups" });
    pools.update(idOf("pool-0"), { organizationScoped: false });
    pools.delete(idOf("pool-1"));
    const before = stack.state;
    const refreshed = async (options: RunOptions) => {
      stack.state = before;
      const { changes, warnings } = await stack.refresh(options);
      return { changes: changes.sort(), warnings: warnings.sort(), properties: stack.properties() };
    };
    const batched = await refreshed({});
    expect(batched.changes).toHaveLength(7);
    expect(batched).toEqual(await refreshed(singly));
  });

  // Documented servers give no hash. With them, a list can't replace the read of a method, and every update writes the config.
  if (dialect === "measured")
    test("find a config that others changed, also after an update that did not write it", async () => {
      const stack = await start();
      const methods = (maxTokenTtl: string): Program => {
        return (declare) => {
          for (const n of three) declare("AclAuthMethod", `m${n}`, pkce({}, { name: `m${n}`, maxTokenTtl }));
        };
      };
      await stack.up(methods("1h"));
      for (const n of three) stack.simulator.cluster.methods.put({ Name: `m${n}`, Config: { VerboseLogging: true } });
      await stack.up(methods("2h"));
      expect((await stack.refresh()).changes).toHaveLength(3);
    });

  const roles =
    (count: number): Program =>
    (declare) => {
      for (let n = 0; n < count; n++) declare("AclRole", `role-${n}`, role({ name: `role-${n}` }));
    };
  const lines = (requests: readonly { method: string; path: string }[]) =>
    requests.flatMap(({ method, path }) => (path === "/v1/regions" ? [] : `${method} ${path.replace(/[0-9a-f-]{36}/, "ID")}`));

  test("are one single read for one object, and one list more for several", async () => {
    const stack = await start();
    await stack.up(roles(1));
    expect(lines((await stack.refresh()).requests)).toEqual(["GET /v1/acl/role/ID"]);
    await stack.up(roles(20));
    expect(lines((await stack.refresh()).requests).sort()).toEqual(["GET /v1/acl/role/ID", "GET /v1/acl/roles"]);
  });

  test("are switched off by readSnapshotSeconds: 0", async () => {
    const stack = await start();
    await stack.up(roles(5));
    expect(lines((await stack.refresh(singly)).requests)).toEqual(Array(5).fill("GET /v1/acl/role/ID"));
  });

  test("do without the list if the token may not list, and request it once", async () => {
    const stack = await start();
    await stack.up(roles(10));
    const denied: Fault = { kind: "status", status: 403, body: "Permission denied", contentType: "text/plain" };
    stack.simulator.faults.add({ path: "/v1/acl/roles", fault: denied, times: Number.POSITIVE_INFINITY });
    const { changes, requests } = await stack.refresh();
    expect(changes).toEqual([]);
    expect(lines(requests).filter((line) => line === "GET /v1/acl/roles")).toHaveLength(1);
    expect(lines(requests).filter((line) => line === "GET /v1/acl/role/ID")).toHaveLength(10);
  });

  test("do without a list that hangs until it fails, and wait for it once", async () => {
    const stack = await start();
    await stack.up(roles(12));
    stack.simulator.faults.add({ path: "/v1/acl/roles", fault: { kind: "delay", ms: 60_000 }, times: Number.POSITIVE_INFINITY });
    // The tries of the list together take longer than `readSnapshotSeconds`.
    const config = { readSnapshotSeconds: "0.5", requestTimeoutSeconds: "0.2", maxRetries: "3" };
    const { changes, requests } = await stack.refresh({ config, parallel: 4 });
    expect(changes).toEqual([]);
    expect(lines(requests).filter((line) => line === "GET /v1/acl/roles")).toHaveLength(1 + 3);
    expect(new Set(requests.map(({ path }) => path)).size).toBe(1 + 1 + 12);
  });

  test("read an object singly if the list lacks it", async () => {
    const stack = await start();
    await stack.up(roles(10));
    const some = stack.simulator.cluster.roles.list().slice(0, 4);
    stack.simulator.faults.add({ path: "/v1/acl/roles", fault: { kind: "malformed", body: JSON.stringify(some) } });
    const { changes, requests } = await stack.refresh();
    expect(changes).toEqual([]);
    expect(requests.length).toBeGreaterThanOrEqual(1 + 6);
  });

  test("read a pool singly if the list lacks a part of it", async () => {
    const stack = await start();
    await stack.up((declare) => {
      for (const n of three) declare("AgentPool", `pool-${n}`, pool({ name: `pool-${n}`, allowedWorkspaceIds: ["ws-1"] }));
    });
    const data = stack.simulator.pools
      .list()
      .map(({ id, name }) => ({ id, type: "agent-pools", attributes: { name, "organization-scoped": false }, relationships: {} }));
    const body = JSON.stringify({ data, meta: { pagination: {} } });
    stack.simulator.faults.add({ path: /\/organizations\//, fault: { kind: "malformed", body } });
    const { changes, requests } = await stack.refresh();
    expect(changes).toEqual([]);
    expect(requests).toHaveLength(3 + 1);
  });
});
