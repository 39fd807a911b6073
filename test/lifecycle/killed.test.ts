/** A killed process returns nothing to the engine: the state is the old one, and the servers may have changed. */
import { adoptable, samples } from "../kinds";
import { everything } from "./contents";
import { only, type Program, type TestStack, throughEveryAdapter } from "./harness";

throughEveryAdapter("a process that is killed in the middle of a create", (start) => {
  const killedIn = async (stack: TestStack, program: Program) => {
    const { state } = stack;
    await stack.attempt("up", program);
    stack.state = state;
  };

  test.each(samples)("$kind: before the write, the next up makes one object", async ({ kind, inputs, create, prepare, objects }) => {
    const stack = await start();
    prepare(stack);
    stack.simulator.faults.add({ method: "POST", path: create, times: Number.POSITIVE_INFINITY, fault: { kind: "refuse" } });
    await killedIn(stack, only(kind, inputs));
    stack.simulator.faults.clear();
    await stack.up(only(kind, inputs));
    expect(objects(stack.simulator)).toEqual([{ id: stack.entry().id }]);
  });

  test.each(adoptable)(
    "$kind: after the write, the next up makes no second one, and says which to adopt",
    async ({ kind, inputs, prepare, objects }) => {
      const stack = await start();
      prepare(stack);
      await killedIn(stack, only(kind, inputs));
      const [made] = objects(stack.simulator);
      const before = everything(stack.simulator);
      const { errors } = await stack.fails("up", only(kind, inputs));
      expect(errors).toContain(`exists already: ${made?.id}`);
      expect(errors).toContain(kind === "AclAuthMethod" ? 'set adopt: "overwrite"' : "set adopt: true");
      expect(everything(stack.simulator)).toEqual(before);
      expect(objects(stack.simulator)).toHaveLength(1);

      // A method's secret can't be compared, so it is written again.
      const adopting = only(kind, { ...inputs, adopt: kind === "AclAuthMethod" ? "overwrite" : true });
      await stack.up(adopting);
      if (kind !== "AclAuthMethod") expect(everything(stack.simulator)).toEqual(before);
      expect(objects(stack.simulator)).toEqual([{ id: stack.entry().id }]);
      expect(stack.entry().id).toBe(made?.id);
      expect((await stack.preview(adopting, { refresh: true })).changes).toEqual([]);
      await stack.destroy();
      expect(objects(stack.simulator)).toEqual([]);
    },
  );
});
