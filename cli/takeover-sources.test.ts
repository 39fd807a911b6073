/** What an import reads: a stack by the Pulumi CLI, and what tokens that may not read everything get. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type CommandScene, commandScene, runCommand, seedOne } from "../test/support/commands";
import { configurationOf } from "../test/support/session";
import { posixTest } from "../test/support/systems";
import type { Simulator } from "../testing/simulator";

let scene: CommandScene;
let simulator: Simulator;
let out: string;
const path = process.env.PATH;

beforeEach(async () => {
  scene = await commandScene();
  ({ simulator } = scene);
  seedOne(simulator);
  out = join(scene.folder, "out");
});

afterEach(() => {
  process.env.PATH = path;
  return scene.stop();
});

const program = () => readFileSync(join(out, "index.ts"), "utf8");

/** Puts a `pulumi` on PATH that knows one stack, with a configuration, and notes how it is called. */
function installPulumi(configuration: Readonly<Record<string, string>>): () => string[] {
  const bin = join(scene.folder, "bin");
  mkdirSync(bin);
  const all = Object.entries(configuration).map(([key, value]) => [`agentpool-acl:${key}`, { value, secret: key.endsWith("Token") }]);
  writeFileSync(
    join(scene.folder, "stack.json"),
    JSON.stringify(Object.fromEntries([...all, ["other:key", { value: "x", secret: false }]])),
  );
  writeFileSync(
    join(bin, "pulumi"),
    `#!${process.execPath}
const { appendFileSync, readFileSync } = require("node:fs");
const folder = ${JSON.stringify(scene.folder)};
const args = process.argv.slice(2);
appendFileSync(folder + "/calls", [process.cwd(), ...args].join(" ") + "\\n");
process.stdout.write(readFileSync(folder + (args[0] === "config" ? "/stack.json" : "/state.json")));
`,
  );
  chmodSync(join(bin, "pulumi"), 0o755);
  process.env.PATH = [bin, path].join(delimiter);
  return () => readFileSync(join(scene.folder, "calls"), "utf8").trim().split("\n");
}

posixTest("what a stack manages is left out, by its state and its configuration, without any other configuration", async () => {
  await scene.stateFile();
  simulator.cluster.roles.put({ Name: "ops", Policies: [{ Name: "read" }] });
  const calls = installPulumi(configurationOf(simulator));
  const { status, out: said } = await runCommand("import", "--output", out, "--stack", "dev", "--cwd", scene.folder);
  expect([status, said]).toEqual([0, expect.stringContaining(`1 of 5 objects are written to ${out}; left out: 4 managed by stack "dev"`)]);
  expect(program().match(/new \w+/g)).toEqual(["new AclRole"]);
  // What the program's own stack has is not elsewhere.
  expect(said).not.toContain("elsewhere");
  expect(calls()).toEqual([
    `${scene.folder} stack export --stack dev --non-interactive`,
    `${scene.folder} config --json --show-secrets --stack dev --non-interactive`,
  ]);
});

test("without a Pulumi CLI, the error for --stack says what else can be given", async () => {
  process.env.PATH = "";
  const { status, err } = await scene.command("import", "--output", out, "--stack", "dev");
  expect([status, err]).toEqual([1, expect.stringMatching(/^The Pulumi CLI is not on PATH\. .*--state FILE/)]);
});

test("the error for a folder of a stack that does not exist, or is a file, names it", async () => {
  const file = join(scene.folder, "Pulumi.yaml");
  writeFileSync(file, "name: trial\n");
  for (const cwd of [join(scene.folder, "nowhere"), file]) {
    const { status, err } = await scene.command("import", "--output", out, "--stack", "dev", "--cwd", cwd);
    expect([status, err]).toEqual([1, `${cwd} does not exist, or is no folder: give the folder of the stack's project (--cwd DIR).`]);
  }
});

test("a token of the cluster without a right to binding rules gets the other kinds, and the report names what lacks", async () => {
  simulator.clusterTokens.add({ token: "of dev", type: "client", roles: ["dev"] });
  scene.configure({ clusterToken: "of dev" });
  const { status, out: said, err } = await scene.command("import", "--output", out);
  expect(status).toBe(4);
  expect(said).toContain(`objects are written to ${out}`);
  expect(program()).toContain("new AclRole");
  expect(err).toMatch(/^incomplete: AclBindingRule: .*403/m);
  expect(err).toMatch(/^incomplete: AclRole: Roles may be missing/m);
  expect(simulator.journal.entries.every(({ method }) => method === "GET")).toBe(true);
});

test("a token of one organization gets its pools, and the report names the other organization", async () => {
  const { organization, pools } = simulator;
  pools.addOrganization("other-org");
  pools.put({ organization: "other-org", name: "theirs" });
  simulator.poolsTokens.add({ token: "of-one", organizations: [organization] });
  scene.configure({ poolsToken: "of-one" });
  const { status, err } = await scene.command("import", "--output", out, "--organization", organization, "--organization", "other-org");
  expect([status, err]).toEqual([4, expect.stringMatching(/^incomplete: AgentPool of other-org: .*404/)]);
  expect(program().match(/new AgentPool\("\w+"/g)).toEqual(['new AgentPool("build"']);
});

test("tokens that may read nothing are an error that names every kind, and nothing is written", async () => {
  simulator.clusterTokens.add({ token: "of-nobody", type: "client" });
  scene.configure({ poolsToken: "unknown", clusterToken: "of-nobody" });
  const { status, err } = await scene.command("import", "--output", out);
  expect([status, err]).toEqual([1, expect.stringContaining("There is nothing to take over. Nothing was written.")]);
  for (const kind of ["AgentPool of \\S+: .*401", "AclAuthMethod: .*403", "AclRole: .*403", "AclBindingRule: .*403"])
    expect(err).toMatch(new RegExp(`^incomplete: ${kind}`, "m"));
  expect(() => program()).toThrow("ENOENT");
});

test("a folder with any file is not written to, and its file stays", async () => {
  mkdirSync(out);
  writeFileSync(join(out, "index.ts"), "mine");
  const { status, err } = await scene.command("import", "--output", out);
  expect([status, err]).toEqual([
    1,
    `${out} is not empty, and nothing was written. Give another folder, or --force to write over its files.`,
  ]);
  expect(program()).toBe("mine");
  expect((await scene.command("import", "--output", out, "--force")).status).toBe(0);
  expect(program()).toContain("new AclRole");
});
