/** Errors of programs: their text, and how soon the program ends. */
import { onBothEngines } from "../support/both-engines";

jest.setTimeout(400_000);

it("a TypeScript program whose look-up or constructor fails ends about as soon as another, and shows the error once", async () => {
  const program = (line: string) => ({
    "package.json": '{"name":"trial","main":"index.ts"}',
    "tsconfig.json": '{"compilerOptions":{"target":"es2022","module":"node16","types":[],"strict":true},"files":["index.ts"]}',
    "index.ts": `import { AclRole, getRoleOutput } from "pulumi-agentpool-acl";\n${line}\n`,
  });
  await onBothEngines(program(`export const roles = [AclRole, getRoleOutput].length;`), async ({ engine, rewrite }) => {
    const timed = async () => {
      const begun = Date.now();
      const { errors } = await engine.run("preview");
      return { errors, ms: Date.now() - begun };
    };
    const good = await timed();
    expect(good.errors).toEqual([]);
    rewrite(program(`export const roles = [AclRole]; export const id = getRoleOutput({ name: "nobody" }).id;`));
    const lookup = await timed();
    expect(lookup.errors).toEqual([
      expect.stringMatching(/^getRole: the cluster has no ACL role named "nobody"\. [^\n]*: 404 ACL role not found\.$/),
    ]);
    rewrite(program(`export const role = [getRoleOutput, new AclRole("dev", { name: "dev", policies: ["read"] }, { import: "dev" })];`));
    const making = await timed();
    expect(making.errors).toEqual([expect.stringMatching(/^AclRole dev: a dynamic resource can't be imported\. [^\n]*$/)]);
    // The compiler takes half of the time. If the error of the look-up had a call stack, the SDK would need half a minute and more to print
    // it.
    for (const { ms } of [lookup, making]) expect(ms).toBeLessThan(2 * good.ms + 5_000);
  });
});

it("two dynamic resources of one name fail in the preview, and nothing is sent", async () => {
  const program = `const { AclRole } = require("pulumi-agentpool-acl");
for (const name of ["one", "two"]) new AclRole(name, { name: "operators", policies: ["read-only"] });`;
  await onBothEngines({ "index.js": program }, async ({ engine, simulator }) => {
    expect((await engine.run("preview")).errors.join()).toContain("one ACL role can't have two resources");
    expect(simulator.journal.lines()).toEqual([]);
  });
});

test("a new binding rule that equals an existing one causes a preview's warning with the name of that resource", async () => {
  const program = (...names: string[]) => `const { AclBindingRule } = require("pulumi-agentpool-acl");
for (const name of ${JSON.stringify(names)})
  new AclBindingRule(name, { authMethod: "sso", bindType: "policy", bindName: "read", selector: "ops in list.groups", description: "ops" });`;
  await onBothEngines({ "index.js": program("one") }, async ({ engine, simulator, rewrite }) => {
    simulator.cluster.methods.put({ Name: "sso" });
    expect((await engine.run("up")).errors).toEqual([]);
    rewrite({ "index.js": program("one", "two") });
    const { ok, text } = await engine.run("preview");
    expect(ok).toBe(true);
    expect(text.replaceAll("\\", "")).toContain('ACL binding rule "two": the resource "one" of this program is equal, so one of them is');
  });
});
