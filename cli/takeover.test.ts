/** The commands that read servers, against the simulator. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resolveConfiguration } from "../provider/context/config";
import { pluginToken } from "../provider/context/tokens";
import { resources } from "../provider/resources";
import { Simulator } from "../provider/testing/simulator";
import { readServers } from "./inventory/servers";
import { run } from "./main";

let simulator: Simulator;
let folder: string;
let configFile: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "agentpool-acl-takeover-"));
  simulator = await Simulator.start({ poolsPerOrganization: 1_000 });
  const { poolsAddress, poolsToken, organization, clusterAddress, clusterToken } = simulator;
  configFile = join(folder, "config.json");
  writeFileSync(configFile, JSON.stringify({ poolsAddress, poolsToken, organization, clusterAddress, clusterToken }));
  simulator.pools.put({ organization, name: "build" });
  simulator.cluster.policies.put("read");
  simulator.cluster.roles.put({ Name: "dev", Policies: [{ Name: "read" }] });
  const Config = { OIDCDiscoveryURL: "https://idp.example.com", OIDCClientID: "c", OIDCClientSecret: "hunter2" };
  simulator.cluster.methods.put({ Name: "sso", Config });
  simulator.cluster.rules.put({ AuthMethod: "sso", Selector: "a in list.b", BindType: "role", BindName: "dev", Description: "devs" });
});

afterEach(async () => {
  await simulator.stop();
  rmSync(folder, { recursive: true });
});

async function command(...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const io = { print: (text: string) => out.push(text), complain: (text: string) => err.push(text) };
  const status = await run([...args, "--config-file", configFile], io, new AbortController().signal);
  return { status, out: out.join("\n"), err: err.join("\n") };
}

/** What `pulumi stack export` writes of a stack that manages all that there is now. @param change what its outputs have besides */
async function stateFile(change: (kind: string) => object = () => ({})): Promise<string> {
  const values: Record<string, unknown> = JSON.parse(readFileSync(configFile, "utf8"));
  const { objects } = await readServers({ configuration: resolveConfiguration((key) => values[key], {}), resources });
  const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:abc" };
  const entries = objects.map(({ kind, id, name, outputs }) => {
    const config = { ...Object(outputs.config), oidcClientSecret: secret };
    const all = { ...(outputs.config ? { ...outputs, config } : outputs), ...change(kind) };
    return { urn: `urn:${name}`, type: pluginToken(kind), id, outputs: all };
  });
  const path = join(folder, "state.json");
  writeFileSync(path, JSON.stringify({ version: 3, deployment: { resources: entries } }));
  simulator.journal.clear();
  return path;
}

describe("export", () => {
  it("prints all objects, without ids and secrets", async () => {
    const { status, out, err } = await command("export");
    expect([status, err]).toEqual([0, ""]);
    expect(Object.keys(JSON.parse(out).objects)).toEqual(["AgentPool", "AclAuthMethod", "AclRole", "AclBindingRule"]);
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
    });
  });

  it("ends with 4 and says why where a kind can't be read, and writes the others", async () => {
    simulator.faults.add({ path: "/v1/acl/binding-rules", times: 9, fault: { kind: "status", status: 403, body: "Permission denied" } });
    const { status, out, err } = await command("export");
    expect(status).toBe(4);
    expect(JSON.parse(out).incomplete).toEqual([{ kind: "AclBindingRule", reason: "denied" }]);
    expect(err).toMatch(/^incomplete: AclBindingRule: .*403 Permission denied/);
  });

  it("ends with 1 and the server's error where nothing can be read, without a stack", async () => {
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
    expect(err).toMatch(/^GET http:\/\/127.0.0.1:1\/v1\/acl\/roles: /);
    expect(err).not.toContain("    at ");
  });

  it.each([
    [["--config", "clusterToken=x"], "a secret must not be an argument"],
    [["--config", "colour=red"], 'there is no key "colour"'],
    [["--only", "AclSpell"], "--only AclSpell: give AgentPool or"],
    [["--match", ""], "give a pattern"],
  ])("refuses %j", async (args, message) => {
    const { status, err } = await command("export", ...args);
    expect(status).toBe(2);
    expect(err).toContain(message);
  });
});

describe("drift", () => {
  it("finds none where nothing has changed, by one list for each kind", async () => {
    const { status, out, err } = await command("drift", "--state", await stateFile());
    expect([status, out, err]).toEqual([0, "4 objects in the state, 0 with drift", ""]);
    expect(simulator.journal.entries.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      `GET /api/v2/organizations/${simulator.organization}/agent-pools`,
      "GET /v1/acl/auth-methods",
      "GET /v1/acl/binding-rules",
      "GET /v1/acl/roles",
    ]);
  });

  it("shows what others changed and deleted, reads only that singly, and ends with 3", async () => {
    const state = await stateFile();
    const { cluster, pools } = simulator;
    const [rule] = cluster.rules.list();
    const [role] = cluster.roles.list();
    const [pool] = pools.list();
    cluster.rules.put({ ...rule, Selector: "" });
    cluster.roles.delete(role?.ID ?? "");
    pools.update(pool?.id ?? "", { name: "deploy" });
    const { status, out } = await command("drift", "--state", state);
    expect(status).toBe(3);
    expect(out).toContain(`AclRole "dev" (${role?.ID}): deleted: the server does not list it`);
    expect(out).toContain(`AclBindingRule "devs" (${rule?.ID}): changed\n    selector: "a in list.b" -> ""`);
    expect(out).toContain(`AgentPool "build" (${pool?.id}): changed\n    name: "build" -> "deploy"`);
    expect(out).toContain("4 objects in the state, 3 with drift");
    expect(simulator.journal.entries).toHaveLength(5);
    expect(simulator.journal.entries.every(({ method }) => method === "GET")).toBe(true);
  });

  it("reports a secret that may have changed by the hash, and shows none", async () => {
    const state = await stateFile();
    const method = simulator.cluster.methods.get("sso");
    simulator.cluster.methods.put({ ...method, Name: "sso", Config: { ...method?.Config, OIDCClientSecret: "hunter3" } });
    const { status, out } = await command("drift", "--state", state, "--json");
    expect(status).toBe(3);
    expect(JSON.parse(out).drift).toMatchObject([{ name: "sso", change: "changed", properties: [{ path: "config.oidcClientSecret" }] }]);
    expect(out).not.toContain("hunter");
  });

  it("compares what the server sets by itself only where the state has it", async () => {
    const assertion = { keySource: "nomad", keyAlgorithm: "RS256", audience: ["https://idp.example.com"] };
    const Config = { OIDCDiscoveryURL: "https://idp.example.com", OIDCClientID: "c", OIDCClientAssertion: { KeySource: "nomad" } };
    simulator.cluster.methods.put({ Name: "sso", Config });
    const given = { oidcDiscoveryUrl: "https://idp.example.com", oidcClientId: "c", oidcClientAssertion: assertion };
    const state = await stateFile((kind) => (kind === "AclAuthMethod" ? { config: given, hash: "of another time" } : {}));
    expect((await command("drift", "--state", state)).status).toBe(0);
    const changed = { ...Config.OIDCClientAssertion, KeyAlgorithm: "RS512" };
    simulator.cluster.methods.put({ Name: "sso", Config: { ...Config, OIDCClientAssertion: changed } });
    const { status, out } = await command("drift", "--state", state);
    expect([status, out]).toEqual([3, expect.stringContaining('config.oidcClientAssertion.keyAlgorithm: "RS256" -> "RS512"')]);
  });

  it("says that a method was made anew by others", async () => {
    const state = await stateFile();
    const { methods } = simulator.cluster;
    const { CreateIndex: _, CreateTime: __, ModifyIndex: ___, ...method } = methods.get("sso") ?? {};
    methods.delete("sso");
    methods.put({ ...method, Name: "sso", CreateTime: "2031-01-01T00:00:00Z" });
    const { status, out } = await command("drift", "--state", state);
    expect([status, out]).toEqual([3, expect.stringContaining('AclAuthMethod "sso": deleted, and another was made under its name')]);
  });

  it("compares nothing with another server, and ends with 4", async () => {
    const state = await stateFile();
    const other = await Simulator.start();
    writeFileSync(
      configFile,
      JSON.stringify({
        ...JSON.parse(readFileSync(configFile, "utf8")),
        clusterAddress: other.clusterAddress,
        clusterToken: other.clusterToken,
      }),
    );
    const { status, out, err } = await command("drift", "--state", state);
    await other.stop();
    expect([status, out]).toEqual([4, "4 objects in the state, 0 with drift, and not all could be compared"]);
    expect(err).toContain(`the state says that it is on ${simulator.clusterAddress}`);
  });

  it("needs a stack or a state", async () => {
    expect((await command("drift")).status).toBe(2);
    expect((await command("drift", "--state", join(folder, "none.json"))).err).toContain("can't be read");
  });
});

describe("import", () => {
  it("writes a project, the same each time, and no request but reads", async () => {
    const out = join(folder, "out");
    const { status, out: said } = await command("import", "--output", out);
    expect(status).toBe(0);
    expect(said).toContain(`4 of 4 objects are written to ${out}`);
    expect(said).toContain("secrets that the API does not return are left out (1)");
    expect(readdirSync(out).sort()).toEqual(["Pulumi.yaml", "import.json", "index.ts", "package.json", "tsconfig.json"]);
    const program = readFileSync(join(out, "index.ts"), "utf8");
    expect(program).toContain("authMethod: sso.name,");
    expect(program).not.toMatch(/hunter2|redacted/);
    expect((await command("import", "--output", out)).err).toContain("is not empty, and nothing was written");
    expect((await command("import", "--output", out, "--force")).status).toBe(0);
    expect(readFileSync(join(out, "index.ts"), "utf8")).toBe(program);
    expect(simulator.journal.entries.every(({ method }) => method === "GET")).toBe(true);
  });

  it("leaves out what a stack manages, and says so where nothing is left", async () => {
    const state = await stateFile();
    simulator.cluster.roles.put({ Name: "ops", Policies: [{ Name: "read" }] });
    const out = join(folder, "out");
    const { out: said } = await command("import", "--output", out, "--state", state, "--language", "yaml");
    expect(said).toContain("unreferenced: no rule names the role");
    expect(said).toContain("1 of 5 objects are written");
    expect(readdirSync(out).sort()).toEqual(["Pulumi.yaml", "import.json"]);
    const none = await command("import", "--output", join(folder, "none"), "--state", state, "--without", "unreferenced");
    expect([none.status, none.err]).toEqual([1, "There is nothing to take over, and nothing was written."]);
  });

  it("writes the other kinds where one can't be read, and ends with 4", async () => {
    simulator.faults.add({ path: "/v1/acl/binding-rules", times: 9, fault: { kind: "status", status: 403, body: "Permission denied" } });
    const { status, out, err } = await command("import", "--output", join(folder, "out"), "--dynamic");
    expect(status).toBe(4);
    expect(out).toContain("3 of 3 objects are written");
    expect(err).toContain("incomplete: AclBindingRule");
  });

  it.each([[[]], [["--output", "x", "--language", "cobol"]], [["--output", "x", "--language", "go", "--dynamic"]]])(
    "refuses %j",
    async (args) => {
      expect((await command("import", ...args)).status).toBe(2);
    },
  );
});
