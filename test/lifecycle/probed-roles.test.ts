/** Only a measured server refuses a role with an unknown policy: elsewhere no update can ask whether a role exists. */
import { everything } from "./contents";
import { nothing, only, throughEveryAdapter } from "./harness";
import { role } from "./samples";

throughEveryAdapter("a role of a server that takes unknown policies", (start) => {
  const documented = () => start({ dialect: "documented" });

  test("is taken over by adopt: true, which writes nothing to it, so it keeps its name and its policies", async () => {
    const stack = await documented();
    const { ID } = stack.simulator.cluster.roles.put({ Name: "dev", Policies: [{ Name: "read" }] });
    const before = everything(stack.simulator);
    const program = only("AclRole", role({ policies: ["read"], adopt: true }));
    // The create, which the name that is taken refuses.
    expect((await stack.up(program)).writes).toEqual(["POST /v1/acl/role"]);
    expect(stack.entry().id).toBe(ID);
    expect(everything(stack.simulator)).toEqual(before);
    expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
  });

  test("that others have deleted leaves the state after two reads a moment apart, without a write", async () => {
    const stack = await documented();
    await stack.up(only("AclRole", role()));
    stack.simulator.cluster.roles.delete(stack.entry().id);
    const { requests, writes } = await stack.refresh({ config: { readSnapshotSeconds: "0" } });
    expect(writes).toEqual([]);
    expect(requests.filter(({ status }) => status === 404)).toHaveLength(2);
    expect(stack.entries()).toEqual([]);
  });

  test("that a region does not show yet keeps its name and its policies, whatever a refresh concludes", async () => {
    const stack = await start({ dialect: "documented", regions: ["eu"] });
    const eu = { config: { clusterRegion: "eu" } };
    // Regions count by themselves: the index of this one is above that of the new role where it was made.
    stack.simulator.cluster.roles.put({ Name: "older", Policies: [{ Name: "read" }] });
    stack.simulator.cluster.lag("eu", true);
    await stack.up(only("AclRole", role()), eu);
    const before = everything(stack.simulator);
    expect((await stack.refresh(eu)).writes).toEqual([]);
    expect(everything(stack.simulator)).toEqual(before);
  });
});

throughEveryAdapter("a delete of a role of a server that takes unknown policies, whose response is lost", (start) => {
  test.each([true, false])("is done when the region that is read from shows it (after a while: %s)", async (catchesUp) => {
    const stack = await start({ dialect: "documented", regions: ["eu"] });
    const eu = { config: { clusterRegion: "eu" } };
    await stack.up(only("AclRole", role()), eu);
    stack.simulator.cluster.lag("eu", true);
    stack.simulator.faults.add({ method: "DELETE", fault: { kind: "drop-after" } });
    if (catchesUp) stack.clock.duringSleep = () => stack.simulator.cluster.lag("eu", false);
    const { errors } = await stack.attempt("destroy", nothing, eu);
    expect(stack.simulator.cluster.roles.list()).toEqual([]);
    expect(stack.entries()).toHaveLength(catchesUp ? 0 : 1);
    if (!catchesUp) expect(errors).toMatch(/still after 30 s.*the state keeps the object.*clusterRegion/);
    stack.simulator.cluster.lag("eu", false);
    await stack.destroy(eu);
    expect(stack.entries()).toEqual([]);
  });
});

throughEveryAdapter("a role of a server that refuses unknown policies", (start) => {
  test("is asked for with its own name, description and policies, and a policy that can't exist", async () => {
    const stack = await start();
    await stack.up(only("AclRole", role({ description: "Developers", policies: ["read", "write"] })));
    const { id } = stack.entry();
    stack.forget();
    const before = everything(stack.simulator);
    await stack.up(only("AclRole", role({ description: "Developers", policies: ["read", "write"], adopt: true })));
    const impossible = { Name: expect.stringMatching(/^_/) };
    expect(stack.simulator.journal.requests({ method: "POST", path: `/v1/acl/role/${id}` })).toMatchObject([
      {
        status: 400,
        body: { ID: id, Name: "dev", Description: "Developers", Policies: [{ Name: "read" }, { Name: "write" }, impossible] },
      },
    ]);
    expect(everything(stack.simulator)).toEqual(before);
  });

  test("is looked for, where others took its name after a destroy, until a region that lags shows theirs", async () => {
    const stack = await start({ regions: ["eu"] });
    const eu = { config: { clusterRegion: "eu" } };
    const program = only("AclRole", role({ adopt: true }));
    await stack.up(program, eu);
    stack.simulator.cluster.lag("eu", true);
    await stack.destroy(eu);
    const { ID } = stack.simulator.cluster.roles.put({ Name: "dev", Policies: [{ Name: "read" }] });
    stack.clock.duringSleep = () => stack.simulator.cluster.lag("eu", false);
    await stack.up(program, eu);
    expect(stack.entry().id).toBe(ID);
    expect(stack.simulator.cluster.roles.list().map((one) => one.ID)).toEqual([ID]);
  });
});
