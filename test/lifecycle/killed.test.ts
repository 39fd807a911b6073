/** A killed process returns nothing to the engine: the state is the old one, and the servers may have changed. */
import { samples } from "../kinds";
import { everything } from "./contents";
import { only, type Program, throughEveryAdapter, type World } from "./harness";

throughEveryAdapter("a process that is killed in the middle of a create", (start) => {
  const killedIn = async (world: World, program: Program) => {
    const { state } = world;
    await world.attempt("up", program);
    world.state = state;
  };

  test.each(samples)("$kind: before the write, the next up makes one object", async ({ kind, inputs, create, prepare, objects }) => {
    const world = await start();
    prepare(world);
    world.simulator.faults.add({ method: "POST", path: create, times: Number.POSITIVE_INFINITY, fault: { kind: "refuse" } });
    await killedIn(world, only(kind, inputs));
    world.simulator.faults.clear();
    await world.up(only(kind, inputs));
    expect(objects(world.simulator)).toEqual([{ id: world.entry().id }]);
  });

  test.each(samples)(
    "$kind: after the write, the next up makes no second one, and says which to adopt",
    async ({ kind, inputs, prepare, objects }) => {
      const world = await start();
      prepare(world);
      await killedIn(world, only(kind, inputs));
      const [made] = objects(world.simulator);
      const before = everything(world.simulator);
      const { errors } = await world.fails("up", only(kind, inputs));
      expect(errors).toContain(`exists already: ${made?.id}`);
      expect(errors).toContain(kind === "AclAuthMethod" ? 'set adopt: "overwrite"' : "set adopt: true");
      expect(everything(world.simulator)).toEqual(before);
      expect(objects(world.simulator)).toHaveLength(1);

      // A method's secret can't be compared, so that it is written again.
      const adopting = only(kind, { ...inputs, adopt: kind === "AclAuthMethod" ? "overwrite" : true });
      await world.up(adopting);
      if (kind !== "AclAuthMethod") expect(everything(world.simulator)).toEqual(before);
      expect(objects(world.simulator)).toEqual([{ id: world.entry().id }]);
      expect(world.entry().id).toBe(made?.id);
      expect((await world.preview(adopting, { refresh: true })).changes).toEqual([]);
      await world.destroy();
      expect(objects(world.simulator)).toEqual([]);
    },
  );
});
