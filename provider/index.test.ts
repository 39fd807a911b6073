import * as pulumi from "@pulumi/pulumi";
import { samples } from "../test/kinds";
import { configurationOf } from "../test/support/session";
import { Simulator } from "../testing/simulator";
import * as program from ".";
import { resources } from "./resources";

interface Declared {
  readonly type: string;
  readonly name: string;
  readonly id: string | undefined;
  readonly inputs: Record<string, unknown>;
}

const declared: Declared[] = [];

/** The declaration of a resource under this name, once its registration has arrived. */
async function declaration(resource: pulumi.CustomResource, name: string): Promise<Declared> {
  await new Promise((resolve) => resource.urn.apply(resolve));
  const found = declared.find((one) => one.name === name);
  if (!found) throw new Error(`nothing named ${name} was declared`);
  return found;
}

const inputsOf = (kind: string) =>
  samples.find((sample) => sample.kind === kind)?.inputs ?? { agentPoolId: "apool-1", description: "runners" };

let simulator: Simulator;

beforeAll(async () => {
  simulator = await Simulator.start();
  simulator.cluster.policies.put("read");
  await pulumi.runtime.setMocks({
    newResource: ({ type, name, inputs, id }) => {
      declared.push({ type, name, inputs, id });
      return { id: id || `${name}-id`, state: { ...inputs, server: "from the provider" } };
    },
    call: () => ({}),
  });
  const configured = Object.entries(configurationOf(simulator)).map(([key, value]) => [`agentpool-acl:${key}`, value]);
  pulumi.runtime.setAllConfig(Object.fromEntries(configured), ["agentpool-acl:poolsToken", "agentpool-acl:clusterToken"]);
});

afterAll(() => simulator.stop());
beforeEach(() => {
  declared.length = 0;
  simulator.journal.clear();
});

const oidc = { oidcDiscoveryUrl: "https://idp.example.com", oidcClientId: "cluster", allowedRedirectUris: ["http://localhost"] };
const method = { name: "sso", type: "OIDC", tokenLocality: "local", maxTokenTtl: "1h" } as const;

describe("a resource of a program", () => {
  test.each([
    ["AgentPool", () => new program.AgentPool("it")],
    ["AclAuthMethod", () => new program.AclAuthMethod("it", { ...method, config: oidc })],
    ["AclRole", () => new program.AclRole("it", { name: "dev", policies: ["read"] })],
    ["AclBindingRule", () => new program.AclBindingRule("it", { authMethod: "sso", selector: "", bindType: "management" })],
  ])("%s is declared under its type token, with the provider's text", async (kind, make) => {
    const { type, inputs, id } = await declaration(make(), "it");
    expect(type).toBe(`pulumi-nodejs:dynamic/agentpool-acl:${kind}`);
    expect(inputs.__provider).toBe(`exports.handler=()=>require("pulumi-agentpool-acl/dynamic").${kind}`);
    expect(id).toBe("");
  });

  test.each(resources.map((resource) => [resource.kind, resource] as const))(
    "%s has an output for every input and every field of the server",
    (kind, resource) => {
      const made: pulumi.CustomResource = Reflect.construct(Reflect.get(program, kind), ["out", inputsOf(kind)]);
      for (const name of [...resource.inputs.keys(), ...resource.outputs.keys()]) {
        expect({ name, isOutput: pulumi.Output.isInstance(Reflect.get(made, name)) }).toEqual({ name, isOutput: true });
      }
    },
  );

  test("has the provider's outputs", async () => {
    const role = new program.AclRole("known", { name: "dev", policies: ["read"] });
    expect(await new Promise((resolve) => pulumi.all([role.id, role.name, role.server]).apply(resolve))).toEqual([
      "known-id",
      "dev",
      "from the provider",
    ]);
  });

  test("accepts names that are outputs of other resources", async () => {
    const role = new program.AclRole("flows", { name: "dev", policies: ["read"] });
    const rule = new program.AclBindingRule("rule", { authMethod: "sso", selector: "", bindType: "role", bindName: role.name });
    expect((await declaration(rule, "rule")).inputs).toMatchObject({ bindName: "dev", selector: "" });
  });
});

describe("an agent pool's name", () => {
  test("is the resource's name, unless one is given", async () => {
    expect((await declaration(new program.AgentPool("build"), "build")).inputs.name).toBe("build");
    expect((await declaration(new program.AgentPool("other", { name: "given" }), "other")).inputs.name).toBe("given");
    expect((await declaration(new program.AgentPool("output", { name: pulumi.output("later") }), "output")).inputs.name).toBe("later");
  });
});

describe("secrets are marked without the program's help:", () => {
  const isSecret = async (name: string, config: pulumi.Input<program.AclAuthMethodConfigArgs>) => {
    const { inputs } = await declaration(new program.AclAuthMethod(name, { ...method, config }), name);
    return pulumi.runtime.isRpcSecret(inputs.config);
  };

  test("the client secret", async () => {
    expect(await isSecret("plain", { ...oidc, oidcClientSecret: "hunter2" })).toBe(true);
    expect(await isSecret("output", { ...oidc, oidcClientSecret: pulumi.output("hunter2") })).toBe(true);
    expect(await isSecret("promised", { ...oidc, oidcClientSecret: Promise.resolve("hunter2") })).toBe(true);
  });

  test("in a configuration that is an output", async () => {
    expect(await isSecret("config-output", pulumi.output({ ...oidc, oidcClientSecret: "hunter2" }))).toBe(true);
    expect(await isSecret("config-promise", Promise.resolve({ ...oidc, oidcClientSecret: "hunter2" }))).toBe(true);
  });

  test("the assertion's private key, in an output at any depth", async () => {
    const privateKey = { pemKey: "hunter2" };
    expect(await isSecret("key", { ...oidc, oidcClientAssertion: { keySource: "private_key", privateKey } })).toBe(true);
    expect(await isSecret("key-output", { ...oidc, oidcClientAssertion: { privateKey: pulumi.output(privateKey) } })).toBe(true);
    expect(await isSecret("assertion-output", { ...oidc, oidcClientAssertion: pulumi.output({ privateKey }) })).toBe(true);
  });

  test("and nothing where there is no secret", async () => {
    expect(await isSecret("none", oidc)).toBe(false);
    expect(await isSecret("none-output", pulumi.output(oidc))).toBe(false);
    expect(await isSecret("no-key", { ...oidc, oidcClientAssertion: pulumi.output({ keySource: "nomad" }) })).toBe(false);
  });

  test("and the value is unchanged", async () => {
    const config = { ...oidc, oidcClientSecret: "hunter2" };
    const { inputs } = await declaration(new program.AclAuthMethod("value", { ...method, config }), "value");
    expect(pulumi.runtime.unwrapRpcSecret(inputs.config)).toEqual(config);
  });
});

describe("get", () => {
  test.each([
    ["AgentPool", "apool-1", (id: string) => program.AgentPool.get("got", id)],
    ["AclAuthMethod", "sso", (id: string) => program.AclAuthMethod.get("got", id)],
    ["AclRole", "dev", (id: string) => program.AclRole.get("got", pulumi.output(id))],
    ["AclBindingRule", "6e4dfb0c-0000-4000-8000-000000000001", (id: string) => program.AclBindingRule.get("got", id)],
  ])("of an %s passes the ID and the provider's text only", async (kind, id, get) => {
    const found = await declaration(get(id), "got");
    expect(found).toMatchObject({ type: `pulumi-nodejs:dynamic/agentpool-acl:${kind}`, id });
    expect(Object.keys(found.inputs)).toEqual(["__provider"]);
  });

  test("equals the option id", async () => {
    expect(await declaration(new program.AclRole("by-option", undefined, { id: "dev" }), "by-option")).toMatchObject({ id: "dev" });
  });
});
