import { methods } from "./auth-method";
import { rules } from "./binding-rule";
import { policies } from "./policy";
import { roles } from "./role";

const method = {
  Name: "sso",
  Type: "OIDC",
  TokenLocality: "local",
  TokenNameFormat: "login",
  MaxTokenTTL: "1h0m0s",
  Default: false,
  Config: { OIDCDiscoveryURL: "https://idp.example.com", OIDCScopes: ["groups"] },
  Hash: "h",
  CreateTime: "2026-11-21T05:04:38.381771479Z",
  ModifyTime: "2026-11-21T05:04:39Z",
  CreateIndex: 7,
  ModifyIndex: 8,
};

it("the API's keys of an auth method may have any letter case, also within config", () => {
  const { Name, Config, ...rest } = method;
  const parsed = methods.form.parse({
    ...rest,
    name: Name,
    CONFIG: {
      oidcDiscoveryUrl: "https://idp.example.com",
      oidcScopes: ["groups"],
      oidcclientassertion: { privatekey: { PEMKEY: "redacted" } },
    },
  });
  expect(parsed).toMatchObject({ name: "sso", config: { OIDCDiscoveryURL: "https://idp.example.com", OIDCScopes: ["groups"] } });
  expect(parsed.config).toMatchObject({ OIDCClientAssertion: { PrivateKey: { PemKey: "redacted" } } });
});

it("the document's spelling has precedence if a key is there twice", () => {
  expect(roles.form.parse({ id: "1", ID: "2", Id: "3", Name: "a", CreateIndex: 1, ModifyIndex: 1 }).id).toBe("2");
});

it("keys of claims and headers keep their letter case", () => {
  const ClaimMappings = { Foo: "a", foo: "b", name: "c" };
  const Config = {
    ClaimMappings,
    listclaimmappings: { Groups: "g" },
    OIDCClientAssertion: { ExtraHeaders: { Audience: "x", audience: "y" } },
  };
  const { config } = methods.form.parse({ ...method, Config });
  expect(config.ClaimMappings).toEqual(ClaimMappings);
  expect(config.ListClaimMappings).toEqual({ Groups: "g" });
  expect(config.OIDCClientAssertion).toHaveProperty("ExtraHeaders", { Audience: "x", audience: "y" });
});

it("missing and null properties of a config are empty, and unknown properties are kept", () => {
  const { config } = methods.form.parse({
    ...method,
    Config: { SigningAlgs: null, OIDCClientAssertion: null, VerboseLogging: null, NewKey: { a: 1 } },
  });
  expect(config).toMatchObject({
    SigningAlgs: [],
    OIDCClientAssertion: null,
    VerboseLogging: false,
    ClaimMappings: {},
    JWKSURL: "",
    NewKey: { a: 1 },
  });
  expect(methods.form.parse({ ...method, Config: null }).config.OIDCScopes).toEqual([]);
});

it("a method may lack its hash, and a duration may be a number of nanoseconds", () => {
  const { Hash: _, ...rest } = method;
  expect(methods.form.parse({ ...rest, MaxTokenTTL: 60_000_000_000 })).toMatchObject({ hash: "", maxTokenTtl: "60000000000ns" });
  expect(methods.list.parse([{ ...rest }])).toEqual([
    { name: "sso", type: "OIDC", default: false, hash: undefined, createIndex: 7, modifyIndex: 8 },
  ]);
});

it("null as a description, as policies or as a list of roles is empty", () => {
  const parsed = roles.form.parse({ ID: "1", Name: "a", Description: null, Policies: null, CreateIndex: 1, ModifyIndex: 2 });
  expect(parsed).toEqual({ id: "1", name: "a", description: "", policies: [], hash: undefined, createIndex: 1, modifyIndex: 2 });
  expect(roles.form.parse({ ID: "1", Name: "a", Policies: [{ name: "p" }], CreateIndex: 1, ModifyIndex: 2 }).policies).toEqual(["p"]);
  expect(roles.list.parse(null)).toEqual([]);
});

it("a binding rule may have an unknown bind type", () => {
  const rule = {
    ID: "1",
    AuthMethod: "sso",
    BindType: "team",
    BindName: "x",
    CreateIndex: 1,
    ModifyIndex: 2,
    CreateTime: "c",
    ModifyTime: "m",
  };
  expect(rules.form.parse(rule)).toMatchObject({ bindType: "team", selector: "", description: "" });
});

it.each([
  ["a role without an id", roles.form, { Name: "a", CreateIndex: 1, ModifyIndex: 1 }, "ID"],
  ["a role without an index", roles.form, { ID: "1", Name: "a", CreateIndex: 1 }, "ModifyIndex"],
  ["a policy link without a name", roles.form, { ID: "1", Name: "a", Policies: [{}], CreateIndex: 1, ModifyIndex: 1 }, "Policies.0.Name"],
  ["a method whose config is a list", methods.form, { ...method, Config: [] }, "Config"],
  ["a claim that is no text", methods.form, { ...method, Config: { ClaimMappings: { a: 1 } } }, "Config.ClaimMappings.a"],
])("%s is refused with the place of the error", (_, schema, value, place) => {
  const parsed = schema.safeParse(value);
  expect(parsed.error?.issues.map((issue) => issue.path.join("."))).toEqual([place]);
});

it("an update of a policy sends back unknown fields of its job, unless it removes the job", () => {
  const wire = { Name: "p", JobACL: { Namespace: "a", JobID: "", Group: "", Task: "", Pool: "x" }, CreateIndex: 1, ModifyIndex: 1 };
  const policy = policies.form.parse({ ...wire, RulesJSON: {} });
  const body = (jobAcl?: { readonly namespace: string }) =>
    policies.updateBody("p", { name: "p", description: "", rules: "", jobAcl }, policy);
  expect(body({ namespace: "b" })).toMatchObject({ JobACL: { Namespace: "b", Pool: "x" } });
  expect(body()).toEqual({ Name: "p", Description: "", Rules: "" });
  expect(policy.rest).toBeUndefined();
});
