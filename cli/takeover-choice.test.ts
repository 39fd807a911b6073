/** Which objects `import` takes over, what it says of them, and what is to do after it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot, packageVersion } from "../provider/context/package";
import { type CommandScene, commandScene, runCommand, seedOne, takeOver } from "../test/support/commands";

let scene: CommandScene;

beforeEach(async () => {
  scene = await commandScene();
  seedOne(scene.simulator);
  const { cluster } = scene.simulator;
  cluster.rules.put({ AuthMethod: "sso", Selector: "b in list.b", BindType: "role", BindName: "gone", Description: "" });
  cluster.roles.put({ Name: "unused", Policies: [{ Name: "read" }] });
  cluster.methods.put({ Name: "ci", Type: "JWT", Config: { JWKSURL: "https://ci.example.com" } });
  cluster.rules.put({ AuthMethod: "ci", Selector: "x", BindType: "role", BindName: "dev", Description: "of ci" });
  cluster.rules.put({ AuthMethod: "nobody", Selector: "x", BindType: "management", Description: "of nobody" });
});

afterEach(() => scene.stop());

const configuration = () => {
  const { poolsAddress, poolsToken, organization, clusterAddress, clusterToken } = scene.simulator;
  return { poolsAddress, poolsToken, organization, clusterAddress, clusterToken };
};
const imported = (...args: string[]) => takeOver(configuration(), ...args);
const countOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length;

test("the rules of a method come along with it, and a method's rules that are not asked for do not", async () => {
  const { files, out } = await imported("--match", "sso");
  const program = files["index.ts"] ?? "";
  expect(countOf(program, /new AclBindingRule/g)).toBe(2);
  expect(program).toContain("authMethod: sso.name,");
  expect(program).toContain('description: "devs",');
  expect(out).toMatch(/3 of 9 objects are written to .*; left out: 6 of other names/);
  const others = await imported("--match", "dev");
  expect(others.files["index.ts"]).not.toContain("new AclBindingRule");
});

test("--rules-by-name chooses rules by their own names alone, and --exclude leaves rules out as before", async () => {
  expect((await imported("--match", "sso", "--rules-by-name")).files["index.ts"]).not.toContain("new AclBindingRule");
  const { files } = await imported("--match", "sso", "--exclude", "devs");
  expect(countOf(files["index.ts"] ?? "", /new AclBindingRule/g)).toBe(1);
});

test("a rule comes along only where its method is taken over: a kind that is not asked for has no matches", async () => {
  const { status, err } = await imported("--only", "AclBindingRule", "--match", "sso");
  expect([status, err]).toEqual([1, expect.stringContaining("There is nothing to take over; left out: 4 of other names")]);
});

test("what --match leaves out is not listed as odd, and what it takes is", async () => {
  const all = await imported();
  expect(all.out).toContain('unreferenced: no rule names the role "unused"');
  expect(all.out).toContain('orphan: rule "of nobody"');
  const { out } = await imported("--match", "sso", "--match", "dev");
  expect(out).not.toMatch(/unused|nobody/);
  // The rule of ci that gives it is left out, and is known nevertheless.
  const dev = await imported("--match", "dev");
  expect(dev.out).not.toContain("unreferenced");
  expect(out).toContain('orphan: rule of "sso" that gives the role "gone" (');
});

test("a rule without a description is titled by what it gives", async () => {
  const [rule] = scene.simulator.cluster.rules.list().filter(({ BindName }) => BindName === "gone");
  expect((await imported()).out).toContain(
    `orphan: rule of "sso" that gives the role "gone" (${rule?.ID}) gives the role "gone", which does not exist: it gives nothing`,
  );
});

test.each([
  [
    "typescript",
    [],
    `npm install FOLDER/pulumi-agentpool-acl-${packageVersion}.tgz && pulumi stack init dev && pulumi import --file import.json --protect=false --generate-code=false && pulumi preview    # shows no change`,
  ],
  [
    "python",
    [],
    "pulumi install && pulumi stack init dev && pulumi import --file import.json --protect=false --generate-code=false && pulumi preview    # shows no change",
  ],
  [
    "yaml",
    ["--with-import-options"],
    "pulumi install && pulumi stack init dev && pulumi up    # imports; where the program differs by then, the same update changes the object",
  ],
  [
    "typescript",
    ["--with-secrets", "--dynamic"],
    `npm install FOLDER/pulumi-agentpool-acl-${packageVersion}.tgz && pulumi stack init dev && pulumi config set --secret ssoClientSecret && pulumi up    # shows creates, which adopt what exists and write only those secrets`,
  ],
] as const)("the last line is the whole sequence from here: %s %j", async (language, args, sequence) => {
  const { out } = await imported("--language", language, ...args);
  expect(out.split("\n").at(-1)).toMatch(/^cd \S+ && /);
  expect(
    out
      .split("\n")
      .at(-1)
      ?.replace(/^cd \S+ && /, ""),
  ).toBe(sequence);
});

test("a folder whose name a shell would read otherwise is quoted", async () => {
  const { out } = await scene.command("import", "--output", join(scene.folder, "it's $HOME"));
  expect(out.split("\n").at(-1)).toContain(`cd '${scene.folder}/it'\\''s $HOME' && `);
});

test("the versions that it writes equal the examples'", async () => {
  const example = (path: string) => readFileSync(join(packageRoot, "examples", path), "utf8");
  const { dependencies, devDependencies } = JSON.parse(example("platform/package.json"));
  const { files } = await imported();
  expect(JSON.parse(files["package.json"] ?? "")).toMatchObject({ dependencies, devDependencies });
  expect(JSON.parse(files["tsconfig.json"] ?? "")).toEqual(JSON.parse(example("platform/tsconfig.json")));
  expect((await imported("--language", "python")).files["requirements.txt"]).toBe(example("python/requirements.txt"));
  const versionsIn = (text = "") => text.split("\n").filter((line) => /^go |^require /.test(line));
  expect(versionsIn((await imported("--language", "go")).files["go.mod"])).toEqual(versionsIn(example("go/go.mod")));
});

test("exports without pools compare without a word on pools, and are complete", async () => {
  const { poolsAddress, poolsToken, organization, faults } = scene.simulator;
  const [before, after] = [join(scene.folder, "before.json"), join(scene.folder, "after.json")];
  scene.configure({ poolsAddress: undefined, poolsToken: undefined, organization: undefined });
  expect((await scene.command("export", "--output", before)).status).toBe(0);
  scene.configure({ poolsAddress, poolsToken, organization });
  faults.add({ path: /agent-pools/, times: 9, fault: { kind: "status", status: 403, body: "no" } });
  expect((await scene.command("export", "--output", after)).status).toBe(4);
  expect(JSON.parse(readFileSync(after, "utf8")).incomplete).toEqual([expect.objectContaining({ kind: "AgentPool" })]);
  for (const [one, other] of [
    [before, after],
    [after, before],
  ] as const) {
    const { status, out, err } = await runCommand("diff", "--before", one, "--after", other);
    expect([status, err]).toEqual([0, ""]);
    expect(out).toContain("Logins get what they got before.");
  }
});
