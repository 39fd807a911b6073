import { identityToken } from "../test/support/identity-token";
import { accessOf } from "./access";
import { Simulator } from "./simulator";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await Simulator.start();
  const { cluster } = simulator;
  for (const name of ["read-only", "deploy"]) cluster.policies.put(name);
  cluster.roles.put({ Name: "deployers", Policies: [{ Name: "deploy" }, { Name: "read-only" }, { Name: "gone" }] });
  cluster.methods.put({ Name: "sso", TokenLocality: "local", Config: { ListClaimMappings: { groups: "groups" } } });
  const rule = (values: object) => cluster.rules.put({ AuthMethod: "sso", BindType: "role", ...values });
  rule({ Selector: "deployers in list.groups", BindName: "deployers" });
  rule({ Selector: "engineers in list.groups", BindName: "read-only", BindType: "policy" });
  rule({ Selector: "admins in list.groups", BindType: "management" });
});
afterAll(() => simulator.stop());
const login = (...groups: string[]) => accessOf(simulator).login("sso", { groups });

test("a login has the roles and policies of its claims, and sends no request", () => {
  expect(login("deployers", "engineers")).toMatchObject({
    ok: true,
    management: false,
    roles: ["deployers"],
    policies: ["deploy", "read-only"],
    token: { name: expect.stringMatching(/-sso$/), type: "client", global: false, policies: ["read-only"] },
  });
  expect(simulator.journal.entries).toEqual([]);
});

test("a login that fails has no roles, no policies and the server's error", () => {
  expect(login("contractors")).toMatchObject({
    ok: false,
    management: false,
    roles: [],
    policies: [],
    token: undefined,
    error: "no role or policy bindings matched",
  });
  expect(login("contractors").rules).toHaveLength(3);
});

test("a login with management has no roles and policies", () => {
  expect(login("admins", "deployers")).toMatchObject({ ok: true, management: true, roles: [], policies: [] });
});

test("changes of others count from then on", () => {
  const access = accessOf(simulator);
  simulator.cluster.policies.put("late");
  const rule = simulator.cluster.rules.put({ AuthMethod: "sso", BindType: "policy", BindName: "late", Selector: "" });
  expect(access.login("sso", {}).policies).toEqual(["late"]);
  simulator.cluster.rules.delete(rule.ID);
  expect(access.login("sso", {}).ok).toBe(false);
});

test("a missing method is an error that names it and the existing ones", () => {
  expect(() => accessOf(simulator).login("oidc", {})).toThrow('The simulated cluster has no auth method "oidc"; it has "sso".');
});

test("a login checks the given claims of a token, at the given time", () => {
  simulator.cluster.methods.put({ Name: "ci", Type: "JWT", Config: { BoundAudiences: ["nomad"], BoundIssuer: ["https://idp.test"] } });
  const rule = simulator.cluster.rules.put({ AuthMethod: "ci", BindType: "management", Selector: "" });
  const { login } = accessOf(simulator);
  const time = Math.floor(Date.now() / 1000);
  const claims = { aud: "nomad", iss: "https://idp.test", iat: time - 400, exp: time - 100 };
  expect(login("ci", claims)).toMatchObject({ ok: false, token: undefined, error: expect.stringMatching(/^unable to validate provided/) });
  expect(login("ci", claims, { now: new Date((time - 150) * 1000) })).toMatchObject({ ok: true, management: true, notChecked: [] });
  // Missing claims are not checked, unless the claims are those of a whole token.
  expect(login("ci", {})).toMatchObject({ ok: true, notChecked: ["audience", "issuer", "times"] });
  expect(login("ci", {}, { isToken: true })).toMatchObject({ ok: false });
  expect(login("ci", identityToken({ aud: "another-app" }))).toMatchObject({ ok: false, notChecked: [] });
  simulator.cluster.rules.delete(rule.ID);
  simulator.cluster.methods.delete("ci");
});
