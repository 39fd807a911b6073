/** `import --from-terraform`: a program from a Terraform state, by its names, without a request and without its secrets. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resources } from "../provider/resources";
import { expectThoseOfServers, seedTerraform, terraformFile, terraformState } from "../test/support/terraform";
import { Simulator } from "../testing/simulator";
import { run } from "./main";
import { parseTerraformInventory } from "./terraform/inventory";
import { terraform } from "./terraform/keepers";

let folder: string;
let out: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agentpool-acl-terraform-"));
  out = join(folder, "out");
});

afterEach(() => rmSync(folder, { recursive: true }));

interface Result {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

async function command(...args: string[]): Promise<Result> {
  const [printed, complained]: [string[], string[]] = [[], []];
  const io = { print: (text: string) => printed.push(text), complain: (text: string) => complained.push(text) };
  const status = await run(["import", "--output", out, ...args], io, new AbortController().signal);
  return { status, out: printed.join("\n"), err: complained.join("\n") };
}

/** The state with one text of it replaced, as a file. */
function changed(from: string | RegExp, to: string): string {
  const path = join(folder, "state.json");
  const text = terraformState().replace(from, to);
  expect(text).not.toBe(terraformState());
  writeFileSync(path, text);
  return path;
}

const written = () => readdirSync(out, { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name));
const file = (name: string) => readFileSync(join(out, name), "utf8");

test("the objects equal the servers', including their ids", async () => {
  const simulator = await Simulator.start();
  try {
    seedTerraform(simulator);
    const chosen = resources.filter(({ kind }) => kind !== "AclToken");
    const read = parseTerraformInventory(terraformState(), terraformFile, { keeper: terraform, chosen });
    await expectThoseOfServers(read.objects, simulator, chosen);
  } finally {
    await simulator.stop();
  }
});

test("names are from the addresses, with modules and keys, and rules refer to objects of the state", async () => {
  expect((await command("--from-terraform", terraformFile)).status).toBe(0);
  const names = [...file("index.ts").matchAll(/new (\w+)\(\s*"([^"]+)"/g)].map(([, kind, name]) => `${kind} ${name}`);
  expect(names).toEqual([
    ...["AgentPool pools-this-0", "AgentPool pools-this-1", "AgentPool pools-limited"],
    ...["AclAuthMethod ci", "AclAuthMethod sso", "AclAuthMethod signed"],
    ...["AclPolicy deploy-production", "AclPolicy deploy-staging", "AclPolicy read_only"],
    ...["AclRole deploy-production", "AclRole deploy-staging", "AclRole developers", "AclRole teams-ops-more-access-this"],
    ...["AclBindingRule deploy-production", "AclBindingRule deploy-staging", "AclBindingRule teams-ops-more-access-this"],
    ...["AclBindingRule management", "AclBindingRule legacy", "AclBindingRule ci", "AclBindingRule sso", "AgentToken build"],
  ]);
  expect(file("index.ts")).toContain(
    'authMethod: sso.name,\n  selector: "ops in list.groups",\n  bindType: "role",\n  bindName: teamsOpsMoreAccessThis.name,',
  );
  expect(file("index.ts")).toContain('authMethod: "ldap",');
  expect(file("index.ts")).toContain(
    `allowedWorkspaceIds: ["ws-1xxxxxxxxxxxxxxx", "ws-2xxxxxxxxxxxxxxx"],
  allowedProjectIds: ["prj-1xxxxxxxxxxxxxxx"],
  excludedWorkspaceIds: ["ws-3xxxxxxxxxxxxxxx"],`,
  );
  const { resources: all } = JSON.parse(file("import.json"));
  expect(all).toHaveLength(21);
  expect(all).toContainEqual({ type: "agentpool-acl:index:AgentPool", name: "pools-limited", id: "example-org/limited" });
  expect(all).toContainEqual({
    ...{ type: "agentpool-acl:index:AclBindingRule", name: "sso" },
    id: "00000205-1111-4222-8333-000000000205",
  });
});

test("long rules are in files of their own, and roles refer to their policies", async () => {
  await command("--from-terraform", terraformFile);
  expect(file("policies/deploy-staging.hcl")).toMatch(/^# Jobs of staging.\nnamespace "staging" \{\n/);
  expect(file("index.ts")).toContain('rules: readFileSync("policies/deploy-staging.hcl", "utf8"),');
  expect(file("index.ts")).toContain(`rules: 'namespace "default" { policy = "read" }',`);
  expect(file("index.ts")).toContain("policies: [deployStaging.name, readOnly.name],");
  expect(file("index.ts")).toContain('jobAcl: {\n    namespace: "default",\n    jobId: "deployer",\n  },');
  expect(written()).not.toContain("policies/read-only.hcl");
});

test("an ACL token is imported only on request, and never with its secret", async () => {
  const { out: usual } = await command("--from-terraform", terraformFile);
  expect(usual).toContain("ACL tokens are left out (1): name them among the kinds");
  const kinds = ["AclPolicy", "AclRole", "AclToken"].flatMap((kind) => ["--only", kind]);
  const { out: said } = await command("--from-terraform", terraformFile, ...kinds, "--force");
  expect(file("index.ts")).toContain(
    'new AclToken("ci", {\n  name: "ci",\n  type: "client",\n  policies: [readOnly.name],\n  roles: [developers.name],\n});',
  );
  expect(said).toContain("  nomad_acl_token.ci");
  for (const text of [said, ...written().map(file)]) expect(text).not.toContain("canary");
});

test("resources without a counterpart are reported by address and type, and the last step removes the moved ones from Terraform", async () => {
  const { out: said } = await command("--from-terraform", terraformFile, "--exclude", "build-2");
  const unmatched = said.split("\n").filter((line) => line.startsWith("no counterpart: "));
  expect(unmatched.map((line) => line.split(": ")[1])).toEqual(["nomad_namespace.staging (nomad_namespace)"]);
  expect(said).toContain("data sources are left out (1)");
  expect(said).toContain("20 of 21 objects are written");
  expect(said).toContain("left out: 1 with other names");
  const [, removal = ""] = said.split("terraform state rm");
  expect(removal.split(" \\\n  ").slice(1)).toHaveLength(20 + 3);
  expect(removal).toContain("\\\n  'module.pools.tfe_agent_pool.this[0]' \\\n");
  for (const limit of ["allowed_workspaces.limited", "allowed_projects.this", "excluded_workspaces.this"])
    expect(removal).toContain(`module.pools.tfe_agent_pool_${limit}`);
  expect(removal).toContain(`'module.teams["ops & more"].module.access.nomad_acl_role.this'`);
  expect(removal).not.toContain("this[1]");
});

const ways = [[], ["--with-secrets"], ["--split"], ["--dynamic"], ["--with-import-options"]].flatMap((way) => [
  way,
  ...(way.includes("--dynamic") ? [] : ["python", "go", "yaml"].map((language) => [...way, "--language", language])),
]);

test.each(ways.filter((way) => !way.includes("--split") || !way.includes("yaml")))(
  "no secret of the state leaves it: %j %j %j",
  async (...way) => {
    const { status, out: said, err } = await command("--from-terraform", terraformFile, ...way);
    expect([status, err]).toEqual([0, ""]);
    expect(written()).toContain("Pulumi.yaml");
    for (const text of [said, ...written().map(file)]) expect(text).not.toContain("canary");
    expect(terraformState().match(/canary/g)).toHaveLength(5);
  },
);

test("secrets are taken from the configuration on request, as for servers", async () => {
  const { out: said } = await command("--from-terraform", terraformFile, "--with-secrets");
  expect(said).toContain(" &&\n  pulumi config set --secret ssoClientSecret &&\n  pulumi config set --secret signedPemKey &&\n");
  expect(said).toContain("the first update writes each auth method with such a secret once");
  expect(file("index.ts")).toContain('oidcClientSecret: config.requireSecret("ssoClientSecret"),');
});

test("an adoption with a secret writes it, because it can't be compared, and no other adoption writes", async () => {
  const { out: said } = await command("--from-terraform", terraformFile, "--with-secrets", "--dynamic");
  expect(file("index.ts").match(/adopt: "overwrite",/g)).toHaveLength(2);
  expect(file("index.ts").match(/adopt: true,/g)).toHaveLength(18);
  expect(said).toContain("pulumi up    # shows creates, which adopt existing objects and write only those secrets");
});

test("a state of the newer provider, with blocks that are no lists and write-only secrets, gives the same program", async () => {
  await command("--from-terraform", terraformFile, "--with-secrets");
  const before = file("index.ts");
  const unlisted = (value: unknown, key = ""): unknown => {
    if (Array.isArray(value)) {
      const isBlock = ["config", "oidc_client_assertion", "private_key"].includes(key);
      return isBlock ? (value.length === 0 ? null : unlisted(value[0])) : value.length === 0 ? null : value.map((item) => unlisted(item));
    }
    if (typeof value !== "object" || value === null) return value === "" ? null : value;
    const entries = Object.entries(value).flatMap(([name, item]): [string, unknown][] => {
      if (name !== "pem_key" && name !== "oidc_client_secret") return [[name, unlisted(item, name)]];
      return [
        [name, null],
        [`${name}_wo`, null],
        [`${name}_wo_version`, item === "" ? null : 1],
      ];
    });
    return Object.fromEntries(entries);
  };
  const state = JSON.parse(terraformState());
  for (const one of state.values.root_module.resources) if (one.type === "nomad_acl_auth_method") one.values = unlisted(one.values);
  const path = join(folder, "newer.json");
  writeFileSync(path, JSON.stringify(state));
  expect(JSON.stringify(state)).not.toContain("canary-client-secret");
  await command("--from-terraform", path, "--with-secrets", "--force");
  expect(file("index.ts")).toBe(before);
});

/** Marks a value of a resource as sensitive in Terraform. */
function marked(address: string, marks: object, values: object = {}): string {
  const state = JSON.parse(terraformState());
  const one = state.values.root_module.resources.find((resource: { address: string }) => resource.address === address);
  Object.assign(one.sensitive_values, marks);
  Object.assign(one.values, values);
  const path = join(folder, "marked.json");
  writeFileSync(path, JSON.stringify(state));
  return path;
}

test("a sensitive text of Terraform comes from the configuration, even if it would be a name", async () => {
  const address = "nomad_acl_binding_rule.management";
  const path = marked(
    address,
    { description: true, selector: true },
    { description: "canary-description", selector: "canary in list.groups" },
  );
  const { out: said } = await command("--from-terraform", path, "--match", "*-0000000002*");
  expect(said).toContain(
    " &&\n  pulumi config set --secret managementDescription &&\n  pulumi config set --secret managementSelector &&\n",
  );
  expect(said).toContain("set each to its value in the state, and nothing changes");
  expect(file("index.ts")).toContain('description: config.requireSecret("managementDescription"),\n  selector: config.requireSecret(');
  for (const text of [said, ...written().map(file)]) expect(text).not.toContain("canary");
});

test.each([
  ["nomad_acl_role.developers", { policy: [{ name: true }] }, "policies"],
  ["nomad_acl_role.developers", { name: true }, "name"],
  ["nomad_acl_role.developers", { id: true }, "id"],
  ["nomad_acl_auth_method.sso", { config: [{ claim_mappings: { department: true } }] }, "config.claimMappings"],
  ["nomad_acl_auth_method.sso", { type: true }, "type"],
  ["nomad_acl_auth_method.ci", { token_locality: true }, "tokenLocality"],
  ["nomad_acl_auth_method.signed", { config: [{ oidc_client_assertion: [{ key_source: true }] }] }, "config.oidcClientAssertion.keySource"],
  ["nomad_acl_binding_rule.management", { bind_type: true }, "bindType"],
  ["tfe_agent_token.build", { agent_pool_id: true }, "agentPoolId"],
])("an object with a sensitive value that no configuration key can replace is left out: %s %j", async (address, marks, property) => {
  const { out: said, status } = await command("--from-terraform", marked(address, marks));
  expect(status).toBe(0);
  expect(said).toContain(`no counterpart: ${address} (${address.split(".")[0]}): ${property} is sensitive in Terraform`);
  expect(said).toContain("20 of 20 objects are written");
});

test.each([
  ["typescript", "index.ts", "agentPoolId: poolsThis0.id,"],
  ["python", "__main__.py", "agent_pool_id=pools_this_0.id,"],
  ["go", "main.go", "AgentPoolId: poolsThis0.ID(),"],
  ["yaml", "Pulumi.yaml", "agentPoolId: $" + "{poolsThis0.id}"],
])("an agent token is imported without its secret, and refers to its pool: %s", async (language, path, reference) => {
  const { out: said } = await command("--from-terraform", terraformFile, "--language", language);
  expect(said).toContain(
    "tokens of agents are imported without their secret, which only a create returns: the next change makes a new one",
  );
  expect(file(path).replace(/:[ ]+poolsThis0.ID/, ": poolsThis0.ID")).toContain(reference);
  expect(JSON.parse(file("import.json")).resources).toContainEqual({
    ...{ type: "agentpool-acl:index:AgentToken", name: "build" },
    id: "apool-bU1ldxxxxxxxxxxx/at-1xxxxxxxxxxxxxxx",
  });
});

test("an agent token names a pool outside of the state by its id, shares a file with pools, and can't be adopted by dynamic resources", async () => {
  const path = changed('"agent_pool_id": "apool-bU1ldxxxxxxxxxxx"', '"agent_pool_id": "apool-other"');
  await command("--from-terraform", path, "--split");
  expect(file("pools.ts")).toContain('agentPoolId: "apool-other",');
  const { out: said } = await command("--from-terraform", path, "--dynamic", "--force");
  expect(said).toContain("left out: 1 of AgentToken, which no dynamic resource can adopt");
  expect(file("index.ts")).not.toContain("AgentToken");
  expect(said).not.toContain("tfe_agent_token");
});

test("only chosen objects are imported, and objects of a stack are left out", async () => {
  const outputs = { name: "developers", policies: ["read-only"], description: "all of engineering" };
  const id = "00000103-1111-4222-8333-000000000103";
  const state = join(folder, "stack.json");
  const resource = { urn: "urn:developers", type: "agentpool-acl:index:AclRole", id, outputs };
  writeFileSync(state, JSON.stringify({ version: 3, deployment: { resources: [resource] } }));
  const { out: said } = await command("--from-terraform", terraformFile, "--only", "AclRole", "--match", "de*", "--state", state);
  expect(said).toContain(`2 of 4 objects are written to ${out}; left out: 1 managed by ${state}, 1 with other names`);
  expect(said).not.toContain("unreferenced");
});

test("a repeated object is imported once, and an object with a pending delete is left out", async () => {
  const twice = changed("00000101-1111-4222-8333-000000000101", "00000102-1111-4222-8333-000000000102");
  expect((await command("--from-terraform", twice)).out).toContain("it is the same object as nomad_acl_role.deploy");
  const deposed = changed('"address": "nomad_acl_role.developers",', '"address": "nomad_acl_role.developers", "deposed_key": "abc",');
  expect((await command("--from-terraform", deposed, "--force")).out).toContain("Terraform has replaced it and is still to delete it");
  expect(file("index.ts")).not.toContain('AclRole("developers"');
});

test("a pool with unknown allowed workspaces is imported without them, and allowed workspaces without a pool are reported", async () => {
  const path = changed(/"agent_pool_id": "apool-lim1tedxxxxxxxx",/g, '"agent_pool_id": "apool-other",');
  const { out: said } = await command("--from-terraform", path);
  expect(said).toContain("the state does not say which workspaces or projects may use the pool limited");
  for (const limit of ["allowed_workspaces.limited", "allowed_projects.this", "excluded_workspaces.this"]) {
    const type = `tfe_agent_pool_${limit.split(".")[0]}`;
    expect(said).toContain(`no counterpart: module.pools.tfe_agent_pool_${limit} (${type}): its pool is not in this state`);
  }
  expect(file("index.ts")).not.toMatch(/WorkspaceIds|ProjectIds/);
});

test.each([
  ["no JSON", "{canary", "is not JSON."],
  ["a list", "[]", "is not a state of Terraform: give what `terraform show -json > state.json` writes."],
  ["a raw state", '{"version":4,"lineage":"x","resources":[],"outputs":{"a":"canary"}}', "is a raw state of Terraform"],
  ["a plan", '{"format_version":"1.2","planned_values":{}}', "is a plan of Terraform"],
  ["an unknown version", '{"format_version":"2.0","values":{}}', 'has the format version "2.0", which this version does not know.'],
  ["another form", '{"format_version":"1.0","values":{"root_module":{"resources":[{"address":"canary"}]}}}', "is not what"],
  ["an empty state", '{"format_version":"1.0"}', "There is nothing to import. Nothing was written."],
])("%s is refused with one error, and nothing is written", async (_, text, message) => {
  const path = join(folder, "state.json");
  writeFileSync(path, text);
  const { status, err } = await command("--from-terraform", path);
  expect([status, err]).toEqual([1, expect.stringContaining(message)]);
  expect(err).not.toContain("canary");
  expect(() => readdirSync(out)).toThrow();
});

test.each([
  [/"name": "company-sso"/, '"name": null', "nomad_acl_auth_method.sso: it has no name"],
  [/"id": "00000201-[^"]*"/, '"id": null', "nomad_acl_binding_rule.ci: it has no id"],
  [/"bind_type": "management"/, '"bind_type": ""', "nomad_acl_binding_rule.management: it has no bindType"],
  [/"organization": "example-org"/, '"organization": null', "module.pools.tfe_agent_pool.this[0]: it has no organization"],
  [
    /"oidc_client_id": "nomad"/,
    '"oidc_client_id": ["canary"]',
    "nomad_acl_auth_method.sso: its config.oidcClientId does not have the form of nomad_acl_auth_method",
  ],
])("a resource without a required value is refused by its address: %s", async (from, to, message) => {
  const { status, err } = await command("--from-terraform", changed(from, to));
  expect([status, err]).toEqual([1, expect.stringContaining(message)]);
  expect(err).not.toContain("canary");
});

test.each([
  ["--config", "clusterAddress=http://a"],
  ["--organization", "a"],
  ["--config-file", "-"],
])("it refuses options for reading servers: %s", async (option, value) => {
  const { status, err } = await command("--from-terraform", terraformFile, option, value);
  expect([status, err]).toEqual([2, expect.stringContaining(`--from-terraform reads no server: leave out ${option}`)]);
});
