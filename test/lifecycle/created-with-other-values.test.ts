import type { Fault, Simulator } from "../../testing/simulator";
import { sampleOf } from "../kinds";
import { unseenMethods } from "./contents";
import { type Inputs, only, toEveryServer } from "./harness";
import { jwt, pkce, role, rule } from "./samples";

const responding = (value: unknown): Fault => ({ kind: "status", status: 200, body: JSON.stringify(value) });

/** A create that leaves one property of the object on the server with another value than the one that was sent. */
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

toEveryServer("a server that returns other values than it was sent", (start, dialect) => {
  // Auth methods are left out for documented servers, because the response here is the simulator's stored object, which has a hash.
  // documented.test.ts tests these methods.
  const reported = stubborn.filter(({ kind }) => kind !== "AclAuthMethod" || dialect === "measured");

  const begin = async ({ kind, inputs, property, make }: Stubborn) => {
    const stack = await start();
    if (kind === "AclBindingRule") stack.simulator.cluster.methods.put({ Name: "sso" });
    const { faults } = stack.simulator;
    if (kind === "AclAuthMethod") faults.add(unseenMethods);
    const made = make(stack.simulator);
    faults.add({ method: "POST", fault: responding(made) });
    const { errors } = await stack.fails("up", only(kind, inputs));
    expect(errors).toContain(`returned other values than were sent for ${property}`);
    expect(faults.pending()).toBe(0);
    return stack;
  };
  const objectsOf = (kind: string, simulator: Simulator) => sampleOf(kind).objects(simulator);

  test.each(reported)("$kind: a create is an error that names $property, and the object is in the state", async (sample) => {
    const stack = await begin(sample);
    expect(objectsOf(sample.kind, stack.simulator)).toEqual([{ id: stack.entry().id }]);
    expect(stack.entry().initErrors).toEqual([expect.stringContaining(sample.property)]);
  });

  test.each(reported)("$kind: an incomplete object can be refreshed, and the next up completes it", async (sample) => {
    const stack = await begin(sample);
    const program = only(sample.kind, sample.inputs);
    await stack.refresh();
    expect((await stack.up(program)).writes).toHaveLength(1);
    expect(stack.entry().initErrors).toEqual([]);
    expect(objectsOf(sample.kind, stack.simulator)).toEqual([{ id: stack.entry().id }]);
    expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
  });

  test("after an update the state has the server's values, and the next up tries again", async () => {
    const stack = await start();
    await stack.up(only("AclRole", role({ description: "old" })));
    const { id } = stack.entry();
    const path = `/v1/acl/role/${id}`;
    stack.simulator.faults.add({ method: "POST", path, fault: responding(stack.simulator.cluster.roles.get(id)) });
    const program = only("AclRole", role({ description: "new" }));
    expect((await stack.fails("up", program)).errors).toContain("for description");
    expect(stack.outputs().description).toBe("old");
    await stack.up(program);
    expect(stack.simulator.cluster.roles.get(id)?.Description).toBe("new");
  });

  // Documented servers never update a method of type JWT.
  if (dialect === "documented") return;
  test("an incomplete replacement keeps both entries, and the next up completes the new one and deletes the old one", async () => {
    const stack = await start();
    await stack.up(only("AclAuthMethod", jwt({}, { name: "old" })));
    const program = only("AclAuthMethod", jwt({}, { name: "new", tokenLocality: "global" }));
    const { cluster, faults } = stack.simulator;
    const made = cluster.methods.put({ Name: "new", Type: "JWT", Config: { JWKSURL: "https://ci.test/keys" } });
    faults.add(unseenMethods);
    faults.add({ method: "POST", path: "/v1/acl/auth-method", fault: responding(made) });
    expect((await stack.fails("up", program)).errors).toContain("for tokenLocality");
    expect(cluster.methods.list().map(({ Name }) => Name)).toEqual(["new", "old"]);
    expect(stack.entries().map(({ id }) => id)).toEqual(["new", "old"]);
    await stack.up(program);
    expect(cluster.methods.list()).toMatchObject([{ Name: "new", TokenLocality: "global" }]);
    expect(stack.entries().map(({ id }) => id)).toEqual(["new"]);
  });
});
