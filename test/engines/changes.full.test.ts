/** Replacements, renames and adoption in whole programs. */
import { onBothEngines, type Scene } from "../support/both-engines";
import { dynamicModule, pluginModule } from "../support/cli";

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
