/** The life of an object of any kind, by the engine's messages. */
import type { PropertyMap } from "../../testing/rehearsal/engine/values";
import { Simulator } from "../../testing/simulator";
import { samples } from "../kinds";
import type { Inputs } from "../support/declared";
import { TestPlugin, urnOf } from "../support/plugin";
import { configurationOf } from "../support/session";

let simulator: Simulator;
let plugin: TestPlugin;

beforeEach(async () => {
  simulator = await Simulator.start();
  simulator.cluster.policies.put("read");
  plugin = await TestPlugin.start();
});
afterEach(async () => {
  plugin.stop();
  await simulator.stop();
});

/** As a program sends them. */
const sent = (inputs: Inputs): PropertyMap => JSON.parse(JSON.stringify(inputs));

test.each(samples)("a $kind is created, read, compared, updated and deleted", async (sample) => {
  const { kind, inputs, change, given, prepare, objects, stored } = sample;
  const urn = urnOf(kind);
  given?.(simulator);
  prepare({ simulator });
  await plugin.configure(configurationOf(simulator));
  const { inputs: first } = await plugin.check(urn, sent(inputs));
  const { id, outputs } = await plugin.create(urn, first);
  expect(objects(simulator).map((object) => object.id)).toEqual([id]);
  expect(await plugin.read(urn, id, outputs, first)).toEqual({ id, outputs, inputs: first });
  expect((await plugin.diff(urn, id, outputs, first, first)).changes).toBe(false);

  const before = stored(simulator, id);
  const { inputs: second } = await plugin.check(urn, sent({ ...inputs, ...change }), first);
  expect((await plugin.diff(urn, id, outputs, second, first)).properties).toEqual(Object.keys(change));
  const updated = await plugin.update(urn, id, outputs, second);
  expect(updated).toMatchObject(second);
  expect(stored(simulator, id)).not.toEqual(before);

  // The delete is of another operation, as in a program.
  await plugin.configure(configurationOf(simulator));
  await plugin.delete(urn, id, updated);
  expect(objects(simulator)).toEqual([]);
  expect(await plugin.read(urn, id, updated, second)).toEqual({ id: "", outputs: {}, inputs: {} });
});
