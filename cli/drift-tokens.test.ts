/** The command that compares a state with the servers: the tokens of the cluster. */
import { type CommandScene, commandScene, seedOne } from "../test/support/commands";
import type { Simulator } from "../testing/simulator";

let scene: CommandScene;
let simulator: Simulator;

beforeEach(async () => {
  scene = await commandScene();
  ({ simulator } = scene);
  seedOne(simulator);
});

afterEach(() => scene.stop());

it.each([
  ["the rest is equal", []],
  ["another role was taken away", ["ops"]],
])("shows the IDs of a token's roles if others have made a role anew under its name, and %s", async (_, more) => {
  const { cluster } = simulator;
  const [dev] = cluster.roles.list();
  const others = more.map((Name) => cluster.roles.put({ Name, Policies: [] }).ID);
  const { AccessorID } = cluster.tokens.put({ Name: "ci", Roles: [dev?.ID ?? "", ...others].map((ID) => ({ ID })) });
  const state = await scene.stateFile();
  cluster.roles.delete(dev?.ID ?? "");
  const theirs = cluster.roles.put({ Name: "dev", Policies: [{ Name: "admins" }] });
  cluster.tokens.put({ AccessorID, Roles: [{ ID: theirs.ID }] });
  const { status, out } = await scene.command("drift", "--state", state);
  expect([status, out]).toEqual([
    3,
    expect.stringContaining(`changed\n    roles: ${JSON.stringify([dev?.ID, ...others])} -> ["${theirs.ID}"]\n`),
  ]);
  expect(out).not.toContain("only its hash");
});

it("shows the IDs of a token's roles if its text is the name of a role that it did not have", async () => {
  const { cluster } = simulator;
  const [dev] = cluster.roles.list();
  const theirs = cluster.roles.put({ Name: "ops", Policies: [{ Name: "admins" }] });
  const { AccessorID } = cluster.tokens.put({ Name: "ci", Roles: [{ ID: dev?.ID ?? "" }] });
  // The program gave the role by its old name, "ops", and an update of another property has kept it.
  const state = await scene.stateFile((kind) => (kind === "AclToken" ? { roles: ["ops"] } : {}));
  cluster.tokens.put({ AccessorID, Roles: [{ ID: theirs.ID }] });
  const { status, out } = await scene.command("drift", "--state", state);
  expect([status, out]).toEqual([3, expect.stringContaining(`changed\n    roles: ["${dev?.ID}"] -> ["${theirs.ID}"]\n`)]);
});

it("lists tokens with the lifetime of login tokens that no login by the stack's auth methods could give", async () => {
  const { cluster } = simulator;
  cluster.methods.put({ ...cluster.methods.get("sso"), Name: "sso", MaxTokenTTL: "8h0m0s" });
  cluster.methods.put({ Name: "short", Type: "JWT", MaxTokenTTL: "1h0m0s", Config: { JWKSURL: "https://b.example.com" } });
  cluster.rules.put({ AuthMethod: "sso", BindType: "policy", BindName: `team-\${value.team}` });
  cluster.rules.put({ AuthMethod: "short", BindType: "management" });
  cluster.methods.put({ Name: "other", Type: "JWT", MaxTokenTTL: "8h0m0s", Config: { JWKSURL: "https://b.example.com" } });
  cluster.rules.put({ AuthMethod: "other", BindType: "policy", BindName: "others" });
  const state = await scene.stateFile();
  const byHand = cluster.rules.put({ AuthMethod: "sso", BindType: "role", BindName: "ops", Description: "by hand" });
  const [CreateTime, ExpirationTime] = ["2030-01-01T00:00:00Z", "2030-01-01T08:00:00Z"];
  const put = (Name: string, given: object) => cluster.tokens.put({ Name, CreateTime, ExpirationTime, ...given });
  put("possible", { Policies: ["team-x"], Roles: [{ ID: cluster.roles.list()[0]?.ID ?? "" }] });
  put("by a rule by hand", { Roles: [{ ID: cluster.roles.put({ Name: "ops", Policies: [] }).ID }] });
  put("of the other method", { Type: "management", ExpirationTime: "2030-01-01T01:00:00Z" });
  put("all", { Type: "management" });
  put("of two methods", { Policies: ["team-x", "others"] });
  put("too much", { Policies: ["team-x", "read"] });
  put("in all regions", { Policies: ["team-x"], Global: true });
  put("as a role", { Roles: [{ ID: cluster.roles.put({ Name: "team-x", Policies: [{ Name: "read" }] }).ID }] });
  const { out } = await scene.command("drift", "--state", state, "--unmanaged");
  const listed = ["all", "as a role", "in all regions", "of two methods", "too much"].map((name) => `AclToken "${name}"`);
  expect(out.match(/^AclToken "[^"]*"/gm)?.sort()).toEqual(listed);
  expect(out).toMatch(/^Not listed: .* \(3\)$/m);
  const reads = simulator.journal.entries.filter(({ path }) => path === "/v1/acl/binding-rules" || path.endsWith(byHand.ID));
  expect(reads).toHaveLength(2);
});

it("lists policies made by hand that everybody has, or the tasks of jobs that holders of the stack's policies may submit", async () => {
  const { cluster } = simulator;
  const write = (namespace: string) => `namespace "${namespace}" { policy = "write" }`;
  cluster.policies.put({ Name: "deploy", Rules: write("default") });
  const state = await scene.stateFile();
  const job = (Namespace: string) => ({ JobACL: { Namespace, JobID: "", Group: "", Task: "" } });
  cluster.policies.put({ Name: "of jobs", Rules: 'operator { policy = "write" }', ...job("default") });
  cluster.policies.put({ Name: "of others", Rules: 'operator { policy = "write" }', ...job("other") });
  cluster.policies.put({ Name: "anonymous", Rules: 'agent { policy = "read" }' });
  cluster.policies.put({ Name: "alone", Rules: write("default") });
  const { status, out } = await scene.command("drift", "--state", state, "--fail-on", "unmanaged");
  expect([status, out.match(/^AclPolicy .*$/gm)]).toEqual([
    3,
    [
      'AclPolicy "anonymous": not in the state; everybody has it, without a token',
      'AclPolicy "of jobs": not in the state; tasks of jobs in the namespace "default" have it and it may equal management',
    ],
  ]);
});

it("lists policies made by hand for tasks that have a policy of the stack", async () => {
  const { cluster } = simulator;
  const put = (Name: string, Namespace: string, JobID = "", Group = "") =>
    cluster.policies.put({ Name, Rules: 'operator { policy = "write" }', JobACL: { Namespace, JobID, Group, Task: "" } });
  put("web", "prod", "web");
  const state = await scene.stateFile();
  put("same job", "prod", "web");
  put("all jobs", "prod");
  put("a group", "prod", "web", "front");
  put("another job", "prod", "api");
  put("another namespace", "dev", "web");
  const { out } = await scene.command("drift", "--state", state);
  const listed = ["a group", "all jobs", "same job"].map(
    (name) => `AclPolicy "${name}": not in the state; tasks with a policy of the state have it and it may equal management`,
  );
  expect(out.match(/^AclPolicy .*$/gm)).toEqual(listed);
});

it("says that a policy may equal management if it lets holders submit a job whose tasks have a policy of the stack that does", async () => {
  const job = { Namespace: "prod", JobID: "ops", Group: "", Task: "" };
  simulator.cluster.policies.put({ Name: "ops", Rules: 'operator { policy = "write" }', JobACL: job });
  const state = await scene.stateFile();
  const linesWith = async (namespace: string) => {
    simulator.cluster.policies.put({ Name: "anonymous", Rules: `namespace "${namespace}" { policy = "write" }` });
    return (await scene.command("drift", "--state", state)).out.match(/^AclPolicy .*$/gm);
  };
  const line = 'AclPolicy "anonymous": not in the state; everybody has it, without a token';
  expect([await linesWith("dev"), await linesWith("prod")]).toEqual([[line], [`${line} and it may equal management`]]);
});

it.each(["submit-job", "alloc-exec"])(
  "counts running commands as tasks by %s, for holders of the stack's policies and of others",
  async (ask) => {
    const { cluster } = simulator;
    const runs = (namespace: string) => `namespace "${namespace}" { capabilities = ["${ask}"] }`;
    const put = (Name: string, Namespace: string) =>
      cluster.policies.put({ Name, Rules: 'operator { policy = "write" }', JobACL: { Namespace, JobID: "web", Group: "", Task: "" } });
    put("web", "prod");
    cluster.policies.put({ Name: "debuggers", Rules: runs("dev") });
    const first = { Namespace: "first", JobID: "web", Group: "", Task: "" };
    cluster.policies.put({ Name: "web in web", Rules: runs("prod"), JobACL: first });
    const state = await scene.stateFile();
    put("of jobs", "dev");
    cluster.policies.put({ Name: "by hand", Rules: runs("prod") });
    cluster.policies.put({ Name: "by two jobs", Rules: runs("first") });
    cluster.policies.put({ Name: "of others", Rules: `${runs("test")} namespace "prod" { capabilities = ["read-job"] }` });
    const { status, out } = await scene.command("drift", "--state", state, "--fail-on", "unmanaged");
    expect([status, out.match(/^AclPolicy .*$/gm)]).toEqual([
      3,
      [
        'AclPolicy "by hand": not in the state; by a job with a policy of the state, it may equal management',
        'AclPolicy "by two jobs": not in the state; by a job with a policy of the state, it may equal management',
        'AclPolicy "of jobs": not in the state; tasks of jobs in the namespace "dev" have it and it may equal management',
      ],
    ]);
  },
);

it("lists a token made by hand of a role that has taken the name of one of the stack's roles", async () => {
  const { cluster } = simulator;
  const state = await scene.stateFile();
  cluster.roles.delete(cluster.roles.list()[0]?.ID ?? "");
  const theirs = cluster.roles.put({ Name: "dev", Policies: [{ Name: "admins" }] });
  cluster.tokens.put({ Name: "by hand", Roles: [{ ID: theirs.ID }] });
  const { out } = await scene.command("drift", "--state", state);
  expect(out).toMatch(/^AclToken "by hand" .*: not in the state; gives the role "dev"$/m);
});

it("takes an empty part of a jobAcl as missing: the stack's policy is for all jobs", async () => {
  const put = (Name: string, JobID: string) =>
    simulator.cluster.policies.put({ Name, Rules: 'node { policy = "write" }', JobACL: { Namespace: "prod", JobID, Group: "", Task: "" } });
  put("stack's", "");
  const state = await scene.stateFile((kind) => (kind === "AclPolicy" ? { jobAcl: { namespace: "prod", jobId: "" } } : {}));
  put("by hand", "web");
  const { out } = await scene.command("drift", "--state", state);
  expect(out).toContain('AclPolicy "by hand": not in the state; tasks with a policy of the state have it');
});

it.each(["is secret in the state", "was changed by hand"])(
  "lists policies made by hand for tasks of the stack's job, if it %s",
  async (how) => {
    const { cluster } = simulator;
    const put = (Name: string, JobID: string) =>
      cluster.policies.put({ Name, Rules: 'node { policy = "write" }', JobACL: { Namespace: "prod", JobID, Group: "", Task: "" } });
    put("web", "web");
    const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:abc" };
    const isSecret = how === "is secret in the state";
    const state = await scene.stateFile((kind) => (isSecret && kind === "AclPolicy" ? { jobAcl: secret } : {}));
    if (!isSecret) put("web", "api");
    put("by hand", isSecret ? "web" : "api");
    const { out } = await scene.command("drift", "--state", state);
    expect(out.match(/^AclPolicy "by hand.*$/gm)).toEqual([
      'AclPolicy "by hand": not in the state; tasks with a policy of the state have it',
    ]);
  },
);

it("lists a policy of jobs that holders of a policy may submit because others have changed its rules", async () => {
  const { cluster } = simulator;
  cluster.policies.put({ Name: "read", Rules: 'namespace "default" { policy = "read" }' });
  const state = await scene.stateFile();
  cluster.policies.put({ Name: "read", Rules: 'namespace "default" { policy = "write" }' });
  cluster.policies.put({
    Name: "of jobs",
    Rules: 'operator { policy = "write" }',
    JobACL: { Namespace: "default", JobID: "", Group: "", Task: "" },
  });
  const { out } = await scene.command("drift", "--state", state);
  expect(out).toMatch(/^AclPolicy "of jobs": not in the state; tasks of jobs/m);
});

it("lists the policy that everybody has, also for a stack without policies", async () => {
  const { cluster } = simulator;
  cluster.policies.delete("read");
  for (const { ID } of cluster.roles.list()) cluster.roles.delete(ID);
  for (const { Name } of cluster.methods.list()) cluster.methods.delete(Name);
  cluster.tokens.put({ Name: "ci", Policies: ["of-others"] });
  const state = await scene.stateFile();
  simulator.cluster.policies.put({ Name: "anonymous", Rules: 'namespace "*" { policy = "write" }' });
  const { status, out } = await scene.command("drift", "--state", state, "--fail-on", "unmanaged");
  const line = 'AclPolicy "anonymous": not in the state; everybody has it, without a token';
  const rights = "    namespace *: submit jobs, run commands in tasks, dispatch jobs, create host volumes, ";
  expect([status, out]).toEqual([3, expect.stringContaining(`${line}\n${rights}`)]);
});
