/** The command that compares a state with the servers, against the simulator. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandScene, commandScene, seedOne } from "../test/support/commands";
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

describe("drift", () => {
  it("reports no drift if nothing has changed, with one list for each kind", async () => {
    const { status, out, err } = await command("drift", "--state", await stateFile());
    expect([status, out, err]).toEqual([0, "5 objects in the state, 0 with drift; 0 unmanaged objects touch them", ""]);
    expect(simulator.journal.entries.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      `GET /api/v2/agent-pools/${simulator.pools.list()[0]?.id}/authentication-tokens`,
      `GET /api/v2/organizations/${simulator.organization}/agent-pools`,
      "GET /v1/acl/auth-methods",
      "GET /v1/acl/binding-rules",
      "GET /v1/acl/policies",
      "GET /v1/acl/roles",
      "GET /v1/acl/tokens",
      "GET /v1/regions",
    ]);
  });

  it("shows changed and deleted objects, reads only these singly, and ends with 3", async () => {
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
    expect(out).toContain(`AclRole "dev" (${role?.ID}): deleted: the server does not have it`);
    expect(out).toContain(`AclBindingRule "devs" (${rule?.ID}): changed\n    selector: "a in list.b" -> ""`);
    expect(out).toContain(`AgentPool "build" (${pool?.id}): changed\n    name: "build" -> "deploy"`);
    expect(out).toContain("5 objects in the state, 3 with drift");
    // Single reads of the rule, and of the role, which confirms that it is gone.
    const single = simulator.journal.entries
      .map(({ path }) => path)
      .filter((path) => /\/(role|policy|binding-rule|auth-method|token)\//.test(path));
    expect(single.sort()).toEqual([`/v1/acl/binding-rule/${rule?.ID}`, `/v1/acl/role/${role?.ID}`]);
    expect(simulator.journal.entries.every(({ method }) => method === "GET")).toBe(true);
  });

  it("is incomplete if an update was interrupted, or if the state has a kind that this version does not know", async () => {
    const whole = JSON.parse(readFileSync(await stateFile(), "utf8"));
    const path = join(folder, "other.json");
    const urn = "urn:pulumi:dev::p::agentpool-acl:index:AclBindingRule::admins";
    const drift = async (change: object) => {
      writeFileSync(path, JSON.stringify({ ...whole, deployment: { ...whole.deployment, ...change } }));
      return command("drift", "--state", path);
    };
    const interrupted = { type: "creating", resource: { urn, type: "agentpool-acl:index:AclBindingRule" } };
    const creating = await drift({ pending_operations: [interrupted] });
    expect([creating.status, creating.err]).toEqual([4, expect.stringContaining(`interrupted while it was creating ${urn}`)]);
    const quota = { urn, type: "agentpool-acl:index:AclQuota", id: "q", outputs: {} };
    const unknown = await drift({ resources: [...whole.deployment.resources, quota] });
    expect([unknown.status, unknown.err]).toEqual([4, expect.stringContaining("does not know resources of the kind AclQuota")]);
    expect(unknown.out).toContain("and not all could be compared");
  });

  it("reports no drift for an object that a replacement deleted and has yet to create, because the state records the pending create", async () => {
    const state = await stateFile();
    const [role] = simulator.cluster.roles.list();
    const content = JSON.parse(readFileSync(state, "utf8"));
    Object.assign(
      content.deployment.resources.find(({ id }: { id: string }) => id === role?.ID),
      { pendingReplacement: true },
    );
    writeFileSync(state, JSON.stringify(content));
    simulator.cluster.roles.delete(role?.ID ?? "");
    expect(await command("drift", "--state", state)).toEqual({
      status: 0,
      out: 'Not looked at: role "dev"\n4 objects in the state, 0 with drift; 0 unmanaged objects touch them',
      err: "",
    });
  });

  it("finds two entries of one object, as an adoption with --target leaves them, and ignores a pending delete if the program has the object", async () => {
    const state = await stateFile();
    const [role] = simulator.cluster.roles.list();
    const content = JSON.parse(readFileSync(state, "utf8"));
    const { resources } = content.deployment;
    const entry = resources.find(({ id }: { id: string }) => id === role?.ID);
    resources.push({ ...entry, urn: "urn:renamed" });
    for (const other of resources.slice(0, 4)) if (other !== entry) resources.push({ ...other, urn: "urn:old", delete: true });
    writeFileSync(state, JSON.stringify(content));
    const { status, out } = await command("drift", "--state", state);
    const said = `AclRole "dev" (${role?.ID}): urn:dev and urn:renamed are entries of this one object: remove all but one from the state, by \`pulumi state delete URN\``;
    expect([status, out]).toEqual([3, `${said}\n6 objects in the state, 1 with drift; 0 unmanaged objects touch them`]);
    const { drift } = JSON.parse((await command("drift", "--state", state, "--json")).out);
    expect(drift).toEqual([
      { kind: "AclRole", id: role?.ID, name: "dev", urn: "urn:dev", change: "shared", properties: [], others: ["urn:renamed"] },
    ]);
  });

  it("finds two entries of one object also if another cluster has an object of that name", async () => {
    const state = await stateFile();
    const content = JSON.parse(readFileSync(state, "utf8"));
    const { resources } = content.deployment;
    const method = resources.find(({ type }: { type: string }) => type.endsWith(":AclAuthMethod"));
    const elsewhere = { ...method, urn: "urn:elsewhere", outputs: { ...method.outputs, server: "http://other.example.com:4646" } };
    content.deployment.resources = [elsewhere, ...resources, { ...method, urn: "urn:again" }];
    writeFileSync(state, JSON.stringify(content));
    expect((await command("drift", "--state", state)).out).toContain(`: ${method.urn} and urn:again are entries of this one object`);
  });

  it("shows a changed set once, as a whole", async () => {
    const config = (scopes: string[]) => ({ JWKSURL: "https://a.example.com", BoundAudiences: scopes, SigningAlgs: ["RS256"] });
    simulator.cluster.methods.put({ Name: "sso", Type: "JWT", Config: config(["a", "b"]) });
    const state = await stateFile();
    const [role] = simulator.cluster.roles.list();
    simulator.cluster.roles.put({ ...role, Name: "dev", Policies: [{ Name: "write" }] });
    simulator.cluster.methods.put({ Name: "sso", Type: "JWT", Config: config(["b", "c"]) });
    const { out } = await command("drift", "--state", state);
    expect(out).toContain('changed\n    policies: ["read"] -> ["write"]\n');
    expect(out).toContain('changed\n    config.boundAudiences: ["a","b"] -> ["b","c"]\n');
  });

  it("never calls an unreadable role deleted, compares the readable ones, and ends with 4, or with 3 if they differ", async () => {
    const { cluster } = simulator;
    cluster.roles.put({ Name: "ops", Policies: [{ Name: "read" }] });
    const state = await stateFile();
    simulator.clusterTokens.add({ token: "of dev", type: "client", roles: ["dev"] });
    scene.configure({ clusterToken: "of dev" });
    const { status, out, err } = await command("drift", "--state", state);
    expect([status, out]).toEqual([4, "6 objects in the state, 2 not compared, 0 with drift; 0 unmanaged objects touch them"]);
    expect(err).toMatch(/^incomplete: AclRole: ops: .*403/m);
    expect(err).not.toContain("AclRole: dev");
    const dev = cluster.roles.list().find(({ Name }) => Name === "dev");
    cluster.roles.put({ ...dev, Name: "dev", Description: "changed" });
    const changed = await command("drift", "--state", state);
    expect(changed).toMatchObject({ status: 3, err: expect.stringMatching(/^incomplete: AclRole: ops: /m) });
  });

  it("compares ACL tokens without their secrets, and reports no drift for an expired token with keepExpired", async () => {
    const { cluster } = simulator;
    const secretId = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:abc" };
    const ended = new Date(Date.now() - 60_000).toISOString();
    const { AccessorID } = cluster.tokens.put({ Name: "ci", Policies: ["read", "write"], ExpirationTime: ended });
    const tokenState = (keepExpired: boolean) => stateFile((kind) => (kind === "AclToken" ? { secretId, keepExpired } : {}));
    const [kept, anew] = [readFileSync(await tokenState(true)), readFileSync(await tokenState(false))];
    const state = await stateFile();
    const drift = async (text: Buffer) => {
      writeFileSync(state, text);
      return (await command("drift", "--state", state)).out;
    };
    cluster.tokens.put({ AccessorID, Policies: ["write", "read"] });
    expect(await drift(kept)).toMatch(
      /^Not looked at: a change of AclToken "ci" that only its hash shows, .*\n6 objects .* 0 with drift; 0 unmanaged/,
    );
    cluster.tokens.put({ AccessorID, Name: "cd" });
    expect(await drift(kept)).toContain('name: "ci" -> "cd"');
    cluster.tokens.delete(AccessorID);
    expect(await drift(kept)).toBe('Not looked at: policy "write"\n6 objects in the state, 0 with drift; 0 unmanaged objects touch them');
    expect(await drift(anew)).toContain("6 objects in the state, 1 with drift");
  });

  it("shows the differing lines of a policy's rules", async () => {
    const rules = (level: string) => `# for reading\nnamespace "a" {\n\tpolicy = "${level}"\n}\n`;
    simulator.cluster.policies.put({ Name: "read", Rules: rules("read") });
    const state = await stateFile();
    simulator.cluster.policies.put({ Name: "read", Rules: `${rules("write")}node { policy = "read" }\n` });
    const { out } = await command("drift", "--state", state);
    const lines = ['-   policy = "read"', "- }", '+   policy = "write"', "+ }", '+ node { policy = "read" }'];
    expect(out).toContain(["    rules, from line 3 (- state, + server):", ...lines].join("\n      "));
  });

  it("keeps auth methods apart that differ in letter case", async () => {
    simulator.cluster.methods.put({ Name: "SSO", Type: "JWT", Config: { JWKSURL: "https://b.example.com" } });
    expect(await command("drift", "--state", await stateFile())).toEqual({
      status: 0,
      out: "6 objects in the state, 0 with drift; 0 unmanaged objects touch them",
      err: "",
    });
  });

  it("leaves out properties that the server sets, unless the state has them", async () => {
    const assertion = { keySource: "nomad", keyAlgorithm: "RS256", audience: ["https://idp.example.com"] };
    const ofServer = { KeySource: "nomad", KeyAlgorithm: "RS256", Audience: ["https://idp.example.com"] };
    const OIDCClientAssertion = { ...ofServer, PrivateKey: null, ExtraHeaders: {}, ClientSecret: "" };
    const Config = { OIDCDiscoveryURL: "https://idp.example.com", OIDCClientID: "c", OIDCClientAssertion };
    simulator.cluster.methods.put({ Name: "sso", Config });
    const given = { oidcDiscoveryUrl: "https://idp.example.com", oidcClientId: "c", oidcClientAssertion: assertion };
    const state = await stateFile((kind) => (kind === "AclAuthMethod" ? { config: given, hash: "of another time" } : {}));
    expect((await command("drift", "--state", state)).status).toBe(0);
    const changed = { ...OIDCClientAssertion, KeyAlgorithm: "RS512" };
    simulator.cluster.methods.put({ Name: "sso", Config: { ...Config, OIDCClientAssertion: changed } });
    const { status, out } = await command("drift", "--state", state);
    expect([status, out]).toEqual([3, expect.stringContaining('config.oidcClientAssertion.keyAlgorithm: "RS256" -> "RS512"')]);
  });

  it("reports a method that others have replaced", async () => {
    const state = await stateFile();
    const { methods } = simulator.cluster;
    const { CreateIndex: _, CreateTime: __, ModifyIndex: ___, ...method } = methods.get("sso") ?? {};
    methods.delete("sso");
    methods.put({ ...method, Name: "sso", CreateTime: "2031-01-01T00:00:00Z" });
    const { status, out } = await command("drift", "--state", state);
    expect([status, out]).toEqual([3, expect.stringContaining('AclAuthMethod "sso": deleted, and another was made under its name')]);
  });

  it("does not compare objects of another server, counts them, names them once for each kind, and ends with 4", async () => {
    simulator.cluster.roles.put({ Name: "ops", Policies: [{ Name: "read" }] });
    const state = await stateFile();
    const other = await Simulator.start();
    scene.configure({ clusterAddress: other.clusterAddress, clusterToken: other.clusterToken });
    const { status, out, err } = await command("drift", "--state", state);
    await other.stop();
    expect([status, out]).toEqual([4, "6 objects in the state, 5 not compared, 0 with drift; 0 unmanaged objects touch them"]);
    const [line, ...more] = err.split("\n").filter((one) => one.startsWith("incomplete: AclRole: "));
    expect(line).toContain(`"dev" and "ops": not compared, because the state has ${simulator.clusterAddress} as the server`);
    expect(more).toEqual([]);
  });

  it("reads a state with a byte order mark", async () => {
    const state = await stateFile();
    writeFileSync(state, `\ufeff${readFileSync(state, "utf8")}`);
    expect((await command("drift", "--state", state)).status).toBe(0);
  });

  it("prints no control characters of a server, and escapes them in JSON", async () => {
    const [rule] = simulator.cluster.rules.list();
    const put = (Description: string) => simulator.cluster.rules.put({ ...rule, AuthMethod: "sso", Description });
    put("x");
    const state = await stateFile();
    put("\u001b[2J\u009b\u202ez");
    simulator.faults.add({ path: "/v1/acl/auth-methods", times: 9, fault: { kind: "status", status: 403, body: "no \u001b[31mred" } });
    const words = await command("drift", "--state", state);
    expect(words.err).toMatch(/no .*\[31mred/);
    const json = await command("drift", "--state", state, "--json");
    expect(words.out + words.err + json.out + json.err).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(JSON.parse(json.out).drift).toMatchObject([{ properties: [{ path: "description", server: "\u001b[2J\u009b\u202ez" }] }]);
  });

  describe("unmanaged objects", () => {
    /** Makes unmanaged objects. Returns the ones that touch the stack's objects, and a role that touches none. */
    function others() {
      const { cluster, pools, organization } = simulator;
      const [pool] = pools.list();
      const [dev] = cluster.roles.list();
      cluster.policies.put("theirs");
      cluster.methods.put({ Name: "their-sso", Type: "JWT", Config: { JWKSURL: "https://b.example.com" } });
      const theirRole = cluster.roles.put({ Name: "ops", Policies: [{ Name: "theirs" }] });
      const touching = [
        cluster.roles.put({ Name: "audit", Policies: [{ Name: "read" }, { Name: "theirs" }] }),
        cluster.rules.put({ AuthMethod: "sso", BindType: "management", Description: "by hand" }),
        cluster.rules.put({ AuthMethod: "their-sso", Selector: "x in list.y", BindType: "role", BindName: "d$" + "{value.z}" }),
        cluster.rules.put({ AuthMethod: "their-sso", BindType: "policy", BindName: "read", Description: "reads" }),
      ].map(({ ID }) => ID);
      const tokens = [
        cluster.tokens.put({ Name: "of-role", Roles: [{ ID: dev?.ID ?? "" }] }),
        cluster.tokens.put({ Name: "of-policy", Policies: ["read"], ExpirationTime: "2999-01-01T00:00:00Z" }),
      ].map(({ AccessorID }) => AccessorID);
      const agents = pools.addAgentToken(pool?.id ?? "", "by hand");
      cluster.rules.put({ AuthMethod: "their-sso", BindType: "management", Description: "elsewhere" });
      cluster.tokens.put({ Name: "elsewhere", Type: "management" });
      const theirPool = pools.put({ organization, name: "theirs" });
      pools.addAgentToken(theirPool.id, "elsewhere");
      return { touching, tokens, agents, theirRole };
    }

    it("names a role and a policy of others that a rule of the stack may give by the claims", async () => {
      const { cluster } = simulator;
      for (const BindType of ["role", "policy"]) cluster.rules.put({ AuthMethod: "sso", BindType, BindName: `team-\${value.team}` });
      const state = await stateFile();
      const names = ["team-x", "other"];
      for (const name of names) cluster.policies.put(name);
      const [ours] = names.map((Name) => cluster.roles.put({ Name, Policies: [{ Name: "team-x" }] }));
      expect(await command("drift", "--state", state)).toMatchObject({
        status: 0,
        out: [
          'AclPolicy "team-x": not in the state; a rule of the state computes this name from claims',
          `AclRole "team-x" (${ours?.ID}): not in the state; gives the policy "team-x"`,
          "7 objects in the state, 0 with drift; 2 unmanaged objects touch them",
        ].join("\n"),
      });
    });

    it("that touch the stack's are listed with their grants, and fail the command only with --fail-on", async () => {
      const state = await stateFile();
      const { touching, tokens, agents } = others();
      const { status, out, err } = await command("drift", "--state", state);
      expect([status, err, out.split("\n").sort()]).toEqual([
        0,
        "",
        [
          `AclRole "audit" (${touching[0]}): not in the state; gives the policies "read" and "theirs"`,
          `AclBindingRule "by hand" (${touching[1]}): not in the state; gives management to every login of "sso"`,
          `AclBindingRule "${touching[2]}": not in the state; gives the role "d\${value.z}" to logins of "their-sso" with x in list.y`,
          `AclBindingRule "reads" (${touching[3]}): not in the state; gives the policy "read" to every login of "their-sso"`,
          `AclToken "of-role" (${tokens[0]}): not in the state; gives the role "dev"`,
          `AclToken "of-policy" (${tokens[1]}): not in the state; gives the policy "read" until 2999-01-01T00:00:00Z`,
          `AgentToken "by hand" (${agents.id}): not in the state; lets agents join the pool "build"`,
          "5 objects in the state, 0 with drift; 7 unmanaged objects touch them",
        ].sort(),
      ]);
      expect((await command("drift", "--state", state, "--fail-on", "drift")).status).toBe(0);
      expect((await command("drift", "--state", state, "--fail-on", "drift,unmanaged")).status).toBe(3);
      const { unmanaged } = JSON.parse((await command("drift", "--state", state, "--json")).out);
      expect(unmanaged).toContainEqual({
        ...{ kind: "AclBindingRule", id: touching[1], name: "by hand", touches: true },
        gives: 'gives management to every login of "sso"',
      });
      expect(out).not.toContain("elsewhere");
    });

    it("are all listed with --unmanaged, without reading a token's secret", async () => {
      const state = await stateFile();
      const { theirRole } = others();
      const { out } = await command("drift", "--state", state, "--unmanaged");
      for (const line of [
        /^AclAuthMethod "their-sso": not in the state$/m,
        /^AclPolicy "theirs": not in the state$/m,
        new RegExp(`^AclRole "ops" \\(${theirRole.ID}\\): not in the state; gives the policy "theirs"$`, "m"),
        /^AclBindingRule "elsewhere" .*; gives management to every login of "their-sso"$/m,
        /^AclToken "elsewhere" .*; gives management$/m,
        /^AgentPool "theirs" \(apool-\w+\): not in the state$/m,
        /^AgentToken "elsewhere" .*; lets agents join the pool "theirs"$/m,
        /^5 objects in the state, 0 with drift; 14 unmanaged objects on the servers$/m,
      ]) {
        expect(out).toMatch(line);
      }
      expect(simulator.journal.entries.some(({ path }) => path.startsWith("/v1/acl/token/"))).toBe(false);
    });

    it("include a count of tokens with the lifetime of login tokens, and the names of tokens that live longer", async () => {
      const { cluster } = simulator;
      const method = cluster.methods.get("sso");
      cluster.methods.put({ ...method, Name: "sso", MaxTokenTTL: "8h0m0s" });
      const state = await stateFile();
      const now = Date.now();
      const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
      const role = { ID: cluster.roles.list()[0]?.ID ?? "" };
      for (const [Name, hours] of Object.entries({ "OIDC-sso": 8, mine: 9 }))
        cluster.tokens.put({ Name, Roles: [role], CreateTime: at(0), ExpirationTime: at(hours) });
      const { out } = await command("drift", "--state", state);
      expect(out).toContain("Not listed: tokens with the lifetime and grants of login tokens of the stack's auth methods (1)\n");
      expect(out).toMatch(/^AclToken "mine" .*gives the role "dev" until/m);
      expect(out).not.toContain("OIDC-sso");
    });

    it("of unreadable kinds are a gap that does not hide drift", async () => {
      const state = await stateFile();
      simulator.faults.add({ path: "/v1/acl/tokens", times: 99, fault: { kind: "status", status: 403 } });
      const { status, err, out } = await command("drift", "--state", state);
      expect([status, err]).toEqual([4, expect.stringMatching(/^incomplete: AclToken: Unmanaged objects could not be listed\. .*403/m)]);
      expect(out).toContain("and not all could be compared");
      simulator.cluster.roles.delete(simulator.cluster.roles.list()[0]?.ID ?? "");
      expect((await command("drift", "--state", state)).status).toBe(3);
    });

    it("never include tokens of a deleted pool", async () => {
      const state = await stateFile();
      simulator.pools.delete(simulator.pools.list()[0]?.id ?? "");
      const { status, err } = await command("drift", "--state", state);
      expect([status, err]).toEqual([3, ""]);
    });
  });

  it("needs a stack or a state, and takes a folder only with a stack", async () => {
    expect((await command("drift")).status).toBe(2);
    expect((await command("drift", "--state", join(folder, "none.json"))).err).toContain("can't be read");
    const folderAlone = await command("drift", "--state", join(folder, "none.json"), "--cwd", folder);
    expect([folderAlone.status, folderAlone.err]).toEqual([2, expect.stringMatching(/^--cwd goes with --stack\nusage: /)]);
  });
});
