import type { ProviderFunction } from "../provider/functions/definition";
import type { Properties } from "../provider/model/remote";
import { configurationOf, operationWith } from "../test/support/session";
import { Simulator } from "../testing/simulator";
import { explainLogin, getAccessGraph } from "./index";

async function run<R extends Properties>(definition: ProviderFunction<R>, args: Properties): Promise<R> {
  const { context, close } = operationWith({ ...configurationOf(server), maxRetries: 0 });
  try {
    return await definition.run(context, args);
  } finally {
    await close();
  }
}

let server: Simulator;
beforeAll(async () => {
  server = await Simulator.start();
  for (const name of ["read-only", "deploy"]) server.cluster.policies.put(name);
  server.cluster.roles.put({ Name: "developers", Policies: [{ Name: "read-only" }] });
  server.cluster.roles.put({ Name: "team-ops", Policies: [{ Name: "deploy" }, { Name: "gone" }] });
  server.cluster.methods.put({
    Name: "sso",
    Type: "OIDC",
    TokenLocality: "global",
    Config: { ClaimMappings: { team: "team" }, ListClaimMappings: { groups: "groups" } },
  });
  const rule = (ID: string, values: object) => server.cluster.rules.put({ ID, AuthMethod: "sso", BindType: "role", ...values });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
  rule("2", { Selector: 'value.team != ""', BindName: "team-${value.team}" });
  rule("1", { Selector: "engineering in list.groups", BindName: "developers" });
  rule("3", { Selector: "value.team == root", BindType: "management" });
  rule("4", { Selector: "value.team == ops", BindType: "policy", BindName: "missing" });
  server.cluster.rules.put({ ID: "5", AuthMethod: "left", BindType: "policy", BindName: "deploy" });
});
afterAll(() => server.stop());
const explain = (claims: unknown, authMethod = "sso") => run(explainLogin, { authMethod, claims });

test("explainLogin returns the grants of a login with their rules, and the reason why each other rule gives nothing", async () => {
  const login = await explain({ groups: ["engineering", 7], team: "Ops", nothing: null });
  expect(login).toEqual({
    ok: true,
    token: { name: "OIDC-sso", type: "client", policies: [], roles: ["developers", "team-ops"], global: true },
    notChecked: ["audience", "issuer", "times"],
    rules: [
      expect.objectContaining({ id: "1", matches: true, because: [], gives: "role", name: "developers", policies: ["read-only"] }),
      expect.objectContaining({ id: "2", matches: true, gives: "role", name: "team-ops", policies: ["deploy", "gone"] }),
      {
        id: "3",
        selector: "value.team == root",
        bindType: "management",
        bindName: "",
        matches: false,
        because: [{ part: "value.team == root", found: 'value.team is "Ops"' }],
      },
      expect.objectContaining({ id: "4", matches: false }),
    ],
  });
});

test("explainLogin converts a claim whose name means something to JavaScript", async () => {
  const ClaimMappings = JSON.parse('{ "__proto__": "team" }');
  server.cluster.methods.put({ Name: "odd", Type: "JWT", Config: { ClaimMappings } });
  server.cluster.rules.put({ ID: "6", AuthMethod: "odd", Selector: "value.team == ops", BindType: "role", BindName: "developers" });
  const login = await explain(JSON.parse('{ "__proto__": "ops" }'), "odd");
  expect(login).toMatchObject({ ok: true, token: { roles: ["developers"] } });
  const graph = await run(getAccessGraph, {});
  expect(graph.authMethods.find(({ name }) => name === "odd")?.claimMappings).toEqual(ClaimMappings);
  server.cluster.methods.delete("odd");
  server.cluster.rules.delete("6");
});

test("explainLogin returns the server's error for a failing login, and the rule that causes it", async () => {
  expect(await explain({ groups: [], team: "a b" })).toMatchObject({
    ok: false,
    status: 500,
    error: 'computed "role" bind name for bind target is invalid: "team-a b"',
    rules: [{ id: "1", matches: false }, { id: "2", gives: "error" }, { id: "3" }, { id: "4" }],
  });
  expect(await explain({ team: {} })).toMatchObject({ ok: false, status: 500, rules: [] });
  expect(await explain({ team: "root" })).toMatchObject({ token: { type: "management", roles: [], policies: [] } });
});

test("explainLogin reads the rules of its method only, and changes nothing", async () => {
  server.journal.clear();
  await explain({});
  expect(server.journal.lines().sort()).toEqual([
    "GET /v1/acl/auth-method/sso",
    "GET /v1/acl/binding-rule/1",
    "GET /v1/acl/binding-rule/2",
    "GET /v1/acl/binding-rule/3",
    "GET /v1/acl/binding-rule/4",
    "GET /v1/acl/binding-rules",
    "GET /v1/acl/policies",
    "GET /v1/acl/roles",
    "GET /v1/regions",
  ]);
});

test("explainLogin names a missing method and invalid claims, without their values", async () => {
  await expect(explain({}, "ssso")).rejects.toThrow(/^explainLogin: the cluster has no ACL auth method named "ssso"\. Check /);
  for (const claims of ["eyJhbGciOi", ["private"], undefined]) {
    const error = await explain(claims).catch(String);
    expect(error).toMatch(/explainLogin: claims (must be a map|is required)/);
    expect(error).not.toMatch(/eyJ|private/);
  }
});

test("getAccessGraph returns every edge, also the ones to missing objects", async () => {
  const graph = await run(getAccessGraph, {});
  expect(graph).toMatchObject({
    authMethods: [
      {
        name: "sso",
        type: "OIDC",
        default: false,
        tokenLocality: "global",
        claimMappings: { team: "team" },
        listClaimMappings: { groups: "groups" },
      },
    ],
    roles: [
      { name: "developers", policies: ["read-only"] },
      { name: "team-ops", policies: ["deploy", "gone"] },
    ],
    policies: ["deploy", "read-only"],
  });
  expect(graph.bindingRules).toHaveLength(5);
  const lines = graph.edges.map(
    (e) => `${e.from} -> ${e.toKind} ${e.to}${e.computed ? ", computed" : ""}${e.exists ? "" : ", does not exist"}`,
  );
  expect(lines.sort()).toEqual([
    "1 -> role developers",
    "2 -> role team-ops, computed",
    "3 -> management management",
    "4 -> policy missing, does not exist",
    "5 -> policy deploy",
    "developers -> policy read-only",
    "left -> bindingRule 5, does not exist",
    "sso -> bindingRule 1",
    "sso -> bindingRule 2",
    "sso -> bindingRule 3",
    "sso -> bindingRule 4",
    "team-ops -> policy deploy",
    "team-ops -> policy gone, does not exist",
  ]);
});

test("getAccessGraph leaves out a rule that others delete between the list and the read", async () => {
  server.faults.add({
    path: "/v1/acl/binding-rule/4",
    fault: { kind: "status", status: 404, body: "ACL binding rule not found", headers: { "content-type": "text/plain" } },
  });
  const graph = await run(getAccessGraph, {});
  expect(graph.bindingRules.map(({ id }) => id).sort()).toEqual(["1", "2", "3", "5"]);
});

test("explainLogin takes a token, and returns the reason of a refusal, and the checks that it can't do", async () => {
  server.cluster.methods.put({ Name: "ci", Type: "JWT", Config: { BoundAudiences: ["nomad"] } });
  server.cluster.rules.put({ ID: "7", AuthMethod: "ci", Selector: "", BindType: "management" });
  const ci = (args: Properties) => run(explainLogin, { authMethod: "ci", ...args });
  const tokenOf = (claims: object) => ["{}", JSON.stringify(claims), "x"].map((part) => Buffer.from(part).toString("base64url")).join(".");
  const token = tokenOf({ aud: "nomad", iat: 1_799_999_000, exp: 1_800_000_000 });
  expect(await ci({ token, at: "2027-01-15T08:00:00Z" })).toMatchObject({ ok: true, notChecked: [] });
  expect(await ci({ token, at: "2027-01-15T08:01:01Z" })).toMatchObject({
    status: 401,
    because: "it was valid until 2027-01-15T08:00:00Z",
  });
  expect(await ci({ token: tokenOf({ aud: "another-app", iat: 1 }) })).toMatchObject({ ok: false, status: 401, rules: [] });
  expect(await ci({ claims: { aud: "another-app" } })).toMatchObject({ ok: false, status: 401 });
  expect(await ci({ claims: {} })).toMatchObject({ ok: true, notChecked: ["audience", "times"] });
  await expect(ci({})).rejects.toThrow("explainLogin: claims is required, unless a token is given.");
  await expect(ci({ claims: {}, token })).rejects.toThrow("explainLogin: token replaces claims: give only one of them.");
  await expect(ci({ token: "{}" })).rejects.toThrow("explainLogin: token is not a token (JWT).");
  await expect(ci({ claims: {}, at: "soon" })).rejects.toThrow("explainLogin: at must be a time like 2027-01-31T12:00:00Z.");
  server.cluster.methods.delete("ci");
  server.cluster.rules.delete("7");
});
