import type { Fault, Simulator } from "../../testing/simulator";
import { aclAuthMethod, type Sample, samples } from "../kinds";
import { everything } from "./contents";
import { only, toEveryServer } from "./harness";
import { oidc, pool, role, rule } from "./samples";

const poolNotFound: Fault = { kind: "status", status: 404, body: JSON.stringify({ errors: [{ status: "404", title: "not found" }] }) };

toEveryServer("a pool that is not found", (start) => {
  const begin = async () => {
    const stack = await start();
    await stack.up(only("AgentPool", pool()));
    const { id } = stack.entry();
    return { stack, id, show: `/api/v2/agent-pools/${id}`, pools: stack.simulator.pools };
  };

  test("stays in the state when the organization is not found either, and the message says why", async () => {
    const { stack, id, pools } = await begin();
    stack.simulator.poolsTokens.add({ token: stack.simulator.poolsToken, organizations: ["another"] });
    for (const command of ["refresh", "destroy"] as const) {
      const { errors } = await stack.fails(command);
      expect(errors).toContain(id);
      expect(errors).toMatch(/404 both for missing objects and for those that the token may not see.*state keeps the pool/);
    }
    expect(pools.get(id)).toBeDefined();
    expect(stack.entry().id).toBe(id);
  });

  test("stays in the state when the organization's list has it all the same", async () => {
    const { stack, id, show } = await begin();
    stack.simulator.faults.add({ path: show, fault: poolNotFound, times: 2 });
    expect((await stack.fails("refresh")).errors).toMatch(/Agent pool .*: the server lists it, and returns a 404 for it/);
    expect(stack.entry().id).toBe(id);
  });

  test("stays in the state when it is on the list's second page", async () => {
    const stack = await start();
    for (let n = 0; n < 120; n++) stack.simulator.pools.put({ organization: "example-org", name: `older-${n}` });
    await stack.up(only("AgentPool", pool()));
    const { id } = stack.entry();
    stack.simulator.faults.add({ path: `/api/v2/agent-pools/${id}`, fault: poolNotFound, times: 2 });
    expect((await stack.fails("refresh")).errors).toContain("the server lists it");
    expect(stack.entry().id).toBe(id);
  });

  test("leaves the state when the organization's list does not have it", async () => {
    const { stack, id, pools } = await begin();
    pools.delete(id);
    const { requests } = await stack.refresh();
    expect(stack.entries()).toEqual([]);
    expect(requests.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
      `GET /api/v2/agent-pools/${id} 404`,
      "GET /api/v2/organizations/example-org/agent-pools 200",
    ]);
  });
});

toEveryServer("an ACL object that is not found", (start) => {
  const missing: Fault = { kind: "status", status: 404, body: "ACL role not found", contentType: "text/plain" };
  const begin = async () => {
    const stack = await start();
    await stack.up(only("AclRole", role()));
    const { id } = stack.entry();
    return { stack, id, read: { method: "GET", path: `/v1/acl/role/${id}` } };
  };

  test("leaves the state when the list lacks it, too: after two reads, without a wait and a write", async () => {
    const { stack, id } = await begin();
    stack.simulator.cluster.roles.delete(id);
    const from = stack.clock.now();
    const { requests } = await stack.refresh();
    expect(requests.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
      expect.stringContaining("GET /v1/regions"),
      `GET /v1/acl/role/${id} 404`,
      "GET /v1/acl/roles 200",
    ]);
    expect(stack.clock.now()).toBe(from);
    expect(stack.entries()).toEqual([]);
  });

  test("is read again a moment later when the list has it", async () => {
    const { stack, id, read } = await begin();
    stack.simulator.faults.add({ ...read, fault: missing });
    expect((await stack.refresh()).changes).toEqual([]);
    expect(stack.entry().id).toBe(id);
  });

  test("stays in the state, with an error, when the list has it and no read finds it", async () => {
    const { stack, id, read } = await begin();
    stack.simulator.faults.add({ ...read, times: 2, fault: missing });
    const { errors, writes } = await stack.fails("refresh");
    expect(errors).toMatch(/ACL role .*the server lists it, and returns a 404 for it\. Nothing is concluded/);
    expect(writes).toEqual([]);
    expect(stack.entry().id).toBe(id);
  });

  test("stays in the state when the list can't be read", async () => {
    const { stack, id } = await begin();
    stack.simulator.cluster.roles.delete(id);
    stack.simulator.faults.add({ path: "/v1/acl/roles", times: Number.POSITIVE_INFINITY, fault: { kind: "status", status: 503 } });
    await stack.fails("refresh");
    expect(stack.entry().id).toBe(id);
  });

  test("is not gone when only the delete says so", async () => {
    const { stack, id } = await begin();
    stack.simulator.faults.add({ method: "DELETE", fault: { kind: "status", status: 500, body: "ACL role not found" } });
    await stack.fails("destroy");
    expect(stack.entry().id).toBe(id);
    expect(stack.simulator.cluster.roles.get(id)).toBeDefined();
  });
});

toEveryServer("a server that was moved", (start) => {
  const addressOf = ({ kind }: Sample, simulator: Simulator) => (kind === "AgentPool" ? simulator.poolsAddress : simulator.clusterAddress);

  const begin = async (sample: Sample) => {
    const stack = await start();
    const there = (await start()).simulator;
    sample.prepare(stack);
    await stack.up(only(sample.kind, sample.inputs));
    const here = stack.simulator;
    stack.moveTo(there);
    return { stack, here, there };
  };

  test.each(samples)("$kind: what the new server does not have stays in the state, and the error names both servers", async (sample) => {
    const { stack, here, there } = await begin(sample);
    const before = stack.properties();
    for (const command of ["refresh", "destroy"] as const) {
      const { errors } = await stack.fails(command);
      expect(errors).toContain(addressOf(sample, here));
      expect(errors).toContain(addressOf(sample, there));
      expect(errors).toContain("AGENTPOOL_ACL_ACCEPT_MOVED_SERVER=true");
    }
    expect(stack.properties()).toEqual(before);
    expect(sample.objects(here)).toHaveLength(1);
  });

  test.each(samples)("$kind: with AGENTPOOL_ACL_ACCEPT_MOVED_SERVER it leaves the state", async (sample) => {
    const { stack, here } = await begin(sample);
    await stack.refresh({ env: { AGENTPOOL_ACL_ACCEPT_MOVED_SERVER: "true" } });
    expect(stack.entries()).toEqual([]);
    expect(sample.objects(here)).toHaveLength(1);
  });

  test.each(samples)("$kind: with AGENTPOOL_ACL_ACCEPT_MOVED_SERVER a destroy succeeds, and sends no delete to either", async (sample) => {
    const { stack, here, there } = await begin(sample);
    const before = [everything(here), everything(there)];
    await stack.destroy({ env: { AGENTPOOL_ACL_ACCEPT_MOVED_SERVER: "true" } });
    expect(stack.entries()).toEqual([]);
    expect([everything(here), everything(there)]).toEqual(before);
  });

  test.each(samples)("$kind: an update does not make it anew on the new server by itself", async (sample) => {
    const { stack, there } = await begin(sample);
    const changed = only(sample.kind, { ...sample.inputs, ...sample.change });
    await stack.fails("up", changed);
    const { errors } = await stack.fails("up", changed, { env: { AGENTPOOL_ACL_ACCEPT_MOVED_SERVER: "true" } });
    expect(errors).toMatch(/run `pulumi refresh`.*For that refresh, too, set .*AGENTPOOL_ACL_ACCEPT_MOVED_SERVER=true/);
    expect(everything(there)).toEqual([]);
  });

  test("found at another address of the same cluster, the state just moves on", async () => {
    const stack = await start();
    const program = only("AclRole", role());
    await stack.up(program);
    const { simulator } = stack;
    const address = simulator.clusterAddress.replace("127.0.0.1", "localhost");
    await stack.refresh({ config: { clusterAddress: address } });
    expect(stack.outputs().server).toBe(address);
    expect((await stack.preview(program, { config: { clusterAddress: address } })).changes).toEqual([]);
  });

  test("an auth method of the same name on the new server is not taken for ours, by no operation", async () => {
    const sample = aclAuthMethod;
    const { stack, here, there } = await begin(sample);
    there.cluster.methods.put({ Name: "sso", TokenLocality: "global" });
    const theirs = everything(there);
    for (const command of ["refresh", "destroy"] as const) {
      const { errors } = await stack.fails(command);
      expect(errors).toContain(`The state says that it was on ${here.clusterAddress}`);
    }
    await stack.fails("up", only(sample.kind, { ...sample.inputs, maxTokenTtl: "2h" }));
    expect(everything(there)).toEqual(theirs);
    expect(stack.entry().id).toBe("sso");
  });
});

toEveryServer("a copy that is older than the state", (start) => {
  const kinds = [
    { kind: "AclAuthMethod", first: oidc(), second: oidc({}, { maxTokenTtl: "2h" }) },
    { kind: "AclRole", first: role(), second: role({ description: "new" }) },
    { kind: "AclBindingRule", first: rule(), second: rule({ description: "new" }) },
  ] as const;

  /** With the method that rules refer to, unless the test creates that method itself. */
  const begin = async (kind: (typeof kinds)[number]["kind"]) => {
    const stack = await start();
    if (kind !== "AclAuthMethod") stack.simulator.cluster.methods.put({ Name: "sso" });
    return stack;
  };

  test.each(kinds)(
    "$kind: a server restored from a backup is an error that names the variable, and the state stays",
    async ({ kind, first, second }) => {
      const stack = await begin(kind);
      await stack.up(only(kind, first));
      const backup = stack.simulator.cluster.snapshot();
      await stack.up(only(kind, second));
      stack.simulator.cluster.restore(backup);
      const before = stack.properties();
      const { errors } = await stack.fails("refresh");
      expect(errors).toMatch(/has the index \d+, and the state knows the object's change of index \d+\. Nothing is concluded/);
      expect(errors).toContain("AGENTPOOL_ACL_ACCEPT_MOVED_SERVER=true");
      expect(stack.properties()).toEqual(before);
      await stack.refresh({ env: { AGENTPOOL_ACL_ACCEPT_MOVED_SERVER: "true" } });
      await stack.up(only(kind, second));
      expect((await stack.preview(only(kind, second), { refresh: true })).changes).toEqual([]);
    },
  );

  test.each(kinds)(
    "$kind: a server restored from a backup that does not have the object is an error, by every operation, until that is accepted",
    async ({ kind, first, second }) => {
      const stack = await begin(kind);
      const { cluster } = stack.simulator;
      const backup = cluster.snapshot();
      await stack.up(only(kind, first));
      cluster.restore(backup);
      const restored = everything(stack.simulator);
      const before = stack.properties();
      for (const command of ["refresh", "destroy"] as const) {
        const { errors } = await stack.fails(command);
        expect(errors).toMatch(/has the index \d+.*the state keeps the object.*AGENTPOOL_ACL_ACCEPT_MOVED_SERVER/);
      }
      await stack.fails("up", only(kind, second));
      expect(stack.properties()).toEqual(before);
      expect(everything(stack.simulator)).toEqual(restored);
      await stack.refresh({ config: { acceptMovedServer: "true" } });
      expect(stack.entries()).toEqual([]);
      await stack.up(only(kind, first));
      expect((await stack.preview(only(kind, first), { refresh: true })).changes).toEqual([]);
    },
  );

  test.each(kinds)(
    "$kind: another cluster under the same address never costs the state its object, nor itself anything",
    async (sample) => {
      const stack = await begin(sample.kind);
      const { cluster } = stack.simulator;
      const other = (await start()).simulator.cluster;
      other.methods.put({ Name: sample.kind === "AclAuthMethod" ? "sso" : "ours" });
      for (let write = 0; write < 20; write++) cluster.policies.put(`policy-${write}`);
      await stack.up(only(sample.kind, sample.first));
      const ours = cluster.snapshot();
      cluster.restore(other.snapshot());
      const before = { there: everything(stack.simulator), state: stack.properties() };
      expect((await stack.fails("refresh")).errors).toMatch(/another cluster/);
      await stack.fails("up", only(sample.kind, sample.second));
      expect({ there: everything(stack.simulator), state: stack.properties() }).toEqual(before);
      cluster.restore(ours);
      expect((await stack.preview(only(sample.kind, sample.first), { refresh: true })).changes).toEqual([]);
    },
  );
});
