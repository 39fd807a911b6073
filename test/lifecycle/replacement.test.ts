import type { DialectName, Fault } from "../../testing/simulator";
import { adoptable, agentPool, samples } from "../kinds";
import { contents, everything } from "./contents";
import { type Inputs, only, type Program, toEveryServer } from "./harness";
import { oidc, pkce, rule } from "./samples";

const denied: Fault = { kind: "status", status: 403, body: "Permission denied" };

/** A program of a method and its rule, which gets the method's name from the method. */
const methodAndRule =
  (name: string): Program =>
  (declare) => {
    const method = declare("AclAuthMethod", "method", oidc({}, { name }));
    declare("AclBindingRule", "rule", rule({ authMethod: method.output("name") }));
  };

/** Whether a second object with the same inputs is refused, so a forced replacement can't create the new object first. */
const isAdoptable = ({ kind }: { readonly kind: string }) => adoptable.some((sample) => sample.kind === kind);

/**
 * The samples without secrets, because `adopt: true` can't compare secrets. Documented servers accept no auth method of OIDC without a
 * secret, and update no auth method of another type: with them, `plain` has the sample with its secret, and `comparable` has no auth
 * method.
 */
const plainFor = (dialect: DialectName) => ({
  plain: samples.map((sample) =>
    sample.kind === "AclAuthMethod" && dialect === "measured" ? { ...sample, inputs: pkce({ oidcEnablePkce: true }) } : sample,
  ),
  comparable: adoptable
    .filter(({ kind }) => kind !== "AclAuthMethod" || dialect === "measured")
    .map((sample) => (sample.kind === "AclAuthMethod" ? { ...sample, inputs: pkce({ oidcEnablePkce: true }) } : sample)),
});

toEveryServer("a replacement", (start) => {
  test("of an auth method creates the new one and its rules first, and then deletes the old ones", async () => {
    const stack = await start();
    stack.simulator.cluster.roles.put({ Name: "dev", Policies: [{ Name: "read" }] });
    await stack.up(methodAndRule("old"));
    const oldRule = stack.entry("rule").id;
    const { writes, warnings } = await stack.up(methodAndRule("new"));
    expect(writes).toEqual([
      "POST /v1/acl/auth-method",
      "POST /v1/acl/binding-rule",
      `DELETE /v1/acl/binding-rule/${oldRule}`,
      "DELETE /v1/acl/auth-method/old",
    ]);
    expect(warnings).toEqual([]);
    const { methods, rules } = stack.simulator.cluster;
    expect(methods.list().map(({ Name }) => Name)).toEqual(["new"]);
    expect(rules.list().map(({ ID, AuthMethod }) => ({ ID, AuthMethod }))).toEqual([{ ID: stack.entry("rule").id, AuthMethod: "new" }]);
    expect((await stack.up(methodAndRule("new"))).requests).toEqual([]);
  });

  test("that is reverted after a failed delete keeps the object that is live again", async () => {
    const stack = await start();
    await stack.up(only("AclAuthMethod", oidc()));
    stack.simulator.faults.add({ method: "DELETE", fault: denied });
    await stack.fails("up", only("AclAuthMethod", oidc({}, { name: "new" })));
    const back = only("AclAuthMethod", oidc({}, { adopt: "overwrite" }));
    await stack.up(back);
    expect(stack.simulator.cluster.methods.list().map(({ Name }) => Name)).toEqual(["sso"]);
    expect(stack.entries().map(({ id }) => id)).toEqual(["sso"]);
    expect((await stack.preview(back, { refresh: true })).changes).toEqual([]);
  });
});

toEveryServer("a replacement that was forced", (start, dialect) => {
  const { plain, comparable } = plainFor(dialect);
  const begin = async ({ kind, inputs, prepare }: (typeof plain)[number], more = {}, options = {}) => {
    const stack = await start();
    prepare(stack);
    const program = only(kind, { ...inputs, ...more }, options);
    await stack.up(program);
    return { stack, program, forced: { replace: [stack.entry().urn] } };
  };

  test.each(plain.filter(isAdoptable))("$kind: fails with the advice deleteBeforeReplace, and changes nothing", async (sample) => {
    const { stack, program, forced } = await begin(sample);
    const before = everything(stack.simulator);
    const { errors } = await stack.fails("up", program, forced);
    expect(errors).toContain("deleteBeforeReplace");
    expect(everything(stack.simulator)).toEqual(before);
    expect(stack.entries().map(({ id }) => ({ id }))).toEqual(sample.objects(stack.simulator));
  });

  const free = plain.filter((sample) => !isAdoptable(sample));
  test.each(free)("$kind: creates the new object first, and then deletes the old one, if only the ID identifies it", async (sample) => {
    const { stack, program, forced } = await begin(sample);
    const { id } = stack.entry();
    const { writes } = await stack.up(program, forced);
    expect(writes).toEqual([`POST ${sample.create}`, `DELETE ${sample.create}/${id}`]);
    expect(stack.entries().map(({ id }) => ({ id }))).toEqual(sample.objects(stack.simulator));
  });

  test.each(plain)("$kind: deletes first with deleteBeforeReplace, also after a refresh, and one new object is left", async (sample) => {
    const { stack, program, forced } = await begin(sample, {}, { deleteBeforeReplace: true });
    for (const refresh of [false, true]) {
      const before = everything(stack.simulator);
      const { writes } = await stack.up(program, { ...forced, refresh });
      expect(writes.map((line) => line.split(" ")[0])).toEqual(["DELETE", "POST"]);
      expect(sample.objects(stack.simulator)).toEqual([{ id: stack.entry().id }]);
      expect(everything(stack.simulator)).not.toEqual(before);
    }
    expect((await stack.up(program)).requests).toEqual([]);
  });

  test.each(plain)("$kind: by replaceOnChanges ends with one object, which is in the state", async (sample) => {
    const { kind, inputs, change, objects } = sample;
    const options = { replaceOnChanges: Object.keys(change) };
    const { stack } = await begin(sample, {}, options);
    const program = only(kind, { ...inputs, ...change }, options);
    const { writes } = await stack.up(program);
    expect(objects(stack.simulator)).toEqual([{ id: stack.entry().id }]);
    expect(stack.entries()).toHaveLength(1);
    // With dynamic resources the engine does not learn which property changed, and updates in place.
    expect(writes).toHaveLength(stack.adapter.name === "plugin" ? 2 : 1);
    expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
  });

  test("of a pool whose delete is blocked changes nothing", async () => {
    const { stack, program, forced } = await begin(agentPool, {}, { deleteBeforeReplace: true });
    const { pools } = stack.simulator;
    const before = everything(stack.simulator);
    const agent = pools.addAgent(stack.entry().id, { status: "busy" });
    const { errors } = await stack.fails("up", program, forced);
    expect(errors).toContain(agent.id);
    expect(everything(stack.simulator)).toEqual(before);
    pools.removeAgent(agent.id);
    expect((await stack.up(program)).requests).toEqual([]);
  });

  test.each(comparable)(
    "$kind: with adopt: true takes its own object over, and the old entry's delete does not take it",
    async (sample) => {
      const { stack, program, forced } = await begin(sample, { adopt: true });
      const before = contents(stack.simulator);
      const { id } = stack.entry();
      const { warnings } = await stack.up(program, forced);
      const others = warnings.filter((one) => !one.includes("no oidcClientSecret"));
      expect(others).toEqual([expect.stringMatching(`${id} stays on the server.*nothing was replaced: set deleteBeforeReplace: true`)]);
      expect(contents(stack.simulator)).toEqual(before);
      expect(stack.entries().map(({ id }) => ({ id }))).toEqual(sample.objects(stack.simulator));
      expect((await stack.up(program)).requests).toEqual([]);
      await stack.destroy();
      expect(sample.objects(stack.simulator)).toEqual([]);
    },
  );
});

toEveryServer("a resource that was renamed in the program", (start, dialect) => {
  const { plain } = plainFor(dialect);
  test.each(plain.filter(isAdoptable))(
    "$kind: is an error without an alias that names aliases, and the object stays",
    async ({ kind, inputs, prepare, objects }) => {
      const stack = await start();
      prepare(stack);
      await stack.up((declare) => void declare(kind, "before", inputs));
      const held = objects(stack.simulator);
      const { errors } = await stack.fails("up", (declare) => void declare(kind, "after", inputs));
      expect(errors).toContain("alias");
      expect(objects(stack.simulator)).toEqual(held);
      expect([{ id: stack.entry("before").id }]).toEqual(held);
    },
  );

  test.each([
    { change: "its method gets another name", before: { name: "old" }, after: { name: "new" } },
    { change: "its method is replaced, and keeps its name", before: { name: "old" }, after: { name: "old", tokenLocality: "global" } },
  ])("a renamed rule is created again if $change, with both deleted first", async ({ before, after }) => {
    const stack = await start();
    stack.simulator.cluster.roles.put({ Name: "dev", Policies: [{ Name: "read" }] });
    const program =
      (name: string, inputs: Inputs): Program =>
      (declare) => {
        const method = declare("AclAuthMethod", "method", oidc({}, inputs), { deleteBeforeReplace: true });
        declare("AclBindingRule", name, rule({ authMethod: method.output("name") }), { aliases: [{ name: "rule" }] });
      };
    await stack.up(program("rule", before));
    const replace = [stack.entry("method").urn];
    const previewed = await stack.preview(program("renamed", after), { replace });
    const updated = await stack.up(program("renamed", after), { replace });
    expect(previewed.changes.toSorted()).toEqual(updated.changes.toSorted());
    expect(updated.changes).toContain("create-replacement AclBindingRule renamed");
    const rules = stack.simulator.cluster.rules.list();
    expect(rules).toEqual([expect.objectContaining({ ID: stack.entry("renamed").id, AuthMethod: after.name })]);
    expect((await stack.preview(program("renamed", after), { refresh: true })).changes).toEqual([]);
  });
});
