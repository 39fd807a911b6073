import { aclAuthMethod, aclRole, agentPool, type Sample, samples } from "../kinds";
import { everything } from "./contents";
import { type Kind, only, type Program, toEveryServer } from "./harness";
import { oidc, pkce } from "./samples";

const getting =
  (kind: Kind, id: string): Program =>
  (declare) =>
    void declare.get(kind, "known", id);

toEveryServer("get", (start) => {
  const begin = async ({ kind, inputs, prepare }: Sample) => {
    const stack = await start();
    prepare(stack);
    await stack.up(only(kind, inputs));
    const made = { id: stack.entry().id, outputs: stack.outputs() };
    stack.forget();
    return { stack, made };
  };

  test.each(samples)("of a $kind by its ID returns the server's object with reads only, also in a preview", async (sample) => {
    const { stack, made } = await begin(sample);
    expect((await stack.preview(getting(sample.kind, made.id))).writes).toEqual([]);
    expect((await stack.up(getting(sample.kind, made.id))).writes).toEqual([]);
    expect(stack.entry("known").id).toBe(made.id);
    const { config: _, maxTokenTtl: __, ...expected } = made.outputs;
    expect(stack.outputs("known")).toMatchObject(expected);
  });

  test.each(samples)("of a $kind leaves the object alone when the stack is destroyed", async (sample) => {
    const { stack, made } = await begin(sample);
    await stack.up(getting(sample.kind, made.id));
    const before = everything(stack.simulator);
    expect((await stack.destroy()).writes).toEqual([]);
    expect(everything(stack.simulator)).toEqual(before);
  });

  const otherIds: readonly { readonly sample: Sample; readonly by: string; readonly id: string }[] = [
    { sample: agentPool, by: "organization and name", id: "example-org/build" },
    { sample: aclRole, by: "name", id: "dev" },
  ];
  test.each(otherIds)("of an $sample.kind by $by returns its id", async ({ sample, id }) => {
    const { stack, made } = await begin(sample);
    await stack.up(getting(sample.kind, id));
    expect(stack.entry("known").id).toBe(made.id);
    expect((await stack.up(getting(sample.kind, id))).writes).toEqual([]);
    expect(stack.entry("known").id).toBe(made.id);
  });

  test.each(samples)("of a missing $kind is an error, and never an empty object", async ({ kind }) => {
    const stack = await start();
    const missing = kind === "AgentPool" ? "apool-missing" : "00000000-0000-0000-0000-000000000000";
    const { errors } = await stack.fails("up", getting(kind, missing));
    // The ID that a program gives for a token may be the token's secret, so the error does not show the ID.
    const said =
      { AclToken: "There is no ACL token with that accessor. " }[String(kind)] ??
      `${JSON.stringify(missing)}. Check the ID that was given, and`;
    expect(errors).toContain(said);
  });

  test("of an auth method returns its configuration without the secret and its placeholder", async () => {
    const { stack, made } = await begin(aclAuthMethod);
    await stack.up(getting("AclAuthMethod", made.id));
    expect(stack.outputs("known")).toMatchObject({ maxTokenTtl: "1h0m0s", config: pkce().config });
    expect(stack.outputs("known").config).not.toHaveProperty("oidcClientSecret");
    expect(JSON.stringify(stack.outputs("known"))).not.toContain("redacted");
  });

  test("of an object that the stack managed until now keeps the object", async () => {
    const stack = await start();
    await stack.up((declare) => void declare("AclAuthMethod", "known", oidc()));
    await stack.up(getting("AclAuthMethod", "sso"));
    expect(stack.simulator.cluster.methods.get("sso")).toBeDefined();
    expect((await stack.destroy()).writes).toEqual([]);
  });
});
