/** Deletes, and the other calls of the same operation that decide whether a delete leaves its object alone. */
import { UNKNOWN } from "../../testing/rehearsal/engine/values";
import { Simulator } from "../../testing/simulator";
import { type ProviderProcess, processes } from "../support/provider-process";

const developers = { name: "dev", policies: ["read"] };
const rule = { authMethod: "sso", selector: "", bindType: "role", bindName: "dev" };

describe.each(processes)("through the $name adapter", ({ start }) => {
  const simulators: Simulator[] = [];
  const running: ProviderProcess[] = [];
  afterEach(async () => {
    for (const process of running.splice(0)) process.stop();
    await Promise.all(simulators.splice(0).map((simulator) => simulator.stop()));
  });

  async function cluster(): Promise<Simulator> {
    const simulator = await Simulator.start();
    simulators.push(simulator);
    simulator.cluster.policies.put("read");
    simulator.cluster.methods.put({ Name: "sso" });
    return simulator;
  }

  async function operation(...given: Parameters<typeof start>): Promise<ProviderProcess> {
    const process = await start(...given);
    running.push(process);
    return process;
  }

  /** Creates an object in an operation of its own. */
  async function made(simulator: Simulator, kind: string, inputs: typeof developers | typeof rule) {
    const process = await operation(simulator);
    const checked = await process.check(kind, inputs);
    return { inputs: checked, ...(await process.create(kind, checked)) };
  }

  describe("when a policy pack changes the result of a check", () => {
    const mended = { description: "mended by a policy" };

    test("an unchanged resource holds its object, and an older entry's delete leaves it", async () => {
      const simulator = await cluster();
      const { id, inputs, outputs } = await made(simulator, "AclRole", { ...developers, ...mended });
      const process = await operation(simulator);
      await process.check("AclRole", developers, inputs);
      expect((await process.diff("AclRole", id, outputs, inputs)).changes).toBe(false);
      await process.delete("AclRole", id, outputs);
      expect(simulator.cluster.roles.get(id)).toBeDefined();
    });

    test("only the diff of an update holds an object, and not the diff of a refresh", async () => {
      const simulator = await cluster();
      const [first, second] = [
        await made(simulator, "AclRole", { ...developers, ...mended }),
        await made(simulator, "AclRole", { ...developers, ...mended, name: "second" }),
      ];
      const process = await operation(simulator);
      for (const { id, inputs, outputs } of [first, second]) {
        await process.read("AclRole", id, outputs);
        await process.diff("AclRole", id, outputs, inputs);
      }
      await process.check("AclRole", developers, first.inputs);
      await process.diff("AclRole", first.id, first.outputs, first.inputs);
      for (const { id, outputs } of [first, second]) await process.delete("AclRole", id, outputs);
      expect(simulator.cluster.roles.list().map(({ ID }) => ID)).toEqual([first.id]);
    });
  });

  test("an unchanged resource that depends on a replaced one is deleted, and created again", async () => {
    const simulator = await cluster();
    const { id, inputs, outputs } = await made(simulator, "AclBindingRule", rule);
    const process = await operation(simulator);
    await process.check("AclBindingRule", rule, inputs);
    expect((await process.diff("AclBindingRule", id, outputs, inputs)).changes).toBe(false);
    expect((await process.diff("AclBindingRule", id, outputs, { ...inputs, authMethod: UNKNOWN })).replaces).toEqual(["authMethod"]);
    await process.delete("AclBindingRule", id, outputs);
    expect(simulator.cluster.rules.list()).toEqual([]);
    const again = await process.create("AclBindingRule", await process.check("AclBindingRule", rule));
    expect(simulator.cluster.rules.list().map(({ ID }) => ID)).toEqual([again.id]);
  });

  test("an object that is deleted before its diff is replaced", async () => {
    const simulator = await cluster();
    const { id, inputs, outputs } = await made(simulator, "AclBindingRule", rule);
    const process = await operation(simulator);
    await process.delete("AclBindingRule", id, outputs);
    await process.check("AclBindingRule", rule, inputs);
    expect(await process.diff("AclBindingRule", id, outputs, inputs)).toMatchObject({ replaces: ["server"] });
  });
});
