import { aclAuthMethod, aclRole, agentPool, type Sample, samples } from "../kinds";
import { everything } from "./contents";
import { type Kind, only, type Program, throughEveryAdapterToEveryServer } from "./harness";
import { oidc, pkce } from "./samples";

const getting =
  (kind: Kind, id: string): Program =>
  (declare) =>
    void declare.get(kind, "known", id);

throughEveryAdapterToEveryServer("get", (start) => {
  const begin = async ({ kind, inputs, prepare }: Sample) => {
    const world = await start();
    prepare(world);
    await world.up(only(kind, inputs));
    const made = { id: world.entry().id, outputs: world.outputs() };
    world.forget();
    return { world, made };
  };

  test.each(samples)("of an $kind by its id returns the server's object, with reads only, in a preview too", async (sample) => {
    const { world, made } = await begin(sample);
    expect((await world.preview(getting(sample.kind, made.id))).writes).toEqual([]);
    expect((await world.up(getting(sample.kind, made.id))).writes).toEqual([]);
    expect(world.entry("known").id).toBe(made.id);
    const { config: _, maxTokenTtl: __, ...expected } = made.outputs;
    expect(world.outputs("known")).toMatchObject(expected);
  });

  test.each(samples)("of an $kind leaves the object alone when the stack is destroyed", async (sample) => {
    const { world, made } = await begin(sample);
    await world.up(getting(sample.kind, made.id));
    const before = everything(world.simulator);
    expect((await world.destroy()).writes).toEqual([]);
    expect(everything(world.simulator)).toEqual(before);
  });

  const otherIds: readonly { readonly sample: Sample; readonly by: string; readonly id: string }[] = [
    { sample: agentPool, by: "organization and name", id: "example-org/build" },
    { sample: aclRole, by: "name", id: "dev" },
  ];
  test.each(otherIds)("of an $sample.kind by $by returns its id", async ({ sample, id }) => {
    const { world, made } = await begin(sample);
    await world.up(getting(sample.kind, id));
    expect(world.entry("known").id).toBe(made.id);
    expect((await world.up(getting(sample.kind, id))).writes).toEqual([]);
    expect(world.entry("known").id).toBe(made.id);
  });

  test.each([
    { kind: "AgentPool", id: "apool-none" },
    { kind: "AgentPool", id: "example-org/none" },
    { kind: "AclAuthMethod", id: "none" },
    { kind: "AclRole", id: "none" },
    { kind: "AclRole", id: "00000000-0000-0000-0000-000000000000" },
    { kind: "AclBindingRule", id: "00000000-0000-0000-0000-000000000000" },
  ] as const)("of an $kind that does not exist ($id) fails", async ({ kind, id }) => {
    const world = await start();
    expect((await world.fails("up", getting(kind, id))).errors).toContain(id);
    expect(world.entries("known")).toEqual([]);
  });

  test.each(samples)("of an $kind that does not exist is an error, and never an object that has nothing", async ({ kind }) => {
    const world = await start();
    const missing = kind === "AgentPool" ? "apool-missing" : "00000000-0000-0000-0000-000000000000";
    const { errors } = await world.fails("up", getting(kind, missing));
    expect(errors).toContain(`${JSON.stringify(missing)}. Check the ID that was given, and the server that is configured.`);
  });

  test("of an auth method returns its configuration without the secret, and without the word in its place", async () => {
    const { world, made } = await begin(aclAuthMethod);
    await world.up(getting("AclAuthMethod", made.id));
    expect(world.outputs("known")).toMatchObject({ maxTokenTtl: "1h0m0s", config: pkce().config });
    expect(world.outputs("known").config).not.toHaveProperty("oidcClientSecret");
    expect(JSON.stringify(world.outputs("known"))).not.toContain("redacted");
  });

  test("feeds other resources", async () => {
    const { world } = await begin(aclAuthMethod);
    await world.up((declare) => {
      const sso = declare.get("AclAuthMethod", "known", "sso");
      declare("AclBindingRule", "rule", { authMethod: sso.output("name"), selector: "", bindType: "policy", bindName: "read" });
    });
    expect(world.simulator.cluster.rules.list().map(({ AuthMethod }) => AuthMethod)).toEqual(["sso"]);
  });

  test("of what the stack managed until now lets go of it without deleting it", async () => {
    const world = await start();
    await world.up((declare) => void declare("AclAuthMethod", "known", oidc()));
    await world.up(getting("AclAuthMethod", "sso"));
    expect(world.simulator.cluster.methods.get("sso")).toBeDefined();
    expect((await world.destroy()).writes).toEqual([]);
  });
});
