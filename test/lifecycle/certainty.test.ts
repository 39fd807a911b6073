import type { Simulator } from "../../testing/simulator";
import { aclRole, type Sample, samples } from "../kinds";
import { everything } from "./contents";
import { only, toEveryServer } from "./harness";
import { oidc, pool, role, rule } from "./samples";

toEveryServer("a pool that is not found", (start) => {
  const begin = async () => {
    const stack = await start();
    await stack.up(only("AgentPool", pool()));
    const { id } = stack.entry();
    return { stack, id, show: `/api/v2/agent-pools/${id}`, pools: stack.simulator.pools };
  };

  test("stays in the state if its organization is not found either, and the error says why", async () => {
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

  test("leaves the state if the organization's list lacks it", async () => {
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
  const begin = async () => {
    const stack = await start();
    await stack.up(only("AclRole", role()));
    const { id } = stack.entry();
    return { stack, id, read: { method: "GET", path: `/v1/acl/role/${id}` } };
  };

  test("leaves the state if the list lacks it: after two reads, without a wait and a write", async () => {
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

  test("stays in the state if the list can't be read", async () => {
    const { stack, id } = await begin();
    stack.simulator.cluster.roles.delete(id);
    stack.simulator.faults.add({ path: "/v1/acl/roles", times: Number.POSITIVE_INFINITY, fault: { kind: "status", status: 503 } });
    await stack.fails("refresh");
    expect(stack.entry().id).toBe(id);
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

  const accepted = { env: { AGENTPOOL_ACL_ACCEPT_MOVED_SERVER: "true" } };

  test.each(samples)("$kind: refresh, destroy and update fail, name both servers, and change nothing", async (sample) => {
    const { stack, here, there } = await begin(sample);
    const before = stack.properties();
    for (const command of ["refresh", "destroy"] as const) {
      const { errors } = await stack.fails(command);
      for (const server of [here, there]) expect(errors).toContain(addressOf(sample, server));
      expect(errors).toContain("AGENTPOOL_ACL_ACCEPT_MOVED_SERVER=true");
    }
    const changed = only(sample.kind, { ...sample.inputs, ...sample.change });
    await stack.fails("up", changed);
    expect((await stack.fails("up", changed, accepted)).errors).toMatch(
      /run `pulumi up --refresh --run-program` once with .*AGENTPOOL_ACL_ACCEPT_MOVED_SERVER=true to make it anew/,
    );
    expect(stack.properties()).toEqual(before);
    expect(sample.objects(here)).toHaveLength(1);
    expect(everything(there)).toEqual([]);
  });

  test.each(["refresh", "destroy"] as const)(
    "with AGENTPOOL_ACL_ACCEPT_MOVED_SERVER a %s gives the object up, and writes nothing",
    async (command) => {
      const { stack, here, there } = await begin(aclRole);
      const before = [everything(here), everything(there)];
      await stack[command](accepted);
      expect(stack.entries()).toEqual([]);
      expect([everything(here), everything(there)]).toEqual(before);
    },
  );

  const replaceable = samples.filter(({ faults }) => faults.replacement);
  test.each(replaceable)("$kind: preview and update refuse a replacement, until the other server is accepted", async (sample) => {
    const { faults, kind } = sample;
    const { stack, here, there } = await begin({ ...sample, ...faults });
    faults.prepare(stack);
    const before = [everything(here), everything(there)];
    const renamed = only(kind, { ...faults.inputs, ...faults.replacement });
    for (const command of ["preview", "up"] as const) {
      const { errors } = await stack.fails(command, renamed);
      expect(errors).toContain(`is on ${addressOf(sample, here)} in the state, but ${addressOf(sample, there)} is configured`);
    }
    expect([everything(here), everything(there)]).toEqual(before);
    await stack.up(renamed, accepted);
    expect(sample.objects(there).map(({ id }) => id)).toContain(stack.entry().id);
    expect(everything(here)).toEqual(before[0]);
  });

  test("takes the new address into the state if it is the same cluster", async () => {
    const stack = await start();
    const program = only("AclRole", role());
    await stack.up(program);
    const { simulator } = stack;
    const address = simulator.clusterAddress.replace("127.0.0.1", "localhost");
    await stack.refresh({ config: { clusterAddress: address } });
    expect(stack.outputs().server).toBe(address);
    expect((await stack.preview(program, { config: { clusterAddress: address } })).changes).toEqual([]);
  });
});

toEveryServer("a server that is older than the state", (start) => {
  const kinds = [
    { kind: "AclAuthMethod", first: oidc(), second: oidc({}, { maxTokenTtl: "2h" }) },
    { kind: "AclRole", first: role(), second: role({ description: "new" }) },
    { kind: "AclBindingRule", first: rule(), second: rule({ description: "new" }) },
  ] as const;

  /** A stack on a server that has the auth method of the rules, unless the test creates that method itself. */
  const begin = async (kind: (typeof kinds)[number]["kind"]) => {
    const stack = await start();
    if (kind !== "AclAuthMethod") stack.simulator.cluster.methods.put({ Name: "sso" });
    return stack;
  };

  test.each(kinds)(
    "$kind: an older version of the object from a backup is an error that names the variable, and the state stays",
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
    "$kind: a backup without the object is an error of every operation until it is accepted",
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

  test("another cluster under the same address changes neither the state nor its own objects", async () => {
    const [, { kind, first, second }] = kinds;
    const stack = await begin(kind);
    const { cluster } = stack.simulator;
    const other = (await start()).simulator.cluster;
    for (let write = 0; write < 20; write++) cluster.policies.put(`policy-${write}`);
    await stack.up(only(kind, first));
    const ours = cluster.snapshot();
    cluster.restore(other.snapshot());
    const before = { there: everything(stack.simulator), state: stack.properties() };
    expect((await stack.fails("refresh")).errors).toMatch(/another cluster/);
    await stack.fails("up", only(kind, second));
    expect({ there: everything(stack.simulator), state: stack.properties() }).toEqual(before);
    cluster.restore(ours);
    expect((await stack.preview(only(kind, first), { refresh: true })).changes).toEqual([]);
  });
});
