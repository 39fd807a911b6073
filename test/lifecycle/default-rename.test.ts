import type { Fault } from "../../testing/simulator";
import { everything } from "./contents";
import { type Inputs, only, type Program, type TestStack, throughEveryAdapterToEveryServer } from "./harness";
import { jwt, oidc, rule } from "./samples";

const denied: Fault = { kind: "status", status: 403, body: "Permission denied" };
const create = { method: "POST", path: "/v1/acl/auth-method" };
const named = (name: string, more: Inputs = {}) => only("AclAuthMethod", oidc({}, { name, default: true, ...more }));

/** The names of the methods, that of the default with a star. */
const methods = ({ simulator }: TestStack) => simulator.cluster.methods.list().map(({ Name, Default }) => (Default ? `${Name}*` : Name));

throughEveryAdapterToEveryServer("the default auth method, renamed,", (start, dialect) => {
  const begin = async (inputs: Inputs = {}) => {
    const stack = await start();
    await stack.up(named("old", inputs));
    return { stack };
  };

  test("is made anew first, takes the default from the old one, which is deleted last, and its rules follow", async () => {
    const stack = await start();
    const program =
      (name: string): Program =>
      (declare) => {
        const method = declare("AclAuthMethod", "a", oidc({}, { name, default: true }));
        declare("AclBindingRule", "rule", rule({ authMethod: method.output("name") }));
      };
    await stack.up(program("old"));
    const oldRule = stack.entry("rule").id;
    const { writes } = await stack.up(program("new"));
    expect(writes).toEqual([
      "POST /v1/acl/auth-method",
      "POST /v1/acl/auth-method/old",
      "POST /v1/acl/auth-method",
      "POST /v1/acl/binding-rule",
      `DELETE /v1/acl/binding-rule/${oldRule}`,
      "DELETE /v1/acl/auth-method/old",
    ]);
    expect(methods(stack)).toEqual(["new*"]);
    expect(stack.simulator.cluster.rules.list().map(({ AuthMethod }) => AuthMethod)).toEqual(["new"]);
    expect((await stack.preview(program("new"), { refresh: true })).changes).toEqual([]);
  });

  test("stays as it is to the byte when the server refuses the new one for another reason", async () => {
    const { stack } = await begin();
    const before = everything(stack.simulator);
    const { errors } = await stack.fails("up", named("new", { maxTokenTtl: "30h" }));
    expect(errors).toContain("maxTokenTtl");
    expect(everything(stack.simulator)).toEqual(before);
    expect(stack.entry().id).toBe("old");
  });

  test("stays when others have given the default to a method of theirs, which the error names", async () => {
    const { stack } = await begin();
    stack.simulator.cluster.methods.put({ Name: "old", Default: false });
    stack.simulator.cluster.methods.put({ Name: "theirs", Default: true });
    const before = everything(stack.simulator);
    const { errors } = await stack.fails("up", named("new"));
    expect(errors).toMatch(/because "theirs" is.*Nothing was changed/);
    expect(everything(stack.simulator)).toEqual(before);
  });

  test("has given up the default when the new one is refused after that: a warning says so, and the next up goes on", async () => {
    const { stack } = await begin();
    stack.simulator.faults.add({ ...create, skip: 1, fault: denied });
    const { errors, warnings } = await stack.fails("up", named("new"));
    expect(errors).toContain("Permission denied");
    expect(warnings.join()).toMatch(/The default was taken from ACL auth method "old" for ACL auth method "new".*may find none/);
    expect(methods(stack)).toEqual(["old"]);
    expect(stack.entry().id).toBe("old");
    await stack.up(named("new"));
    expect(methods(stack)).toEqual(["new*"]);
    expect((await stack.preview(named("new"), { refresh: true })).changes).toEqual([]);
  });

  test("goes on where the response to the new one is lost", async () => {
    const { stack } = await begin();
    stack.simulator.faults.add({ ...create, skip: 1, fault: { kind: "drop-after" } });
    await stack.up(named("new"));
    expect(stack.simulator.faults.pending()).toBe(0);
    expect(methods(stack)).toEqual(["new*"]);
    expect((await stack.preview(named("new"), { refresh: true })).changes).toEqual([]);
  });

  test("can take its name and the default back after its delete has failed", async () => {
    const { stack } = await begin();
    stack.simulator.faults.add({ method: "DELETE", fault: denied });
    await stack.fails("up", named("new"));
    expect(methods(stack)).toEqual(["new*", "old"]);
    await stack.up(named("old", { adopt: "overwrite" }));
    expect(methods(stack)).toEqual(["old*"]);
    expect(stack.entries()).toHaveLength(1);
  });

  test("of type JWT goes as any other, or where no update can take the default from it, by deleteBeforeReplace alone", async () => {
    const stack = await start();
    const ci = (name: string, options = {}) => only("AclAuthMethod", jwt({}, { name, default: true }), options);
    await stack.up(ci("old"));
    if (dialect === "documented") {
      const before = everything(stack.simulator);
      const { errors, writes } = await stack.fails("up", ci("new"));
      expect(errors).toMatch(/"old", from which the default is to be taken: .*type JWT can't be updated.*deleteBeforeReplace: true/);
      expect(writes).toEqual(["POST /v1/acl/auth-method"]);
      expect(everything(stack.simulator)).toEqual(before);
    }
    await stack.up(ci("new", dialect === "documented" ? { deleteBeforeReplace: true } : {}));
    expect(methods(stack)).toEqual(["new*"]);
  });
});
