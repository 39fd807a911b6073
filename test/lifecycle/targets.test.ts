/** Updates of some resources (`--target`). The engine tells a provider nothing of the resources that are no targets. */
import type { StackState } from "../../testing/rehearsal";
import { adoptable } from "../kinds";
import { nothing, type Program, type TestStack, throughEveryAdapter } from "./harness";

function held({ state }: TestStack): StackState {
  if (!state) throw new Error("the stack has no state");
  return state;
}

throughEveryAdapter("an update with --target", (start) => {
  test.each(adoptable)("lets adopt give one $kind two entries, and names the entry to remove from the state", async (sample) => {
    const stack = await start();
    sample.prepare(stack);
    const declaring =
      (name: string, more = {}): Program =>
      (declare) =>
        void declare(sample.kind, name, { ...sample.inputs, ...more });
    await stack.up(declaring("old"));
    const { id } = stack.entry("old");
    const before = held(stack);
    // This stands for an update with the new resource as the only target: its state lacks the old entry, which is added below.
    stack.forget();
    const { log } = await stack.up(declaring("new", { adopt: "overwrite" }));
    expect(log.filter((line) => line.includes("pulumi state delete"))).toEqual([expect.stringContaining(id)]);
    expect(stack.entry("new").id).toBe(id);
    const both = { ...held(stack), resources: [...held(stack).resources, ...before.resources.filter((entry) => entry.id === id)] };
    // Without a target the engine deletes the old entry after the new one's diff, so the object stays.
    stack.state = both;
    await stack.up(declaring("new", { adopt: "overwrite" }));
    expect(sample.objects(stack.simulator)).toEqual([{ id }]);
    // With the old resource as the only target, the provider sees only that resource's delete.
    stack.state = before;
    await stack.up(nothing);
    expect(sample.objects(stack.simulator)).toEqual([]);
  });
});
