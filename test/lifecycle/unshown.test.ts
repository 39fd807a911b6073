/**
 * A region that does not show yet what was just made: each region counts its own indexes, so that only the region that takes the writes can say that an object is gone. It is asked by
 * an update that no server takes.
 */
import { everything } from "./contents";
import { type Kind, nothing, only, throughEveryAdapterToEveryServer, type World } from "./harness";
import { oidc, role, rule } from "./samples";

const eu = { config: { clusterRegion: "eu" } };
const kinds = [
  { kind: "AclAuthMethod", inputs: oidc() },
  { kind: "AclRole", inputs: role() },
  { kind: "AclBindingRule", inputs: rule() },
] as const;

throughEveryAdapterToEveryServer("an object that its region does not show yet", (start) => {
  /** The region has an older object of the kind, at an index that, as regions count by themselves, is above that of the new one in the region that takes the writes. */
  const begin = async (kind: Kind, inputs: object) => {
    const world = await start({ regions: ["eu"] });
    const { cluster } = world.simulator;
    if (kind === "AclBindingRule") {
      cluster.methods.put({ Name: "sso" });
      cluster.rules.put({ AuthMethod: "sso", BindType: "role", BindName: "older" });
    }
    if (kind === "AclAuthMethod") cluster.methods.put({ Name: "older" });
    if (kind === "AclRole") cluster.roles.put({ Name: "older", Policies: [{ Name: "read" }] });
    const others = everything(world.simulator);
    cluster.lag("eu", true);
    await world.up(only(kind, { ...inputs }), eu);
    return { world, others };
  };
  const probes = (world: World) =>
    world.simulator.journal.entries.filter(({ method, status }) => method === "POST" && status === 400).map(({ path }) => path);

  test.each(kinds)("$kind: a refresh keeps it, and says that the region lags", async ({ kind, inputs }) => {
    const { world } = await begin(kind, inputs);
    const before = { server: everything(world.simulator), state: world.properties() };
    const { errors } = await world.fails("refresh", nothing, eu);
    expect(errors).toMatch(
      /does not have it, but the region that takes the writes has, still after 30 s.*the state keeps the object.*clusterRegion/,
    );
    expect({ server: everything(world.simulator), state: world.properties() }).toEqual(before);
    expect((await world.up(only(kind, inputs), eu)).changes).toEqual([]);
    expect(everything(world.simulator)).toEqual(before.server);
  });

  test.each(kinds)("$kind: a refresh waits until the region shows it, and asks for it once", async ({ kind, inputs }) => {
    const { world } = await begin(kind, inputs);
    const from = world.clock.now();
    world.clock.duringSleep = () => {
      if (world.clock.now() - from >= 20_000) world.simulator.cluster.lag("eu", false);
    };
    expect((await world.refresh(eu)).changes).toEqual([]);
    expect(probes(world)).toHaveLength(1);
    expect((await world.preview(only(kind, inputs), { ...eu, refresh: true })).changes).toEqual([]);
  });

  test.each(kinds)("$kind: taken out of the program, it is deleted, or the state keeps it", async ({ kind, inputs }) => {
    const { world, others } = await begin(kind, inputs);
    if (kind === "AclAuthMethod") {
      // Only a read shows whether the method is the state's, so that one that no read shows is not deleted.
      const { errors } = await world.fails("up", nothing, eu);
      expect(errors).toContain("but the region that takes the writes has");
      expect(world.entry().id).toBe("sso");
      world.simulator.cluster.lag("eu", false);
    }
    await world.up(nothing, eu);
    world.simulator.cluster.lag("eu", false);
    expect(everything(world.simulator)).toEqual(others);
    expect(world.entries()).toEqual([]);
  });

  test.each(kinds)("$kind: that others have deleted leaves the state, and is asked for by one refused write", async ({ kind, inputs }) => {
    const { world, others } = await begin(kind, inputs);
    const { cluster } = world.simulator;
    const { id } = world.entry();
    if (kind === "AclAuthMethod") cluster.methods.delete(id);
    if (kind === "AclRole") cluster.roles.delete(id);
    if (kind === "AclBindingRule") cluster.rules.delete(id);
    expect((await world.refresh(eu)).writes).toEqual([expect.stringMatching(new RegExp(`^POST .*/${id}$`))]);
    expect(world.entries()).toEqual([]);
    expect(everything(world.simulator)).toEqual(others);
  });

  test.each(kinds)("$kind: with a token that may not write it is as the region says, with a warning", async ({ kind, inputs }) => {
    const { world } = await begin(kind, inputs);
    const { id } = world.entry();
    world.simulator.faults.add({ method: "POST", fault: { kind: "status", status: 403, body: "Permission denied" } });
    const { warnings } = await world.refresh(eu);
    expect(warnings.join()).toMatch(new RegExp(`${id}.*may not write \\(403\\).*could not be asked`));
    expect(world.entries()).toEqual([]);
  });

  test("a destroy of a method is an error where the token may not write: it deletes nothing, and forgets nothing", async () => {
    const { world } = await begin("AclAuthMethod", oidc());
    world.simulator.faults.add({ method: "POST", fault: { kind: "status", status: 403, body: "Permission denied" } });
    expect((await world.fails("destroy", nothing, eu)).errors).toContain("403 Permission denied");
    expect(world.entry().id).toBe("sso");
    expect(world.simulator.cluster.methods.get("sso")).toBeDefined();
  });

  test.each([503, 404])("a %s in response to the question leaves the object in the state", async (status) => {
    const { world } = await begin("AclRole", role());
    world.simulator.faults.add({ method: "POST", fault: { kind: "status", status }, times: Number.POSITIVE_INFINITY });
    await world.fails("refresh", nothing, eu);
    expect(world.entry().id).toBeTruthy();
  });

  test.each(kinds)("$kind: a delete whose response is lost is done, while the region shows the object still", async ({ kind, inputs }) => {
    const { world, others } = await begin(kind, inputs);
    const { cluster, faults } = world.simulator;
    cluster.lag("eu", false);
    cluster.lag("eu", true);
    faults.add({ method: "DELETE", fault: { kind: "drop-after" } });
    await world.destroy(eu);
    expect(everything(world.simulator)).toEqual(others);
    expect(world.entries()).toEqual([]);
  });
});
