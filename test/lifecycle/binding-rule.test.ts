import { only, type TestStack, toEveryServer } from "./harness";
import { rule } from "./samples";

const capitalized = (inputs: object) => Object.fromEntries(Object.entries(inputs).map(([key, value]) => [`B${key.slice(1)}`, value]));
const stored = (stack: TestStack) => stack.simulator.cluster.rules.list();

toEveryServer("a binding rule", (start) => {
  const begin = async (inputs = {}) => {
    const stack = await start();
    stack.simulator.cluster.methods.put({ Name: "sso" });
    await stack.up(only("AclBindingRule", rule(inputs)));
    return stack;
  };
  const management = only("AclBindingRule", { authMethod: "sso", selector: "admins in list.groups", bindType: "management" });

  test.each(["role", "policy"])(
    "is replaced for a change from %s to management, because the API can't empty its bind name",
    async (bindType) => {
      const stack = await begin({ bindType });
      const { id } = stack.entry();
      const { writes } = await stack.up(management);
      expect(writes).toEqual(["POST /v1/acl/binding-rule", `DELETE /v1/acl/binding-rule/${id}`]);
      expect(stored(stack)).toMatchObject([{ ID: stack.entry().id, BindType: "management", BindName: "" }]);
      expect((await stack.preview(management, { refresh: true })).changes).toEqual([]);
    },
  );

  test("whose create is refused with a conflict fails at once with the server's words, because a rule has no unique name", async () => {
    const stack = await start();
    stack.simulator.cluster.methods.put({ Name: "sso" });
    stack.simulator.faults.add({ method: "POST", fault: { kind: "status", status: 409, body: "busy", contentType: "text/plain" } });
    const { errors, requests } = await stack.attempt("up", only("AclBindingRule", rule()));
    expect(errors).toMatch(/409.*busy/);
    expect(errors).not.toMatch(/lags/);
    expect(requests.filter(({ path }) => path.endsWith("/binding-rules")).length).toBeLessThan(3);
    expect(stored(stack)).toEqual([]);
  });

  test("causes a warning if its bindName looks like a role's ID, and is created, because a role may have such a name", async () => {
    const stack = await start();
    stack.simulator.cluster.methods.put({ Name: "sso" });
    const bindName = "0b1d7c1e-9d3c-4f0a-8a51-7d1f5f6f3f0e";
    for (const command of ["preview", "up"] as const) {
      const { warnings } = await stack[command](only("AclBindingRule", rule({ bindName })));
      expect(warnings[0]).toContain(`bindName: ${bindName} looks like a role's ID`);
    }
    expect(stored(stack)).toMatchObject([{ BindName: bindName }]);
    const { warnings } = await stack.up(only("AclBindingRule", rule({ bindType: "policy", bindName })));
    expect(warnings).toEqual([]);
  });

  test("changes from management to a role in place", async () => {
    const stack = await begin();
    await stack.up(management);
    const { id } = stack.entry();
    const { writes } = await stack.up(only("AclBindingRule", rule()));
    expect(writes).toEqual([`POST /v1/acl/binding-rule/${id}`]);
    expect(stored(stack)).toMatchObject([{ ID: id, BindType: "role", BindName: "dev" }]);
  });

  test.each([
    ["bindName", { BindName: "admin" }, { bindType: "policy" }],
    ["bindType", { BindType: "policy" }, { bindName: "ops" }],
    ["bindType", { BindType: "management", BindName: "" }, { bindName: "ops" }],
  ] as const)("whose %s others changed to %j refuses a change of the program that would mix with it: %j", async (theirs, change, ours) => {
    const stack = await begin();
    const { id } = stack.entry();
    stack.simulator.cluster.rules.put({ ID: id, ...change });
    const before = stored(stack);
    const program = only("AclBindingRule", rule(ours));
    const { errors, writes } = await stack.fails("up", program);
    expect(errors).toMatch(new RegExp(`ACL binding rule ${id} .*: ${theirs} \\(.*nothing was written\\. Run \`pulumi refresh\``));
    expect(writes).toEqual([]);
    expect(stored(stack)).toEqual(before);
    await stack.refresh();
    await stack.up(program);
    expect(stored(stack)).toMatchObject([{ BindType: "role", BindName: "dev", ...capitalized(ours) }]);
  });

  test("whose bindName is ignored keeps the others' name under a new type of the program", async () => {
    const stack = await begin();
    stack.simulator.cluster.rules.put({ ID: stack.entry().id, BindName: "theirs" });
    await stack.up(only("AclBindingRule", rule({ bindType: "policy" }), { ignoreChanges: ["bindName"] }));
    expect(stored(stack)).toMatchObject([{ BindType: "policy", BindName: "theirs" }]);
  });

  test("with a missing method or an unreadable selector is an error with the property's name", async () => {
    const stack = await begin();
    const wrong = { authMethod: "nobody", selector: "a == b" };
    // Another server may know fewer forms of selectors.
    const body = "binding rule 0 invalid: selector is invalid: 1:3 (2): no match found";
    for (const [property, value] of Object.entries(wrong)) {
      if (property === "selector") stack.simulator.faults.add({ method: "POST", fault: { kind: "status", status: 400, body } });
      const { errors } = await stack.fails("up", (declare) => {
        declare("AclBindingRule", "it", rule());
        declare("AclBindingRule", "wrong", rule({ description: "another", [property]: value }));
      });
      expect(errors).toMatch(new RegExp(`^${property}: .*400`));
      expect(stored(stack)).toHaveLength(1);
      expect(stack.entries("wrong")).toEqual([]);
    }
  });
});
