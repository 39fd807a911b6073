/** `import --from-terraform`: a program with the names of a Terraform state, without requests and secrets. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resources } from "../provider/resources";
import { runImport } from "../test/support/commands";
import { expectThoseOfServers, seedTerraform, terraformFile, terraformState } from "../test/support/terraform";
import { Simulator } from "../testing/simulator";
import { parseTerraformInventory } from "./terraform/inventory";
import { terraform } from "./terraform/keepers";

const imported = (path: string, ...args: string[]) => runImport(undefined, "--from-terraform", path, ...args);

/** Runs an import of this state, or of its text. */
async function importedState(state: unknown, ...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-terraform-"));
  try {
    const path = join(folder, "state.json");
    writeFileSync(path, typeof state === "string" ? state : JSON.stringify(state));
    return await imported(path, ...args);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The text of the state with a part of it replaced. */
function changed(from: string | RegExp, to: string): string {
  const text = terraformState().replace(from, to);
  expect(text).not.toBe(terraformState());
  return text;
}

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
  const { status, files } = await imported(terraformFile);
  const program = files["index.ts"] ?? "";
  expect(status).toBe(0);
  const names = [...program.matchAll(/new (\w+)\(\s*"([^"]+)"/g)].map(([, kind, name]) => `${kind} ${name}`);
  expect(names).toEqual([
    ...["AgentPool pools-this-0", "AgentPool pools-this-1", "AgentPool pools-limited"],
    ...["AclAuthMethod ci", "AclAuthMethod sso", "AclAuthMethod signed"],
    ...["AclPolicy deploy-production", "AclPolicy deploy-staging", "AclPolicy read_only"],
    ...["AclRole deploy-production", "AclRole deploy-staging", "AclRole developers", "AclRole teams-ops-more-access-this"],
    ...["AclBindingRule deploy-production", "AclBindingRule deploy-staging", "AclBindingRule teams-ops-more-access-this"],
    ...["AclBindingRule management", "AclBindingRule legacy", "AclBindingRule ci", "AclBindingRule sso", "AgentToken build"],
  ]);
  expect(program).toContain(
    'authMethod: sso.name,\n  selector: "ops in list.groups",\n  bindType: "role",\n  bindName: teamsOpsMoreAccessThis.name,',
  );
  expect(program).toContain('authMethod: "ldap",');
  expect(program).toContain(
    `allowedWorkspaceIds: ["ws-1xxxxxxxxxxxxxxx", "ws-2xxxxxxxxxxxxxxx"],
  allowedProjectIds: ["prj-1xxxxxxxxxxxxxxx"],
  excludedWorkspaceIds: ["ws-3xxxxxxxxxxxxxxx"],`,
  );
  expect(program).toContain("policies: [deployStaging.name, readOnly.name],");
  expect(program).toContain('jobAcl: {\n    namespace: "default",\n    jobId: "deployer",\n  },');
  const { resources: all } = JSON.parse(files["import.json"] ?? "");
  expect(all).toHaveLength(21);
  expect(all).toContainEqual({ type: "agentpool-acl:index:AgentPool", name: "pools-limited", id: "example-org/limited" });
  expect(all).toContainEqual({
    ...{ type: "agentpool-acl:index:AclBindingRule", name: "sso" },
    id: "00000205-1111-4222-8333-000000000205",
  });
});

test("resources without a counterpart are reported by address and type, and the last step removes the moved ones from Terraform", async () => {
  const { out: said } = await imported(terraformFile, "--exclude", "build-2");
  const unmatched = said.split("\n").filter((line) => line.startsWith("no counterpart: "));
  expect(unmatched.map((line) => line.split(": ")[1])).toEqual(["nomad_namespace.staging (nomad_namespace)"]);
  expect(said).toContain("data sources are left out (1)");
  expect(said).toContain("ACL tokens are left out (1): name them among the kinds");
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

const ways = [[], ["--with-secrets"], ["--dynamic"], ["--with-import-options"]].flatMap((way) => [
  way,
  ...(way.includes("--dynamic") ? [] : ["python", "go", "yaml"].map((language) => [...way, "--language", language])),
]);

test.each([...ways, ["--split"], ["--only", "AclToken"]])(
  "no secret of the state is in the program or the report: %j %j %j",
  async (...way) => {
    const { status, out: said, err, files } = await imported(terraformFile, ...way);
    expect([status, err]).toEqual([0, ""]);
    expect(Object.keys(files)).toContain("Pulumi.yaml");
    for (const text of [said, ...Object.values(files)]) expect(text).not.toContain("canary");
    expect(terraformState().match(/canary/g)).toHaveLength(5);
  },
);

test("an adoption with a secret writes it, because it can't be compared, and no other adoption writes", async () => {
  const { out: said, files } = await imported(terraformFile, "--with-secrets", "--dynamic");
  expect(files["index.ts"]?.match(/adopt: "overwrite",/g)).toHaveLength(2);
  expect(files["index.ts"]?.match(/adopt: true,/g)).toHaveLength(18);
  expect(said).toContain("pulumi up    # shows creates, which adopt existing objects and write only those secrets");
});

test("a state of the newer provider, with blocks that are not lists and write-only secrets, gives the same program", async () => {
  const { out: said, files: before } = await imported(terraformFile, "--with-secrets");
  expect(said).toContain(" &&\n  pulumi config set --secret ssoClientSecret &&\n  pulumi config set --secret signedPemKey &&\n");
  expect(said).toContain("the first update writes each auth method that has one");
  expect(before["index.ts"]).toContain('oidcClientSecret: config.requireSecret("ssoClientSecret"),');
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
  expect(JSON.stringify(state)).not.toContain("canary-client-secret");
  const { files } = await importedState(state, "--with-secrets");
  expect(files["index.ts"]).toBe(before["index.ts"]);
});

/** The state with a value of a resource that is sensitive in Terraform. */
function marked(address: string, marks: object, values: object = {}): object {
  const state = JSON.parse(terraformState());
  const one = state.values.root_module.resources.find((resource: { address: string }) => resource.address === address);
  Object.assign(one.sensitive_values, marks);
  Object.assign(one.values, values);
  return state;
}

test("a sensitive text of Terraform comes from the configuration, even if it would be a name", async () => {
  const state = marked(
    "nomad_acl_binding_rule.management",
    { description: true, selector: true },
    { description: "canary-description", selector: "canary in list.groups" },
  );
  const { out: said, files } = await importedState(state, "--match", "*-0000000002*");
  expect(said).toContain(
    " &&\n  pulumi config set --secret managementDescription &&\n  pulumi config set --secret managementSelector &&\n",
  );
  expect(said).toContain("set each to its value in the state, and nothing changes");
  expect(files["index.ts"]).toContain('description: config.requireSecret("managementDescription"),\n  selector: config.requireSecret(');
  for (const text of [said, ...Object.values(files)]) expect(text).not.toContain("canary");
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
  const { out: said, status } = await importedState(marked(address, marks));
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
  const { out: said, files } = await imported(terraformFile, "--language", language);
  expect(said).toContain(
    "tokens of agents are imported without their secret, which only a create returns: the next change makes a new one",
  );
  expect(files[path]?.replace(/:[ ]+poolsThis0.ID/, ": poolsThis0.ID")).toContain(reference);
  expect(JSON.parse(files["import.json"] ?? "").resources).toContainEqual({
    ...{ type: "agentpool-acl:index:AgentToken", name: "build" },
    id: "apool-bU1ldxxxxxxxxxxx/at-1xxxxxxxxxxxxxxx",
  });
});

test("an agent token names a pool outside of the state by its id, shares a file with pools, and can't be adopted by dynamic resources", async () => {
  const state = changed('"agent_pool_id": "apool-bU1ldxxxxxxxxxxx"', '"agent_pool_id": "apool-other"');
  expect((await importedState(state, "--split")).files["pools.ts"]).toContain('agentPoolId: "apool-other",');
  const { out: said, files } = await importedState(state, "--dynamic");
  expect(said).toContain("left out: 1 of AgentToken, which no dynamic resource can adopt");
  expect(files["index.ts"]).not.toContain("AgentToken");
  expect(said).not.toContain("tfe_agent_token");
});

test("a repeated object is imported once, and an object with a pending delete is left out", async () => {
  const twice = changed("00000101-1111-4222-8333-000000000101", "00000102-1111-4222-8333-000000000102");
  expect((await importedState(twice)).out).toContain("it is the same object as nomad_acl_role.deploy");
  const deposed = changed('"address": "nomad_acl_role.developers",', '"address": "nomad_acl_role.developers", "deposed_key": "abc",');
  const { out: said, files } = await importedState(deposed);
  expect(said).toContain("Terraform has replaced it and is still to delete it");
  expect(files["index.ts"]).not.toContain('AclRole("developers"');
});

test("a pool with unknown allowed workspaces is imported without them, and allowed workspaces without a pool are reported", async () => {
  const { out: said, files } = await importedState(
    changed(/"agent_pool_id": "apool-lim1tedxxxxxxxx",/g, '"agent_pool_id": "apool-other",'),
  );
  expect(said).toContain("the state does not say which workspaces or projects may use the pool limited");
  for (const limit of ["allowed_workspaces.limited", "allowed_projects.this", "excluded_workspaces.this"]) {
    const type = `tfe_agent_pool_${limit.split(".")[0]}`;
    expect(said).toContain(`no counterpart: module.pools.tfe_agent_pool_${limit} (${type}): its pool is not in this state`);
  }
  expect(files["index.ts"]).not.toMatch(/WorkspaceIds|ProjectIds/);
});

test.each([
  ["no JSON", "{canary", "is not JSON."],
  ["a list", "[]", "is not a state of Terraform: give the file that `terraform show -json > state.json` writes."],
  ["a raw state", '{"version":4,"lineage":"x","resources":[],"outputs":{"a":"canary"}}', "is a raw state of Terraform"],
  ["a plan", '{"format_version":"1.2","planned_values":{}}', "is a plan of Terraform"],
  ["an unknown version", '{"format_version":"2.0","values":{}}', 'has the format version "2.0", which this version does not know.'],
  ["another form", '{"format_version":"1.0","values":{"root_module":{"resources":[{"address":"canary"}]}}}', "is not what"],
  ["an empty state", '{"format_version":"1.0"}', "There is nothing to import. Nothing was written."],
  ["a method without a name", changed(/"name": "company-sso"/, '"name": null'), "nomad_acl_auth_method.sso: it has no name"],
  ["a rule without an ID", changed(/"id": "00000201-[^"]*"/, '"id": null'), "nomad_acl_binding_rule.ci: it has no id"],
  [
    "a rule without a type",
    changed(/"bind_type": "management"/, '"bind_type": ""'),
    "nomad_acl_binding_rule.management: it has no bindType",
  ],
  [
    "a pool without an organization",
    changed(/"organization": "example-org"/, '"organization": null'),
    "module.pools.tfe_agent_pool.this[0]: it has no organization",
  ],
  [
    "a client ID that is a list",
    changed(/"oidc_client_id": "nomad"/, '"oidc_client_id": ["canary"]'),
    "nomad_acl_auth_method.sso: its config.oidcClientId does not have the form of nomad_acl_auth_method",
  ],
])("%s is refused with one error, and nothing is written", async (_, state, message) => {
  const { status, err, files } = await importedState(state);
  expect([status, err, files]).toEqual([1, expect.stringContaining(message), {}]);
  expect(err).not.toContain("canary");
});

test.each([
  ["--config", "clusterAddress=http://a"],
  ["--organization", "a"],
  ["--config-file", "-"],
  ["--from-state", terraformFile],
])("it refuses a second source, and options for reading servers: %s", async (option, value) => {
  const { status, err } = await imported(terraformFile, option, value);
  const reason =
    option === "--from-state"
      ? "--from-terraform and --from-state are two sources"
      : `--from-terraform reads no server: leave out ${option}`;
  expect([status, err]).toEqual([2, expect.stringContaining(reason)]);
});
