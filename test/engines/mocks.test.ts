/** Unit tests of users' programs, with the SDK's mocks only. */
import * as pulumi from "@pulumi/pulumi";
import * as dynamicEntry from "../../provider";
import { functions } from "../../provider/functions";
import * as pluginEntry from "../../provider/plugin";
import { Simulator } from "../../testing/simulator";

const calls: pulumi.runtime.MockCallArgs[] = [];
const environment = process.env;

beforeAll(() => {
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
    call: (args) => {
      calls.push(args);
      return { id: "from the mocks", policies: ["read"] };
    },
  });
});
beforeEach(() => {
  calls.length = 0;
  process.env = {};
});
afterEach(() => {
  process.env = environment;
});

const resultOf = <T>(output: pulumi.Output<T>) => new Promise<unknown>((resolve) => output.apply(resolve));

describe.each([
  ["pulumi-agentpool-acl", dynamicEntry],
  ["pulumi-agentpool-acl/plugin", pluginEntry],
])("with mocks, %s", (_, entry) => {
  test("returns the mocks' results for both forms of a function; the mocks get the plugin's token and the arguments", async () => {
    expect(await entry.getRole({ name: "ops" })).toEqual({ id: "from the mocks", policies: ["read"] });
    expect(await resultOf(entry.getRoleOutput({ name: pulumi.output("later") }).policies)).toEqual(["read"]);
    expect(calls.map(({ token, inputs }) => ({ token, inputs }))).toEqual([
      { token: "agentpool-acl:index:getRole", inputs: { name: "ops" } },
      { token: "agentpool-acl:index:getRole", inputs: { name: "later" } },
    ]);
  });

  test("has a mock for every function, in both forms", async () => {
    for (const { name } of functions) {
      for (const form of [name, `${name}Output`]) {
        const call: unknown = Reflect.get(entry, form);
        if (typeof call !== "function") throw new Error(`${form} is no function`);
        const result: unknown = call(...(form.startsWith("list") && !name.includes("Agents") ? [] : [{ id: "a" }]));
        await (pulumi.Output.isInstance(result) ? resultOf(result) : result);
      }
    }
    expect(calls.map(({ token }) => token)).toEqual(
      functions.flatMap(({ name }) => [`agentpool-acl:index:${name}`, `agentpool-acl:index:${name}`]),
    );
  });

  test("sends no request, even if the environment names a cluster", async () => {
    const simulator = await Simulator.start();
    try {
      process.env.NOMAD_ADDR = simulator.clusterAddress;
      process.env.NOMAD_TOKEN = simulator.clusterToken;
      await entry.getRole({ name: "ops" });
      await resultOf(entry.getRoleOutput({ name: "ops" }));
      expect(calls).toHaveLength(2);
      expect(simulator.journal.entries).toEqual([]);
    } finally {
      await simulator.stop();
    }
  });

  test("takes the options of Pulumi's functions", async () => {
    const role = new entry.AclRole("base", { name: "base", policies: ["read"] });
    const component = new (class extends pulumi.ComponentResource {})("test:index:Team", "team");
    const found = entry.getRoleOutput({ name: "base" }, { dependsOn: [role, pulumi.output(role)], parent: component });
    expect(await resultOf(found.id)).toBe("from the mocks");
    expect(await entry.getRole({ name: "base" }, { parent: component, async: true })).toMatchObject({ id: "from the mocks" });
  });
});
