/** `import --from-state`: a program from the state of a stack with Pulumi's Nomad provider, with its names, without requests or secrets. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resources } from "../provider/resources";
import { type BridgedEntry, bridgedFile, bridgedState } from "../test/support/bridged";
import { runCommand } from "../test/support/commands";
import { expectThoseOfServers, seedTerraform } from "../test/support/terraform";
import { Simulator } from "../testing/simulator";
import { parseTerraformInventory } from "./terraform/inventory";
import { bridged } from "./terraform/keepers";

let folder: string;
let out: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentpool-acl-bridged-"));
  out = join(folder, "out");
});

afterEach(() => rmSync(folder, { recursive: true }));

const command = (...args: string[]) => runCommand("import", "--output", out, ...args);
const file = (name: string) => readFileSync(join(out, name), "utf8");
const written = () => readdirSync(out, { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name));

/** Writes the state to a file, with a change to the entry of this name. */
function changed(name: string, change: (entry: BridgedEntry) => void): string {
  const state = bridgedState();
  const entry = state.deployment.resources.find(({ urn }) => urn.endsWith(name));
  if (!entry) throw new Error(name);
  change(entry);
  const path = join(folder, "stack.json");
  writeFileSync(path, JSON.stringify(state));
  return path;
}

test("the objects equal the servers', including their ids", async () => {
  const simulator = await Simulator.start();
  try {
    seedTerraform(simulator);
    const cluster = resources.filter(({ api, kind }) => api === "cluster" && kind !== "AclToken");
    const read = parseTerraformInventory(readFileSync(bridgedFile, "utf8"), bridgedFile, { keeper: bridged, chosen: cluster });
    await expectThoseOfServers(read.objects, simulator, cluster);
  } finally {
    await simulator.stop();
  }
});

test("names and references are the stack's", async () => {
  expect(await command("--from-state", bridgedFile)).toMatchObject({ status: 0, err: "" });
  const names = [...file("index.ts").matchAll(/new (\w+)\("([^"]+)"/g)].map(([, kind, name]) => `${kind} ${name}`);
  expect(names.sort()).toEqual(
    [
      ...["AclAuthMethod ci", "AclAuthMethod sso", "AclAuthMethod signed"],
      ...["AclPolicy read-only", "AclPolicy staging", "AclPolicy production"],
      ...["AclRole staging", "AclRole production", "AclRole developers", "AclRole ops"],
      ...["AclBindingRule pipelines", "AclBindingRule staging", "AclBindingRule production", "AclBindingRule management"],
      ...["AclBindingRule engineers", "AclBindingRule legacy", "AclBindingRule ops"],
    ].sort(),
  );
  expect(file("index.ts")).toContain("policies: [staging.name, readOnly.name],");
  expect(file("index.ts")).toContain("bindName: developers.name,");
  expect(file("policies/deploy-staging.hcl")).toContain("# Jobs of staging.\n");
  expect(JSON.parse(file("policies/deploy-production.json"))).toEqual({ namespace: { production: { policy: "write" } } });
  expect(written()).not.toContain("policies/read-only.hcl");
});

test("resources of the Nomad provider without a matching kind are reported, and so are pending deletes", async () => {
  const { out: said } = await command("--from-state", bridgedFile);
  const unmatched = said.split("\n").filter((line) => line.startsWith("no counterpart: "));
  expect(unmatched).toEqual([
    expect.stringContaining("Namespace::staging (nomad_namespace): this package has no such kind: leave it in its stack"),
    expect.stringContaining("AclBindingRule::old (nomad_acl_binding_rule): the stack has replaced it and is still to delete it"),
  ]);
  expect(said).toContain("data sources are left out (1)");
  expect(said).toContain("17 of 17 objects are written");
  expect(said).not.toContain("RandomPet");
});

test("the last step removes the moved resources from the old stack, dependents first", async () => {
  const { out: said } = await command("--from-state", bridgedFile, "--exclude", "company-sso", "--rules-by-name");
  const [, removal = ""] = said.split("pulumi state delete --stack dev --yes --force \\\n");
  const urns = [...removal.matchAll(/^ {2}'?(urn:[^'\s]+)'?/gm)].map(([, urn = ""]) => urn);
  expect(urns).toHaveLength(16);
  const { out: unprotected } = await command("--from-state", bridgedFile, "--only", "AclRole", "--force");
  expect(unprotected).toContain("pulumi state delete --stack dev --yes \\\n");
  const { resources: entries } = bridgedState().deployment;
  for (const [index, urn] of urns.entries()) {
    const dependents = entries.filter(({ dependencies, delete: isDeposed }) => !isDeposed && dependencies?.includes(urn));
    for (const { urn: dependent } of dependents.filter((one) => urns.includes(one.urn)))
      expect(urns.indexOf(dependent)).toBeLessThan(index);
  }
});

test.each(["typescript", "python", "go", "yaml"].flatMap((language) => [[language], [language, "--with-secrets"]]))(
  "no secret of the state leaves it: %s %s",
  async (language, ...options) => {
    const { status, out: said, err } = await command("--from-state", bridgedFile, "--language", language, ...options);
    expect([status, err]).toEqual([0, ""]);
    for (const text of [said, ...written().map(file)]) expect(text).not.toContain("canary");
    if (options.length > 0) expect(said).toContain("--secret ssoClientSecret &&\n  pulumi config set --secret signedPemKey");
  },
);

test("an ACL token is imported only on request, and its secret never", async () => {
  const asked = ["AclPolicy", "AclRole", "AclToken"].flatMap((kind) => ["--only", kind]);
  expect((await command("--from-state", bridgedFile)).out).toContain("ACL tokens are left out (1)");
  expect(file("index.ts")).not.toContain("AclToken");
  const { out: said } = await command("--from-state", bridgedFile, ...asked, "--force");
  expect(said).toContain("ACL tokens are imported with their secret, which the stack's state keeps encrypted");
  expect(said).not.toContain("ACL tokens are left out");
  expect(file("index.ts")).toMatch(
    /new AclToken\("ci", \{\n {2}name: "ci",\n {2}type: "client",\n {2}policies: \[readOnly.name\],\n {2}roles: \[developers.name\],\n\}/,
  );
  expect(JSON.parse(file("import.json")).resources).toContainEqual({
    ...{ type: "agentpool-acl:index:AclToken", name: "ci" },
    id: "00000301-1111-4222-8333-000000000301",
  });
});

const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:canary" };

test.each([
  ["aclPolicy:AclPolicy::staging", "rulesHcl", "stagingRules"],
  ["aclRole:AclRole::developers", "description", "developersDescription"],
])("a text that the program marked as secret comes from the configuration: %s %s", async (name, property, key) => {
  const path = changed(name, ({ inputs = {}, outputs = {} }) => {
    inputs[property] = secret;
    outputs[property] = secret;
  });
  const { out: said } = await command("--from-state", path);
  expect(said).toContain(`pulumi config set --secret ${key}`);
  expect(said).toContain("secrets of the state come from the configuration");
  expect(file("index.ts")).toContain(`config.requireSecret("${key}")`);
  for (const text of [said, ...written().map(file)]) expect(text).not.toContain("canary");
});

test.each([
  ["aclAuthMethod:AclAuthMethod::sso", "config", "config"],
  ["aclRole:AclRole::developers", "policies", "policies"],
  ["aclRole:AclRole::developers", "name", "name"],
  ["aclPolicy:AclPolicy::production", "jobAcl", "jobAcl"],
])("an object with a secret that no configuration key can replace is left out: %s %s", async (name, property, path) => {
  const state = changed(name, ({ inputs = {}, outputs = {} }) => {
    inputs[property] = secret;
    outputs[property] = secret;
  });
  const { out: said, status } = await command("--from-state", state);
  expect(status).toBe(0);
  expect(said).toMatch(new RegExp(`no counterpart: .*${name} \\(\\w+\\): ${path} is a secret of the state`));
  expect(said).toContain("16 of 16 objects are written");
});

test("an entry without a required value is refused by its URN", async () => {
  const path = changed("aclPolicy:AclPolicy::staging", ({ outputs = {} }) => {
    outputs.rulesHcl = ["canary"];
  });
  const { status, err } = await command("--from-state", path);
  expect([status, err]).toEqual([1, expect.stringContaining("AclPolicy::staging: its rules does not have the form of nomad_acl_policy.")]);
  expect(err).toContain("Run `pulumi refresh`, then `pulumi stack export` again");
  expect([err.includes("canary"), existsSync(out)]).toEqual([false, false]);
});

test.each([
  ["no JSON", "{canary", "is not JSON."],
  ["another form", '{"values":"canary"}', "is not what `pulumi stack export` writes"],
  ["an empty stack", '{"version":3,"deployment":{}}', "There is nothing to import. Nothing was written."],
])("%s is refused with one error, and nothing is written", async (_, text, message) => {
  const path = join(folder, "stack.json");
  writeFileSync(path, text);
  const { status, err } = await command("--from-state", path);
  expect([status, err]).toEqual([1, expect.stringContaining(message)]);
  expect([err.includes("canary"), existsSync(out)]).toEqual([false, false]);
});

test("two sources, and options for reading servers, are refused", async () => {
  const both = await command("--from-state", bridgedFile, "--from-terraform", bridgedFile);
  expect([both.status, both.err]).toEqual([2, expect.stringContaining("--from-terraform and --from-state are two sources")]);
  const configured = await command("--from-state", bridgedFile, "--config", "clusterAddress=http://a");
  expect([configured.status, configured.err]).toEqual([2, expect.stringContaining("--from-state reads no server: leave out --config")]);
});
