import { callServer } from "../../../test/support/call";
import { Simulator } from "..";

let simulator: Simulator;

beforeEach(async () => {
  simulator = await Simulator.start({ dialect: "documented" });
});
afterEach(() => simulator.stop());

const call = (method: string, path: string, body?: unknown, header = "X-Cluster-Token") =>
  callServer(method, `${simulator.clusterAddress}/v1/acl${path}`, { [header]: simulator.clusterToken }, body);

const URIS = ["http://localhost:4649/oidc/callback"];
const CONFIG = {
  OIDCDiscoveryURL: "https://idp.example.com",
  OIDCClientID: "client",
  OIDCClientSecret: "s3cret",
  AllowedRedirectURIs: URIS,
};
const METHOD = { Name: "sso", Type: "OIDC", TokenLocality: "local", MaxTokenTTL: "1h", Config: CONFIG };

const stored = (name = "sso") => simulator.cluster.methods.get(name);

it("takes a token in X-Cluster-Token only", async () => {
  expect((await call("GET", "/roles")).status).toBe(200);
  simulator.cluster.roles.put({ Name: "dev" });
  expect((await call("GET", "/roles", undefined, "X-Nomad-Token")).body).toEqual([]);
});

describe("an auth method", () => {
  it("is returned without Hash, without its secret or a placeholder, and with the document's fields only", async () => {
    const created = await call("POST", "/auth-method", { ...METHOD, Config: { ...CONFIG, OIDCEnablePKCE: true, BoundIssuer: ["me"] } });
    expect(Object.keys(created.body).sort()).toEqual(
      ["Config", "CreateIndex", "CreateTime", "Default", "MaxTokenTTL", "ModifyIndex", "ModifyTime", "Name", "TokenLocality"].concat([
        "TokenNameFormat",
        "Type",
      ]),
    );
    expect(created.body.Config).toEqual({
      OIDCDiscoveryURL: "https://idp.example.com",
      OIDCClientID: "client",
      OIDCDisableUserInfo: false,
      OIDCScopes: null,
      BoundAudiences: null,
      AllowedRedirectURIs: URIS,
      DiscoveryCaPem: null,
      SigningAlgs: null,
      ClaimMappings: null,
      ListClaimMappings: null,
      JWTValidationPubKeys: null,
      JWKSURL: "",
      JWKSCACert: "",
      ExpirationLeeway: "",
      NotBeforeLeeway: "",
      ClockSkewLeeway: "",
      VerboseLogging: false,
    });
    expect((await call("GET", "/auth-method/sso")).body).toEqual(created.body);
    expect(stored()?.Config).toMatchObject({ OIDCClientSecret: "s3cret", OIDCEnablePKCE: false, BoundIssuer: null });
    const [stub] = (await call("GET", "/auth-methods")).body;
    expect(Object.keys(stub)).toEqual(["CreateIndex", "Default", "ModifyIndex", "Name", "Type"]);
  });

  it("is not created by an update", async () => {
    const response = await call("POST", "/auth-method/sso", METHOD);
    expect([response.status, response.text]).toEqual([400, "cannot find auth method sso"]);
    expect(stored()).toBeUndefined();
  });

  it("loses the fields that an update leaves out, including the whole Config, but not its type", async () => {
    await call("POST", "/auth-method", { ...METHOD, TokenNameFormat: "mine", Default: true });
    const { status, body } = await call("POST", "/auth-method/sso", { Name: "sso", MaxTokenTTL: "30m" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ MaxTokenTTL: "30m0s", TokenLocality: "", Default: false, Config: null, Type: "OIDC" });
    expect(body.TokenNameFormat).toBe("$" + "{auth_method_type}-$" + "{auth_method_name}");
    expect(stored()?.Config).toMatchObject({ OIDCDiscoveryURL: "", OIDCClientSecret: "", AllowedRedirectURIs: null });
  });

  it("loses the secret that the Config of an update leaves out, and keeps the fields that only a create can set", async () => {
    await call("POST", "/auth-method", { ...METHOD, Config: { ...CONFIG, VerboseLogging: true } });
    const Config = { OIDCDiscoveryURL: "https://other", OIDCClientID: "c", AllowedRedirectURIs: URIS, VerboseLogging: false };
    await call("POST", "/auth-method/sso", { ...METHOD, Config });
    expect(stored()?.Config).toMatchObject({ OIDCDiscoveryURL: "https://other", OIDCClientSecret: "", VerboseLogging: true });
  });

  it("needs MaxTokenTTL in an update, and addresses in a given Config", async () => {
    await call("POST", "/auth-method", METHOD);
    const before = stored();
    const response = await call("POST", "/auth-method/sso", { Name: "sso", Type: "OIDC", TokenLocality: "local", Config: {} });
    expect(response.status).toBe(400);
    expect(response.text).toContain("invalid config: missing AllowedRedirectURIs\n\t* invalid MaxTokenTTL value '0s'");
    expect(stored()).toEqual(before);
  });

  it("has a new ModifyIndex after every update", async () => {
    const created = (await call("POST", "/auth-method", METHOD)).body;
    const updated = (await call("POST", "/auth-method/sso", METHOD)).body;
    expect(updated.ModifyIndex).toBeGreaterThan(created.ModifyIndex);
    expect(updated.CreateTime).toBe(created.CreateTime);
  });
});

describe("a role", () => {
  it("may have underscores in its name, no policies, and 256 characters of any size in its description", async () => {
    const made = await call("POST", "/role", { Name: "dev_ops", Description: "ü".repeat(256) });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({ Name: "dev_ops", Policies: [] });
    expect(Object.keys(made.body)).not.toContain("Hash");
    expect((await call("GET", `/role/${made.body.ID}`)).body).toEqual(made.body);
    expect((await call("GET", "/roles")).body).toEqual([made.body]);
    const long = await call("POST", "/role", { Name: "ops", Description: "ü".repeat(257), Policies: [] });
    expect([long.status, long.text]).toEqual([400, "role 0 invalid: 1 error occurred:\n\t* description longer than 256\n\n"]);
  });

  it("is listed by the first bytes of its ID, and refuses a prefix that is not whole bytes", async () => {
    const { ID } = simulator.cluster.roles.put({ Name: "dev" });
    const listed = async (prefix: string) => (await call("GET", `/roles?prefix=${prefix}`)).body;
    expect(await listed(ID.slice(0, 4))).toHaveLength(1);
    expect(await listed(ID.replaceAll("-", "").slice(0, 10))).toHaveLength(1);
    expect(await listed(ID.startsWith("00") ? "ff" : "00")).toEqual([]);
    for (const prefix of ["a", "abc", "xy", "AB"]) expect((await call("GET", `/roles?prefix=${prefix}`)).status).toBe(400);
  });
});

describe("a binding rule", () => {
  it("has its Hash in the list's stub only", async () => {
    simulator.cluster.methods.put({ Name: "sso" });
    const made = (await call("POST", "/binding-rule", { AuthMethod: "sso", BindType: "management" })).body;
    expect(Object.keys(made)).not.toContain("Hash");
    expect((await call("GET", `/binding-rule/${made.ID}`)).body).toEqual(made);
    expect((await call("GET", "/binding-rules")).body[0].Hash).toMatch(/^.{44}$/);
  });

  it("keeps the fields that an update leaves out, and has a description of any length", async () => {
    simulator.cluster.methods.put({ Name: "sso" });
    const rule = { AuthMethod: "sso", Selector: "a == b", BindType: "role", BindName: "dev" };
    const made = (await call("POST", "/binding-rule", rule)).body;
    const Description = "d".repeat(300);
    const described = (await call("POST", `/binding-rule/${made.ID}`, { Description })).body;
    expect(described).toMatchObject({ ...rule, Description });
    expect(described.ModifyIndex).toBeGreaterThan(made.ModifyIndex);
    const bound = (await call("POST", `/binding-rule/${made.ID}`, { BindType: "management", BindName: "" })).body;
    expect(bound).toMatchObject({ ...rule, Description, BindType: "management", BindName: "" });
  });
});
