import { callServer } from "../../../test/support/call";
import { Simulator } from "..";

let simulator: Simulator;

beforeEach(async () => {
  simulator = await Simulator.start({ regions: ["west"] });
});
afterEach(() => simulator.stop());

const call = (method: string, path: string, body?: unknown, token = simulator.clusterToken) =>
  callServer(method, `${simulator.clusterAddress}/v1/acl${path}`, token === "" ? {} : { "X-Cluster-Token": token }, body);

const CONFIG = { OIDCDiscoveryURL: "https://idp.example.com", OIDCClientID: "client", OIDCClientSecret: "s3cret" };
const METHOD = { Name: "sso", Type: "OIDC", TokenLocality: "local", MaxTokenTTL: "1h", Config: CONFIG };

describe("auth methods", () => {
  it("are not changed by identical content, except for maps with two or more entries", async () => {
    const first = (await call("POST", "/auth-method", METHOD)).body;
    expect((await call("POST", "/auth-method", METHOD)).body).toEqual(first);
    const mapped = { ...METHOD, Config: { ...CONFIG, ClaimMappings: { a: "b", c: "d" } } };
    const hashes = new Set<string>();
    for (let write = 0; write < 4; write++) hashes.add((await call("POST", "/auth-method", mapped)).body.Hash);
    expect(hashes.size).toBe(2);
    const twice = { ...mapped, Config: { ...mapped.Config, ListClaimMappings: { e: "f", g: "h" } } };
    const [one, two] = [await call("POST", "/auth-method", twice), await call("POST", "/auth-method", twice)];
    expect(two.body.Hash).not.toBe(one.body.Hash);
  });

  it("give the assertion its defaults, and redact the copy of the secret in it", async () => {
    const secret = "x".repeat(32);
    const Config = { ...CONFIG, OIDCClientSecret: secret, OIDCClientAssertion: { KeySource: "client_secret" } };
    const { body } = await call("POST", "/auth-method", { ...METHOD, Config });
    expect(body.Config.OIDCClientAssertion).toEqual({
      KeySource: "client_secret",
      Audience: [CONFIG.OIDCDiscoveryURL],
      PrivateKey: null,
      ExtraHeaders: null,
      KeyAlgorithm: "HS256",
      ClientSecret: "redacted",
    });
    expect(simulator.cluster.methods.get("sso")?.Config.OIDCClientAssertion?.ClientSecret).toBe(secret);
  });

  it.each([
    [{ KeySource: "none" }, 'invalid client assertion config: invalid KeySource "none"'],
    [{ KeySource: "client_secret" }, "invalid secret length for algorithm"],
    [{ KeySource: "private_key" }, "PrivateKey is required"],
    [{ KeySource: "private_key", PrivateKey: {} }, "missing PemKey or PemKeyFile"],
    [{ KeySource: "private_key", PrivateKey: { PemKey: "a", PemKeyFile: "/b" } }, "require only one of PemKey or PemKeyFile"],
    [{ KeySource: "private_key", PrivateKey: { PemKey: "a" } }, "missing PemCert, PemCertFile, or KeyID"],
    [{ KeySource: "private_key", PrivateKey: { PemKey: "a", KeyID: "k", PemCert: "c" } }, "require only one of PemCert"],
    [{ KeySource: "nomad", ExtraHeaders: { kid: "k" } }, '"kid" not allowed'],
  ])("refuse the assertion %j", async (assertion, message) => {
    const response = await call("POST", "/auth-method", { ...METHOD, Config: { ...CONFIG, OIDCClientAssertion: assertion } });
    expect(response.status).toBe(400);
    expect(response.text).toContain(message);
  });
});

describe("roles", () => {
  beforeEach(() => simulator.cluster.policies.put("ro"));

  it("are listed by a prefix of any length", async () => {
    const role = simulator.cluster.roles.put({ Name: "a", ID: "abc00000-0000-0000-0000-000000000000" });
    expect((await call("GET", "/roles?prefix=abc")).body).toEqual([role]);
    expect((await call("GET", "/roles?prefix=abd")).body).toEqual([]);
  });
});

describe("requests", () => {
  it.each([
    ["", "Request body is empty"],
    ["{", "the body is not JSON"],
    ['{"Name":5}', "invalid body: Name: Invalid input: expected string, received number"],
    ["[]", "invalid body: Invalid input: expected object, received array"],
  ])("with the body %j are refused", async (body, message) => {
    const response = await call("POST", "/role", body);
    expect([response.status, response.text]).toEqual([400, message]);
  });

  it("get 404 without a body for an unknown path, 405 for a wrong method, and a message for too many parts of a path", async () => {
    const wrong = await call("GET", "/rolls");
    expect([wrong.status, wrong.text, wrong.type]).toEqual([404, "", null]);
    const method = await call("PATCH", "/role/x");
    expect([method.status, method.text]).toEqual([405, "Invalid method"]);
    expect((await call("GET", "/role/x/y")).text).toBe("invalid URI");
    expect((await call("GET", "//roles")).location).toBe("/v1/acl/roles");
  });
});

describe("permissions", () => {
  it("an unknown token may list auth methods, but gets 403 for a method, and for roles, rules and policies", async () => {
    for (const path of ["/roles", "/role/x", "/role/name/x", "/binding-rules", "/binding-rule/x", "/auth-method/x", "/policies"]) {
      const response = await call("GET", path, undefined, "unknown");
      expect([path, response.status, response.text]).toEqual([path, 403, "Permission denied"]);
    }
    expect((await call("GET", "/auth-methods", undefined, "unknown")).status).toBe(200);
  });

  it("a client token may read its own roles, and write nothing", async () => {
    simulator.cluster.policies.put("ro");
    simulator.cluster.policies.put("rw");
    const mine = simulator.cluster.roles.put({ Name: "mine", Policies: [{ Name: "ro" }] });
    const other = simulator.cluster.roles.put({ Name: "other", Policies: [{ Name: "rw" }] });
    simulator.clusterTokens.add({ token: "client", type: "client", roles: ["mine"] });
    expect((await call("GET", "/roles", undefined, "client")).body).toEqual([mine]);
    expect((await call("GET", "/role/name/mine", undefined, "client")).body).toEqual(mine);
    expect((await call("GET", `/role/${other.ID}`, undefined, "client")).status).toBe(403);
    expect((await call("GET", "/policies", undefined, "client")).body).toMatchObject([{ Name: "ro" }]);
    expect((await call("GET", "/policy/rw", undefined, "client")).status).toBe(403);
    expect((await call("DELETE", `/role/${mine.ID}`, undefined, "client")).status).toBe(403);
    expect(simulator.cluster.roles.get(mine.ID)).toEqual(mine);
  });

  it("without a token the list of roles is empty, and the header X-Nomad-Token works like the document's", async () => {
    simulator.cluster.roles.put({ Name: "a" });
    expect((await call("GET", "/roles", undefined, "")).body).toEqual([]);
    expect((await call("GET", "/binding-rules", undefined, "")).status).toBe(403);
    const field = await fetch(`${simulator.clusterAddress}/v1/acl/roles`, { headers: { "X-Nomad-Token": simulator.clusterToken } });
    expect(await field.json()).toHaveLength(1);
  });
});

describe("indexes and regions", () => {
  it("a region has its own indexes for the same objects, and an unknown one is 500", async () => {
    const role = simulator.cluster.roles.put({ Name: "a" });
    const west = await call("GET", `/role/${role.ID}?region=west`);
    expect(west.body).toEqual({ ...role, CreateIndex: expect.any(Number), ModifyIndex: expect.any(Number) });
    expect(west.body.ModifyIndex).not.toBe(role.ModifyIndex);
    expect(west.index).toBe(String(west.body.ModifyIndex));
    const unknown = await call("GET", "/roles?region=north");
    expect([unknown.status, unknown.text]).toEqual([500, "No path to region"]);
  });

  it("a restored server has the objects, indexes and times of the backup", async () => {
    const before = simulator.cluster.methods.put({ Name: "sso" });
    const snapshot = simulator.cluster.snapshot();
    simulator.cluster.rotateClientSecret("sso", "new");
    expect(simulator.cluster.methods.get("sso")?.Hash).not.toBe(before.Hash);
    simulator.cluster.methods.put({ Name: "later" });
    simulator.cluster.restore(snapshot);
    expect(simulator.cluster.methods.list()).toEqual([before]);
    expect(simulator.cluster.index).toBe(before.ModifyIndex);
  });
});

describe("the store", () => {
  it("returns copies, and merges the changes of a test", () => {
    simulator.cluster.methods.put({ Name: "sso", Config: { OIDCClientID: "c" } });
    const changed = simulator.cluster.methods.put({ Name: "sso", MaxTokenTTL: "90m", Config: { OIDCScopes: ["groups"] } });
    expect(changed).toMatchObject({ MaxTokenTTL: "1h30m0s", Config: { OIDCClientID: "c", OIDCScopes: ["groups"] } });
    changed.Config.OIDCClientID = "mine";
    expect(simulator.cluster.methods.get("sso")?.Config.OIDCClientID).toBe("c");
  });

  it("fails when a test names something that does not exist", () => {
    expect(() => simulator.cluster.roles.delete("none")).toThrow('"none"');
    expect(() => simulator.cluster.rotateClientSecret("none", "s")).toThrow('no auth method "none"');
    expect(() => simulator.pools.setStatus("agent-none", "idle")).toThrow('"agent-none"');
    expect(() => simulator.pools.put({ organization: "none", name: "a" })).toThrow('no organization "none"');
  });
});
