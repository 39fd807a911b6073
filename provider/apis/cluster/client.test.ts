import { Simulator } from "../../../testing/simulator";
import { isAmbiguous, isConflict, isDenied, isMalformed, isNotFound, isRejected, isUnavailable, isWrongAddress } from "../http/errors";
import { Http } from "../http/http";
import { type AuthMethodInput, ClusterClient } from "./client";
import { readByName } from "./role";

let simulator: Simulator;
let http: Http;
let client: ClusterClient;
const open: Http[] = [];

function connect(token: string, region?: string): Http {
  const connected = new Http({
    service: "cluster",
    address: simulator.clusterAddress,
    basePath: "",
    token,
    headers: (sent) => ({ "X-Cluster-Token": sent }),
    tokenSource: "The token comes from the environment variable NOMAD_TOKEN.",
    requestTimeoutMs: 5_000,
    maxRetries: 3,
    maxConcurrentRequests: 8,
    allowInsecureHttp: false,
    ...(region && { query: { region } }),
    clock: { now: Date.now, sleep: async () => undefined, random: () => 0 },
  });
  open.push(connected);
  return connected;
}

beforeEach(async () => {
  simulator = await Simulator.start();
  simulator.cluster.policies.put({ Name: "read" });
  simulator.cluster.policies.put({ Name: "write" });
  http = connect(simulator.clusterToken);
  client = new ClusterClient(http);
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
  await simulator.stop();
});

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

const sso: AuthMethodInput = {
  name: "sso",
  type: "OIDC",
  tokenLocality: "local",
  tokenNameFormat: "login",
  maxTokenTtl: "60m",
  default: false,
  config: {
    OIDCDiscoveryURL: "https://idp.example.com",
    OIDCClientID: "client",
    OIDCClientSecret: "hunter2",
    AllowedRedirectURIs: ["http://localhost:4649/oidc/callback"],
    ListClaimMappings: { Groups: "roles" },
  },
};
const unknownId = "00000000-0000-0000-0000-000000000000";

describe("auth methods", () => {
  it("are created, read back, listed and deleted", async () => {
    const created = await client.methods.create(sso);
    expect(simulator.cluster.methods.get("sso")?.Config.OIDCClientSecret).toBe("hunter2");
    expect(created).toMatchObject({ name: "sso", type: "OIDC", tokenLocality: "local", maxTokenTtl: "1h0m0s", default: false });
    expect(created.config).toMatchObject({ OIDCClientSecret: "redacted", ListClaimMappings: { Groups: "roles" }, ClaimMappings: {} });
    expect(await client.methods.read("sso")).toEqual(created);
    const { name, type, hash, createIndex, modifyIndex } = created;
    expect(await client.methods.list()).toEqual([{ name, type, default: false, hash, createIndex, modifyIndex }]);
    await client.methods.delete("sso");
    expect(simulator.cluster.methods.list()).toEqual([]);
  });

  it("are updated in what is given, and keep the rest", async () => {
    const created = await client.methods.create(sso);
    await client.methods.update("sso", { name: "sso", maxTokenTtl: "30m", default: true }, created);
    expect(simulator.cluster.methods.get("sso")).toMatchObject({
      MaxTokenTTL: "30m0s",
      Default: true,
      Config: { OIDCClientSecret: "hunter2" },
    });
    expect(simulator.journal.entries.at(-1)?.body).toEqual({ Name: "sso", MaxTokenTTL: "30m", Default: true });
  });

  it("that are missing are not found, on read and on delete", async () => {
    expect(isNotFound(await failure(client.methods.read("nobody")))).toBe(true);
    expect(isNotFound(await failure(client.methods.delete("nobody")))).toBe(true);
    expect(simulator.journal.requests({ method: "DELETE" })).toHaveLength(1);
  });

  it("that the server refuses say why, and a second default is no taken name", async () => {
    const tooLong = await failure(client.methods.create({ ...sso, maxTokenTtl: "25h" }));
    expect(isRejected(tooLong) && tooLong.detail).toContain("invalid MaxTokenTTL value '25h0m0s' (should be between 1m0s and 24h0m0s)");
    await client.methods.create({ ...sso, default: true });
    const second = await failure(client.methods.create({ ...sso, name: "other", default: true }));
    expect(isRejected(second) && second.detail).toContain("default method already exists: sso");
  });

  it("keep their secrets out of errors, also when the server repeats them", async () => {
    const body = `can't store "hunter2" and -----KEY-----\nabc`;
    const config = { ...sso.config, OIDCClientAssertion: { PrivateKey: { PemKey: "-----KEY-----\nabc" } } };
    simulator.faults.add({ method: "POST", fault: { kind: "status", status: 400, body, contentType: "text/plain" } });
    const error = await failure(client.methods.create({ ...sso, config }));
    expect(isRejected(error) && error.detail).toBe(`can't store "<secret>" and <secret>`);
  });
});

describe("roles", () => {
  const dev = { name: "dev", description: "d", policies: ["read", "write"] };

  it("are created, read by id and by name, listed and deleted", async () => {
    const created = await client.roles.create(dev);
    expect(simulator.cluster.roles.get(created.id)).toMatchObject({
      Name: "dev",
      Description: "d",
      Policies: [{ Name: "read" }, { Name: "write" }],
    });
    expect(created).toMatchObject(dev);
    expect(await client.roles.read(created.id)).toEqual(created);
    expect(await readByName(client.roles, "dev")).toEqual(created);
    expect(await client.roles.list()).toEqual([created]);
    await client.roles.delete(created.id);
    expect(simulator.cluster.roles.list()).toEqual([]);
  });

  it("are updated whole", async () => {
    const role = await client.roles.create(dev);
    const { id } = role;
    expect(await client.roles.update(id, { name: "ops", description: "", policies: ["write"] }, role)).toMatchObject({
      id,
      name: "ops",
      policies: ["write"],
    });
    expect(simulator.cluster.roles.get(id)).toMatchObject({ Name: "ops", Description: "", Policies: [{ Name: "write" }] });
  });

  it("are listed by the start of their id", async () => {
    const { id } = await client.roles.create(dev);
    expect(await client.roles.listOnly({ prefix: id.slice(0, 4) })).toHaveLength(1);
    expect(simulator.journal.entries.at(-1)?.query.prefix).toBe(id.slice(0, 4));
  });

  it("whose name is taken are a conflict, on create and on update", async () => {
    const role = await client.roles.create(dev);
    await client.roles.create({ ...dev, name: "ops" });
    expect(isConflict(await failure(client.roles.create(dev)))).toBe(true);
    expect(isConflict(await failure(client.roles.update(role.id, { ...dev, name: "ops" }, role)))).toBe(true);
    expect(simulator.journal.requests({ method: "POST" })).toHaveLength(4);
  });

  it("that are missing are not found, whatever is done to them", async () => {
    const other = await client.roles.create({ ...dev, name: "other" });
    const attempts = [
      client.roles.read(unknownId),
      readByName(client.roles, "nobody"),
      client.roles.update(unknownId, dev, other),
      client.roles.delete(unknownId),
    ];
    expect((await Promise.all(attempts.map(failure))).map(isNotFound)).toEqual([true, true, true, true]);
  });

  it("with a policy that does not exist are refused, which is not the role that is missing", async () => {
    const error = await failure(client.roles.create({ ...dev, policies: ["nothing"] }));
    expect(isRejected(error) && error.detail).toBe("cannot find policy nothing");
  });
});

describe("binding rules", () => {
  const rule = { authMethod: "sso", description: "d", selector: "ops in list.roles", bindType: "role", bindName: "dev" } as const;
  beforeEach(async () => {
    await client.methods.create(sso);
  });

  it("are created, read, listed and deleted", async () => {
    const created = await client.rules.create(rule);
    expect(simulator.cluster.rules.get(created.id)).toMatchObject({
      AuthMethod: "sso",
      Selector: "ops in list.roles",
      BindType: "role",
      BindName: "dev",
    });
    expect(created).toMatchObject(rule);
    expect(await client.rules.read(created.id)).toEqual(created);
    const { id, authMethod, description, hash, createIndex, modifyIndex } = created;
    expect(await client.rules.list()).toEqual([{ id, authMethod, description, hash, createIndex, modifyIndex }]);
    await client.rules.delete(id);
    expect(simulator.cluster.rules.list()).toEqual([]);
  });

  it("for management are sent without a name to bind", async () => {
    await client.rules.create({
      authMethod: "sso",
      description: "",
      selector: "x in list.roles",
      bindType: "management",
      bindName: "",
    });
    expect(simulator.journal.entries.at(-1)?.body).toEqual({
      AuthMethod: "sso",
      Description: "",
      Selector: "x in list.roles",
      BindType: "management",
    });
  });

  it("are updated whole, without their auth method", async () => {
    const created = await client.rules.create(rule);
    const { id } = created;
    await client.rules.update(id, { description: "", selector: "", bindType: "policy", bindName: "read" }, created);
    expect(simulator.cluster.rules.get(id)).toMatchObject({
      AuthMethod: "sso",
      Description: "",
      Selector: "",
      BindType: "policy",
      BindName: "read",
    });
  });

  it("that are missing are not found, whatever is done to them", async () => {
    const other = await client.rules.create(rule);
    const attempts = [client.rules.read(unknownId), client.rules.update(unknownId, rule, other), client.rules.delete(unknownId)];
    expect((await Promise.all(attempts.map(failure))).map(isNotFound)).toEqual([true, true, true]);
  });

  it("of an auth method that does not exist are refused, which is not the rule that is missing", async () => {
    const error = await failure(client.rules.create({ ...rule, authMethod: "nobody" }));
    expect(isRejected(error) && error.detail).toBe("ACL auth method nobody not found");
  });

  it("with a selector that is none are refused with the server's reason", async () => {
    const error = await failure(client.rules.create({ ...rule, selector: "(((" }));
    expect(isRejected(error) && error.detail).toContain("selector is invalid: must be a boolean expression");
  });
});

describe("on a bad day", () => {
  const dev = { name: "dev", description: "", policies: ["read"] };

  it("a create whose response is lost or invalid is ambiguous and not repeated", async () => {
    for (const fault of [{ kind: "drop-after" }, { kind: "cut-off" }, { kind: "malformed" }, { kind: "malformed", body: "{}" }] as const) {
      simulator.faults.add({ method: "POST", fault });
      expect(isAmbiguous(await failure(client.roles.create({ ...dev, name: `dev-${simulator.cluster.roles.list().length}` })))).toBe(true);
    }
    expect(simulator.cluster.roles.list()).toHaveLength(4);
    expect(simulator.journal.requests({ method: "POST" })).toHaveLength(4);
  });

  it("a create that never arrived is repeated only where that is known", async () => {
    simulator.faults.add({ method: "POST", fault: { kind: "status", status: 429, headers: { "retry-after": "1" } } });
    await client.roles.create(dev);
    simulator.faults.add({ method: "POST", fault: { kind: "refuse" } });
    expect(isAmbiguous(await failure(client.roles.create({ ...dev, name: "ops" })))).toBe(true);
    expect(simulator.cluster.roles.list().map((role) => role.Name)).toEqual(["dev"]);
  });

  it("a delete whose response is lost is repeated, and then finds no object", async () => {
    const { id } = await client.roles.create(dev);
    simulator.faults.add({ method: "DELETE", fault: { kind: "drop-after" } });
    expect(isNotFound(await failure(client.roles.delete(id)))).toBe(true);
    expect(simulator.cluster.roles.list()).toEqual([]);
  });

  it("an update whose response is lost is repeated", async () => {
    const role = await client.roles.create(dev);
    simulator.faults.add({ method: "POST", fault: { kind: "drop-after" } });
    expect(await client.roles.update(role.id, { ...dev, description: "again" }, role)).toMatchObject({ description: "again" });
  });

  it("a token that may not do it is denied, and the error says where it comes from", async () => {
    simulator.clusterTokens.add({ token: "client", type: "client", policies: ["read"] });
    const error = await failure(new ClusterClient(connect("client")).roles.create(dev));
    expect(isDenied(error) && error.message).toMatch(/403 Permission denied\. .*NOMAD_TOKEN\.$/);
    expect(isDenied(await failure(new ClusterClient(connect("unknown")).roles.list()))).toBe(true);
  });

  it("what the server says of a refused token is told to all but the caller that is cancelled meanwhile", async () => {
    simulator.clusterTokens.add({ token: "client", type: "client", name: "ci", policies: ["read"] });
    const path = "/v1/acl/token/self";
    simulator.faults.add({ path, fault: { kind: "delay", ms: 50 } });
    const cancelling = new AbortController();
    const refused = new ClusterClient(connect("client"));
    const first = failure(refused.with({ signal: cancelling.signal }).roles.create(dev));
    while (simulator.journal.requests({ path }).length === 0) await new Promise(setImmediate);
    const second = failure(refused.roles.create(dev));
    cancelling.abort();
    const errors = [await first, await second, await failure(refused.roles.create(dev))];
    const note = 'The token is the client token "ci" (policies read)';
    expect(errors.map((error) => isDenied(error) && error.message.includes(note))).toEqual([false, true, true]);
    expect(errors.every(isDenied)).toBe(true);
    expect(simulator.journal.requests({ path })).toHaveLength(1);
  });

  it("an empty 404 and the 404 of some other service are a wrong address, never a missing role", async () => {
    const { id } = await client.roles.create(dev);
    simulator.faults.add({ fault: { kind: "status", status: 404 } });
    simulator.faults.add({ fault: { kind: "status", status: 404, body: "404 page not found\n", contentType: "text/plain" } });
    expect(isWrongAddress(await failure(client.roles.read(id)))).toBe(true);
    expect(isWrongAddress(await failure(client.roles.read(id)))).toBe(true);
  });

  it("a response about another object is malformed", async () => {
    const first = await client.roles.create(dev);
    await client.roles.create({ ...dev, name: "ops" });
    simulator.faults.add({ fault: { kind: "malformed", body: JSON.stringify(simulator.cluster.roles.get(first.id)) } });
    expect(isMalformed(await failure(readByName(client.roles, "ops")))).toBe(true);
  });

  it("a response about the same id in the other letter case is about the same object", async () => {
    const role = await client.roles.create(dev);
    simulator.faults.add({ fault: { kind: "malformed", body: JSON.stringify(simulator.cluster.roles.get(role.id)) } });
    expect(await client.roles.read(role.id.toUpperCase())).toEqual(role);
  });

  it("a cluster that is down is unavailable, and the same client works when it is up again", async () => {
    await client.roles.create(dev);
    await simulator.unplug("cluster");
    expect(isUnavailable(await failure(client.roles.list()))).toBe(true);
    await simulator.plug("cluster");
    expect(await client.roles.list()).toHaveLength(1);
  });
});

describe("the region", () => {
  it("stands in every request and in the server's name", async () => {
    const global = new ClusterClient(connect(simulator.clusterToken, "global"));
    await global.roles.list();
    expect(simulator.journal.entries.at(-1)?.query).toEqual({ region: "global" });
    expect(global.server).toBe(`${simulator.clusterAddress} region global`);
    expect(client.server).toBe(simulator.clusterAddress);
  });

  it("that the cluster does not have is an error that names the setting, after one request", async () => {
    const error = await failure(new ClusterClient(connect(simulator.clusterToken, "mars")).roles.list());
    expect(isUnavailable(error) && error.message).toContain("agentpool-acl:clusterRegion");
    expect(simulator.journal.entries).toHaveLength(1);
  });
});

it("the index at the start is one of before every later write, for all views of a client, and reports go to each view's own listener", async () => {
  const reports: string[] = [];
  const view = client.with({ report: (message) => reports.push(message) });
  simulator.faults.add({ times: 2, fault: { kind: "status", status: 503 } });
  const [index, other] = await Promise.all([view.indexAtStart(), view.indexAtStart()]);
  expect(index).toBe(other);
  const { createIndex } = await client.roles.create({ name: "dev", description: "", policies: ["read"] });
  expect(createIndex).toBeGreaterThan(index);
  expect(await client.indexAtStart()).toBe(index);
  expect(simulator.journal.entries.filter(({ method, status }) => method === "GET" && status === 200)).toHaveLength(2);
  expect(reports).toHaveLength(1);
});
