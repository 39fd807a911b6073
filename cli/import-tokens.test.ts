/** The ACL tokens that `import --only AclToken` takes, from servers and from states. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bridgedState } from "../test/support/bridged";
import { type CommandScene, commandScene, runCommand, seedOne } from "../test/support/commands";
import { terraformState } from "../test/support/terraform";
import type { Simulator } from "../testing/simulator";

let scene: CommandScene;
let simulator: Simulator;
let out: string;

beforeEach(async () => {
  scene = await commandScene();
  ({ simulator } = scene);
  out = join(scene.folder, "out");
  seedOne(simulator);
});

afterEach(() => scene.stop());

const tokensOnly = (...args: string[]) => scene.command("import", "--output", out, "--only", "AclToken", ...args);
const importedIds = () => JSON.parse(readFileSync(join(out, "import.json"), "utf8")).resources.map(({ id }: { id: string }) => id);
const leftOutLines = (text: string) => text.split("\n").filter((line) => line.startsWith("left out: "));

// A server deletes a token an hour after its end.
const [past, future] = [new Date(Date.now() - 600_000).toISOString(), "2999-01-01T00:00:00Z"];

describe("from servers", () => {
  it("takes tokens with policies, with roles, and for management", async () => {
    const { tokens, roles } = simulator.cluster;
    const [role] = roles.list();
    const wanted = [
      tokens.put({ Name: "a", Policies: ["read"] }),
      tokens.put({ Name: "b", Roles: [{ ID: role?.ID ?? "" }] }),
      tokens.put({ Name: "c", Type: "management" }),
    ];
    const { status, out: said } = await tokensOnly();
    expect(status).toBe(0);
    expect(importedIds()).toEqual(wanted.map(({ AccessorID }) => AccessorID));
    expect(said).toContain(`3 of 3 objects are written to ${out}\n`);
    expect(leftOutLines(said)).toEqual([]);
  });

  it("leaves out expiring tokens, and names each with its expiration", async () => {
    const { tokens } = simulator.cluster;
    const kept = tokens.put({ Name: "ci", Policies: ["read"] });
    const person = tokens.put({ Name: "OIDC-sso", Policies: ["read"], ExpirationTime: future, ExpirationTTL: "1h0m0s" });
    const ended = tokens.put({ Type: "management", ExpirationTime: past, ExpirationTTL: "1h0m0s" });
    const { status, out: said } = await tokensOnly();
    const reason = (time: string) => `has an expiration, ${time}: from then on, an update would make another token, with another secret`;
    expect([status, importedIds()]).toEqual([0, [kept.AccessorID]]);
    expect(leftOutLines(said).sort()).toEqual(
      [
        `left out: AclToken "OIDC-sso" (${person.AccessorID}) ${reason(future)}`,
        `left out: AclToken "${ended.AccessorID}" ${reason(past)}`,
      ].sort(),
    );
    expect(said).toContain(`1 of 3 objects are written to ${out}; left out: 2 expiring\n`);
    expect(simulator.journal.entries.every(({ method }) => method === "GET")).toBe(true);
    for (const { SecretID } of [kept, person, ended]) expect(said).not.toContain(SecretID);
  });

  it("leaves out the token that the command itself uses, but no other management token", async () => {
    const { tokens } = simulator.cluster;
    const own = tokens.put({ Name: "admin", Type: "management" });
    const other = tokens.put({ Name: "admin", Type: "management" });
    scene.configure({ clusterToken: own.SecretID.toUpperCase() });
    const { out: said } = await tokensOnly();
    expect(importedIds()).toEqual([other.AccessorID]);
    expect(leftOutLines(said)).toEqual([
      `left out: AclToken "admin" (${own.AccessorID}) is the token that this command uses: a program must not change or delete its own token`,
    ]);
    expect(said).toContain("left out: 1 in use by this command\n");
    expect(said.toLowerCase()).not.toContain(own.SecretID);
  });

  it("leaves out a client token whose only role was deleted, and explains why nothing is left to import", async () => {
    const { tokens, roles } = simulator.cluster;
    const { ID } = roles.put({ Name: "gone", Policies: [{ Name: "read" }] });
    const { AccessorID } = tokens.put({ Name: "ci", Roles: [{ ID }] });
    roles.delete(ID);
    const { status, out: said, err } = await tokensOnly();
    expect([status, err]).toEqual([1, "There is nothing to import; left out: 1 without policies or roles. Nothing was written."]);
    expect(said).toBe(
      `left out: AclToken "ci" (${AccessorID}) has no policies or roles any more: servers refuse such a client token, so delete it, or give it some`,
    );
  });

  it("names only tokens that match", async () => {
    const { tokens } = simulator.cluster;
    tokens.put({ Name: "ci", Policies: ["read"] });
    tokens.put({ Name: "OIDC-sso", Policies: ["read"], ExpirationTime: future, ExpirationTTL: "1h0m0s" });
    const { out: said } = await tokensOnly("--exclude", "OIDC-*");
    expect(said).toContain("left out: 1 with other names\n");
    expect(leftOutLines(said)).toEqual([]);
  });
});

describe("from states", () => {
  const fromTerraform = (change: object) => {
    const state = JSON.parse(terraformState());
    const token = JSON.parse(JSON.stringify(state), (_, value) => {
      return value?.type === "nomad_acl_token" ? { ...value, values: { ...value.values, ...change } } : value;
    });
    return ["--from-terraform", token] as const;
  };
  const fromState = (change: object) => {
    const state = bridgedState();
    for (const entry of state.deployment.resources.filter(({ urn }) => urn.includes("aclToken:AclToken")))
      Object.assign(entry.outputs ?? {}, change);
    return ["--from-state", state] as const;
  };

  async function importOf([option, state]: readonly [string, object]) {
    const path = join(scene.folder, "state.json");
    writeFileSync(path, JSON.stringify(state));
    return runCommand("import", "--output", out, "--only", "AclToken", option, path);
  }

  it.each([
    ["Terraform", fromTerraform({ expiration_time: "2020-01-01 00:00:00 +0000 UTC", expiration_ttl: "1h0m0s" })],
    ["Pulumi", fromState({ expirationTime: "2020-01-01 00:00:00 +0000 UTC", expirationTtl: "1h0m0s" })],
  ])("leaves out an expiring token: %s", async (_, state) => {
    const { status, out: said, err } = await importOf(state);
    expect([status, err]).toEqual([1, "There is nothing to import; left out: 1 expiring. Nothing was written."]);
    expect(leftOutLines(said)).toEqual([
      expect.stringMatching(/^left out: AclToken "ci" \(00000301-[-\d]+\) has an expiration, 2020-01-01 00:00:00 \+0000 UTC: /),
    ]);
  });

  it("leaves out an expiring token if the state has only its duration", async () => {
    const { out: said } = await importOf(fromTerraform({ expiration_time: null, expiration_ttl: "1h0m0s" }));
    expect(said).toContain("has an expiration, 1h0m0s after its creation: ");
  });

  it.each([
    ["Terraform", fromTerraform({ policies: [], role: [] })],
    ["Pulumi", fromState({ policies: [], roles: [] })],
  ])("leaves out a token without policies or roles: %s", async (_, state) => {
    expect((await importOf(state)).err).toContain("left out: 1 without policies or roles.");
  });

  it("takes a token with Go's zero time as its expiration, which means none", async () => {
    const { status, out: said } = await importOf(fromTerraform({ expiration_time: "0001-01-01 00:00:00 +0000 UTC" }));
    expect([status, leftOutLines(said)]).toEqual([0, []]);
  });
});
