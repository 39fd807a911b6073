import { methods } from "./auth-method";
import { rules } from "./binding-rule";
import { policies } from "./policy";
import { roles } from "./role";

/** Parses what a server would send as JSON, where a key may be anything. */
const json = (text: string): unknown => JSON.parse(text);

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

it("an auth method is read with its own keys in any letter case, also inside its config", () => {
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

it("the document's spelling wins when a key comes twice", () => {
  expect(roles.form.parse({ id: "1", ID: "2", Id: "3", Name: "a", CreateIndex: 1, ModifyIndex: 1 }).id).toBe("2");
});

it("the keys of claims and headers stay as they are", () => {
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

it("what a config leaves out or has as null is empty, and what it has besides is kept", () => {
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

it("a method of a server that knows no hash has none, and a duration in nanoseconds says so", () => {
  const { Hash: _, ...rest } = method;
  expect(methods.form.parse({ ...rest, MaxTokenTTL: 60_000_000_000 })).toMatchObject({ hash: "", maxTokenTtl: "60000000000ns" });
  expect(methods.list.parse([{ ...rest }])).toEqual([
    { name: "sso", type: "OIDC", default: false, hash: undefined, createIndex: 7, modifyIndex: 8 },
  ]);
});

it("keys that mean something to JavaScript do no harm", () => {
  const claims = '{"__proto__":"polluted","constructor":"c","toString":"t"}';
  const config = `{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"ClaimMappings":${claims}}`;
  const text = JSON.stringify({ ...method, Config: "CONFIG" }).replace('"CONFIG"', config);
  const parsed = methods.form.parse(json(text));
  expect(Object.getPrototypeOf(parsed.config)).toBe(Object.prototype);
  expect(Object.getPrototypeOf(parsed.config.ClaimMappings)).toBe(Object.prototype);
  expect(JSON.stringify(parsed.config.ClaimMappings)).toBe(claims);
  expect("polluted" in parsed.config).toBe(false);
  expect("polluted" in {}).toBe(false);
});

it("a role without description and policies has empty ones, and no list of roles is an empty list", () => {
  const parsed = roles.form.parse({ ID: "1", Name: "a", Description: null, Policies: null, CreateIndex: 1, ModifyIndex: 2 });
  expect(parsed).toEqual({ id: "1", name: "a", description: "", policies: [], hash: undefined, createIndex: 1, modifyIndex: 2 });
  expect(roles.form.parse({ ID: "1", Name: "a", Policies: [{ name: "p" }], CreateIndex: 1, ModifyIndex: 2 }).policies).toEqual(["p"]);
  expect(roles.list.parse(null)).toEqual([]);
});

it("a binding rule of a bind type that is not known yet is read", () => {
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
])("%s is refused, and the place is named", (_, schema, value, place) => {
  const parsed = schema.safeParse(value);
  expect(parsed.error?.issues.map((issue) => issue.path.join("."))).toEqual([place]);
});

it("an update of a policy sends back what it does not know of the policy's job, unless the policy loses the job", () => {
  const wire = { Name: "p", JobACL: { Namespace: "a", JobID: "", Group: "", Task: "", Pool: "x" }, CreateIndex: 1, ModifyIndex: 1 };
  const policy = policies.form.parse({ ...wire, RulesJSON: {} });
  const body = (jobAcl?: { readonly namespace: string }) =>
    policies.updateBody("p", { name: "p", description: "", rules: "", jobAcl }, policy);
  expect(body({ namespace: "b" })).toMatchObject({ JobACL: { Namespace: "b", Pool: "x" } });
  expect(body()).toEqual({ Name: "p", Description: "", Rules: "" });
  expect(policy.rest).toBeUndefined();
});
