import { EventEmitter, once } from "node:events";
import { type Resolved, resolveConfiguration } from "../../provider/configuration/config";
import { resources as all } from "../../provider/resources";
import { Simulator } from "../../testing/simulator";
import { parseExport, writeExport } from "./export";
import { secretMarker } from "./inventory";
import { readServers, withServers } from "./servers";
import { parseState } from "./state";

/** The kinds that commands read by default. */
const resources = all.filter(({ isReadOnRequest }) => !isReadOnRequest);

let simulator: Simulator;
let configuration: Resolved;

beforeEach(async () => {
  simulator = await Simulator.start({ poolsPerOrganization: 1_000 });
  configuration = configured();
});

afterEach(() => simulator.stop());

function configured(changed: Record<string, unknown> = {}): Resolved {
  const { poolsAddress, poolsToken, organization, clusterAddress, clusterToken } = simulator;
  const values: Record<string, unknown> = { poolsAddress, poolsToken, organization, clusterAddress, clusterToken, ...changed };
  return resolveConfiguration((key) => values[key], {});
}

const read = () => readServers({ configuration, resources });
const id = (last: number) => `00000000-0000-4000-8000-${String(last).padStart(12, "0")}`;

function seed({ cluster, pools, organization }: Simulator, isReversed = false): void {
  const ordered = <T>(items: T[]) => (isReversed ? items.toReversed() : items);
  const OIDCClientAssertion = {
    ...{ KeySource: "nomad", KeyAlgorithm: "RS256", PrivateKey: null, ExtraHeaders: null, ClientSecret: "" },
    Audience: ordered(["https://a.example.com", "https://b.example.com"]),
  };
  const rules = [
    { AuthMethod: "sso", Selector: '"a" in list.groups', BindType: "role", BindName: "dev", Description: "developers" },
    { AuthMethod: "sso", Selector: "", BindType: "policy", BindName: "read", Description: "" },
  ];
  pools.put({ organization, name: "build", organizationScoped: false, allowedWorkspaceIds: ["ws-2", "ws-1"] });
  cluster.policies.put("read");
  cluster.policies.put("write");
  cluster.roles.put({
    Name: "dev",
    Description: "d",
    Policies: ordered(["read", "write"]).map((Name) => ({ Name })),
  });
  cluster.methods.put({
    Name: "sso",
    MaxTokenTTL: "90m",
    Config: {
      ...{ OIDCDiscoveryURL: "https://idp.example.com", OIDCClientID: "c", OIDCClientSecret: "hunter2", ClaimMappings: { a: "b" } },
      ...{ BoundAudiences: ordered(["nomad", "ops"]), SigningAlgs: ordered(["ES256", "RS256"]), OIDCClientAssertion },
    },
  });
  for (const [index, rule] of ordered(rules).entries()) cluster.rules.put({ ...rule, ID: id(index) });
}

test("the servers' objects have the form of an import: inputs without defaults, outputs as in a state", async () => {
  seed(simulator);
  const { objects, gaps, source } = await read();
  expect(gaps).toEqual([]);
  expect(source).toBe(`${simulator.poolsAddress} and ${simulator.clusterAddress}`);
  expect(objects.map(({ kind, name }) => [kind, name])).toEqual([
    ["AgentPool", "build"],
    ["AclAuthMethod", "sso"],
    ["AclPolicy", "read"],
    ["AclPolicy", "write"],
    ["AclRole", "dev"],
    ["AclBindingRule", id(1)],
    ["AclBindingRule", "developers"],
  ]);
  const [pool, method, , , role] = objects;
  expect(pool?.inputs).toEqual({
    name: "build",
    organization: "example-org",
    organizationScoped: false,
    allowedWorkspaceIds: ["ws-2", "ws-1"],
  });
  expect(pool?.outputs).toMatchObject({ server: simulator.poolsAddress, createdAt: expect.any(String) });
  expect(method?.inputs).toMatchObject({ name: "sso", maxTokenTtl: "1h30m0s", config: { claimMappings: { a: "b" } } });
  expect(method?.inputs).not.toHaveProperty("default");
  expect(method?.outputs).toMatchObject({ default: false, unmanagedSecrets: ["config.oidcClientSecret"] });
  expect(role?.outputs).toMatchObject({ description: "d", policies: ["read", "write"], hash: expect.any(String) });
  expect(JSON.stringify(objects)).not.toMatch(/hunter2|redacted/);
});

test("a list for each kind serves pools and roles; methods, policies and rules are read singly once, and nothing is written", async () => {
  seed(simulator);
  for (let number = 0; number < 150; number++) simulator.cluster.roles.put({ Name: `role-${number}`, Policies: [{ Name: "read" }] });
  simulator.journal.clear();
  const { objects } = await read();
  expect(objects).toHaveLength(157);
  expect(simulator.journal.entries.map(({ method }) => method)).toEqual(Array(simulator.journal.entries.length).fill("GET"));
  // The regions, a list for each kind, then 1 method, 2 policies and 2 rules.
  expect(simulator.journal.entries).toHaveLength(1 + resources.length + 5);
});

test("tokens of the cluster are read whole, without their secrets", async () => {
  const made = simulator.cluster.tokens.put({ Name: "ci", Policies: ["read"], ExpirationTTL: "1h0m0s" });
  const { objects } = await readServers({ configuration, resources: all.filter(({ kind }) => kind === "AclToken") });
  expect(objects).toMatchObject([{ id: made.AccessorID, name: "ci", inputs: { policies: ["read"], expirationTtl: "1h0m0s" } }]);
  for (const isFull of [true, false]) expect(writeExport({ source: "", objects, gaps: [] }, { isFull })).not.toContain(made.SecretID);
});

test("a kind that can't be read is a gap with its reason, and the others are read", async () => {
  seed(simulator);
  simulator.faults.add({ path: "/v1/acl/binding-rules", times: 9, fault: { kind: "status", status: 403, body: "Permission denied" } });
  configuration = configured({ poolsAddress: undefined });
  const { objects, gaps } = await read();
  expect(objects.map(({ kind }) => kind)).toEqual(["AclAuthMethod", "AclPolicy", "AclPolicy", "AclRole"]);
  expect(gaps).toEqual([
    { kind: "AgentPool", organization: "example-org", reason: "unconfigured", message: expect.stringContaining("set poolsAddress") },
    { kind: "AclBindingRule", reason: "denied", message: expect.stringContaining("403 Permission denied") },
    { kind: "AclPolicy", reason: "denied", message: expect.stringContaining("Policies may be missing") },
    { kind: "AclRole", reason: "denied", message: expect.stringContaining("Roles may be missing") },
  ]);
});

test.each(["AclPolicy", "AclRole"])(
  "the %s objects that a client token sees count as a part, also if nothing else is read",
  async (kind) => {
    seed(simulator);
    simulator.clusterTokens.add({ token: "of dev", type: "client", roles: ["dev"] });
    configuration = configured({ clusterToken: "of dev" });
    const { objects, gaps } = await readServers({ configuration, resources: all.filter((one) => one.kind === kind) });
    expect(objects).not.toEqual([]);
    expect(gaps).toMatchObject([{ kind, reason: "denied", message: expect.stringContaining("may be missing: a client token") }]);
  },
);

test("without any configuration the error names both services, and the ways to configure them", async () => {
  const read = readServers({ configuration: { ...resolveConfiguration(() => undefined, {}), isOfCommand: true }, resources });
  const error = await read.then(() => undefined, String);
  expect(error).toContain("The agent pools API is not configured: set poolsAddress with --config poolsAddress=VALUE or the environment");
  expect(error).toContain("The cluster API is not configured: ");
  expect(error).toContain("set clusterToken with --config-file or the environment variable AGENTPOOL_ACL_CLUSTER_TOKEN or NOMAD_TOKEN.");
  expect(error).not.toMatch(/pulumi config set|--run-program/);
});

test("if one service is not configured and the other refuses the token, the error is the other's", async () => {
  const values: Record<string, string> = { clusterAddress: simulator.clusterAddress, clusterToken: "wrong" };
  const configuration = { ...resolveConfiguration((key) => values[key], {}), isOfCommand: true } as const;
  const some = resources.filter(({ kind }) => kind === "AgentPool" || kind === "AclRole");
  await expect(readServers({ configuration, resources: some })).rejects.toThrow(/403.*configuration key agentpool-acl:clusterToken/s);
});

test("a list of roles may be incomplete unless the token may list binding rules, even if the user does not ask for these", async () => {
  seed(simulator);
  simulator.cluster.roles.put({ Name: "ops", Policies: [{ Name: "read" }] });
  const denied = { kind: "AclRole", reason: "denied", message: expect.stringContaining("403 Permission denied") };
  for (const roles of [[], ["dev"]]) {
    simulator.clusterTokens.add({ token: "of some", type: "client", roles });
    configuration = configured({ clusterToken: "of some" });
    for (const asked of [resources, resources.filter(({ kind }) => kind === "AclRole")]) {
      const { objects, gaps } = await readServers({ configuration, resources: asked });
      expect(objects.filter(({ kind }) => kind === "AclRole").map(({ name }) => name)).toEqual(roles);
      expect(gaps).toContainEqual(denied);
    }
  }
  configuration = configured();
  const { gaps } = await readServers({ configuration, resources: resources.filter(({ kind }) => kind === "AclRole") });
  expect(gaps).toEqual([]);
});

test("the lists of roles and policies may be incomplete if the list of binding rules fails for another reason", async () => {
  simulator.faults.add({ path: "/v1/acl/binding-rules", times: 9, fault: { kind: "status", status: 400, body: "no" } });
  expect((await read()).gaps.map(({ kind, reason }) => [kind, reason])).toEqual([
    ["AclBindingRule", "failed"],
    ["AclPolicy", "failed"],
    ["AclRole", "failed"],
  ]);
});

test("two clusters with the same objects have the same export, with any IDs and orders, and it is read back unchanged", async () => {
  seed(simulator);
  const first = await read();
  const other = await Simulator.start({ poolsPerOrganization: 1_000 });
  seed(other, true);
  const theirs = configured({
    poolsAddress: other.poolsAddress,
    poolsToken: other.poolsToken,
    clusterAddress: other.clusterAddress,
    clusterToken: other.clusterToken,
  });
  const second = await readServers({ configuration: theirs, resources });
  await other.stop();
  const text = writeExport(first);
  expect(writeExport(second)).toBe(text);
  expect(text).not.toMatch(/hunter2|redacted|Index|Time|hash|00000000-/i);
  const back = parseExport(text, "a file");
  expect(writeExport(back)).toBe(text);
  expect(back.objects.map(({ inputs }) => inputs)).toHaveLength(first.objects.length);
  const full = writeExport(first, { isFull: true });
  expect(parseExport(full, "a file").objects.map(({ id, inputs }) => [id, inputs])).toEqual(
    first.objects.map(({ id, inputs }) => [id, inputs]),
  );
});

test.each([
  ["no JSON", "{", "is not JSON"],
  ["another form", "{}", "is not the output of `pulumi-agentpool-acl export`"],
  ["a later form", '{"format":2,"objects":{}}', "must be 1: another version of this package wrote it"],
  ["an unknown kind", '{"format":1,"objects":{"AclSpell":[{}]}}', 'the kind "AclSpell", which this version does not know'],
])("a file that is not an export is refused: %s", (_, text, message) => {
  expect(() => parseExport(text, "a file")).toThrow(message);
});

test("a state has the objects of both adapters that are on the servers, and its secrets stay markers", () => {
  const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", plaintext: '"hunter2"' };
  const role = { name: "dev", policies: ["read"], description: "", server: "http://c", createIndex: 1, modifyIndex: 2, __provider: "x" };
  const config = { oidcClientId: "c", oidcClientSecret: secret, claimMappings: { a: "b" } };
  const method = { name: "sso", type: "OIDC", tokenLocality: "local", maxTokenTtl: "1h", default: false, config };
  const dynamic = "pulumi-nodejs:dynamic/agentpool-acl:AclRole";
  const one = (type: string, id: string, outputs: object, rest: object = {}) => ({
    urn: `urn:${type}::${id}`,
    custom: true,
    type,
    id,
    outputs,
    ...rest,
  });
  const stack = { type: "pulumi:pulumi:Stack", urn: "urn:stack", custom: false };
  const all = [
    stack,
    one(dynamic, id(1), role),
    one("agentpool-acl:index:AclAuthMethod", "sso", method),
    one("agentpool-acl:index:AclRole", id(2), { ...role, name: "waits" }, { delete: true }),
    one("agentpool-acl:index:AclAuthMethod", "sso", method, { delete: true }),
    one("agentpool-acl:index:AclRole", id(3), role, { external: true }),
    one("agentpool-acl:index:AclRole", id(4), role, { pendingReplacement: true }),
    one("agentpool-acl:index:AclRole", id(5), { ...role, name: "kept" }, { pendingReplacement: true, retainOnDelete: true }),
    one("random:index:Pet", "pet", {}),
  ];
  const inventory = parseState(JSON.stringify({ version: 3, deployment: { resources: all } }), "a file");
  expect(inventory.objects.map(({ kind, id: known, urn }) => [kind, known, urn])).toEqual([
    ["AclAuthMethod", "sso", "urn:agentpool-acl:index:AclAuthMethod::sso"],
    ["AclRole", id(1), `urn:${dynamic}::${id(1)}`],
    ["AclRole", id(5), `urn:agentpool-acl:index:AclRole::${id(5)}`],
    ["AclRole", id(2), `urn:agentpool-acl:index:AclRole::${id(2)}`],
  ]);
  expect(inventory.objects[0]?.inputs).toMatchObject({ config: { oidcClientSecret: secretMarker } });
  expect(inventory.objects[1]?.inputs).toEqual({ name: "dev", policies: ["read"] });
  expect(JSON.stringify(inventory)).not.toMatch(/hunter2|__provider/);
  expect(() => parseState("[]", "a file")).toThrow("is not the output of `pulumi stack export`");
});

test("an object that a pending replacement may have left on the server, because of deletedWith, is a gap of the state", () => {
  const [urn, type] = ["urn:pulumi:dev::p::agentpool-acl:index:AclToken::t", "agentpool-acl:index:AclToken"];
  const token = { urn, type, id: id(1), outputs: { name: "t" }, pendingReplacement: true, deletedWith: "urn:x" };
  const of = (one: object) => parseState(JSON.stringify({ version: 3, deployment: { resources: [one] } }), "a file").gaps;
  expect(of(token)).toEqual([
    { kind: "AclToken", reason: "failed", message: expect.stringContaining(`a replacement of ${urn} is pending`) },
  ]);
  expect(of({ ...token, deletedWith: undefined })).toEqual([]);
});

test("the result of an interrupted update is a gap of the state", () => {
  const interrupted = (operation: string, type: string) => ({ type: operation, resource: { urn: `urn:pulumi:dev::p::${type}::a`, type } });
  const pending_operations = [
    interrupted("creating", "agentpool-acl:index:AclBindingRule"),
    interrupted("reading", "agentpool-acl:index:AclRole"),
    interrupted("creating", "aws:s3/bucket:Bucket"),
  ];
  const { gaps } = parseState(JSON.stringify({ version: 3, deployment: { resources: [], pending_operations } }), "a file");
  const message =
    "an update was interrupted while it was creating urn:pulumi:dev::p::agentpool-acl:index:AclBindingRule::a, " +
    "and the state does not have the result: run `pulumi refresh`.";
  expect(gaps).toEqual([{ kind: "AclBindingRule", reason: "failed", message }]);
});

test("requests that are still retried when the work fails end with it", async () => {
  simulator.faults.add({ path: "/v1/acl/tokens", fault: { kind: "status", status: 503 }, times: Number.POSITIVE_INFINITY });
  const reports: string[] = [];
  const retries = new EventEmitter();
  const report = (message: string) => {
    reports.push(message);
    retries.emit("retry");
  };
  let pending: Promise<unknown> | undefined;
  const work = withServers({ configuration, report }, async (context) => {
    pending = context.cluster().tokens.list();
    pending.catch(() => undefined);
    await once(retries, "retry");
    throw new Error("another request failed");
  });
  await expect(work).rejects.toThrow("another request failed");
  await expect(pending).rejects.toThrow();
  expect(reports).toEqual([expect.stringContaining("503")]);
});
