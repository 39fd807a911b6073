/** Parts that `who` must not leave out: holders without a login, odd forms in files, and unreadable kinds. */
import { policy } from "../test/support/diff-sources";
import { whoInTests } from "../test/support/who";
import { Simulator } from "../testing/simulator";

let simulator: Simulator;
beforeEach(async () => {
  simulator = await Simulator.start();
  simulator.cluster.policies.put("read");
  simulator.cluster.roles.put({ Name: "dev", Policies: [{ Name: "read" }] });
  simulator.cluster.methods.put({ Name: "sso", Type: "JWT", Config: { JWKSURL: "https://b.example.com" } });
});
afterEach(() => simulator.stop());
const { file, command, onCluster } = whoInTests(() => simulator);

const write = 'operator { policy = "write" }';
const method = { name: "sso", type: "JWT", tokenLocality: "local", config: { claimMappings: { t: "team" } } };
const rule = { authMethod: "sso", selector: "value.team == a", bindType: "policy", bindName: "p" };
const source = (policies: readonly object[], rules: readonly object[] = [rule]) =>
  file({ format: 1, objects: { AclAuthMethod: [method], AclBindingRule: rules, AclPolicy: policies } });
const jsonOf = async (...args: string[]) => JSON.parse((await command(...args, "--json")).out);

test("the policy anonymous applies to everybody, and a policy with a job to its tasks", async () => {
  const policies = [
    { name: "anonymous", rules: "" },
    { name: "of-job", rules: write, jobAcl: { namespace: "prod", jobId: "backup" } },
  ];
  const ask = (policy: string) => command("--policy", policy, "--export", source(policies));
  expect((await ask("anonymous")).out).toContain("Everybody, without a token, by the policy anonymous.\n");
  expect((await ask("of-job")).out).toContain(
    "Tasks of the job backup of the namespace prod, by the policy of-job (jobAcl), and so anyone",
  );
  expect(await jsonOf("--policy", "of-job", "--export", source(policies))).toMatchObject({ others: [{ policy: "of-job" }] });
  expect((await ask("p")).out).not.toMatch(/Everybody|Tasks of/);
});

test.each([
  ["role elsewhere", { bindType: "role", bindName: "elsewhere" }],
  ["role team-$" + "{value.team}", { bindType: "role", bindName: "team-$" + "{value.team}" }],
])("a role outside of a part of the cluster may have the policy, and any right: %s", async (role, bound) => {
  const objects = { AclAuthMethod: [method], AclBindingRule: [{ ...rule, ...bound }], AclPolicy: [{ name: "p", rules: write }] };
  const export_ = file({ format: 1, objects: { ...objects, AclRole: [{ name: "team-a", policies: ["p"] }] } });
  const said = `The permissions of these are unknown, and 1 rule leads to them: ${role}.`;
  for (const target of [
    ["--policy", "p"],
    ["--can", "operator:write"],
    ["--can", "management"],
  ]) {
    expect((await command(...target, "--export", export_)).out).toContain(said);
  }
  expect((await command("--role", "team-a", "--export", export_)).out).not.toContain("unknown");
});

test("a login of a source without rules is not said to fail for certain", async () => {
  const login = async (...kinds: readonly object[]) => {
    const objects = Object.assign({ AclAuthMethod: [method] }, ...kinds);
    const args = ["--method", "sso", "--claims-file", file({ t: "a" }), "--export", file({ format: 1, objects })];
    return { out: (await command(...args)).out, notLookedAt: (await jsonOf(...args)).notLookedAt };
  };
  const without = await login();
  expect(without.out).toMatch(/\n\nNot looked at: AclBindingRule \(.* has none\)\.$/);
  expect(without.notLookedAt).toEqual(["AclBindingRule"]);
  const { out, notLookedAt } = await login({ AclBindingRule: [rule] });
  expect([out, notLookedAt]).toEqual([expect.not.stringContaining("Not looked at"), []]);
});

test.each([{}, { rules: null }, { rules: 7 }])("a policy with %j has unknown rules", async (odd) => {
  const { out } = await command("--can", "management", "--export", source([{ name: "p", ...odd }]));
  expect(out).toContain("The permissions of these are unknown, and 1 rule leads to them: policy p.");
});

test.each(["prod", { namespace: 7 }])("a policy with the jobAcl %j applies to an unknown job", async (jobAcl) => {
  const { out } = await command("--can", "management", "--export", source([{ name: "of-job", rules: write, jobAcl }]));
  expect(out).toContain("by the policy of-job (jobAcl)");
});

test.each([{}, { name: 7 }])("a policy with %j in place of its name is an error", async (odd) => {
  const { status, errors } = await command("--can", "management", "--export", source([{ rules: write, ...odd }]));
  expect([status, errors]).toEqual([1, expect.stringContaining("this version can't read the policy")]);
});

test("a selector that every login matches is shown as such", async () => {
  const selector = "value.team == a or value.team != a";
  const { ways } = await jsonOf("--can", "management", "--export", source([], [{ ...rule, bindType: "management", selector }]));
  expect(ways).toMatchObject([{ matches: "always" }]);
});

test("text and JSON name unreadable kinds", async () => {
  simulator.faults.add({ path: "/v1/acl/binding-rules", times: 99, fault: { kind: "status", status: 403 } });
  const words = await onCluster("--can", "management");
  expect([words.status, words.out]).toEqual([4, expect.stringContaining("no rule among what could be read leads to management")]);
  const { incomplete } = JSON.parse((await onCluster("--can", "management", "--json")).out);
  expect(incomplete).toContainEqual(expect.objectContaining({ kind: "AclBindingRule", reason: "denied" }));
});

test("the policy of everybody counts even with unreadable rules", async () => {
  simulator.cluster.policies.put("anonymous");
  simulator.faults.add({ path: "/v1/acl/policy/anonymous", times: 99, fault: { kind: "status", status: 403 } });
  const { out } = await onCluster("--can", "submit-job");
  expect(out).toContain("Everybody, without a token, by the policy anonymous. Its rules are not known, so perhaps.");
});

test("two policies for unknown jobs are not policies of one job", async () => {
  const policies = [
    { name: "writes", rules: write, jobAcl: "[secret]" },
    { name: "denies", rules: 'operator { policy = "deny" }', jobAcl: "[secret]" },
  ];
  const { out } = await command("--can", "management", "--export", source(policies, []));
  expect(out).toContain("Tasks of an unknown job, by the policy writes (jobAcl)");
});

test("a token with a role of others keeps it, although a role of the source has its old name", async () => {
  const linked = { name: "t", type: "client", policies: [], roles: ["ops"], linkedRoles: [{ id: "9", name: "ops" }] };
  const objects = {
    AclRole: [{ id: "1", name: "ops", policies: ["read"] }],
    AclPolicy: [{ name: "read", rules: 'node { policy = "read" }' }],
  };
  const { out } = await command("--can", "operator:write", "--export", file({ format: 1, objects: { ...objects, AclToken: [linked] } }));
  expect(out).toContain("not known: role 9");
});

test("a token whose role was renamed holds it still, although another role has its old name", async () => {
  const linked = { name: "t", type: "client", policies: [], roles: ["ops"], linkedRoles: [{ id: "1", name: "old" }] };
  const roles = [
    { id: "1", name: "old", policies: ["p"] },
    { id: "2", name: "ops", policies: [] },
  ];
  const source = file({ format: 1, objects: { AclRole: roles, AclPolicy: [{ name: "p", rules: write }], AclToken: [linked] } });
  expect((await command("--can", "operator:write", "--export", source)).out).toMatch(/t .* operator:write by p/);
  expect((await command("--role", "ops", "--export", source)).out).not.toMatch(/These tokens/);
});

test("a token has the roles that it is linked to, whatever its state names", async () => {
  const AclRole = [
    { id: "1", name: "limits", policies: ["no"] },
    { id: "2", name: "admins", policies: ["p"] },
  ];
  const AclPolicy = [policy("no", 'operator { policy = "deny" }').inputs, policy("p", write).inputs];
  const token = (name: string, more: object) => ({ name, type: "client", policies: [], ...more });
  const AclToken = [
    token("lost", { policies: ["p"], roles: ["limits"], linkedRoles: [] }),
    token("given", { roles: [], linkedRoles: [{ id: "2", name: "admins" }] }),
    token("limited", { policies: ["p"], roles: ["limits"], linkedRoles: [{ id: "1", name: "limits" }] }),
  ];
  const all = file({ format: 1, objects: { AclRole, AclPolicy, AclToken } });
  const { tokens } = await jsonOf("--can", "operator:write", "--export", all);
  expect(tokens.map(({ name }: { name: string }) => name)).toEqual(["given", "lost"]);
});

test("a policy that another provider may delete after its adoption is named as not checked", async () => {
  const of = (id: string) => `urn:pulumi:dev::p::pulumi:providers:agentpool-acl::west::${id}`;
  const old = policy("guard", 'operator { policy = "deny" }', { provider: of("1") });
  const { id: _, outputs: __, ...taker } = { ...old, urn: `${old.urn}-again`, inputs: { ...old.inputs, adopt: true } };
  const steps = (provider: string) => [
    { op: "create", urn: taker.urn, newState: { ...taker, provider } },
    { op: "delete", urn: old.urn, oldState: old },
  ];
  const ask = (provider: string) => command("--can", "operator:write", "--preview", file({ steps: steps(provider) }));
  expect((await ask(of("2"))).errors).toMatch(/not checked: whether AclPolicy "guard" stays, because another provider/);
  expect((await ask(of("1"))).errors).toBe("");
});

test("ACL objects of @pulumi/nomad in a state or preview are named as not looked at", async () => {
  const type = "nomad:index/aclPolicy:AclPolicy";
  const theirs = { urn: `urn:pulumi:dev::p::${type}::theirs`, type, id: "theirs", inputs: { name: "theirs", rulesHcl: write } };
  const said = 'not looked at: AclPolicy "theirs" of @pulumi/nomad';
  const state = file({ deployment: { resources: [policy("p", ""), theirs] } });
  expect((await command("--can", "operator:write", "--state", state)).errors).toContain(said);
  expect((await jsonOf("--can", "operator:write", "--state", state)).notLookedAt).toContain('AclPolicy "theirs" of @pulumi/nomad');
  const step = (op: string) => ({ op, urn: theirs.urn, oldState: theirs, ...(op === "same" && { newState: theirs }) });
  const previewed = (op: string) => command("--can", "operator:write", "--preview", file({ steps: [step(op)] }));
  expect((await previewed("same")).errors).toContain(said);
  expect((await previewed("delete")).errors).not.toContain(said);
});

test("a rule that the program only looks up is named as not looked at, in a state and a preview", async () => {
  const type = "agentpool-acl:index:AclBindingRule";
  const outputs = { authMethod: "sso", selector: "", bindType: "role", bindName: "ops" };
  const got = { urn: `urn:pulumi:dev::p::${type}::got`, type, custom: true, id: "1", external: true, inputs: {}, outputs };
  const said = 'not looked at: AclBindingRule.get("1")';
  const state = file({ deployment: { resources: [policy("p", ""), got] } });
  expect((await command("--can", "operator:write", "--state", state)).errors).toContain(said);
  const step = { op: "read", urn: got.urn, oldState: got, newState: { ...got, outputs: undefined } };
  expect((await command("--can", "operator:write", "--preview", file({ steps: [step] }))).errors).toContain(said);
  // Its ID is as unknown as the one of a new rule.
  const anew = { op: "read", urn: got.urn, newState: { ...got, id: undefined, outputs: undefined } };
  const made = { op: "create", urn: `${got.urn}2`, newState: { type, custom: true, inputs: outputs } };
  const { errors } = await command("--can", "operator:write", "--preview", file({ steps: [anew, made] }));
  expect(errors).toMatch(/not looked at: AclBindingRule\.get\(".*"\)/);
});

test("a method that a token may not read is reported as unread, with the server's reason", async () => {
  const { clusterAddress } = simulator;
  const config = file({ clusterAddress, clusterToken: "of-nobody" });
  const answer = await command("--method", "sso", "--claims-file", file({}, "claims.json"), "--config-file", config);
  expect(answer).toEqual({ status: 4, out: "", errors: expect.stringMatching(/^incomplete: AclAuthMethod: .* 403 /m) });
  expect(answer.errors).not.toContain("has no auth method");
});
