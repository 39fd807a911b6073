/** Adoption in each order of the engine's checks. Only a test that sends the engine's messages itself can choose the order. */
import { Simulator } from "../../testing/simulator";
import { TestPlugin, urnOf } from "../support/plugin";
import { configurationOf } from "../support/session";

let simulator: Simulator;

/** The process of one operation. */
async function operation(): Promise<TestPlugin> {
  const plugin = await TestPlugin.start();
  await plugin.configure(configurationOf(simulator));
  return plugin;
}

beforeEach(async () => {
  simulator = await Simulator.start();
  simulator.cluster.policies.put("read");
});
afterEach(() => simulator.stop());

test.each([true, false])(
  "a new resource does not adopt the object of another resource of the program (checked first: %s)",
  async (isFirst) => {
    const [one, two] = [urnOf("AclRole", "one"), urnOf("AclRole", "two")];
    const before = await operation();
    const { inputs: olds } = await before.check(one, { name: "dev", policies: ["read"], description: "ours" });
    await before.create(one, olds);
    before.stop();
    const plugin = await operation();
    try {
      const ours = () => plugin.check(one, { ...olds, description: "changed" }, olds);
      const theirs = () => plugin.check(two, { name: "dev", policies: ["read"], adopt: "overwrite" });
      const [first, second] = isFirst ? [await theirs(), await ours()] : [await ours(), await theirs()];
      expect([first, second].map(({ failures }) => failures.length)).toEqual([0, 1]);
      const { inputs } = isFirst ? first : second;
      await expect(plugin.create(two, inputs)).rejects.toThrow(/It was not touched\. Another resource of this program manages it/);
      expect(simulator.cluster.roles.list()).toMatchObject([{ Name: "dev", Description: "ours" }]);
    } finally {
      plugin.stop();
    }
  },
);
