/** Programs with configurations and look-ups that are made from outputs. */
import { onBothEngines } from "../support/both-engines";
import { dynamicModule, pluginModule } from "../support/cli";
import { javascript } from "../support/programs";

const sso = (config: string) =>
  javascript(`
const sso = new AclAuthMethod("sso", { name: "sso", type: "OIDC", tokenLocality: "global", maxTokenTtl: "1h", config: ${config} });
exports.clientId = sso.config.oidcClientId;
exports.keyId = sso.config.oidcClientAssertion?.apply((assertion) => assertion?.privateKey?.keyId);
exports.secret = sso.config.oidcClientSecret;
`);

const config = (more = "") => `{
  oidcDiscoveryUrl: "https://login.example.com", oidcClientId: "cluster", oidcClientSecret: "canary-secret",
  allowedRedirectUris: ["http://localhost:4649/oidc/callback"],${more}
}`;

it("a configuration that becomes an output or a promise changes nothing: its parts can be read, and its secret is encrypted", async () => {
  await onBothEngines({ "index.js": sso(config()) }, async ({ engine, simulator, rewrite }) => {
    expect((await engine.run("up")).errors).toEqual([]);
    const before = await engine.resources();
    const output = `pulumi.output(${config()})`;
    const promise = `Promise.resolve(${config()})`;
    for (const later of [output, promise]) {
      rewrite({ "index.js": sso(later) });
      expect(await engine.run("preview")).toMatchObject({ errors: [], changes: [] });
      expect(await engine.run("up")).toMatchObject({ errors: [], changes: [] });
      expect(await engine.resources()).toEqual(before);
    }
    // The SDK makes everything that is read from an object with a secret secret.
    const stack = before.find(({ type }) => type === "pulumi:pulumi:Stack");
    expect(stack?.outputs).toMatchObject({ clientId: { secret: "cluster" }, secret: { secret: "canary-secret" } });
    expect(simulator.cluster.methods.get("sso")?.Config.OIDCClientAssertion).toBeNull();
    expect(await engine.storedState()).not.toContain("canary-secret");
  });
});

it("a configuration that a preview does not know yet is applied by the update", async () => {
  const program = javascript(`
const role = new AclRole("audience", { name: "audience", policies: ["read-only"] });
const config = pulumi.output({ ...${config()}, boundAudiences: [role.id] });
const sso = new AclAuthMethod("sso", { name: "sso", type: "OIDC", tokenLocality: "global", maxTokenTtl: "1h", config });
exports.clientId = sso.config.oidcClientId;
`);
  await onBothEngines({ "index.js": program }, async ({ engine, simulator }) => {
    const preview = await engine.run("preview");
    expect(preview.errors).toEqual([]);
    expect(preview.text).not.toContain("canary-secret");
    expect((await engine.run("up")).errors).toEqual([]);
    const [role] = simulator.cluster.roles.list();
    expect(simulator.cluster.methods.get("sso")?.Config.BoundAudiences).toEqual([role?.ID]);
    expect((await engine.run("up")).changes).toEqual([]);
  });
});

it.each([dynamicModule, pluginModule])(
  "a look-up of an object that the same program creates waits for it, from the first preview on (%s)",
  async (module) => {
    const program = `const { AclRole, getRoleOutput } = require("${module}");
const base = new AclRole("base", { name: "base", policies: ["read-only"] });
const found = getRoleOutput({ name: base.name });
new AclRole("copy", { name: "copy", policies: found.policies });
exports.foundId = found.id;
`;
    await onBothEngines({ "index.js": program }, async ({ engine, simulator }) => {
      expect(await engine.run("preview")).toMatchObject({ errors: [], changes: [{ name: "base" }, { name: "copy" }] });
      expect(simulator.journal.lines()).toEqual([]);
      expect((await engine.run("up")).errors).toEqual([]);
      const ids = Object.fromEntries(simulator.cluster.roles.list().map(({ Name, ID }) => [Name, ID]));
      const stack = (await engine.resources()).find(({ type }) => type === "pulumi:pulumi:Stack");
      expect(stack?.outputs).toEqual({ foundId: ids.base });
      expect(await engine.run("preview")).toMatchObject({ errors: [], changes: [] });
    });
  },
);

it.each([dynamicModule, pluginModule])(
  "a look-up waits for the resources in dependsOn, including a component's, from the first preview on (%s)",
  async (module) => {
    const program = `const pulumi = require("@pulumi/pulumi");
const { AclRole, getRoleOutput } = require("${module}");
class Team extends pulumi.ComponentResource {
  constructor(name) {
    super("trial:index:Team", name);
    new AclRole(name, { name, policies: ["read-only"] }, { parent: this });
  }
}
const base = new AclRole("base", { name: "base", policies: ["read-only"] });
exports.found = [
  getRoleOutput({ name: "base" }, { dependsOn: base, parent: base }).name,
  getRoleOutput({ name: "shop" }, { dependsOn: [new Team("shop")] }).name,
];
`;
    await onBothEngines({ "index.js": program }, async ({ engine, simulator }) => {
      expect(await engine.run("preview")).toMatchObject({ errors: [] });
      expect(simulator.journal.lines()).toEqual([]);
      expect((await engine.run("up")).errors).toEqual([]);
      const stack = (await engine.resources()).find(({ type }) => type === "pulumi:pulumi:Stack");
      expect(stack?.outputs).toEqual({ found: ["base", "shop"] });
      expect(await engine.run("preview")).toMatchObject({ errors: [], changes: [] });
    });
  },
);
