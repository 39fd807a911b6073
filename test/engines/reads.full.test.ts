/** `get` and the functions in whole programs, and a configuration that lacks something. */
import { onBothEngines } from "../support/both-engines";
import { javascript } from "../support/programs";

it("get and the functions read objects of others, in previews too, and never change them", async () => {
  const program = (id: string) =>
    javascript(`
const operators = AclRole.get("operators", "${id}");
const byName = AclRole.get("by-name", "operators");
const found = functions.getRoleOutput({ name: "operators" });
const description = pulumi.interpolate\`Like \${operators.id} with \${byName.policies.length} policies\`;
new AclRole("deputies", { name: "deputies", description, policies: found.policies });
exports.names = functions.listRoles().then(({ roles }) => roles.map((role) => role.name));
exports.missing = functions.getRole({ name: "nobody" }).catch((error) => error.message.includes("ACL role not found"));
`);
  await onBothEngines({}, async ({ engine, simulator, rewrite }) => {
    const { roles } = simulator.cluster;
    const theirs = roles.put({
      Name: "operators",
      Description: "Made by hand",
      Policies: [{ Name: "read-only" }, { Name: "deploy-production" }],
    });
    rewrite({ "index.js": program(theirs.ID) });
    const preview = await engine.run("preview");
    expect(preview.errors).toEqual([]);
    expect(simulator.journal.lines()).toContain("GET /v1/acl/role/name/operators");
    expect((await engine.run("up")).errors).toEqual([]);
    const deputies = roles.list().find(({ Name }) => Name === "deputies");
    expect(deputies?.Description).toBe(`Like ${theirs.ID} with 2 policies`);
    expect(deputies?.Policies).toEqual(theirs.Policies);
    const stack = (await engine.resources()).find(({ type }) => type === "pulumi:pulumi:Stack");
    expect(stack?.outputs).toEqual({ names: ["operators"], missing: true });
    expect((await engine.run("destroy")).errors).toEqual([]);
    expect(roles.list()).toEqual([theirs]);
  });
});

it("a missing address is one error that names the key and the variables, already in the preview", async () => {
  const program = javascript(`new AclRole("operators", { name: "operators", policies: ["read-only"] });`);
  await onBothEngines(
    { "index.js": program },
    async ({ engine, simulator }) => {
      const { ok, errors, text } = await engine.run("preview");
      expect(ok).toBe(false);
      const message = errors.join("\n");
      // The host does not print it a second time.
      expect(text).not.toContain("agentpool-acl: The cluster API is not configured");
      expect(message).toContain(
        "The cluster API is not configured: set clusterAddress with `pulumi config set agentpool-acl:clusterAddress VALUE`",
      );
      expect(message).toContain("the environment variable NOMAD_ADDR");
      expect(simulator.journal.lines()).toEqual([]);
    },
    { config: { "agentpool-acl:clusterAddress": "" } },
  );
});

it("a missing token is a warning of the preview, and an error of the update, which names the key and the variables", async () => {
  const program = javascript(`new AclRole("operators", { name: "operators", policies: ["read-only"] });`);
  await onBothEngines(
    { "index.js": program },
    async ({ engine, simulator }) => {
      const preview = await engine.run("preview");
      expect(preview.errors).toEqual([]);
      expect(preview.text).toContain("The cluster API has no token");
      const { ok, errors } = await engine.run("up");
      expect(ok).toBe(false);
      expect(errors.join("\n")).toContain(
        "The cluster API is not configured: set clusterToken with `pulumi config set --secret agentpool-acl:clusterToken VALUE`",
      );
      expect(errors.join("\n")).toContain("the environment variable AGENTPOOL_ACL_CLUSTER_TOKEN or NOMAD_TOKEN");
      expect(simulator.journal.lines()).toEqual([]);
    },
    { secretConfig: { "agentpool-acl:clusterToken": "" } },
  );
});
