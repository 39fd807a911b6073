/** Which objects a delete leaves alone, by the calls that came before it in one operation of the engine. */
import type { Siblings } from "../../provider/operation/object-set";
import { UNKNOWN } from "../../testing/rehearsal/engine/values";
import { Simulator } from "../../testing/simulator";
import { type ProviderProcess, processes } from "../support/provider-process";

const developers = { name: "dev", policies: ["read"] };
const rule = { authMethod: "sso", selector: "", bindType: "role", bindName: "dev" };

/** Two processes of one engine, without the files in which they publish. */
function pairOfSiblings(): [Siblings, Siblings] {
  const [left, right] = [new Map<string, string[]>(), new Map<string, string[]>()];
  const side = (own: Map<string, string[]>, other: Map<string, string[]>): Siblings => ({
    publish: (text, server) => void own.set(text, [...(own.get(text) ?? []), server]),
    serversOf: (text) => other.get(text) ?? [],
  });
  return [side(left, right), side(right, left)];
}

describe.each(processes)("through the $name adapter", ({ start }) => {
  const simulators: Simulator[] = [];
  const running: ProviderProcess[] = [];
  afterEach(async () => {
    for (const process of running.splice(0)) process.stop();
    await Promise.all(simulators.splice(0).map((simulator) => simulator.stop()));
  });

  async function cluster(): Promise<Simulator> {
    const simulator = await Simulator.start({ regions: ["eu"] });
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

  /** An object of an earlier operation. */
  async function made(simulator: Simulator, kind: string, inputs: typeof developers | typeof rule) {
    const process = await operation(simulator);
    const checked = await process.check(kind, inputs);
    return { inputs: checked, ...(await process.create(kind, checked)) };
  }

  describe("when a policy pack changes the result of a check", () => {
    const mended = { description: "mended by a policy" };

    test("a resource that is unchanged is held by the program, and an older entry's delete leaves it", async () => {
      const simulator = await cluster();
      const { id, inputs, outputs } = await made(simulator, "AclRole", { ...developers, ...mended });
      const process = await operation(simulator);
      await process.check("AclRole", developers, inputs);
      expect((await process.diff("AclRole", id, outputs, inputs)).changes).toBe(false);
      await process.delete("AclRole", id, outputs);
      expect(simulator.cluster.roles.get(id)).toBeDefined();
    });

    test("and a refresh came first, its diff holds nothing and that of the update does", async () => {
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

    test("the default is handed over all the same", async () => {
      const simulator = await cluster();
      const method = (name: string, isDefault: boolean) => ({
        name,
        type: "JWT",
        tokenLocality: "local",
        maxTokenTtl: "1h",
        default: isDefault,
        config: { jwksUrl: "https://ci.test/keys" },
      });
      const before = await operation(simulator);
      const old = await before.create("AclAuthMethod", await before.check("AclAuthMethod", method("old", true)));
      const process = await operation(simulator);
      const news = await process.check("AclAuthMethod", method("old", true));
      await process.diff("AclAuthMethod", old.id, old.outputs, { ...news, default: false });
      await process.create("AclAuthMethod", await process.check("AclAuthMethod", method("new", true)));
      expect(simulator.cluster.methods.list().flatMap(({ Name, Default }) => (Default ? [Name] : []))).toEqual(["new"]);
    });
  });

  test("a resource that was found unchanged is deleted when it turns out to depend on one that is replaced, and made again", async () => {
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

  test("an object that the update has deleted before its diff is replaced", async () => {
    const simulator = await cluster();
    const { id, inputs, outputs } = await made(simulator, "AclBindingRule", rule);
    const process = await operation(simulator);
    await process.delete("AclBindingRule", id, outputs);
    await process.check("AclBindingRule", rule, inputs);
    expect(await process.diff("AclBindingRule", id, outputs, inputs)).toMatchObject({ replaces: ["server"] });
  });

  test("an object that an update looks up is not deleted, also when another provider of the program looks it up, and a warning says so", async () => {
    const simulator = await cluster();
    for (const shares of [true, false]) {
      const { id, outputs } = await made(simulator, "AclRole", { ...developers, name: shares ? "one" : "two" });
      const [here, there] = pairOfSiblings();
      const deleting = await operation(simulator, { siblings: here });
      const looking = shares ? deleting : await operation(simulator, { siblings: there, config: { clusterRegion: "eu" } });
      await looking.check("AclRole", { ...developers, name: "other" });
      expect((await looking.read("AclRole", shares ? "one" : "two")).id).toBe(id);
      await deleting.delete("AclRole", id, outputs);
      expect(simulator.cluster.roles.get(id)).toBeDefined();
      expect(deleting.warnings().join()).toMatch(/ACL role .* stays on the server, because the program looks it up with get/);
    }
  });

  test("an object that a destroy's program looks up is deleted, because that checks no resource", async () => {
    const simulator = await cluster();
    for (const shares of [true, false]) {
      const { id, outputs } = await made(simulator, "AclRole", { ...developers, name: shares ? "one" : "two" });
      const [here, there] = pairOfSiblings();
      const deleting = await operation(simulator, { siblings: here });
      const looking = shares ? deleting : await operation(simulator, { siblings: there, config: { clusterRegion: "eu" } });
      expect((await looking.read("AclRole", id)).id).toBe(id);
      await deleting.delete("AclRole", id, outputs);
      expect(simulator.cluster.roles.get(id)).toBeUndefined();
      expect(deleting.warnings()).toEqual([]);
    }
  });

  test("what was created while the others were lost is returned, and nothing is written any more", async () => {
    const simulator = await cluster();
    const serversOf = (): string[] => {
      if (simulator.cluster.roles.list().length > 0) throw new Error("the folder was cleared");
      return [];
    };
    const process = await operation(simulator, { siblings: { publish() {}, serversOf } });
    const create = async (name: string) => process.create("AclRole", await process.check("AclRole", { ...developers, name }));
    const { id } = await create("one");
    expect(simulator.cluster.roles.list().map(({ ID }) => ID)).toEqual([id]);
    await expect(create("two")).rejects.toThrow("was cleared");
    expect(simulator.cluster.roles.list()).toHaveLength(1);
  });

  describe("of a cluster that was restored from another one's snapshot, with the same ids", () => {
    async function clones() {
      const [west, east] = [await cluster(), await cluster()];
      const role = await made(west, "AclRole", developers);
      east.cluster.restore(west.cluster.snapshot());
      return { west, east, role, ofEast: { ...role.outputs, server: east.clusterAddress } };
    }
    const both = (west: Simulator, east: Simulator) =>
      new RegExp(`AclRole \\S+ on ${west.clusterAddress} .* on ${east.clusterAddress}\\. .*same address.*--target`);

    test("an object is neither deleted nor said to be, while another provider holds its copy; alone it is deleted", async () => {
      const { west, east, role, ofEast } = await clones();
      const [here, there] = pairOfSiblings();
      const [ours, theirs] = [await operation(west, { siblings: here }), await operation(east, { siblings: there })];
      await theirs.check("AclRole", developers, role.inputs);
      expect((await theirs.diff("AclRole", role.id, ofEast, role.inputs)).changes).toBe(false);
      await expect(ours.delete("AclRole", role.id, role.outputs)).rejects.toThrow(both(west, east));
      expect(west.cluster.roles.list()).toHaveLength(1);
      await (await operation(west)).delete("AclRole", role.id, role.outputs);
      expect([west, east].map((one) => one.cluster.roles.list().length)).toEqual([0, 1]);
    });

    test("an object is not adopted while another provider holds its copy, whichever comes first", async () => {
      for (const adoptsFirst of [false, true]) {
        const { west, east, role, ofEast } = await clones();
        const [here, there] = pairOfSiblings();
        const [ours, theirs] = [await operation(west, { siblings: here }), await operation(east, { siblings: there })];
        const adopt = async () => ours.create("AclRole", await ours.check("AclRole", { ...developers, adopt: true }));
        const hold = async () => {
          await theirs.check("AclRole", developers, role.inputs);
          await theirs.diff("AclRole", role.id, ofEast, role.inputs);
        };
        const [first, second] = adoptsFirst ? [adopt, hold] : [hold, adopt];
        await first();
        await expect(second()).rejects.toThrow(adoptsFirst ? both(east, west) : both(west, east));
      }
    });
  });
});
