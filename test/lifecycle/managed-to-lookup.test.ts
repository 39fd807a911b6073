/** A resource of the stack that becomes a look-up: the engine reads the object, and then deletes what it was before. */
import { aclRole, agentPool, type Sample, samples } from "../kinds";
import { everything } from "./contents";
import { type Declare, only, type Program, throughEveryAdapter } from "./harness";
import { role } from "./samples";

/** A program that looks up what the stack manages, beside a resource of its own: so the engine checks a resource in an update. */
const beside =
  (lookUp: (declare: Declare) => void): Program =>
  (declare) => {
    declare("AclRole", "other", role({ name: "other" }));
    lookUp(declare);
  };

const named = [
  { sample: agentPool, id: "example-org/build" },
  { sample: aclRole, id: "dev" },
];

throughEveryAdapter("a managed object that the program only looks up from now on", (start) => {
  const begin = async (sample: Sample) => {
    const stack = await start();
    sample.prepare(stack);
    await stack.up(beside((declare) => declare(sample.kind, "it", sample.inputs)));
    return { stack, before: everything(stack.simulator), id: stack.entry().id };
  };

  test.each(named)("stays, by the same resource's get of the $sample.kind by its name, with a warning", async ({ sample, id }) => {
    const { stack, before, id: held } = await begin(sample);
    const { writes, warnings } = await stack.up(beside((declare) => declare.get(sample.kind, "it", id)));
    expect(writes).toEqual([]);
    expect(everything(stack.simulator)).toEqual(before);
    expect(stack.entries().map((entry) => [entry.id, entry.external])).toEqual([[held, true]]);
    expect(warnings.join()).toContain(`${held} stays on the server, because the program looks it up with get in this update`);
    await stack.destroy();
    expect(sample.objects(stack.simulator).map((object) => object.id)).toContain(held);
  });

  test.each(samples)("stays, by another resource's get of the $kind by its id", async (sample) => {
    const { stack, before, id } = await begin(sample);
    const { warnings } = await stack.up(beside((declare) => declare.get(sample.kind, "known", id)));
    expect(everything(stack.simulator)).toEqual(before);
    expect(stack.entries("it")).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/^(warning: )?[A-Z].* stays on the server, because/)]);
  });

  // The calls of `pulumi destroy --run-program`: it reads what the program looks up, checks no resource, and deletes.
  test.each(samples)("is deleted by a destroy that runs the program, although that looks up the $kind", async (sample) => {
    const { stack, id } = await begin(sample);
    const { warnings } = await stack.up((declare) => void declare.get(sample.kind, "known", id));
    expect(sample.objects(stack.simulator)).toEqual([]);
    expect(warnings).toEqual([]);
    expect(stack.entries("it")).toEqual([]);
  });

  test("is replaced all the same while the program manages it as well, by a forced replacement that deletes first", async () => {
    const options = { deleteBeforeReplace: true };
    const stack = await start();
    await stack.up(only("AclRole", role(), options));
    const { urn, id } = stack.entry();
    await stack.up(
      (declare) => {
        declare.get("AclRole", "known", "dev");
        declare("AclRole", "it", role(), options);
      },
      { replace: [urn], parallel: 1 },
    );
    expect(stack.simulator.cluster.roles.list().map(({ ID }) => ID)).toEqual([stack.entry().id]);
    expect(stack.entry().id).not.toBe(id);
  });

  test("is deleted by a destroy that comes later, where an update was interrupted before: that is a known limit", async () => {
    const { stack, id } = await begin(aclRole);
    stack.simulator.faults.add({ method: "GET", path: "/v1/acl/role/name/dev", fault: { kind: "status", status: 403 } });
    await stack.fails("up", (declare) => void declare.get("AclRole", "it", "dev"));
    expect(stack.entry().id).toBe(id);
    await stack.destroy();
    expect(stack.simulator.cluster.roles.list()).toEqual([]);
  });
});
