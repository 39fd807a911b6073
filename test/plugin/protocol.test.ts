/** Most methods of the engine's protocol, by real messages over a real connection. Other files here have Diff, Update and List. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceError } from "@grpc/grpc-js";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty, grpc } from "../../provider/adapters/plugin/grpc";
import { type PropertyMap, secret, UNKNOWN } from "../../testing/rehearsal/engine/values";
import { fromStruct, toStruct } from "../../testing/rehearsal/processes/grpc";
import { Simulator } from "../../testing/simulator";
import { method, readDiff, TestPlugin, urnOf } from "../support/plugin";
import { configurationOf } from "../support/session";

const root = join(__dirname, "../..");
let simulator: Simulator;
let plugin: TestPlugin;

beforeEach(async () => {
  simulator = await Simulator.start();
  simulator.cluster.policies.put("read");
  plugin = await TestPlugin.start({ AGENTPOOL_ACL_CLUSTER_TOKEN: simulator.clusterToken });
});
afterEach(async () => {
  plugin.stop();
  await simulator.stop();
});

const configured = () => plugin.configure(configurationOf(simulator));
const role = (more: PropertyMap = {}): PropertyMap => ({ name: "dev", policies: ["read"], ...more });
const checked = async (kind: string, inputs: PropertyMap) => (await plugin.check(urnOf(kind), inputs)).inputs;
const made = async (kind: string, inputs: PropertyMap) => plugin.create(urnOf(kind), await checked(kind, inputs));

test("Handshake and Configure accept secrets, resources, outputs and previews", async () => {
  const handshake = await plugin.call<messages.ProviderHandshakeResponse>((client, done) =>
    client.handshake(new messages.ProviderHandshakeRequest().setEngineAddress("127.0.0.1:1"), done),
  );
  expect(handshake.toObject()).toMatchObject({ acceptSecrets: true, acceptResources: true, acceptOutputs: true });
  expect((await configured()).toObject()).toMatchObject({
    acceptsecrets: true,
    acceptresources: true,
    acceptoutputs: true,
    supportspreview: true,
  });
});

test("GetPluginInfo returns the package's version, and GetSchema the schema of the package", async () => {
  const info = await plugin.call<PluginInfo>((client, done) => client.getPluginInfo(new Empty(), done));
  expect(info.getVersion()).toBe(jest.requireActual<{ version: string }>("../../package.json").version);
  const schema = await plugin.call<messages.GetSchemaResponse>((client, done) => client.getSchema(new messages.GetSchemaRequest(), done));
  expect(schema.getSchema()).toBe(readFileSync(join(root, "schema.json"), "utf8"));
});

describe("CheckConfig", () => {
  const checkConfig = async (news: PropertyMap, name = "mine") => {
    const request = new messages.CheckRequest()
      .setUrn(`urn:pulumi:test::trial::pulumi:providers:agentpool-acl::${name}`)
      .setNews(toStruct(news));
    const response = await plugin.call<messages.CheckResponse>((client, done) => client.checkConfig(request, done));
    return { inputs: fromStruct(response.getInputs()), failures: response.getFailuresList().map((failure) => failure.toObject()) };
  };

  test("names all wrong properties at once", async () => {
    const { failures } = await checkConfig({
      maxRetries: "many",
      requestTimeoutSeconds: 0,
      allowInsecureHttp: "perhaps",
      clusterTokn: "t",
    });
    expect(failures).toEqual([
      { property: "", reason: "clusterTokn is not a property here; did you mean clusterToken?" },
      { property: "", reason: "requestTimeoutSeconds must be more than 0" },
      { property: "", reason: "maxRetries must be a whole number" },
      { property: "", reason: "allowInsecureHttp must be true or false" },
    ]);
  });

  test("warns of an unknown key of the stack's configuration, without its value, and uses the rest", async () => {
    const news = { clusterAdress: "sesame", clusterNote: "sesame", version: "0.1.0", clusterAddress: "https://cluster.test" };
    expect((await checkConfig(news, "default_0_1_0")).failures).toEqual([]);
    const urn = "urn:pulumi:test::trial::pulumi:providers:agentpool-acl::default_0_1_0";
    const means = (key: string, way: string) => `The configuration key agentpool-acl:${key} means nothing to this provider. ${way}`;
    expect(plugin.logged).toEqual([
      { severity: "warning", urn, message: means("clusterAdress", "Did you mean agentpool-acl:clusterAddress?") },
      { severity: "warning", urn, message: expect.stringContaining(means("clusterNote", "The keys are poolsAddress, ")) },
    ]);
    expect((await checkConfig({ clusterNote: "sesame", maxRetries: "many" }, "default")).failures).toHaveLength(1);
  });

  test("accepts unknown, empty and typed values, and marks the tokens as secrets", async () => {
    const news = {
      version: "0.1.0",
      pluginDownloadURL: "https://plugins.example.com",
      __internal: { pluginChecksums: {} },
      clusterAddress: UNKNOWN,
      maxRetries: 3,
      readSnapshotSeconds: UNKNOWN,
      allowInsecureHttp: true,
      organization: "",
    };
    expect(await checkConfig({ ...news, clusterToken: "t", poolsToken: UNKNOWN })).toEqual({
      failures: [],
      inputs: { ...news, clusterToken: secret("t"), poolsToken: UNKNOWN },
    });
  });

  test("requires no value that the environment may have, and copies none of them", async () => {
    expect(await checkConfig({})).toEqual({ failures: [], inputs: {} });
  });
});

describe("DiffConfig", () => {
  const diffConfig = async (oldInputs: PropertyMap, news: PropertyMap) => {
    const request = new messages.DiffRequest().setUrn("urn:pulumi:test::trial::pulumi:providers:agentpool-acl::mine");
    request.setOldInputs(toStruct(oldInputs)).setOlds(toStruct(oldInputs)).setNews(toStruct(news));
    return readDiff(await plugin.call((client, done) => client.diffConfig(request, done)));
  };

  test("another token or time-out is a change without a replacement", async () => {
    const diff = await diffConfig({ clusterToken: "a", requestTimeoutSeconds: 5 }, { clusterToken: "b", requestTimeoutSeconds: 6 });
    expect(diff).toMatchObject({
      changes: true,
      replaces: [],
      detailed: { clusterToken: "UPDATE of the input", requestTimeoutSeconds: "UPDATE of the input" },
    });
    expect(plugin.logged).toEqual([]);
  });

  test.each(["clusterAddress", "poolsAddress", "organization"])(
    "another %s is a change with a warning, and replaces nothing",
    async (key) => {
      const diff = await diffConfig({ [key]: "https://a.test", version: "0.1.0" }, { [key]: "https://b.test", version: "0.2.0" });
      expect(diff).toMatchObject({ changes: true, replaces: [], properties: [key] });
      expect(plugin.logged).toMatchObject([{ severity: "warning", message: expect.stringContaining(`agentpool-acl:${key} changes. `) }]);
      // The engine does not say here which settings the program marks as secrets.
      expect(JSON.stringify(plugin.logged)).not.toMatch(/[ab]\.test/);
    },
  );

  test("another order is no change, and an unknown value is one", async () => {
    expect(await diffConfig({ organization: "a", maxRetries: 2 }, { maxRetries: 2, organization: "a" })).toMatchObject({
      changes: false,
      detailed: {},
    });
    expect(await diffConfig({ clusterAddress: "https://a.test" }, { clusterAddress: UNKNOWN })).toMatchObject({
      changes: true,
      replaces: [],
    });
  });
});

describe("Configure", () => {
  const explicit = "eu";
  const wrong = () => ({ ...configurationOf(simulator), clusterToken: "wrong" });

  test.each(["default", "default_0_1_0", "default_0_1_0_github_/api.github.com/o/r", "default_1_2_3_rc_1", "default_company.com/x"])(
    "%s is the engine's default provider, which uses the overriding variables",
    async (name) => {
      await plugin.configure(wrong(), name);
      expect((await made("AclRole", role())).id).toBe(simulator.cluster.roles.list()[0]?.ID);
    },
  );

  test.each(["default", "default_0_1_0", "default_1_2_3"])(
    "%s with another address than the stack's and the environment's is a provider of the program, and gets no token of another cluster",
    async (name) => {
      const program = { ...configurationOf(simulator), clusterToken: "of the program" };
      await plugin.configure(program, name, { clusterAddress: "https://cluster.example.com", clusterToken: "of the stack" });
      await expect(made("AclRole", role())).rejects.toThrow(
        "The token comes from the provider's argument clusterToken. AGENTPOOL_ACL_CLUSTER_TOKEN is set, but not used: the provider has an address",
      );
      expect(simulator.cluster.roles.list()).toEqual([]);
    },
  );

  test.each([explicit, "default_east", "defaults", "my_default_1_2_3"])(
    "%s is a provider of the program, which ignores them",
    async (name) => {
      await plugin.configure(wrong(), name);
      await expect(made("AclRole", role())).rejects.toThrow(
        "The token comes from the provider's argument clusterToken. A destroy or refresh uses the arg",
      );
      expect(simulator.cluster.roles.list()).toEqual([]);
    },
  );

  test("a missing address is reported by the check of the first resource that needs it, with the ways to set it", async () => {
    await plugin.configure({ ...configurationOf(simulator), poolsAddress: "" });
    await expect(plugin.check(urnOf("AgentPool"), {})).rejects.toThrow("`pulumi config set agentpool-acl:poolsAddress VALUE`");
    expect((await plugin.check(urnOf("AclRole"), role())).failures).toEqual([]);
  });
});

describe("Check", () => {
  beforeEach(configured);

  test("applies the defaults, takes a pool's name from the resource's, and returns all failures with their paths", async () => {
    const { inputs } = await plugin.check(urnOf("AgentPool", "a::b"), { name: UNKNOWN });
    expect(inputs).toEqual({
      name: UNKNOWN,
      organization: simulator.organization,
      organizationScoped: true,
    });
    expect((await checked("AgentPool", {})).name).toBe("it");
    const { failures } = await plugin.check(urnOf("AclAuthMethod"), {
      ...method({ allowedRedirectUris: ["http://a", 7], claimMappings: { "a.b": 1 } }),
      type: "SAML",
    });
    expect(failures.map(({ reason }) => reason.split(" ")[0])).toEqual([
      "type",
      "config.allowedRedirectUris[1]",
      'config.claimMappings["a.b"]',
    ]);
  });

  test("marks given secrets and inputs that are always secret, and accepts unknown values everywhere", async () => {
    const config = { oidcClientSecret: "plain", boundAudiences: [secret("a"), UNKNOWN], claimMappings: { a: secret("b"), c: UNKNOWN } };
    const { inputs, failures } = await plugin.check(urnOf("AclAuthMethod"), { ...method(config), default: secret(true) });
    expect(failures).toEqual([]);
    expect(inputs.default).toEqual(secret(true));
    expect(inputs.config).toMatchObject({
      oidcClientSecret: secret("plain"),
      boundAudiences: secret(["a", UNKNOWN]),
      claimMappings: { a: secret("b"), c: UNKNOWN },
    });
  });

  test("accepts outputs and resource references", async () => {
    const mark = "4dabf18193072939515e22adb298388d";
    const output = (value: PropertyMap) => ({ [mark]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", ...value });
    const reference = { [mark]: "5cf8f73096256a8f31e491e813e4eb8e", urn: urnOf("AclRole"), id: "the-id" };
    const { inputs } = await plugin.check(urnOf("AclRole"), {
      name: reference,
      description: output({ value: "x", secret: true }),
      policies: [output({})],
    });
    expect(inputs).toMatchObject({ name: "the-id", description: secret("x"), policies: [UNKNOWN] });
  });

  test("treats a reference with an empty ID, to a resource that does not exist yet, as unknown", async () => {
    const reference = { "4dabf18193072939515e22adb298388d": "5cf8f73096256a8f31e491e813e4eb8e", urn: urnOf("AclAuthMethod"), id: "" };
    const given = { authMethod: reference, selector: "", bindType: "role", bindName: reference };
    const { inputs, failures } = await plugin.check(urnOf("AclBindingRule"), given);
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject({ authMethod: UNKNOWN, bindName: UNKNOWN });
  });
});

describe("Create, Read, Update and Delete", () => {
  beforeEach(configured);

  test("outputs echo the inputs with their secrets, numbers included, and add the server's fields", async () => {
    const inputs = await checked("AclAuthMethod", {
      ...method({ oidcClientSecret: "s", clockSkewLeeway: "-1s" }),
      maxTokenTtl: secret("60m"),
    });
    const { id, outputs } = await plugin.create(urnOf("AclAuthMethod"), inputs);
    expect(id).toBe("sso");
    expect(outputs).toEqual({
      ...inputs,
      createIndex: expect.any(Number),
      modifyIndex: expect.any(Number),
      hash: expect.any(String),
      createTime: expect.any(String),
      modifyTime: expect.any(String),
      server: simulator.clusterAddress,
    });
    expect(outputs.maxTokenTtl).toEqual(secret("60m"));
    expect(simulator.cluster.methods.get("sso")?.Config.OIDCClientSecret).toBe("s");
    const read = await plugin.read(urnOf("AclAuthMethod"), id, outputs, inputs);
    expect(read).toEqual({ id, outputs, inputs });
    await configured();
    await plugin.delete(urnOf("AclAuthMethod"), id, outputs);
    expect(simulator.cluster.methods.list()).toEqual([]);
    expect(await plugin.read(urnOf("AclAuthMethod"), id, outputs, inputs)).toEqual({ id: "", outputs: {}, inputs: {} });
  });

  test("an import reads by the name of a role and by ORGANIZATION/POOL-NAME, and leaves defaults out of the inputs", async () => {
    const kept = simulator.cluster.roles.put({ Name: "dev", Policies: [{ Name: "read" }] });
    const pool = simulator.pools.put({ organization: simulator.organization, name: "build" });
    expect(await plugin.read(urnOf("AclRole"), "dev")).toMatchObject({ id: kept.ID, inputs: role() });
    const imported = await plugin.read(urnOf("AgentPool"), `${simulator.organization}/build`);
    expect(imported).toMatchObject({ id: pool.id, outputs: { organizationScoped: true } });
    for (const name of ["forceDestroy", "drainTimeoutSeconds", "adopt"]) {
      expect(imported.inputs).not.toHaveProperty(name);
      expect(imported.outputs).not.toHaveProperty(name);
    }
  });

  test("a time-out ends a wait, is named in the error, and keeps the object; a cancelled call completes its write, and starts no other", async () => {
    const { id, outputs } = await made("AgentPool", { forceDestroy: true, drainTimeoutSeconds: 600 });
    simulator.pools.addAgent(id, { name: "busy", status: "busy" });
    await configured();
    await expect(plugin.delete(urnOf("AgentPool"), id, outputs, 0.2)).rejects.toThrow("longer than the 0.2 s");
    expect(simulator.pools.get(id)).toBeDefined();

    simulator.faults.add({ method: "POST", fault: { kind: "delay", ms: 200 } });
    const creating = made("AclRole", role());
    while (!simulator.journal.lines().includes("POST /v1/acl/role")) await new Promise((resolve) => setImmediate(resolve));
    await plugin.call((client, done) => client.cancel(new Empty(), done));
    expect((await creating).id).toBe(simulator.cluster.roles.list()[0]?.ID);
    const before = simulator.journal.entries.length;
    await expect(made("AclRole", role({ name: "other" }))).rejects.toThrow("The operation was cancelled before this was done.");
    expect(simulator.journal.entries).toHaveLength(before);
  });

  test("warnings arrive in the engine's log, with the resource's URN, before the response", async () => {
    simulator.cluster.methods.put({ Name: "sso" });
    const urn = urnOf("AclBindingRule", "everyone");
    await plugin.check(urn, { authMethod: "sso", selector: "", bindType: "management" });
    expect(plugin.logged).toEqual([{ severity: "warning", urn, message: expect.stringContaining("management") }]);
  });

  test("an unknown resource or function is an error that names it", async () => {
    await expect(plugin.check(urnOf("AclNamespace"), {})).rejects.toThrow(
      "The provider agentpool-acl has no resource of the type agentpool-acl:index:AclNamespace.",
    );
    await expect(plugin.invoke("agentpool-acl:index:getNothing", {})).rejects.toThrow("has no function agentpool-acl:index:getNothing");
  });
});

describe("Invoke", () => {
  beforeEach(configured);

  test("returns the object; looked up by a secret, the result is secret", async () => {
    const kept = simulator.cluster.roles.put({ Name: "dev", Policies: [{ Name: "read" }] });
    const open = await plugin.invoke("agentpool-acl:index:getRole", { id: kept.ID });
    expect(open).toMatchObject({ failures: [], result: { name: "dev", policies: ["read"] } });
    const closed = await plugin.invoke("agentpool-acl:index:getRole", { name: secret("dev") });
    expect(closed.result).toEqual(Object.fromEntries(Object.entries(open.result).map(([name, value]) => [name, secret(value)])));
  });

  test("explains a login with any claims, as a secret", async () => {
    simulator.cluster.methods.put({ Name: "sso", Config: { ListClaimMappings: { "/realm/groups": "groups" } } });
    simulator.cluster.rules.put({ AuthMethod: "sso", BindType: "management", Selector: "ops in list.groups" });
    const claims = { realm: { groups: ["ops", 7, true], depth: [[1.5]] } };
    const { result } = await plugin.invoke("agentpool-acl:index:explainLogin", { authMethod: "sso", claims });
    expect(result).toMatchObject({ ok: secret(true), token: secret(expect.objectContaining({ type: "management" })) });
    expect(Object.values(result ?? {})).toEqual(Object.values(result ?? {}).map(() => secret(expect.anything())));
  });

  test("returns wrong arguments as failures with their paths, and sends nothing", async () => {
    const { failures } = await plugin.invoke("agentpool-acl:index:listAgentPools", { sort: "size", organisation: "x" });
    expect(failures.map(({ reason }) => reason.split(" ")[0]).sort()).toEqual(["organisation", "sort"]);
    expect(simulator.journal.lines()).toEqual([]);
  });
});

test.each([
  ["construct", (done: Done) => plugin.client.construct(new messages.ConstructRequest(), done)],
  ["call", (done: Done) => plugin.client.call(new messages.CallRequest(), done)],
  ["parameterize", (done: Done) => plugin.client.parameterize(new messages.ParameterizeRequest(), done)],
  ["getMapping", (done: Done) => plugin.client.getMapping(new messages.GetMappingRequest(), done)],
  ["getMappings", (done: Done) => plugin.client.getMappings(new messages.GetMappingsRequest(), done)],
] as const)("%s is not implemented", async (name, send) => {
  const error = await new Promise<ServiceError | null>((resolve) => send((failure) => resolve(failure)));
  expect(error).toMatchObject({ code: grpc.status.UNIMPLEMENTED, details: `The server does not implement the method ${name}` });
});

type Done = (error: ServiceError | null) => void;
