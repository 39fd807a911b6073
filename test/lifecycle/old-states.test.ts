import { type Sample, samples } from "../kinds";
import { everything } from "./contents";
import { only, type TestStack, toEveryServer } from "./harness";

/** Leaves only these outputs in the state. */
function keepOutputs(stack: TestStack, keep: (name: string) => boolean): void {
  const { state } = stack;
  if (!state) throw new Error("there is no state");
  const resources = state.resources.map((resource) => ({
    ...resource,
    outputs: Object.fromEntries(Object.entries(resource.outputs).filter(([name]) => keep(name))),
  }));
  stack.state = { ...state, resources };
}

toEveryServer("a state of an older version, without the server's own fields", (start) => {
  const begin = async ({ kind, inputs, prepare }: Sample) => {
    const stack = await start();
    prepare(stack);
    await stack.up(only(kind, inputs));
    const known = Object.keys(stack.inputs());
    keepOutputs(stack, (name) => known.includes(name));
    return stack;
  };

  test.each(samples)("$kind: is no change, and a refresh completes it", async (sample) => {
    const stack = await begin(sample);
    const program = only(sample.kind, sample.inputs);
    expect((await stack.up(program)).requests).toEqual([]);
    expect((await stack.refresh()).changes).toEqual([]);
    expect(stack.outputs()).toHaveProperty("server");
    expect((await stack.up(program)).requests).toEqual([]);
  });

  test.each(samples)("$kind: can be updated, and destroyed", async (sample) => {
    const stack = await begin(sample);
    await stack.up(only(sample.kind, { ...sample.inputs, ...sample.change }));
    expect(sample.objects(stack.simulator)).toEqual([{ id: stack.entry().id }]);
    keepOutputs(stack, (name) => name === "__provider");
    await stack.destroy();
    expect(sample.objects(stack.simulator)).toEqual([]);
  });
});

toEveryServer("a state that came back from another adapter, without the text that leads to the provider", (start) => {
  test.each(samples)("$kind: gets it back, where it is needed, by an update that sends nothing", async ({ kind, inputs, prepare }) => {
    const stack = await start();
    prepare(stack);
    await stack.up(only(kind, inputs));
    const before = { objects: everything(stack.simulator), outputs: stack.outputs() };
    keepOutputs(stack, (name) => name !== "__provider");
    const { changes: steps, requests } = await stack.up(only(kind, inputs));
    expect(steps).toEqual(stack.adapter.needsProviderText ? [`update ${kind} it`] : []);
    expect(requests).toEqual([]);
    expect(stack.outputs()).toEqual(before.outputs);
    expect((await stack.refresh()).changes).toEqual([]);
    await stack.destroy();
    expect(stack.entries()).toEqual([]);
  });
});
