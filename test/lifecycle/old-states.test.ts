import { type Sample, samples } from "../kinds";
import { everything } from "./contents";
import { only, throughEveryAdapterToEveryServer, type World } from "./harness";

/** Leaves only these outputs in the state. */
function keepOutputs(world: World, keep: (name: string) => boolean): void {
  const { state } = world;
  if (!state) throw new Error("there is no state");
  const resources = state.resources.map((resource) => ({
    ...resource,
    outputs: Object.fromEntries(Object.entries(resource.outputs).filter(([name]) => keep(name))),
  }));
  world.state = { ...state, resources };
}

throughEveryAdapterToEveryServer("a state of an older version, without the server's own fields", (start) => {
  const begin = async ({ kind, inputs, prepare }: Sample) => {
    const world = await start();
    prepare(world);
    await world.up(only(kind, inputs));
    const known = Object.keys(world.inputs());
    keepOutputs(world, (name) => known.includes(name));
    return world;
  };

  test.each(samples)("$kind: is no change, and a refresh completes it", async (sample) => {
    const world = await begin(sample);
    const program = only(sample.kind, sample.inputs);
    expect((await world.up(program)).requests).toEqual([]);
    expect((await world.refresh()).changes).toEqual([]);
    expect(world.outputs()).toHaveProperty("server");
    expect((await world.up(program)).requests).toEqual([]);
  });

  test.each(samples)("$kind: can be updated, and destroyed", async (sample) => {
    const world = await begin(sample);
    await world.up(only(sample.kind, { ...sample.inputs, ...sample.change }));
    expect(sample.objects(world.simulator)).toEqual([{ id: world.entry().id }]);
    keepOutputs(world, (name) => name === "__provider");
    await world.destroy();
    expect(sample.objects(world.simulator)).toEqual([]);
  });
});

throughEveryAdapterToEveryServer("a state that came back from another adapter, without the text that leads to the provider", (start) => {
  test.each(samples)("$kind: gets it back, where it is needed, by an update that sends nothing", async ({ kind, inputs, prepare }) => {
    const world = await start();
    prepare(world);
    await world.up(only(kind, inputs));
    const before = { objects: everything(world.simulator), outputs: world.outputs() };
    keepOutputs(world, (name) => name !== "__provider");
    const { changes: steps, requests } = await world.up(only(kind, inputs));
    expect(steps).toEqual(world.adapter.needsProviderText ? [`update ${kind} it`] : []);
    expect(requests).toEqual([]);
    expect(world.outputs()).toEqual(before.outputs);
    expect((await world.refresh()).changes).toEqual([]);
    await world.destroy();
    expect(world.entries()).toEqual([]);
  });
});
