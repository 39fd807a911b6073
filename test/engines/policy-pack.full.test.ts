/** The policy pack of `examples`, with the Pulumi CLI. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CliScene, dynamicModule, pluginModule, pulumiYaml, testOnCli } from "../support/cli";
import { needs } from "../support/languages";
import type { Files } from "../support/programs";

const folder = join(__dirname, "../../examples/policy-pack");
const pack = Object.fromEntries(readdirSync(folder).map((name) => [`policy-pack/${name}`, readFileSync(join(folder, name), "utf8")]));

const manifest = {
  "package.json": '{"name":"trial","main":"index.ts"}',
  "tsconfig.json": readFileSync(join(folder, "tsconfig.json"), "utf8"),
};

const typescript = (module: string, wrong: boolean): Files => ({
  ...manifest,
  "index.ts": `import { AclAuthMethod, AclBindingRule, AclPolicy, AclRole } from "${module}";
new AclPolicy("operate", { name: "operate", rules: 'namespace "*" { policy = "${wrong ? "write" : "read"}" }' });
const developers = new AclRole("developers", { name: "developers", policies: ["read-only"] });
const sso = new AclAuthMethod("sso", {
  name: "sso", type: "JWT", tokenLocality: "global", maxTokenTtl: "${wrong ? "24h" : "8h"}",
  config: { jwksUrl: "${wrong ? "http" : "https"}://login.example.com/keys", listClaimMappings: { groups: "groups" } },
});
new AclBindingRule("engineers", { authMethod: sso.name, selector: "engineering in list.${wrong ? "group" : "groups"}", bindType: "role", bindName: developers.name });
new AclBindingRule("auditors", { authMethod: sso.name, selector: "audit in list.groups", bindType: "role", bindName: "${wrong ? "auditor" : "auditors"}" });
new AclBindingRule("admins", { authMethod: sso.name, selector: "${wrong ? "" : "admins in list.groups"}", bindType: "management" });
`,
});

const yaml = (wrong: boolean): Files => ({
  ...pack,
  "Pulumi.yaml": `${pulumiYaml("yaml")}resources:
  developers: { type: agentpool-acl:AclRole, properties: { name: developers, policies: [read-only] } }
  operate:
    type: agentpool-acl:AclPolicy
    properties: { name: operate, rules: 'namespace "*" { policy = "${wrong ? "write" : "read"}" }' }
  sso:
    type: agentpool-acl:AclAuthMethod
    properties:
      name: sso
      type: JWT
      tokenLocality: global
      maxTokenTtl: ${wrong ? "24h" : "8h"}
      config: { jwksUrl: "${wrong ? "http" : "https"}://login.example.com/keys", listClaimMappings: { groups: groups } }
  engineers:
    type: agentpool-acl:AclBindingRule
    properties: { authMethod: "\${sso.name}", selector: "engineering in list.${wrong ? "group" : "groups"}", bindType: role, bindName: "\${developers.name}" }
  auditors:
    type: agentpool-acl:AclBindingRule
    properties: { authMethod: "\${sso.name}", selector: "audit in list.groups", bindType: role, bindName: ${wrong ? "auditor" : "auditors"} }
  admins:
    type: agentpool-acl:AclBindingRule
    properties: { authMethod: "\${sso.name}", selector: "${wrong ? "" : "admins in list.groups"}", bindType: management }
`,
});

const programs: readonly (readonly [title: string, (wrong: boolean) => Files])[] = [
  ["TypeScript with dynamic resources", (wrong) => typescript(dynamicModule, wrong)],
  ["TypeScript with the plugin", (wrong) => typescript(pluginModule, wrong)],
  ["YAML", yaml],
];

/** A preview with the pack. @returns its output, and whether it succeeded */
async function preview({ cli, simulator }: CliScene): Promise<{ ok: boolean; text: string }> {
  const before = simulator.journal.entries.length;
  const outcome = await cli.command(["preview", "--policy-pack", "policy-pack"]).then(
    (text) => ({ ok: true, text }),
    (error: Error) => ({ ok: false, text: error.message }),
  );
  // Neither the provider nor the policies send a request.
  expect(simulator.journal.entries.length).toBe(before);
  return { ...outcome, text: outcome.text.replace(/\s+/g, " ") };
}

for (const [title, program] of programs) {
  testOnCli(
    `the policy pack stops a preview of forbidden resources, and lets an allowed one pass: ${title}`,
    { ...pack, ...program(true) },
    async (scene) => {
      if (title === "YAML" && !needs("pulumi-language-yaml")) return;
      const wrong = await preview(scene);
      expect(wrong.ok).toBe(false);
      for (const part of [
        'ACL binding rule "admins": selector is empty, so everyone who logs in with "sso" gets management.',
        'ACL binding rule "engineers": selector looks at list.group, which the method does not map',
        'ACL binding rule "auditors": bindName gives the role "auditor", which this program does not declare. Did you mean "auditors"?',
        'ACL auth method "sso": config.jwksUrl is an address of plain http.',
        'ACL policy "operate": rules allow submit-job, ',
        'ACL auth method "sso": maxTokenTtl is 24h, and 8h is the most that the policy allows.',
      ]) {
        expect(wrong.text).toContain(part);
        expect(wrong.text.split(part)).toHaveLength(2);
      }
      scene.rewrite(program(false));
      expect(await preview(scene)).toMatchObject({ ok: true, text: expect.not.stringContaining("violat") });
    },
  );
}

testOnCli(
  "an update without a preview stops before it makes a forbidden resource",
  { ...pack, ...typescript(dynamicModule, true) },
  async (scene) => {
    const { cli, simulator } = scene;
    // The engine stops at the first violation. Any of these may be the first, because the program's method and policy do not depend on each
    // other.
    await expect(cli.command(["up", "--yes", "--skip-preview", "--policy-pack", "policy-pack"])).rejects.toThrow(
      /max-token-ttl|no-plain-http-identity-providers|no-unlisted-capabilities|no-wildcard-namespaces/,
    );
    expect(simulator.cluster.methods.list()).toEqual([]);
    expect(simulator.cluster.policies.list().map(({ Name }) => Name)).not.toContain("operate");
    expect(simulator.cluster.rules.list().filter(({ BindType }) => BindType === "management")).toEqual([]);
  },
);

testOnCli(
  "a role and a method that --target leaves out are known to the policy pack",
  { ...pack, ...typescript(pluginModule, false) },
  async ({ cli }) => {
    expect((await cli.run("up")).errors).toEqual([]);
    const { urn } = (await cli.resources()).find((resource) => resource.urn.endsWith("::engineers")) ?? { urn: "" };
    await expect(cli.command(["preview", "--policy-pack", "policy-pack", "--target", urn])).resolves.toContain("access@v0.0.1");
  },
);
