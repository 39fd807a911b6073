/** Node programs whose resources name their policies by a text. Other languages: test/lifecycle/acl-policy.test.ts. */
import { onBothEngines } from "../support/both-engines";

jest.setTimeout(300_000);

const head = `const { AclAuthMethod, AclBindingRule, AclPolicy, AclRole, AclToken } = require("ENTRY");
const config = { jwksUrl: "https://idp.example.com/keys", boundIssuer: ["https://idp.example.com"], boundAudiences: ["cluster"] };
const sso = new AclAuthMethod("sso", { name: "sso", type: "JWT", tokenLocality: "local", maxTokenTtl: "1h", config });
const rule = { authMethod: sso.name, bindType: "policy" };
`;
const policy = `const readers = new AclPolicy("readers", { name: "readers", rules: 'namespace "default" { policy = "read" }' });
`;
const byText = `new AclRole("dev", { name: "dev", policies: ["others", "readers"] });
new AclToken("ci", { name: "ci", type: "client", policies: ["readers"] });
new AclBindingRule("text", { ...rule, selector: "text in list.groups", bindName: "readers" });
new AclBindingRule("template", { ...rule, selector: "template in list.groups", bindName: "readers\${value.team}" });
new AclBindingRule("role", { ...rule, selector: "role in list.groups", bindType: "role", bindName: "dev" });
`;
const byOutput = `new AclRole("output", { name: "output", policies: [readers.name] });
new AclRole("applied", { name: "applied", policies: readers.name.apply((name) => [name]) });
new AclRole("after", { name: "after", policies: ["readers"] }, { dependsOn: readers });
new AclToken("output", { name: "output", type: "client", policies: [readers.name] });
new AclBindingRule("output", { ...rule, selector: "output in list.groups", bindName: readers.name });
`;
const programs = { before: head + byText + policy + byOutput, after: head + policy + byOutput + byText };
const entries = ["pulumi-agentpool-acl", "pulumi-agentpool-acl/plugin"];
const cases = entries.flatMap((entry) => Object.entries(programs).map(([order, program]) => [order, entry, program] as const));

it.each(cases)("resources %s the policy cause a warning in the preview, until the policy is made: %s", async (_, entry, program) => {
  const filesOf = (text: string) => ({ "index.js": text.replace("ENTRY", entry) });
  await onBothEngines(filesOf(program), async ({ engine, rewrite }) => {
    const warned = async () => {
      const { errors, text } = await engine.run("preview");
      expect(errors).toEqual([]);
      const sentences = text.matchAll(/ACL (role|token|binding rule)(?:(?!ACL ).)* names the policy \W+readers\W+ by a text/g);
      return [...new Set([...sentences].map(([, kind]) => kind))].sort();
    };
    expect(await warned()).toEqual(["binding rule", "role", "token"]);
    rewrite(filesOf(head + policy));
    expect((await engine.run("up")).errors).toEqual([]);
    rewrite(filesOf(program));
    expect(await warned()).toEqual([]);
  });
});

it("the same policy of two clusters causes no warning", async () => {
  const ofCluster = (
    name: string,
  ) => `const ${name} = new Provider("${name}", { clusterAddress: "http://${name}.test", clusterToken: "t" });
const ${name}Readers = new AclPolicy("${name}-readers", { name: "readers", rules: 'namespace "default" { policy = "read" }' }, { provider: ${name} });
new AclRole("${name}-dev", { name: "dev", policies: [${name}Readers.name] }, { provider: ${name} });
`;
  const entry = 'const { AclPolicy, AclRole, Provider } = require("pulumi-agentpool-acl/plugin");\n';
  await onBothEngines({ "index.js": entry + ofCluster("west") + ofCluster("east") }, async ({ engine }) => {
    const { errors, text } = await engine.run("preview");
    expect(errors).toEqual([]);
    expect(text).not.toContain("by a text");
  });
});
