/** The sources of `import`, its choice of objects, and its messages. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { packageRoot, packageVersion } from "../provider/configuration/package";
import { type CommandScene, commandScene, runCommand, runImport, seedOne } from "../test/support/commands";
import { configurationOf } from "../test/support/session";
import { posixTest } from "../test/support/systems";
import type { Simulator } from "../testing/simulator";

describe("the sources", () => {
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

  /** Puts a `pulumi` on PATH that has one stack with a configuration, and records its calls. */
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

  posixTest("objects of a stack are left out, with its state and configuration alone", async () => {
    await scene.stateFile();
    simulator.cluster.roles.put({ Name: "ops", Policies: [{ Name: "read" }] });
    const calls = installPulumi(configurationOf(simulator));
    const { status, out: said } = await runCommand("import", "--output", out, "--stack", "dev", "--cwd", scene.folder);
    expect([status, said]).toEqual([
      0,
      expect.stringContaining(`1 of 6 objects are written to ${out}; left out: 5 managed by stack "dev"`),
    ]);
    expect(program().match(/new \w+/g)).toEqual(["new AclRole"]);
    // Objects of the program's own stack are not elsewhere.
    expect(said).not.toContain("elsewhere");
    expect(calls()).toEqual([
      `${scene.folder} stack export --stack dev --non-interactive`,
      `${scene.folder} config --json --show-secrets --stack dev --non-interactive`,
    ]);
  });

  test("without a Pulumi CLI, the error for --stack names the alternatives", async () => {
    process.env.PATH = "";
    const { status, err } = await scene.command("import", "--output", out, "--stack", "dev");
    expect([status, err]).toEqual([1, expect.stringMatching(/^The Pulumi CLI is not on PATH\. .*--state FILE/)]);
  });

  test("the error names a missing stack folder, or one that is a file", async () => {
    const file = join(scene.folder, "Pulumi.yaml");
    writeFileSync(file, "name: trial\n");
    for (const cwd of [join(scene.folder, "nowhere"), file]) {
      const { status, err } = await scene.command("import", "--output", out, "--stack", "dev", "--cwd", cwd);
      expect([status, err]).toEqual([1, `${cwd} does not exist, or is not a folder: give the folder of the stack's project (--cwd DIR).`]);
    }
  });

  test("an ACL token without permission for binding rules imports the other kinds, and the report names the missing kind", async () => {
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

  test("a token of one organization imports its pools, and the report names the other organization", async () => {
    const { organization, pools } = simulator;
    pools.addOrganization("other-org");
    pools.put({ organization: "other-org", name: "theirs" });
    simulator.poolsTokens.add({ token: "of-one", organizations: [organization] });
    scene.configure({ poolsToken: "of-one" });
    const { status, err } = await scene.command("import", "--output", out, "--organization", organization, "--organization", "other-org");
    expect([status, err]).toEqual([4, expect.stringMatching(/^incomplete: AgentPool of other-org: .*404/)]);
    expect(program().match(/new AgentPool\("\w+"/g)).toEqual(['new AgentPool("build"']);
  });

  test("tokens without any permission cause an error that names every kind, and nothing is written", async () => {
    simulator.clusterTokens.add({ token: "of-nobody", type: "client" });
    scene.configure({ poolsToken: "unknown", clusterToken: "of-nobody" });
    const { status, err } = await scene.command("import", "--output", out);
    expect([status, err]).toEqual([1, expect.stringContaining("There is nothing to import. Nothing was written.")]);
    for (const kind of ["AgentPool of \\S+: .*401", "AclAuthMethod: .*403", "AclRole: .*403", "AclBindingRule: .*403"])
      expect(err).toMatch(new RegExp(`^incomplete: ${kind}`, "m"));
    expect(() => program()).toThrow("ENOENT");
  });
});

describe("the choice of objects", () => {
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
  const imported = (...args: string[]) => runImport(configuration(), ...args);
  const countOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length;

  test("the rules of a chosen method come along, and others do not", async () => {
    const { files, out } = await imported("--match", "sso");
    const program = files["index.ts"] ?? "";
    expect(countOf(program, /new AclBindingRule/g)).toBe(2);
    expect(program).toContain("authMethod: sso.name,");
    expect(program).toContain('description: "devs",');
    expect(out).toMatch(/3 of 10 objects are written to .*; left out: 7 with other names/);
    const others = await imported("--match", "dev");
    expect(others.files["index.ts"]).not.toContain("new AclBindingRule");
  });

  test("--rules-by-name chooses rules by their own names alone, and --exclude still leaves rules out", async () => {
    expect((await imported("--match", "sso", "--rules-by-name")).files["index.ts"]).not.toContain("new AclBindingRule");
    const { files } = await imported("--match", "sso", "--exclude", "devs");
    expect(countOf(files["index.ts"] ?? "", /new AclBindingRule/g)).toBe(1);
  });

  test("a rule comes along only if its method is imported, and methods without their kind in --only are not", async () => {
    const { status, err } = await imported("--only", "AclBindingRule", "--match", "sso");
    expect([status, err]).toEqual([1, expect.stringContaining("There is nothing to import; left out: 4 with other names")]);
  });

  test("findings are listed only for objects that --match chooses", async () => {
    const all = await imported();
    expect(all.out).toContain('unreferenced: no rule names the role "unused"');
    expect(all.out).toContain('orphan: rule "of nobody"');
    const { out } = await imported("--match", "sso", "--match", "dev");
    expect(out).not.toMatch(/unused|nobody/);
    // The rule of ci that gives it is left out, but still counts.
    const dev = await imported("--match", "dev");
    expect(dev.out).not.toContain("unreferenced");
    expect(out).toContain('orphan: rule of "sso" that gives the role "gone" (');
  });

  test("two orphaned rules with the same description are told apart by their methods", async () => {
    for (const AuthMethod of ["sso", "ci"]) {
      scene.simulator.cluster.methods.put({ Name: AuthMethod });
      scene.simulator.cluster.rules.put({ AuthMethod, BindType: "role", BindName: "lost", Description: "twins" });
    }
    const { out } = await imported();
    for (const name of ["sso", "ci"])
      expect(out).toContain(
        `orphan: rule "twins" of the auth method "${name}" gives the role "lost", which does not exist: it gives nothing`,
      );
  });

  test("a rule without a description is named by its grant", async () => {
    const [rule] = scene.simulator.cluster.rules.list().filter(({ BindName }) => BindName === "gone");
    expect((await imported()).out).toContain(
      `orphan: rule of "sso" that gives the role "gone" (${rule?.ID}) gives the role "gone", which does not exist: it gives nothing`,
    );
  });

  const archive = `pulumi-resource-agentpool-acl-v${packageVersion}-linux-amd64.tar.gz`;
  const fromArchive = [
    `(cd ${packageRoot} && npm run package -- --platform linux-amd64)`,
    `pulumi plugin install resource agentpool-acl ${packageVersion} --file ${join(packageRoot, archive)}`,
    "pulumi install",
  ];
  const importing = "pulumi import --file import.json --protect=false --generate-code=false";

  test.each([
    ["typescript", [], ["npm install"], [importing, "pulumi preview    # shows no change"]],
    ["python", [], fromArchive, [importing, "pulumi preview    # shows no change"]],
    [
      "yaml",
      ["--with-import-options"],
      fromArchive,
      ["pulumi up    # imports; if the program differs by then, the same update changes the object"],
    ],
    [
      "typescript",
      ["--with-secrets", "--dynamic"],
      ["npm install"],
      [
        "pulumi config set --secret ssoClientSecret",
        "pulumi up    # shows creates, which adopt existing objects and write only those secrets",
      ],
    ],
  ] as const)("the output ends with all commands for a fresh shell, joined into one: %s %j", async (language, args, installation, last) => {
    const { out } = await imported("--language", language, ...args);
    const { poolsAddress, clusterAddress, organization } = scene.simulator;
    const configuration = [
      `agentpool-acl:poolsAddress ${poolsAddress}`,
      `agentpool-acl:organization ${organization}`,
      "--secret agentpool-acl:poolsToken",
      `agentpool-acl:clusterAddress ${clusterAddress}`,
      "--secret agentpool-acl:clusterToken",
    ].map((key) => `pulumi config set ${key}`);
    const steps = [expect.stringMatching(/^cd \S+$/), ...installation, "pulumi stack init dev", ...configuration, ...last];
    const words = out.slice(out.lastIndexOf("\ncd ") + 1).split(" &&\n  ");
    // An archive is made for the system that runs the command.
    expect(
      words.map((line) => line.replaceAll(`${process.platform === "win32" ? "windows" : process.platform}-amd64`, "linux-amd64")),
    ).toEqual(steps);
  });

  test("the program depends on the package that wrote it, by its path, and gets a copy", async () => {
    await scene.command("import", "--output", join(scene.folder, "out"));
    const manifest = JSON.parse(readFileSync(join(scene.folder, "out/package.json"), "utf8"));
    const [, path = ""] = /^file:(.*)$/.exec(manifest.dependencies["pulumi-agentpool-acl"]) ?? [];
    expect(resolve(scene.folder, "out", path)).toBe(packageRoot);
    expect(readFileSync(join(scene.folder, "out/.npmrc"), "utf8")).toBe("install-links=true\n");
  });

  test("a folder name with shell syntax is quoted", async () => {
    const { out } = await scene.command("import", "--output", join(scene.folder, "it's $HOME"));
    expect(out).toContain(`\ncd '${scene.folder}/it'\\''s $HOME' &&\n`);
  });

  test("the written versions equal the examples'", async () => {
    const example = (path: string) => readFileSync(join(packageRoot, "examples", path), "utf8");
    const { dependencies, devDependencies } = JSON.parse(example("platform/package.json"));
    const { files } = await imported();
    const dependency = JSON.parse(files["package.json"] ?? "").dependencies["pulumi-agentpool-acl"];
    expect(JSON.parse(files["package.json"] ?? "")).toMatchObject({
      dependencies: { ...dependencies, "pulumi-agentpool-acl": dependency },
      devDependencies,
    });
    expect(JSON.parse(files["tsconfig.json"] ?? "")).toEqual(JSON.parse(example("platform/tsconfig.json")));
    expect((await imported("--language", "python")).files["requirements.txt"]).toBe(example("python/requirements.txt"));
    const versionsIn = (text = "") => text.split("\n").filter((line) => /^go |^require /.test(line));
    expect(versionsIn((await imported("--language", "go")).files["go.mod"])).toEqual(versionsIn(example("go/go.mod")));
  });

  test("exports compare without any message about pools, whether pools are not configured or could not be read", async () => {
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
});
