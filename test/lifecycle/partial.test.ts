import type { Fault, Simulator } from "../../provider/testing/simulator";
import { sampleOf } from "../kinds";
import { unseenMethods } from "./contents";
import { type Inputs, only, throughEveryAdapterToEveryServer } from "./harness";
import { jwt, pkce, pool, role, rule } from "./samples";

const responding = (value: unknown): Fault => ({ kind: "status", status: 200, body: JSON.stringify(value) });

/** An object that the server has created with another value than it was sent, and the response with it. */
interface Stubborn {
  readonly kind: "AclAuthMethod" | "AclRole" | "AclBindingRule";
  readonly inputs: Inputs;
  readonly property: string;
  readonly make: (simulator: Simulator) => object;
}

const stubborn: readonly Stubborn[] = [
  {
    kind: "AclAuthMethod",
    inputs: pkce({ oidcEnablePkce: true }),
    property: "config.oidcEnablePkce",
    make: ({ cluster }) =>
      cluster.methods.put({
        Name: "sso",
        MaxTokenTTL: "1h",
        Config: { OIDCDiscoveryURL: "https://idp.test", OIDCClientID: "cluster", AllowedRedirectURIs: ["http://localhost/callback"] },
      }),
  },
  {
    kind: "AclRole",
    inputs: role({ description: "wanted" }),
    property: "description",
    make: ({ cluster }) => cluster.roles.put({ Name: "dev", Description: "kept", Policies: [{ Name: "read" }] }),
  },
  {
    kind: "AclBindingRule",
    inputs: rule({ description: "wanted" }),
    property: "description",
    make: ({ cluster }) => cluster.rules.put({ AuthMethod: "sso", Description: "kept", BindType: "role", BindName: "dev" }),
  },
];

throughEveryAdapterToEveryServer("a server that returns another value than it was sent", (start, dialect) => {
  // Documented servers show no hash, and the response here is the simulator's stored object. documented.test.ts has their own behaviour.
  const reported = stubborn.filter(({ kind }) => kind !== "AclAuthMethod" || dialect === "measured");

  const begin = async ({ kind, inputs, property, make }: Stubborn) => {
    const world = await start();
    if (kind === "AclBindingRule") world.simulator.cluster.methods.put({ Name: "sso" });
    const { faults } = world.simulator;
    if (kind === "AclAuthMethod") faults.add(unseenMethods);
    const made = make(world.simulator);
    faults.add({ method: "POST", fault: responding(made) });
    const { errors } = await world.fails("up", only(kind, inputs));
    expect(errors).toContain(`returned other values than were sent for ${property}`);
    expect(faults.pending()).toBe(0);
    return world;
  };
  const objectsOf = (kind: string, simulator: Simulator) => sampleOf(kind).objects(simulator);

  test.each(reported)("$kind: a create is an error that names $property, and the object is in the state", async (sample) => {
    const world = await begin(sample);
    expect(objectsOf(sample.kind, world.simulator)).toEqual([{ id: world.entry().id }]);
    expect(world.entry().initErrors).toEqual([expect.stringContaining(sample.property)]);
  });

  test.each(reported)("$kind: an incomplete object can be refreshed, and the next up completes it", async (sample) => {
    const world = await begin(sample);
    const program = only(sample.kind, sample.inputs);
    await world.refresh();
    expect((await world.up(program)).writes).toHaveLength(1);
    expect(world.entry().initErrors).toBeUndefined();
    expect(objectsOf(sample.kind, world.simulator)).toEqual([{ id: world.entry().id }]);
    expect((await world.preview(program, { refresh: true })).changes).toEqual([]);
  });

  test.each(reported)("$kind: an incomplete object is completed by the next up without a refresh", async (sample) => {
    const world = await begin(sample);
    const program = only(sample.kind, sample.inputs);
    await world.up(program);
    expect((await world.preview(program, { refresh: true })).changes).toEqual([]);
  });

  test.each(reported)("$kind: an incomplete object can be destroyed", async (sample) => {
    const world = await begin(sample);
    await world.destroy();
    expect(objectsOf(sample.kind, world.simulator)).toEqual([]);
  });

  test("after an update the state has what the server has, and the next up tries again", async () => {
    const world = await start();
    await world.up(only("AclRole", role({ description: "old" })));
    const { id } = world.entry();
    const path = `/v1/acl/role/${id}`;
    world.simulator.faults.add({ method: "POST", path, fault: responding(world.simulator.cluster.roles.get(id)) });
    const program = only("AclRole", role({ description: "new" }));
    expect((await world.fails("up", program)).errors).toContain("for description");
    expect(world.outputs().description).toBe("old");
    await world.up(program);
    expect(world.simulator.cluster.roles.get(id)?.Description).toBe("new");
  });

  test("a pool that keeps its old scope is an error with the property's name", async () => {
    const world = await start();
    await world.up(only("AgentPool", pool()));
    const { id } = world.entry();
    const data = { id, type: "agent-pools", attributes: { name: "build", "organization-scoped": true } };
    world.simulator.faults.add({ method: "PATCH", fault: responding({ data }) });
    const program = only("AgentPool", pool({ organizationScoped: false }));
    expect((await world.fails("up", program)).errors).toContain("for organizationScoped");
    expect(world.entry().id).toBe(id);
    await world.up(program);
    expect(world.simulator.pools.get(id)?.organizationScoped).toBe(false);
  });

  // Documented servers never update a method of type JWT.
  if (dialect === "documented") return;
  test("a replacement made in part keeps both entries, and the next up mends the new one and deletes the old one", async () => {
    const world = await start();
    await world.up(only("AclAuthMethod", jwt({}, { name: "old" })));
    const program = only("AclAuthMethod", jwt({}, { name: "new", tokenLocality: "global" }));
    const { cluster, faults } = world.simulator;
    const made = cluster.methods.put({ Name: "new", Type: "JWT", Config: { JWKSURL: "https://ci.test/keys" } });
    faults.add(unseenMethods);
    faults.add({ method: "POST", path: "/v1/acl/auth-method", fault: responding(made) });
    expect((await world.fails("up", program)).errors).toContain("for tokenLocality");
    expect(cluster.methods.list().map(({ Name }) => Name)).toEqual(["new", "old"]);
    expect(world.entries().map(({ id }) => id)).toEqual(["new", "old"]);
    await world.up(program);
    expect(cluster.methods.list()).toMatchObject([{ Name: "new", TokenLocality: "global" }]);
    expect(world.entries().map(({ id }) => id)).toEqual(["new"]);
  });
});
