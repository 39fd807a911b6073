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

test("a login has the roles and policies that its claims get, and sends nothing", () => {
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

test("a login with management says so", () => {
  expect(login("admins", "deployers")).toMatchObject({ ok: true, management: true, roles: [], policies: [] });
});

test("what others change counts from then on", () => {
  const access = accessOf(simulator);
  simulator.cluster.policies.put("late");
  const rule = simulator.cluster.rules.put({ AuthMethod: "sso", BindType: "policy", BindName: "late", Selector: "" });
  expect(access.login("sso", {}).policies).toEqual(["late"]);
  simulator.cluster.rules.delete(rule.ID);
  expect(access.login("sso", {}).ok).toBe(false);
});

test("a method that is not there is named, and those that are", () => {
  expect(() => accessOf(simulator).login("oidc", {})).toThrow('The simulated cluster has no auth method "oidc"; it has "sso".');
});
