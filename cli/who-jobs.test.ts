/** Permissions of a login by the tasks of jobs that it may submit. */
import { whoInTests } from "../test/support/who";

const { file, command } = whoInTests(() => {
  throw new Error("these tests ask files alone");
});

test("a policy of the login that tasks have without the login's denies is named as one of the job", async () => {
  const objects = {
    AclAuthMethod: [{ name: "sso", type: "OIDC", tokenLocality: "local", config: { listClaimMappings: { groups: "groups" } } }],
    AclBindingRule: ["jobs", "limits"].map((bindName) => ({ authMethod: "sso", bindType: "policy", bindName, selector: "" })),
    AclPolicy: [
      { name: "jobs", rules: 'namespace "prod" { policy = "write" }\noperator { policy = "write" }', jobAcl: { namespace: "prod" } },
      { name: "limits", rules: 'operator { policy = "deny" }' },
    ],
  };
  const source = file({ format: 1, objects }, "export.json");
  const { out } = await command("--export", source, "--json", "--method", "sso", "--claims-file", file({ groups: [] }));
  expect(JSON.parse(out).rights).toMatchObject({ likeManagement: [], byJobs: [{ policies: ["jobs"], maySubmit: true }] });
});

test("a job that everybody may submit is named with its policy, also if the login's token may not submit it", async () => {
  const objects = {
    AclAuthMethod: [{ name: "sso", type: "OIDC", tokenLocality: "local", config: {} }],
    AclBindingRule: [{ authMethod: "sso", bindType: "policy", bindName: "few", selector: "" }],
    AclPolicy: [
      { name: "few", rules: 'node { policy = "read" }' },
      { name: "anonymous", rules: 'namespace "prod" { capabilities = ["submit-job"] }' },
      { name: "jobs", rules: 'operator { policy = "write" }', jobAcl: { namespace: "prod" } },
    ],
  };
  const source = file({ format: 1, objects }, "export.json");
  const { out } = await command("--export", source, "--json", "--method", "sso", "--claims-file", file({}));
  expect(JSON.parse(out).rights).toMatchObject({ byJobs: [{ policies: ["jobs"], maySubmit: true }] });
});

test("the policies of one job's tasks are named together, with the permissions of all of them", async () => {
  const jobAcl = { namespace: "prod", jobId: "web" };
  const objects = {
    AclAuthMethod: [{ name: "sso", type: "OIDC", tokenLocality: "local", config: {} }],
    AclBindingRule: [{ authMethod: "sso", bindType: "policy", bindName: "few", selector: "" }],
    AclPolicy: [
      { name: "few", rules: 'namespace "prod" { capabilities = ["submit-job"] }' },
      { name: "exec", rules: 'namespace "prod" { capabilities = ["alloc-exec"] }', jobAcl },
      { name: "nodes", rules: 'node { policy = "read" }', jobAcl },
    ],
  };
  const source = file({ format: 1, objects }, "export.json");
  const { out } = await command("--export", source, "--method", "sso", "--claims-file", file({}));
  expect(out.match(/It may submit .*/g)).toEqual([
    "It may submit the job web of the namespace prod, whose tasks have the policies exec and nodes (jobAcl):",
  ]);
  expect(out).toMatch(/^ +namespace prod +run commands in tasks$/m);
  expect(out).toMatch(/^ +cluster +node: read$/m);
});
