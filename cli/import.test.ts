/** The commands that write the servers' objects to files, against the simulator. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resources } from "../provider/resources";
import { type CommandScene, commandScene, seedOne } from "../test/support/commands";
import { posixTest } from "../test/support/systems";
import { Simulator } from "../testing/simulator";

let scene: CommandScene;
let simulator: Simulator;
let folder: string;
const command = (...args: string[]) => scene.command(...args);
const stateFile = (change?: (kind: string) => object) => scene.stateFile(change);

beforeEach(async () => {
  scene = await commandScene();
  ({ simulator, folder } = scene);
  seedOne(simulator);
});

afterEach(() => scene.stop());

describe("export", () => {
  it("prints all objects but tokens, without ids and secrets", async () => {
    const { status, out, err } = await command("export");
    expect([status, err]).toEqual([0, ""]);
    expect(Object.keys(JSON.parse(out).objects)).toEqual(
      resources.filter(({ isReadOnRequest }) => !isReadOnRequest).map(({ kind }) => kind),
    );
    expect(out).not.toMatch(/hunter2|redacted|modifyIndex/);
  });

  it("chooses objects by kind and by name, and writes a file", async () => {
    simulator.cluster.roles.put({ Name: "ops", Policies: [{ Name: "read" }] });
    const path = join(folder, "out.json");
    const { status, out } = await command("export", "--only", "AclRole", "--match", "?*", "--exclude", "o*", "--output", path);
    expect([status, out]).toEqual([0, ""]);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      format: 1,
      objects: { AclRole: [{ description: "", name: "dev", policies: ["read"] }] },
      selection: "--match ?* --exclude o*",
    });
  });

  it("reads singly only the chosen objects, and a repeated organization once", async () => {
    const { cluster, journal, organization } = simulator;
    cluster.methods.put({ Name: "other", Type: "JWT", Config: { JWKSURL: "https://a.example.com" } });
    const { out } = await command(
      "export",
      "--match",
      "s*",
      "--match",
      "build",
      "--organization",
      organization,
      "--organization",
      organization,
    );
    const { AgentPool, AclAuthMethod } = JSON.parse(out).objects;
    expect([AgentPool, AclAuthMethod]).toMatchObject([[{ name: "build" }], [{ name: "sso" }]]);
    expect(journal.entries.map(({ path }) => path).filter((path) => /auth-method\/|binding-rule\//.test(path))).toEqual([
      "/v1/acl/auth-method/sso",
    ]);
  });

  it("rejects a long name for a pattern with many stars at once, and takes all characters but * and ? literally", async () => {
    simulator.cluster.roles.put({ Name: "a".repeat(128), Policies: [{ Name: "read" }] });
    simulator.cluster.roles.put({ Name: "b", Description: "d", Policies: [{ Name: "read" }] });
    const names = async (pattern: string) => {
      const { out } = await command("export", "--only", "AclRole", "--match", pattern);
      return JSON.parse(out).objects.AclRole.map(({ name }: { name: string }) => name);
    };
    expect(await names(`${"*a".repeat(20)}b`)).toEqual([]);
    expect(await names("a*a")).toEqual(["a".repeat(128)]);
    expect(await names("[b]|.+")).toEqual([]);
  });

  it("ends with 1 and the error of the request if nothing can be read, without a stack trace", async () => {
    const { status, err } = await command(
      "export",
      "--only",
      "AclRole",
      "--config",
      "clusterAddress=http://127.0.0.1:1",
      "--config",
      "maxRetries=0",
    );
    expect(status).toBe(1);
    expect(err).toMatch(/^GET http:\/\/127.0.0.1:1\/v1\/regions: /);
    expect(err).not.toContain("    at ");
  });

  it.each([
    [["--config", "clusterToken=x"], "a secret must not be an argument"],
    [["--config", "colour=red"], 'there is no key "colour"'],
    [["--only", "AclSpell"], "--only AclSpell: give AgentPool or"],
    [["--match", ""], "--match is empty"],
  ])("refuses %j", async (args, message) => {
    const { status, err } = await command("export", ...args);
    expect(status).toBe(2);
    expect(err).toContain(message);
  });
});

describe("import", () => {
  it("writes a project, the same each time, and sends only reads", async () => {
    const out = join(folder, "out");
    const { status, out: said } = await command("import", "--output", out);
    expect(status).toBe(0);
    expect(said).toContain(`5 of 5 objects are written to ${out}`);
    expect(said).toContain("secrets that the API does not return are left out (1)");
    expect(readdirSync(out).sort()).toEqual([".npmrc", "Pulumi.yaml", "import.json", "index.ts", "package.json", "tsconfig.json"]);
    const program = readFileSync(join(out, "index.ts"), "utf8");
    expect(program).toContain("policies: [read.name]");
    expect(program).toContain("authMethod: sso.name,");
    expect(program).not.toMatch(/hunter2|redacted/);
    expect((await command("import", "--output", out)).err).toContain("is not empty, and nothing was written");
    expect((await command("import", "--output", out, "--force")).status).toBe(0);
    expect(readFileSync(join(out, "index.ts"), "utf8")).toBe(program);
    expect(simulator.journal.entries.every(({ method }) => method === "GET")).toBe(true);
  });

  it("refuses an empty value, as an unset variable gives it: it would mean this folder, or the selected stack", async () => {
    const { status, err } = await command("import", "--output", "", "--from-terraform", join(folder, "missing.json"));
    expect([status, err]).toEqual([2, expect.stringMatching(/^--output is empty: give a value/)]);
    const stack = await command("import", "--output", join(folder, "out"), "--stack", "");
    expect([stack.status, stack.err]).toEqual([2, expect.stringMatching(/^--stack is empty/)]);
  });

  it("keeps the project name within Pulumi's hundred letters, for any folder", async () => {
    const out = join(folder, "a".repeat(120));
    expect((await command("import", "--output", out)).status).toBe(0);
    expect(readFileSync(join(out, "Pulumi.yaml"), "utf8")).toMatch(/^name: "a{100}"\n/);
  });

  it("gives the project a name that Go and npm accept, too, for any folder", async () => {
    for (const [name, language, file, text] of [
      ["_infra", "go", "go.mod", "module infra\n"],
      [".infra", "typescript", "package.json", '"name": "infra",'],
      ["---", "go", "go.mod", "module imported\n"],
    ] as const) {
      expect((await command("import", "--output", join(folder, name), "--language", language)).status).toBe(0);
      expect(readFileSync(join(folder, name, file), "utf8")).toContain(text);
    }
  });

  it("does not count a method that others delete meanwhile, and reports its rules as orphans", async () => {
    simulator.faults.add({ path: "/v1/acl/auth-method/sso", fault: { kind: "status", status: 404, body: "ACL auth-method not found" } });
    const { status, out } = await command("import", "--output", join(folder, "out"));
    expect(status).toBe(0);
    expect(out).toContain('orphan: rule "devs" is of the auth method "sso", which does not exist');
    expect(out).toContain("4 of 4 objects are written");
  });

  it("keeps a claim with the name __proto__ in Python, as export and drift do, and refuses it in TypeScript", async () => {
    const claims = JSON.parse('{ "__proto__": "team", "sub": "user" }');
    simulator.cluster.methods.put({ Name: "sso", Config: { ClaimMappings: claims } });
    const state = await stateFile();
    expect((await command("drift", "--state", state)).status).toBe(0);
    expect(JSON.parse((await command("export")).out).objects.AclAuthMethod[0].config.claimMappings).toEqual(claims);
    await command("import", "--output", join(folder, "out"), "--language", "python");
    expect(readFileSync(join(folder, "out", "__main__.py"), "utf8")).toContain('{"__proto__": "team", "sub": "user"}');
    const refused = await command("import", "--output", join(folder, "refused"));
    expect([refused.status, refused.err]).toEqual([
      1,
      expect.stringContaining('AclAuthMethod "sso": the key "__proto__" can\'t be written'),
    ]);
    simulator.cluster.methods.put({ Name: "sso", Config: { ClaimMappings: { sub: "user" } } });
    expect((await command("drift", "--state", state)).out).toContain('config.claimMappings.__proto__: "team" -> (none)');
  });

  it("leaves out objects of a stack, names their state, and explains why nothing is left to import", async () => {
    const state = await stateFile();
    simulator.cluster.roles.put({ Name: "ops", Policies: [{ Name: "read" }] });
    const out = join(folder, "out");
    const { out: said } = await command("import", "--output", out, "--state", state, "--language", "yaml");
    expect(said).toContain("unreferenced: no rule names the role");
    expect(said).toContain(`elsewhere: AclAuthMethod "sso" is in ${state} as urn:sso`);
    expect(said).toContain(`1 of 6 objects are written to ${out}; left out: 5 managed by ${state}\n`);
    expect(readdirSync(out).sort()).toEqual(["Pulumi.yaml", "import.json"]);
    const none = await command("import", "--output", join(folder, "none"), "--state", state, "--without", "unreferenced");
    const reasons = `5 managed by ${state}, 1 --without unreferenced`;
    expect([none.status, none.err]).toEqual([1, `There is nothing to import; left out: ${reasons}. Nothing was written.`]);
    const moved = await command("import", "--output", join(folder, "moved"), "--state", state, "--with-managed", "--match", "*s*");
    expect(moved.out).toContain(`3 of 6 objects are written to ${join(folder, "moved")}; left out: 3 with other names\n`);
  });

  it("keeps auth methods apart that are on another cluster, or differ in letter case", async () => {
    const state = await stateFile();
    const { methods } = simulator.cluster;
    methods.put({ Name: "SSO", Type: "JWT", Config: { JWKSURL: "https://a.example.com" } });
    const first = await command("import", "--output", join(folder, "first"), "--only", "AclAuthMethod", "--state", state);
    expect(first.out).toContain("1 of 2 objects are written");
    const other = await Simulator.start();
    other.cluster.methods.put({
      Name: "sso",
      Type: "JWT",
      Config: { JWKSURL: "https://b.example.com" },
      CreateTime: "2031-01-01T00:00:00Z",
    });
    for (const role of simulator.cluster.roles.list()) other.cluster.roles.put(role);
    scene.configure({ clusterAddress: other.clusterAddress, clusterToken: other.clusterToken });
    const only = ["--only", "AclAuthMethod", "--only", "AclRole"];
    const second = await command("import", "--output", join(folder, "second"), ...only, "--state", state);
    const third = await command("import", "--output", join(folder, "third"), ...only, "--state", state, "--without", "elsewhere");
    await other.stop();
    expect(second.out).toContain("2 of 2 objects are written");
    // The ID of a role is random, so this may be the same role at another address.
    expect(second.out).toContain(`elsewhere: AclRole "dev" is in ${state} as urn:dev, on ${simulator.clusterAddress}: if that is the same`);
    expect(second.out).not.toContain('elsewhere: AclAuthMethod "sso"');
    expect(third.out).toContain("1 of 2 objects are written");
  });

  it("leaves equal rules out of a dynamic program, because adoption is by content", async () => {
    for (const Description of ["twin", "twin"]) simulator.cluster.rules.put({ AuthMethod: "sso", BindType: "management", Description });
    const { out } = await command("import", "--output", join(folder, "out"), "--dynamic");
    expect(out).toContain("left out: 2 equal to another rule, so no dynamic resource can adopt it");
    expect(readFileSync(join(folder, "out", "index.ts"), "utf8")).not.toContain("twin");
    expect((await command("import", "--output", join(folder, "plugin"))).out).toContain("7 of 7 objects are written");
  });

  posixTest("writes nothing if there is a link", async () => {
    const [out, outside] = [join(folder, "out"), join(folder, "outside.ts")];
    mkdirSync(out);
    writeFileSync(outside, "theirs");
    symlinkSync(outside, join(out, "index.ts"));
    const { status, err } = await command("import", "--output", out, "--force");
    expect([status, err]).toEqual([1, expect.stringContaining("index.ts is not a regular file, and nothing was written")]);
    expect([readFileSync(outside, "utf8"), readdirSync(out)]).toEqual(["theirs", ["index.ts"]]);
  });

  it("writes a file for each method and kind with --split, but not for YAML, and not through a link to a folder", async () => {
    const out = join(folder, "out");
    expect((await command("import", "--output", out, "--split", "--language", "go")).status).toBe(0);
    expect(readdirSync(out).sort()).toEqual(["Pulumi.yaml", "go.mod", "import.json", "main.go", "pools.go", "roles.go", "sso.go"]);
    const yaml = await command("import", "--output", out, "--split", "--language", "yaml");
    expect([yaml.status, yaml.err]).toEqual([2, expect.stringContaining("--split: a YAML program is one file")]);
    if (process.platform === "win32") return;
    const linked = join(folder, "linked");
    mkdirSync(linked);
    symlinkSync(out, join(linked, "methods"));
    const { err } = await command("import", "--output", linked, "--split", "--force");
    expect(err).toContain("methods is not a regular folder, and nothing was written");
    expect([readdirSync(linked), readdirSync(out).length]).toEqual([["methods"], 7]);
  });

  it("names files left over from an earlier program", async () => {
    const out = join(folder, "out");
    const first = await command("import", "--output", out, "--split", "--language", "go");
    const second = await command("import", "--output", out, "--language", "go", "--force");
    expect([first.status, second.status]).toEqual([0, 0]);
    expect(first.out).not.toContain("source files");
    expect(second.out).toContain(`${out} has other source files: pools.go, roles.go and sso.go. Remove the files of an earlier program.`);
  });

  it("reads standard input only once", async () => {
    const { status, err } = await command("import", "--output", "x", "--state", "-", "--state", "-");
    expect([status, err]).toEqual([2, expect.stringContaining("give - to one of --state and --state")]);
  });

  it.each([[[]], [["--output", "x", "--language", "cobol"]], [["--output", "x", "--language", "go", "--dynamic"]]])(
    "refuses %j",
    async (args) => {
      expect((await command("import", ...args)).status).toBe(2);
    },
  );
});

describe("a role whose policies are missing", () => {
  let out: string;
  const kinds = ["--only", "AclRole", "--only", "AclPolicy"];
  const orphan =
    'orphan: AclRole "ops" names the policies "gone" and "lost", which do not exist: servers refuse the next change of the role';

  beforeEach(() => {
    out = join(folder, "out");
    simulator.cluster.roles.put({ Name: "ops", Policies: ["read", "gone", "lost"].map((Name) => ({ Name })) });
  });

  it("is an orphan, and left out on request", async () => {
    const { out: said } = await command("import", "--output", out, ...kinds);
    expect(said.split("\n").filter((line) => line.startsWith("orphan"))).toEqual([orphan]);
    expect(readFileSync(join(out, "index.ts"), "utf8")).toContain('policies: [read.name, "gone", "lost"]');
    const { out: without } = await command("import", "--output", out, "--force", ...kinds, "--without", "orphan");
    expect(without).toContain("left out: 1 --without orphan\n");
    expect(readFileSync(join(out, "index.ts"), "utf8")).not.toContain("ops");
  });
});
