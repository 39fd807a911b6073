import { dynamicAdapter } from "../../provider/adapters/dynamic";
import { aclPolicy } from "../../provider/resources/acl-policy";
import { agentPool } from "../../provider/resources/agent-pool";
import { Cloud, changesOf, errors, pair, STACK, THING, things, urnOf } from "../../test/support/rehearsal/cloud";
import { Simulator } from "../simulator";
import { type InProcessOptions, type ProgramContext, rehearseInProcess } from ".";

it("an unknown command is an error that names the known ones", async () => {
  const options: InProcessOptions = Object.assign(Object.create(null), { command: "update", program: () => undefined, providers: {} });
  await expect(rehearseInProcess(options)).rejects.toThrow("the command must be one of preview, up, refresh, destroy");
});

it("a provider in this process uses no service of the shell, unless the test gives it", async () => {
  const simulator = await Simulator.start();
  const shell = { TFE_ADDRESS: simulator.poolsAddress, TFE_TOKEN: simulator.poolsToken, TFE_ORGANIZATION: simulator.organization };
  Object.assign(process.env, shell);
  try {
    const type = "pulumi-nodejs:dynamic/agentpool-acl:AgentPool";
    const providers = { [type]: () => dynamicAdapter({ processEnv: process.env })(agentPool) };
    const program = (stack: ProgramContext) => void stack.resource(type, "pool", { name: "pool", __provider: "text" });
    const up = () => rehearseInProcess({ command: "up", providers, program });
    expect(errors(await up()).join()).toContain("The agent pools API is not configured");
    expect(simulator.journal.lines()).toEqual([]);
    expect(errors(await rehearseInProcess({ command: "up", providers, program, env: shell }))).toEqual([]);
    expect(simulator.pools.list().map(({ name }) => name)).toEqual(["pool"]);
  } finally {
    for (const name of Object.keys(shell)) delete process.env[name];
    await simulator.stop();
  }
});

it("each rehearsal is an operation of its own, with its own configuration, although they share the providers", async () => {
  const type = "pulumi-nodejs:dynamic/agentpool-acl:AclPolicy";
  const provider = dynamicAdapter()(aclPolicy);
  const simulators = await Promise.all([Simulator.start(), Simulator.start()]);
  try {
    for (const { clusterAddress, clusterToken, cluster } of simulators) {
      const options = {
        config: { "agentpool-acl:clusterAddress": clusterAddress },
        secretConfig: { "agentpool-acl:clusterToken": clusterToken },
        providers: { [type]: () => provider },
        program: (stack: ProgramContext) => void stack.resource(type, "p", { name: "p", rules: "", __provider: "text" }),
      };
      const { state, ...up } = await rehearseInProcess({ ...options, command: "up" });
      expect([errors(up), cluster.policies.list().map(({ Name }) => Name)]).toEqual([[], ["p"]]);
      expect(errors(await rehearseInProcess({ ...options, command: "destroy", state }))).toEqual([]);
      expect(cluster.policies.list()).toEqual([]);
    }
  } finally {
    for (const simulator of simulators) await simulator.stop();
  }
});

describe("rehearsals that share a provider", () => {
  const type = "pulumi-nodejs:dynamic/agentpool-acl:AclPolicy";
  const provider = dynamicAdapter()(aclPolicy);
  const simulators: Simulator[] = [];

  beforeEach(async () => void simulators.push(await Simulator.start(), await Simulator.start()));
  afterEach(() => Promise.all(simulators.splice(0).map((simulator) => simulator.stop())));

  const up = ({ clusterAddress, clusterToken }: Simulator, name: string, during: () => unknown = () => undefined) =>
    rehearseInProcess({
      command: "up",
      config: { "agentpool-acl:clusterAddress": clusterAddress },
      secretConfig: { "agentpool-acl:clusterToken": clusterToken },
      providers: { [type]: () => provider },
      program: async (stack) => {
        const first = stack.resource(type, name, { name, rules: "", __provider: "text" });
        await first.id.value();
        await during();
        stack.resource(type, `${name}-last`, { name: `${name}-last`, rules: "", __provider: "text" });
      },
    });
  const names = () => simulators.map(({ cluster }) => cluster.policies.list().map(({ Name }) => Name));

  test("may run at the same time, each with its own server", async () => {
    const ups = await Promise.all(simulators.map((simulator, index) => up(simulator, `p${index}`)));
    expect(ups.map(errors)).toEqual([[], []]);
    expect(names()).toEqual([
      ["p0", "p0-last"],
      ["p1", "p1-last"],
    ]);
  });

  test("may run within each other's programs", async () => {
    const [outer, inner] = simulators;
    if (!outer || !inner) throw new Error("there are two");
    const within: string[][] = [];
    const result = await up(outer, "outer", async () => void within.push(errors(await up(inner, "inner"))));
    expect([errors(result), within]).toEqual([[], [[]]]);
    expect(names()).toEqual([
      ["outer", "outer-last"],
      ["inner", "inner-last"],
    ]);
  });
});

it("an up passes outputs on, records dependencies, and keeps their order", async () => {
  const cloud = new Cloud();
  expect(await cloud.up(pair({}))).toMatchObject({ ok: true, summary: { create: 3 } });
  expect(cloud.objects.get("b-2")).toEqual({ key: "b", size: 1, value: "a-1", serial: "b-2" });
  expect(cloud.names()).toEqual(["rehearsed-rehearsal", "a", "b"]);
  const dependent = { parent: STACK, dependencies: [urnOf("a")], propertyDependencies: { key: [], value: [urnOf("a")] } };
  expect(cloud.resource("b")).toMatchObject(dependent);
});

it("a destroy deletes the dependents of a component before its children", async () => {
  const cloud = new Cloud();
  await cloud.up((stack) => {
    const group = stack.component("cloud:index:Group", "group");
    stack.resource(THING, "inner", { key: "inner" }, { parent: group });
    stack.resource(THING, "outer", { key: "outer" }, { dependsOn: [group] });
  });
  expect(cloud.resource("inner").urn).toBe(`urn:pulumi:rehearsal::rehearsed::cloud:index:Group$${THING}::inner`);
  expect(changesOf(await cloud.run("destroy")).slice(0, 3)).toEqual(["delete outer", "delete inner", "delete group"]);
});

it("the state has the times of a resource's create and last change, by the given clock", async () => {
  const cloud = new Cloud();
  const at = (iso: string) => ({ now: () => new Date(iso) });
  await cloud.up(things({ a: {} }), at("2030-01-01T00:00:00Z"));
  await cloud.up(things({ a: { value: "2" } }), at("2030-01-02T00:00:00Z"));
  expect(cloud.resource("a")).toMatchObject({ created: "2030-01-01T00:00:00.000Z", modified: "2030-01-02T00:00:00.000Z" });
});

const reader = (stack: ProgramContext): undefined => {
  stack.resource(THING, "mine", { key: "mine", value: stack.get(THING, "theirs", "theirs-7", { key: "theirs" }).output("value") });
};

it("a get with the name of a managed resource deletes its object", async () => {
  const cloud = new Cloud();
  await cloud.up(things({ theirs: {} }));
  cloud.objects.set("theirs-7", { key: "theirs", value: "found" });
  expect(changesOf(await cloud.up(reader))).toEqual(["read-replacement theirs", "replace theirs", "create mine", "delete-replaced theirs"]);
  expect([...cloud.objects.keys()].sort()).toEqual(["mine-2", "theirs-7"]);
});

it("a managed resource in place of a get creates an object", async () => {
  const cloud = new Cloud();
  cloud.objects.set("theirs-7", { key: "theirs", value: "found" });
  await cloud.up(reader);
  expect(changesOf(await cloud.up(things({ theirs: {} })))).toContain("create-replacement theirs");
  expect(cloud.objects.has("theirs-7")).toBe(true);
});

it("resources are registered in the program's order, except while they wait for others", async () => {
  const cloud = new Cloud();
  await cloud.up((stack) => {
    const first = stack.resource(THING, "a", { key: "a", deep: { list: [{ value: 1 }] } });
    stack.resource(THING, "b", { key: "b", value: first.output("serial") });
    stack.resource(THING, "c", { key: "c" });
  });
  expect(cloud.calls.filter((call) => call.startsWith("create"))).toEqual(["create a", "create c", "create b"]);
});

it("at most `parallel` resources are processed at a time", async () => {
  const cloud = new Cloud();
  let [running, most] = [0, 0];
  cloud.during = async (call) => {
    if (!call.startsWith("create")) return;
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
  };
  const names = Array.from({ length: 9 }, (_, index) => [`r${index}`, {}] as const);
  await cloud.up(things(Object.fromEntries(names)), { parallel: 3 });
  expect(most).toBe(3);
});

it("a cancellation lets running calls finish, keeps their results, and prevents new calls", async () => {
  const cloud = new Cloud();
  const cancellation = new AbortController();
  cloud.during = async (call) => {
    if (call === "create a") cancellation.abort();
  };
  const result = await cloud.up(pair({}), { signal: cancellation.signal });
  expect(result.ok).toBe(false);
  expect(errors(result)).toEqual(["cancelled: running calls are finished, and nothing new begins"]);
  expect(cloud.names()).toEqual(["rehearsed-rehearsal", "a"]);
  expect(cloud.calls).not.toContain("check b");
});

it("an operation that was cancelled before its start does nothing", async () => {
  const cloud = new Cloud();
  await cloud.up(things({ a: {} }));
  expect(await cloud.run("destroy", undefined, { signal: AbortSignal.abort() })).toMatchObject({ ok: false, steps: [] });
  expect(cloud.names()).toContain("a");
});

it("every step is reported at its start and at its end", async () => {
  const heard: string[] = [];
  await new Cloud().up(things({ a: {} }), {
    onEvent: (event) => heard.push(event.kind === "diagnostic" ? "diagnostic" : `${event.kind} ${event.step.name}`),
  });
  expect(heard).toEqual(["started rehearsed-rehearsal", "finished rehearsed-rehearsal", "started a", "finished a"]);
});

test.each(["state.json", {}])("an invalid state is refused with the valid form: %j", async (state) => {
  const options = { command: "up", program: () => undefined, providers: {}, state: JSON.parse(JSON.stringify(state)) } as const;
  await expect(rehearseInProcess(options)).rejects.toThrow("state must be the `state` of an earlier result, and not the path of a file");
});
