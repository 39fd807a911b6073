/** The command that compares a state with the servers, where the state or a server hides something. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandScene, commandScene, seedOne } from "../test/support/commands";
import type { Simulator } from "../testing/simulator";

let scene: CommandScene;
let simulator: Simulator;
const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:abc" };
const drift = (state: string, ...more: string[]) => scene.command("drift", "--state", state, "--fail-on", "unmanaged", ...more);
const byHand = (content: object) =>
  simulator.cluster.rules.put({
    AuthMethod: "theirs",
    Selector: "",
    BindType: "role",
    BindName: "dev",
    Description: "by hand",
    ...content,
  });

beforeEach(async () => {
  scene = await commandScene();
  ({ simulator } = scene);
  seedOne(simulator);
});

afterEach(() => scene.stop());

describe("unmanaged objects", () => {
  it.each([
    ["AclRole", "name", { BindName: "dev" }],
    ["AclPolicy", "name", { BindType: "policy", BindName: "read" }],
    ["AclAuthMethod", "name", { AuthMethod: "sso", BindType: "management", BindName: "" }],
  ])("are found around a secret %s.%s of the state", async (secretKind, property, rule) => {
    const state = await scene.stateFile((kind) => (kind === secretKind ? { [property]: secret } : {}));
    byHand(rule);
    const { status, out } = await drift(state);
    expect([status, out]).toEqual([3, expect.stringContaining('AclBindingRule "by hand"')]);
  });

  it.each([
    ["AclRole", "dev"],
    ["AclPolicy", "read"],
    ["AclAuthMethod", "sso"],
  ])("do not show the secret name of an %s in their grants", async (kind, name) => {
    const state = await scene.stateFile((one) => (one === kind ? { name: secret } : {}));
    const { roles, tokens } = simulator.cluster;
    byHand({ AuthMethod: "sso" });
    byHand({ AuthMethod: "sso", BindType: "policy", BindName: "read" });
    roles.put({ Name: "theirs", Policies: [{ Name: "read" }] });
    tokens.put({ Name: "their token", Policies: ["read"], Roles: [{ ID: roles.list()[0]?.ID ?? "" }] });
    const { out } = await drift(state);
    expect(out).toContain('AclToken "their token"');
    expect(out).toContain('"[secret]"');
    expect(out).not.toContain(`"${name}"`);
    expect(await drift(state, "--json").then((one) => one.out)).not.toContain(`\\"${name}\\"`);
  });

  it("are found by a secret bind name of the state", async () => {
    const [rule] = simulator.cluster.rules.list();
    simulator.cluster.rules.put({ ...rule, BindName: `team-\${value.team}` });
    const state = await scene.stateFile((kind) => (kind === "AclBindingRule" ? { bindName: secret } : {}));
    simulator.cluster.roles.put({ Name: "team-x", Policies: [] });
    expect((await drift(state)).out).toContain('AclRole "team-x"');
  });

  it("are found by the names and bind names that others have changed", async () => {
    const state = await scene.stateFile();
    const [[role], [rule]] = [simulator.cluster.roles.list(), simulator.cluster.rules.list()];
    simulator.cluster.roles.put({ ...role, Name: "dev2" });
    simulator.cluster.rules.put({ ...rule, BindName: `team-\${value.team}` });
    byHand({ BindName: "dev2" });
    simulator.cluster.roles.put({ Name: "team-x", Policies: [] });
    const { out } = await drift(state);
    expect(out).toContain('AclBindingRule "by hand"');
    expect(out).toContain('AclRole "team-x"');
  });

  it.each([
    ["was deleted", (id: string) => simulator.cluster.roles.delete(id)],
    ["was renamed", (id: string) => simulator.cluster.roles.put({ ...simulator.cluster.roles.get(id), Name: "dev2" })],
  ])("are roles with the name of a role of the state that %s, because rules give that name", async (_, change) => {
    const state = await scene.stateFile();
    const [role] = simulator.cluster.roles.list();
    change(role?.ID ?? "");
    simulator.cluster.roles.put({ Name: "dev", Policies: [{ Name: "admins" }] });
    const { status, out } = await drift(state);
    expect([status, out]).toEqual([3, expect.stringMatching(/AclRole "dev" .*: not in the state; gives the policy "admins"/)]);
  });

  it("are a gap around a secret name that the server does not show", async () => {
    const state = await scene.stateFile((kind) => (kind === "AclRole" ? { name: secret } : {}));
    const id = simulator.cluster.roles.list()[0]?.ID ?? "";
    simulator.cluster.roles.delete(id);
    const { status, err } = await drift(state);
    expect([status, err]).toEqual([
      4,
      expect.stringContaining(`incomplete: AclRole: AclRole ${id} has a secret as its name: unmanaged objects around it could not be`),
    ]);
  });

  it("are found in a stack that has objects on another server, too", async () => {
    const state = await scene.stateFile();
    const content = JSON.parse(readFileSync(state, "utf8"));
    const far = { name: "far", server: "https://other.example.com:4646" };
    content.deployment.resources.push({ urn: "urn:far", type: "agentpool-acl:index:AclRole", id: "far", outputs: far });
    writeFileSync(state, JSON.stringify(content));
    byHand({ AuthMethod: "sso", BindType: "management", BindName: "" });
    const { status, out, err } = await drift(state);
    expect([status, out]).toEqual([3, expect.stringContaining('AclBindingRule "by hand"')]);
    expect(err).toContain('incomplete: AclRole: "far": not compared');
  });

  it("do not include ACL objects of @pulumi/nomad, which are named as not looked at", async () => {
    const state = await scene.stateFile();
    const content = JSON.parse(readFileSync(state, "utf8"));
    const type = "nomad:index/aclPolicy:AclPolicy";
    content.deployment.resources.push({ urn: `urn:pulumi:dev::p::${type}::theirs`, type, id: "theirs", inputs: { name: "theirs" } });
    writeFileSync(state, JSON.stringify(content));
    expect((await drift(state)).out).toMatch(/^Not looked at: .*AclPolicy "theirs" of @pulumi\/nomad$/m);
  });

  it("are found although others of their kind could not be read", async () => {
    const second = simulator.pools.put({ organization: simulator.organization, name: "second" });
    const state = await scene.stateFile();
    const [first] = simulator.pools.list();
    simulator.pools.addAgentToken(first?.id ?? "", "for agents");
    const management = { AuthMethod: "sso", BindType: "management", BindName: "" };
    byHand(management);
    const hidden = byHand({ ...management, Description: "hidden" });
    const fault = { kind: "status", status: 403 } as const;
    simulator.faults.add({ path: `/v1/acl/binding-rule/${hidden.ID}`, times: 99, fault });
    simulator.faults.add({ path: `/api/v2/agent-pools/${second.id}/authentication-tokens`, times: 99, fault });
    const { status, out, err } = await drift(state);
    expect([status, out]).toEqual([3, expect.stringContaining('AclBindingRule "by hand"')]);
    expect(out).toContain('AgentToken "for agents"');
    for (const kind of ["AclBindingRule", "AgentToken"])
      expect(err).toContain(`incomplete: ${kind}: Unmanaged objects may be missing: 1 of 2`);
  });

  it("may be missing from the lists of a client token, and a gap says so", async () => {
    const state = await scene.stateFile();
    simulator.clusterTokens.add({ token: "of dev", type: "client", roles: ["dev"] });
    scene.configure({ clusterToken: "of dev" });
    const { status, err } = await drift(state, "--unmanaged");
    expect(status).toBe(4);
    for (const kind of ["AclRole", "AclPolicy"])
      expect(err).toContain(`incomplete: ${kind}: Unmanaged objects may be missing: a client token`);
  });

  it("of an unknown bind type are not called management", async () => {
    const state = await scene.stateFile();
    byHand({ AuthMethod: "sso", BindType: "superuser" });
    const { out } = await drift(state);
    expect(out).toContain('gives a grant that this version does not know (bindType "superuser") to every login of "sso"');
  });
});

it("calls a secret of a kind without hashes not compared", async () => {
  const state = await scene.stateFile((kind) => (kind === "AgentPool" ? { name: secret } : {}));
  const { status, err } = await drift(state);
  expect([status, err]).toEqual([
    4,
    expect.stringMatching(/^incomplete: AgentPool: .*name is a secret in the state, and could not be compared/m),
  ]);
});

it("has a gap for a secret whose state has no hash, because an update found a difference that it did not send", async () => {
  const state = await scene.stateFile((kind) => (kind === "AclPolicy" ? { rules: secret, hash: undefined } : {}));
  const { status, err } = await drift(state);
  expect([status, err]).toEqual([4, expect.stringMatching(/^incomplete: AclPolicy: .*rules is a secret in the state, and could not be/m)]);
});

it("reports a secret that may have changed, by the hash, without showing it", async () => {
  const state = await scene.stateFile();
  const method = simulator.cluster.methods.get("sso");
  simulator.cluster.methods.put({ ...method, Name: "sso", Config: { ...method?.Config, OIDCClientSecret: "hunter3" } });
  const { status, out } = await scene.command("drift", "--state", state, "--json");
  expect(status).toBe(3);
  expect(JSON.parse(out).drift).toMatchObject([{ name: "sso", change: "changed", properties: [{ path: "config.oidcClientSecret" }] }]);
  expect(out).not.toContain("hunter");
});

it.each([["AclAuthMethod"], ["AclPolicy"]])("does not show the secret name of an %s, which is also its ID", async (kind) => {
  const state = await scene.stateFile((one) => (one === kind ? { name: secret } : {}));
  const [methods, policies] = [simulator.cluster.methods, simulator.cluster.policies];
  if (kind === "AclPolicy") policies.put({ ...policies.get("read"), Name: "read", Description: "changed" });
  else methods.put({ ...methods.get("sso"), Name: "sso", MaxTokenTTL: "3h" });
  const name = kind === "AclPolicy" ? "read" : "sso";
  for (const more of [[], ["--json"]]) {
    const { status, out } = await scene.command("drift", "--state", state, ...more);
    expect([status, out]).toEqual([3, expect.stringMatching(kind)]);
    expect(out).not.toMatch(new RegExp(`\\(${name}\\)|"id": "${name}"`));
    expect(out).toContain(`urn:${name}`);
  }
  (kind === "AclPolicy" ? policies : methods).delete(name);
  for (const more of [[], ["--json"]]) {
    const { out, err } = await scene.command("drift", "--state", state, ...more);
    expect(out + err).toMatch(new RegExp(`${kind} urn:${name} has a secret as its name: .* The server does not show the object`));
    expect(out + err).not.toMatch(new RegExp(`${kind} ${name} `));
  }
});

it("does not show secret names in the differences of objects that refer to them by hand", async () => {
  const { roles, rules } = simulator.cluster;
  const [[role], [rule]] = [roles.list(), rules.list()];
  roles.put({ ...role, Name: "dev", Policies: [{ Name: "none" }] });
  rules.put({ ...rule, BindName: "other" });
  const state = await scene.stateFile((kind) => (kind === "AclRole" || kind === "AclPolicy" ? { name: secret } : {}));
  roles.put({ ...role, Name: "dev", Policies: [{ Name: "read" }] });
  rules.put({ ...rule, BindName: "dev" });
  const { out } = await drift(state);
  expect(out).toContain('policies: ["none"] -> ["[secret]"]');
  expect(out).toContain('bindName: "other" -> "[secret]"');
  expect((await drift(state, "--json")).out).not.toMatch(/"(read|dev)"/);
});

it("reports a secret that may have changed together with another property", async () => {
  const state = await scene.stateFile();
  const method = simulator.cluster.methods.get("sso");
  const config = { ...method?.Config, OIDCClientSecret: "hunter3", BoundAudiences: ["other"] };
  simulator.cluster.methods.put({ ...method, Name: "sso", Config: config });
  const { out } = await scene.command("drift", "--state", state, "--json");
  const paths = JSON.parse(out).drift.flatMap(({ properties }: { properties: { path: string }[] }) => properties.map(({ path }) => path));
  expect(paths).toEqual(["config.boundAudiences", "config.oidcClientSecret"]);
  expect(out).not.toContain("hunter");
});

it("says which objects that the state names, and which regions, it does not look at", async () => {
  const { cluster } = simulator;
  cluster.rules.put({ AuthMethod: "sso", Selector: "x in list.b", BindType: "role", BindName: `dev-\${value.team}` });
  cluster.rules.put({ AuthMethod: "theirs", Selector: "", BindType: "policy", BindName: "foreign" });
  cluster.roles.put({ Name: "ops", Policies: [{ Name: "read" }, { Name: "foreign" }] });
  const state = await scene.stateFile();
  const named = 'auth method "theirs", policy "foreign"';
  expect(await scene.command("drift", "--state", state)).toMatchObject({
    status: 0,
    out: expect.stringContaining(`Not looked at: ${named}\n`),
  });
  scene.configure({ clusterRegion: "global" });
  const { out } = await scene.command("drift", "--state", state, "--json");
  expect(JSON.parse(out).notLookedAt).toEqual([
    'auth method "theirs"',
    'policy "foreign"',
    'regions other than "global", which have tokens of their own',
  ]);
});

it("does not look at a token that is only in another region, and finds out that other objects and tokens are gone", async () => {
  scene.configure({ clusterRegion: "global" });
  const { cluster } = simulator;
  const tokens = [false, true].map((Global) => cluster.tokens.put({ Name: Global ? "global" : "local", Global }));
  const state = await scene.stateFile();
  const content = JSON.parse(readFileSync(state, "utf8"));
  for (const { ID } of cluster.roles.list()) cluster.roles.delete(ID);
  for (const { AccessorID } of tokens) cluster.tokens.delete(AccessorID);
  const at = async (region: string) => {
    const resources = content.deployment.resources.map(({ outputs, ...one }: { outputs: { server?: string } }) => {
      return { ...one, outputs: { ...outputs, server: outputs.server?.replace(" region global", region) } };
    });
    writeFileSync(state, JSON.stringify({ deployment: { resources } }));
    const { out } = await drift(state);
    return [out.match(/\w+ "\w+" of another region/g), out.match(/^\w+ "\w+"(?=.*: deleted)/gm)];
  };
  const gone = ['AclRole "dev"', 'AclToken "global"'];
  expect(await at(" region west")).toEqual([['AclToken "local" of another region'], gone]);
  for (const region of ["", " region global"]) expect(await at(region)).toEqual([null, [...gone, 'AclToken "local"']]);
});

it("says of which objects the names are secret, and not looked at", async () => {
  const state = await scene.stateFile((kind) => (kind === "AclRole" ? { policies: secret } : {}));
  expect((await drift(state)).out).toContain('Not looked at: the secret policies of AclRole "dev"\n');
  simulator.cluster.rules.put({ AuthMethod: "sso", Selector: "", BindType: "role", BindName: "foreign", Description: "r" });
  const ofRule = await scene.stateFile((kind) => (kind === "AclBindingRule" ? { bindType: secret } : {}));
  expect((await drift(ofRule)).out).toContain('the secret bindType of AclBindingRule "r"');
});

it("names a change that only the hash shows, as of a secret that the state lacks or a property of a newer server", async () => {
  const state = await scene.stateFile();
  const content = JSON.parse(readFileSync(state, "utf8"));
  for (const { outputs } of content.deployment.resources) delete outputs.config?.oidcClientSecret;
  writeFileSync(state, JSON.stringify(content));
  const method = simulator.cluster.methods.get("sso");
  simulator.cluster.methods.put({ ...method, Name: "sso", Config: { ...method?.Config, OIDCClientSecret: "hunter3" } });
  const { status, out } = await drift(state);
  expect([status, out]).toEqual([
    0,
    'Not looked at: a change of AclAuthMethod "sso" that only its hash shows\n5 objects in the state, 0 with drift; 0 unmanaged objects touch them',
  ]);
});

it("names the lists of pools that the program does not manage and others have filled", async () => {
  const { pools, organization } = simulator;
  const { id } = pools.put({
    organization,
    name: "limited",
    organizationScoped: false,
    allowedProjectIds: ["prj-1"],
    excludedWorkspaceIds: [],
  });
  const unmanaged = { allowedWorkspaceIds: undefined, allowedProjectIds: undefined, excludedWorkspaceIds: undefined };
  const state = await scene.stateFile((kind) => (kind === "AgentPool" ? unmanaged : {}));
  const { status, out } = await drift(state);
  expect([status, out]).toEqual([
    0,
    'Not looked at: allowedProjectIds of AgentPool "limited"\n6 objects in the state, 0 with drift; 0 unmanaged objects touch them',
  ]);
  expect(simulator.journal.entries.some(({ path }) => path === `/api/v2/agent-pools/${id}`)).toBe(false);
});

it("names the pool of an agent token that the state lacks, but no deleted pool", async () => {
  const { pools } = simulator;
  const [pool] = pools.list();
  pools.addAgentToken(pool?.id ?? "", "ours");
  const state = await scene.stateFile();
  const content = JSON.parse(readFileSync(state, "utf8"));
  const resources = content.deployment.resources.filter(({ id }: { id: string }) => id !== pool?.id);
  const foreign = join(scene.folder, "foreign.json");
  writeFileSync(foreign, JSON.stringify({ deployment: { resources } }));
  expect((await drift(foreign)).out).toContain(`Not looked at: agent pool "${pool?.id}"\n`);
  pools.delete(pool?.id ?? "");
  expect((await drift(state)).out).not.toContain("Not looked at");
});

it("names an object whose delete is pending, until the server has it no more", async () => {
  const state = await scene.stateFile();
  const content = JSON.parse(readFileSync(state, "utf8"));
  const pending = content.deployment.resources.find(({ type }: { type: string }) => type.endsWith("AclBindingRule"));
  pending.delete = true;
  writeFileSync(state, JSON.stringify(content));
  const found = await scene.command("drift", "--state", state);
  const rule = `AclBindingRule "devs" (${pending.id})`;
  expect([found.status, found.out]).toEqual([3, expect.stringContaining(`${rule}: still on the server, although no resource`)]);
  expect(found.out).toContain("1 with drift; 0 unmanaged");
  simulator.cluster.rules.delete(pending.id);
  expect((await scene.command("drift", "--state", state)).status).toBe(0);
});
