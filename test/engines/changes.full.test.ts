/** Replacements, renames and adoption in whole programs. */
import { onBothEngines, type Scene } from "../support/both-engines";
import { dynamicModule, pluginModule } from "../support/cli";
import { javascript } from "../support/programs";

/** A method, a role, and a rule that follows both of their names. */
function login(names: { method: string; role: string; roleOptions?: string }): string {
  return javascript(`
const sso = new AclAuthMethod("sso", {
  name: "${names.method}", type: "JWT", tokenLocality: "local", maxTokenTtl: "1h", config: { jwksUrl: "https://login.example.com/keys" },
});
const role = new AclRole("developers", { name: "${names.role}", policies: ["read-only"] }, ${names.roleOptions ?? "{}"});
new AclBindingRule("engineering", { authMethod: sso.name, selector: "engineering in list.groups", bindType: "role", bindName: role.name });
`);
}

const before = login({ method: "sso", role: "developers" });

it("a renamed auth method is replaced, and the rule that refers to it follows", async () => {
  await onBothEngines({ "index.js": before }, async ({ engine, simulator, rewrite }) => {
    expect((await engine.run("up")).errors).toEqual([]);
    rewrite({ "index.js": login({ method: "single-sign-on", role: "developers" }) });
    const preview = await engine.run("preview");
    expect(preview.changes.map(({ op, name }) => `${op} ${name}`).sort()).toEqual(["replace engineering", "replace sso"]);
    expect((await engine.run("up")).errors).toEqual([]);
    const { methods, rules, roles } = simulator.cluster;
    expect(methods.list().map(({ Name }) => Name)).toEqual(["single-sign-on"]);
    expect(rules.list().map(({ AuthMethod, BindName }) => [AuthMethod, BindName])).toEqual([["single-sign-on", "developers"]]);
    expect(roles.list()).toHaveLength(1);
  });
});

it("a selector that becomes empty, and audiences that go, are warned of once in a preview, also with a refresh, and not afterwards", async () => {
  const program = (selector: string, audiences: string) => ({
    "index.js": javascript(`
const ci = new AclAuthMethod("ci", {
  name: "ci", type: "JWT", tokenLocality: "local", maxTokenTtl: "1h", config: { jwksUrl: "https://login.example.com/keys", boundAudiences: [${audiences}] },
});
const role = new AclRole("developers", { name: "developers", policies: ["read-only"] });
new AclBindingRule("all", { authMethod: ci.name, selector: "${selector}", bindType: "role", bindName: role.name });
`),
  });
  const known = [/which gives the role .*developers.*: the selector becomes empty/, /"ci.*": config\.boundAudiences becomes empty/];
  /** The CLI shows a warning on the row of its resource, among the diagnostics, and as an event: the event is there once for each. */
  const counts = (text: string) => {
    const lines = text.split("\n");
    const events = lines.filter((line) => line.startsWith("{"));
    return known.map((warning) => (events.length > 0 ? events : lines).filter((line) => warning.test(line)).length);
  };
  await onBothEngines(program("engineering in list.groups", '"cluster"'), async ({ engine, simulator, rewrite }) => {
    expect((await engine.run("up")).errors).toEqual([]);
    rewrite(program("", ""));
    expect(counts((await engine.run("preview")).text)).toEqual([1, 1]);
    expect(counts((await engine.run("preview", { refresh: true })).text)).toEqual([1, 1]);
    expect((await engine.run("up")).errors).toEqual([]);
    expect(simulator.cluster.rules.list()).toMatchObject([{ Selector: "" }]);
    expect(counts((await engine.run("preview")).text)).toEqual([0, 0]);
  });
});

it("a renamed role keeps its ID, and the rule that names it is updated in place", async () => {
  await onBothEngines({ "index.js": before }, async ({ engine, simulator, rewrite }) => {
    expect((await engine.run("up")).errors).toEqual([]);
    const { rules, roles } = simulator.cluster;
    const ids = [...roles.list(), ...rules.list()].map(({ ID }) => ID);
    rewrite({ "index.js": login({ method: "sso", role: "engineers" }) });
    const { changes, errors } = await engine.run("up");
    expect(errors).toEqual([]);
    expect(changes.map(({ op, name }) => `${op} ${name}`)).toEqual(["update developers", "update engineering"]);
    expect([...roles.list(), ...rules.list()].map(({ ID }) => ID)).toEqual(ids);
    expect(roles.list().map(({ Name }) => Name)).toEqual(["engineers"]);
    expect(rules.list().map(({ BindName }) => BindName)).toEqual(["engineers"]);
    expect((await engine.run("refresh")).errors).toEqual([]);
    expect((await engine.run("preview")).changes).toEqual([]);
  });
});

it("a forced replacement fails with the name of the existing object, and succeeds with deleteBeforeReplace", async () => {
  await onBothEngines({ "index.js": before }, async ({ engine, simulator, rewrite }) => {
    expect((await engine.run("up")).errors).toEqual([]);
    const { roles } = simulator.cluster;
    const [old] = roles.list();
    const replace = ["urn:pulumi:demo::trial::pulumi-nodejs:dynamic/agentpool-acl:AclRole::developers"];
    const refused = await engine.run("up", { replace });
    expect(refused.errors.join("\n")).toContain(`named "developers" exists already: ${old?.ID}. It was not touched.`);
    expect(refused.errors.join("\n")).toContain("If a replacement was forced, set deleteBeforeReplace: true");
    expect(roles.list()).toEqual([old]);

    rewrite({ "index.js": login({ method: "sso", role: "developers", roleOptions: "{ deleteBeforeReplace: true }" }) });
    expect((await engine.run("up", { replace })).errors).toEqual([]);
    expect(roles.list().map(({ Name }) => Name)).toEqual(["developers"]);
    expect(roles.list()[0]?.ID).not.toBe(old?.ID);
    expect((await engine.run("preview", { refresh: true })).changes).toEqual([]);
  });
});

it("a role that exists already is not changed, until the program sets adopt", async () => {
  const program = (adopt: string) =>
    javascript(`new AclRole("operators", { name: "operators", policies: ["read-only"], adopt: ${adopt} });`);
  await onBothEngines({ "index.js": program("false") }, async ({ engine, simulator, rewrite }) => {
    const { roles } = simulator.cluster;
    const theirs = roles.put({ Name: "operators", Description: "Made by hand", Policies: [{ Name: "read-only" }] });
    const refused = await engine.run("up");
    expect(refused.errors.join("\n")).toContain(`An ACL role named "operators" exists already: ${theirs.ID}. It was not touched.`);
    rewrite({ "index.js": program("true") });
    expect((await engine.run("up")).errors.join("\n")).toContain("differs in description");
    expect(roles.list()).toEqual([theirs]);
    rewrite({ "index.js": program('"overwrite"') });
    expect((await engine.run("up")).errors).toEqual([]);
    expect(roles.list().map(({ ID, Description }) => [ID, Description])).toEqual([[theirs.ID, ""]]);
  });
});

it.each([dynamicModule, pluginModule])(
  "one object does not get two resources, also while the first one's change is not done (%s)",
  async (module) => {
    const one = (description: string) =>
      `const { AclRole } = require("${module}");
new AclRole("one", { name: "operators", policies: ["read-only"], description: "${description}" });`;
    const scenario = async ({ engine, simulator, rewrite }: Scene) => {
      expect((await engine.run("up")).errors).toEqual([]);
      const { roles } = simulator.cluster;
      const [role] = roles.list();
      simulator.faults.add({ method: "POST", path: `/v1/acl/role/${role?.ID}`, fault: { kind: "delay", ms: 300 } });
      const two = `new AclRole("two", { name: "operators", policies: ["read-only"], adopt: "overwrite" });`;
      rewrite({ "index.js": `${one("second")}\n${two}` });
      expect((await engine.run("up")).errors.join()).toMatch(
        /one ACL role can't have two resources|Another resource of this program manages it/,
      );
      // The engine checks them in any order, and refuses the second: the role is the first one's, changed or not.
      expect(roles.list()).toMatchObject([{ ID: role?.ID, Description: expect.stringMatching(/^(first|second)$/) }]);
      const isChanged = roles.list()[0]?.Description === "second";
      rewrite({ "index.js": one("second") });
      const { errors, changes } = await engine.run("up", { refresh: true });
      expect(errors).toEqual([]);
      expect(changes).toEqual(isChanged ? [] : [expect.objectContaining({ op: "update", name: "one" })]);
      expect(roles.list()).toMatchObject([{ ID: role?.ID, Description: "second" }]);
    };
    await onBothEngines({ "index.js": one("first") }, scenario, { isRace: true });
  },
);

it.each([
  [pluginModule, "replace"],
  [dynamicModule, "update"],
])("replaceOnChanges has an effect with the plugin, and not with dynamic resources (%s)", async (module, op) => {
  const program = (name: string) => ({
    "index.js": `const { AclRole } = require("${module}");
new AclRole("one", { name: "${name}", policies: ["read-only"] }, { replaceOnChanges: ["name"] });`,
  });
  await onBothEngines(program("first"), async ({ engine, simulator, rewrite }) => {
    expect((await engine.run("up")).errors).toEqual([]);
    const [before] = simulator.cluster.roles.list();
    rewrite(program("second"));
    const { errors, changes, text } = await engine.run("up");
    expect(errors).toEqual([]);
    expect(changes).toMatchObject([{ op, name: "one" }]);
    expect(text.includes("replaceOnChanges has no effect on a dynamic resource")).toBe(op === "update");
    const [after, ...more] = simulator.cluster.roles.list();
    expect(more).toEqual([]);
    expect(after?.Name).toBe("second");
    expect(after?.ID === before?.ID).toBe(op === "update");
  });
});
