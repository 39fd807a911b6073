import type { DialectName, Fault } from "../../provider/testing/simulator";
import { agentPool, samples } from "../kinds";
import { contents, everything } from "./contents";
import { only, type Program, throughEveryAdapterToEveryServer } from "./harness";
import { oidc, pkce, pool, role, rule } from "./samples";

const denied: Fault = { kind: "status", status: 403, body: "Permission denied" };

/** A method and a rule of it, whose name comes from the method. */
const methodAndRule =
  (name: string): Program =>
  (declare) => {
    const method = declare("AclAuthMethod", "method", oidc({}, { name }));
    declare("AclBindingRule", "rule", rule({ authMethod: method.output("name") }));
  };

/** Without secrets, which adopt: true could not compare. Documented servers take no auth method of OIDC without one, and update no other. */
const plainFor = (dialect: DialectName) => ({
  plain: samples.map((sample) => (sample.kind === "AclAuthMethod" && dialect === "measured" ? { ...sample, inputs: pkce() } : sample)),
  comparable: samples
    .filter(({ kind }) => kind !== "AclAuthMethod" || dialect === "measured")
    .map((sample) => (sample.kind === "AclAuthMethod" ? { ...sample, inputs: pkce() } : sample)),
});

throughEveryAdapterToEveryServer("a replacement", (start) => {
  test("of an auth method makes the new one and its rules first, and then deletes the old ones", async () => {
    const world = await start();
    await world.up(methodAndRule("old"));
    const oldRule = world.entry("rule").id;
    const { writes, warnings } = await world.up(methodAndRule("new"));
    expect(writes).toEqual([
      "POST /v1/acl/auth-method",
      "POST /v1/acl/binding-rule",
      `DELETE /v1/acl/binding-rule/${oldRule}`,
      "DELETE /v1/acl/auth-method/old",
    ]);
    expect(warnings).toEqual([]);
    const { methods, rules } = world.simulator.cluster;
    expect(methods.list().map(({ Name }) => Name)).toEqual(["new"]);
    expect(rules.list().map(({ ID, AuthMethod }) => ({ ID, AuthMethod }))).toEqual([{ ID: world.entry("rule").id, AuthMethod: "new" }]);
    expect((await world.up(methodAndRule("new"))).requests).toEqual([]);
  });

  test("of a pool in another organization makes the new one first, under the same name", async () => {
    const world = await start();
    world.simulator.pools.addOrganization("other-org");
    await world.up(only("AgentPool", pool()));
    const { id } = world.entry();
    const { writes } = await world.up(only("AgentPool", pool({ organization: "other-org" })));
    expect(writes).toEqual(["POST /api/v2/organizations/other-org/agent-pools", `DELETE /api/v2/agent-pools/${id}`]);
    expect(world.simulator.pools.list().map(({ organization, name }) => `${organization}/${name}`)).toEqual(["other-org/build"]);
  });

  test("whose create fails leaves the old object alive and known", async () => {
    const world = await start();
    await world.up(only("AclAuthMethod", oidc()));
    const before = everything(world.simulator);
    world.simulator.faults.add({ method: "POST", fault: denied });
    await world.fails("up", only("AclAuthMethod", oidc({}, { name: "new" })));
    expect(everything(world.simulator)).toEqual(before);
    expect(world.entry().id).toBe("sso");
  });

  test("whose delete fails leaves both alive, and the next up deletes the old one only", async () => {
    const world = await start();
    await world.up(only("AclAuthMethod", oidc()));
    const renamed = only("AclAuthMethod", oidc({}, { name: "new" }));
    world.simulator.faults.add({ method: "DELETE", fault: denied });
    await world.fails("up", renamed);
    expect(world.entries().map(({ id, delete: isOld }) => ({ id, isOld: isOld === true }))).toEqual([
      { id: "new", isOld: false },
      { id: "sso", isOld: true },
    ]);
    await world.up(renamed);
    expect(world.simulator.cluster.methods.list().map(({ Name }) => Name)).toEqual(["new"]);
    expect(world.entries().map(({ id }) => id)).toEqual(["new"]);
  });

  test("that is taken back after a failed delete does not delete the object that is live again", async () => {
    const world = await start();
    await world.up(only("AclAuthMethod", oidc()));
    world.simulator.faults.add({ method: "DELETE", fault: denied });
    await world.fails("up", only("AclAuthMethod", oidc({}, { name: "new" })));
    const back = only("AclAuthMethod", oidc({}, { adopt: "overwrite" }));
    await world.up(back);
    expect(world.simulator.cluster.methods.list().map(({ Name }) => Name)).toEqual(["sso"]);
    expect(world.entries().map(({ id }) => id)).toEqual(["sso"]);
    expect((await world.preview(back, { refresh: true })).changes).toEqual([]);
  });
});

throughEveryAdapterToEveryServer("a replacement that was forced", (start, dialect) => {
  const { plain, comparable } = plainFor(dialect);
  const begin = async ({ kind, inputs, prepare }: (typeof plain)[number], more = {}, options = {}) => {
    const world = await start();
    prepare(world);
    const program = only(kind, { ...inputs, ...more }, options);
    await world.up(program);
    return { world, program, forced: { replace: [world.entry().urn] } };
  };

  test.each(plain)("$kind: fails without a way on, touches nothing, and names deleteBeforeReplace", async (sample) => {
    const { world, program, forced } = await begin(sample);
    const before = everything(world.simulator);
    const { errors } = await world.fails("up", program, forced);
    expect(errors).toContain("deleteBeforeReplace");
    expect(everything(world.simulator)).toEqual(before);
    expect(world.entries().map(({ id }) => ({ id }))).toEqual(sample.objects(world.simulator));
  });

  test.each(plain)("$kind: deletes first with deleteBeforeReplace, also after a refresh, and one new object is left", async (sample) => {
    const { world, program, forced } = await begin(sample, {}, { deleteBeforeReplace: true });
    for (const refresh of [false, true]) {
      const before = everything(world.simulator);
      const { writes } = await world.up(program, { ...forced, refresh });
      expect(writes.map((line) => line.split(" ")[0])).toEqual(["DELETE", "POST"]);
      expect(sample.objects(world.simulator)).toEqual([{ id: world.entry().id }]);
      expect(everything(world.simulator)).not.toEqual(before);
    }
    expect((await world.up(program)).requests).toEqual([]);
  });

  test.each(plain)(
    "$kind: by replaceOnChanges ends with one object, the one that the state knows, and deletes no other",
    async (sample) => {
      const { kind, inputs, change, objects } = sample;
      const options = { replaceOnChanges: Object.keys(change) };
      const { world } = await begin(sample, {}, options);
      const program = only(kind, { ...inputs, ...change }, options);
      const { writes } = await world.up(program);
      expect(objects(world.simulator)).toEqual([{ id: world.entry().id }]);
      expect(world.entries()).toHaveLength(1);
      // With dynamic resources the engine does not learn which property changed, and updates in place.
      expect(writes).toHaveLength(world.adapter.name === "plugin" ? 2 : 1);
      expect((await world.preview(program, { refresh: true })).changes).toEqual([]);
    },
  );

  test("of a pool whose delete is blocked changes nothing", async () => {
    const { world, program, forced } = await begin(agentPool, {}, { deleteBeforeReplace: true });
    const { pools } = world.simulator;
    const before = everything(world.simulator);
    const agent = pools.addAgent(world.entry().id, { status: "busy" });
    const { errors } = await world.fails("up", program, forced);
    expect(errors).toContain(agent.id);
    expect(everything(world.simulator)).toEqual(before);
    pools.removeAgent(agent.id);
    expect((await world.up(program)).requests).toEqual([]);
  });

  test.each(comparable)(
    "$kind: with adopt: true takes its own object over, and the old entry's delete does not take it",
    async (sample) => {
      const { world, program, forced } = await begin(sample, { adopt: true });
      const before = contents(world.simulator);
      await world.up(program, forced);
      expect(contents(world.simulator)).toEqual(before);
      expect(world.entries().map(({ id }) => ({ id }))).toEqual(sample.objects(world.simulator));
      expect((await world.up(program)).requests).toEqual([]);
      await world.destroy();
      expect(sample.objects(world.simulator)).toEqual([]);
    },
  );

  test.each(plain)("$kind: an old entry of the live object, left over by a process that died, never takes it", async (sample) => {
    for (const refresh of [false, true]) {
      const { world, program } = await begin(sample);
      const before = everything(world.simulator);
      const live = world.entry();
      if (world.state) world.state = { ...world.state, resources: [...world.state.resources, { ...live, delete: true }] };
      await world.up(program, { refresh });
      expect(everything(world.simulator)).toEqual(before);
      expect(world.entries()).toHaveLength(1);
    }
  });

  test.each(plain)("$kind: an old entry of the live object does not take it when the live one is updated, either", async (sample) => {
    const { world } = await begin(sample);
    const live = world.entry();
    if (world.state) world.state = { ...world.state, resources: [...world.state.resources, { ...live, delete: true }] };
    await world.up(only(sample.kind, { ...sample.inputs, ...sample.change }));
    expect(sample.objects(world.simulator)).toEqual([{ id: live.id }]);
    expect(world.entries()).toHaveLength(1);
  });
});

throughEveryAdapterToEveryServer("a resource that was renamed in the program", (start, dialect) => {
  const { plain, comparable } = plainFor(dialect);
  test.each(plain)("$kind: with an alias nothing happens", async ({ kind, inputs, prepare, objects }) => {
    const world = await start();
    prepare(world);
    await world.up((declare) => void declare(kind, "before", inputs));
    const held = objects(world.simulator);
    const { requests } = await world.up((declare) => void declare(kind, "after", inputs, { aliases: [{ name: "before" }] }));
    expect(requests).toEqual([]);
    expect([{ id: world.entry("after").id }]).toEqual(held);
    expect(world.entries("before")).toEqual([]);
  });

  test.each(plain)(
    "$kind: without an alias it is an error that names aliases, and the object lives",
    async ({ kind, inputs, prepare, objects }) => {
      const world = await start();
      prepare(world);
      await world.up((declare) => void declare(kind, "before", inputs));
      const held = objects(world.simulator);
      const { errors } = await world.fails("up", (declare) => void declare(kind, "after", inputs));
      expect(errors).toContain("alias");
      expect(objects(world.simulator)).toEqual(held);
      expect([{ id: world.entry("before").id }]).toEqual(held);
    },
  );

  test.each(comparable)(
    "$kind: without an alias and with adopt the object moves to the new entry, and the old entry's delete leaves it",
    async ({ kind, inputs, prepare, objects }) => {
      const world = await start();
      prepare(world);
      await world.up((declare) => void declare(kind, "before", inputs));
      const before = contents(world.simulator);
      await world.up((declare) => void declare(kind, "after", { ...inputs, adopt: true }));
      expect(contents(world.simulator)).toEqual(before);
      expect([{ id: world.entry("after").id }]).toEqual(objects(world.simulator));
      expect(world.entries("before")).toEqual([]);
    },
  );

  test("and whose object is renamed with it is a new object and a delete of the old one", async () => {
    const world = await start();
    await world.up((declare) => void declare("AclRole", "before", role()));
    await world.up((declare) => void declare("AclRole", "after", role({ name: "ops" })));
    expect(world.simulator.cluster.roles.list().map(({ Name }) => Name)).toEqual(["ops"]);
  });
});
