/** `import --from-state`: a program with the names of a stack of Pulumi's Nomad provider, without requests and secrets. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resources } from "../provider/resources";
import { type BridgedEntry, bridgedFile, bridgedState } from "../test/support/bridged";
import { runImport } from "../test/support/commands";
import { expectThoseOfServers, seedTerraform } from "../test/support/terraform";
import { Simulator } from "../testing/simulator";
import { parseTerraformInventory } from "./terraform/inventory";
import { bridged } from "./terraform/keepers";

const imported = (path: string, ...args: string[]) => runImport(undefined, "--from-state", path, ...args);

/** Runs an import of a text in place of the state. */
async function importedText(text: string) {
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-bridged-"));
  try {
    const path = join(folder, "stack.json");
    writeFileSync(path, text);
    return await imported(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The text of the state with a change to the entry of this name. */
function changed(name: string, change: (entry: BridgedEntry) => void): string {
  const state = bridgedState();
  const entry = state.deployment.resources.find(({ urn }) => urn.endsWith(name));
  if (!entry) throw new Error(name);
  change(entry);
  return JSON.stringify(state);
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
  const { status, err, files } = await imported(bridgedFile);
  expect([status, err]).toEqual([0, ""]);
  const program = files["index.ts"] ?? "";
  const names = [...program.matchAll(/new (\w+)\("([^"]+)"/g)].map(([, kind, name]) => `${kind} ${name}`);
  expect(names.sort()).toEqual(
    [
      ...["AclAuthMethod ci", "AclAuthMethod sso", "AclAuthMethod signed"],
      ...["AclPolicy read-only", "AclPolicy staging", "AclPolicy production"],
      ...["AclRole staging", "AclRole production", "AclRole developers", "AclRole ops"],
      ...["AclBindingRule pipelines", "AclBindingRule staging", "AclBindingRule production", "AclBindingRule management"],
      ...["AclBindingRule engineers", "AclBindingRule legacy", "AclBindingRule ops"],
    ].sort(),
  );
  expect(program).toContain("policies: [staging.name, readOnly.name],");
  expect(program).toContain("bindName: developers.name,");
  expect(files["policies/deploy-staging.hcl"]).toContain("# Jobs of staging.\n");
  expect(JSON.parse(files["policies/deploy-production.json"] ?? "")).toEqual({ namespace: { production: { policy: "write" } } });
  expect(Object.keys(files)).not.toContain("policies/read-only.hcl");
});

test("resources of the Nomad provider without a matching kind are reported, and so are pending deletes", async () => {
  const { out: said } = await imported(bridgedFile);
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
  const { out: said } = await imported(bridgedFile, "--exclude", "company-sso", "--rules-by-name");
  const [, removal = ""] = said.split("pulumi state delete --stack dev --yes --force \\\n");
  const urns = [...removal.matchAll(/^ {2}'?(urn:[^'\s]+)'?/gm)].map(([, urn = ""]) => urn);
  expect(urns).toHaveLength(16);
  const { out: unprotected } = await imported(bridgedFile, "--only", "AclRole");
  expect(unprotected).toContain("pulumi state delete --stack dev --yes \\\n");
  const { resources: entries } = bridgedState().deployment;
  for (const [index, urn] of urns.entries()) {
    const dependents = entries.filter(({ dependencies, delete: isDeposed }) => !isDeposed && dependencies?.includes(urn));
    for (const { urn: dependent } of dependents.filter((one) => urns.includes(one.urn)))
      expect(urns.indexOf(dependent)).toBeLessThan(index);
  }
});

test.each(["typescript", "python", "go", "yaml"])("no secret of the state is in the program or the report: %s", async (language) => {
  const { status, out: said, err, files } = await imported(bridgedFile, "--language", language, "--with-secrets");
  expect([status, err]).toEqual([0, ""]);
  for (const text of [said, ...Object.values(files)]) expect(text).not.toContain("canary");
  expect(said).toContain("--secret ssoClientSecret &&\n  pulumi config set --secret signedPemKey");
});

test("an ACL token is imported only on request, and its secret is in neither the program nor the report", async () => {
  const { out: usual, files: without } = await imported(bridgedFile);
  expect(usual).toContain("ACL tokens are left out (1)");
  expect(without["index.ts"]).not.toContain("AclToken");
  const { out: said, files } = await imported(bridgedFile, ...["AclPolicy", "AclRole", "AclToken"].flatMap((kind) => ["--only", kind]));
  expect(said).toContain("ACL tokens are imported with their secret, which the stack's state keeps encrypted");
  expect(said).not.toContain("ACL tokens are left out");
  for (const text of [said, ...Object.values(files)]) expect(text).not.toContain("canary");
  expect(files["index.ts"]).toMatch(
    /new AclToken\("ci", \{\n {2}name: "ci",\n {2}type: "client",\n {2}policies: \[readOnly.name\],\n {2}roles: \[developers.name\],\n\}/,
  );
  expect(JSON.parse(files["import.json"] ?? "").resources).toContainEqual({
    ...{ type: "agentpool-acl:index:AclToken", name: "ci" },
    id: "00000301-1111-4222-8333-000000000301",
  });
});

const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:canary" };
const withSecret = (name: string, property: string) =>
  changed(name, ({ inputs = {}, outputs = {} }) => {
    inputs[property] = secret;
    outputs[property] = secret;
  });

test.each([
  ["aclPolicy:AclPolicy::staging", "rulesHcl", "stagingRules"],
  ["aclRole:AclRole::developers", "description", "developersDescription"],
])("a text that the program marked as secret comes from the configuration: %s %s", async (name, property, key) => {
  const { out: said, files } = await importedText(withSecret(name, property));
  expect(said).toContain(`pulumi config set --secret ${key}`);
  expect(said).toContain("secrets of the state come from the configuration");
  expect(files["index.ts"]).toContain(`config.requireSecret("${key}")`);
  for (const text of [said, ...Object.values(files)]) expect(text).not.toContain("canary");
});

test.each([
  ["aclAuthMethod:AclAuthMethod::sso", "config", "config"],
  ["aclRole:AclRole::developers", "policies", "policies"],
  ["aclRole:AclRole::developers", "name", "name"],
  ["aclPolicy:AclPolicy::production", "jobAcl", "jobAcl"],
])("an object with a secret that no configuration key can replace is left out: %s %s", async (name, property, path) => {
  const { out: said, status } = await importedText(withSecret(name, property));
  expect(status).toBe(0);
  expect(said).toMatch(new RegExp(`no counterpart: .*${name} \\(\\w+\\): ${path} is a secret of the state`));
  expect(said).toContain("16 of 16 objects are written");
});

test.each([
  ["another form", '{"values":"canary"}', /is not the output of `pulumi stack export`/],
  ["an empty stack", '{"version":3,"deployment":{}}', /There is nothing to import\. Nothing was written\./],
  [
    "a policy whose rules are a list",
    changed("aclPolicy:AclPolicy::staging", ({ outputs = {} }) => {
      outputs.rulesHcl = ["canary"];
    }),
    /AclPolicy::staging: its rules does not have the form of nomad_acl_policy\..*Run `pulumi refresh`, then `pulumi stack export` again/,
  ],
])("%s is refused with one error, and nothing is written", async (_, text, message) => {
  const { status, err, files } = await importedText(text);
  expect([status, err, files]).toEqual([1, expect.stringMatching(message), {}]);
  expect(err).not.toContain("canary");
});
