/**
 * A region that does not show yet what was just made: each region counts its own indexes, so only the authoritative region can say that an object is gone. It is asked by
 * an update that no server takes.
 */
import { everything } from "./contents";
import { type Kind, nothing, only, type TestStack, throughEveryAdapterToEveryServer } from "./harness";
import { oidc, role, rule } from "./samples";

const eu = { config: { clusterRegion: "eu" } };
const kinds = [
  { kind: "AclAuthMethod", inputs: oidc() },
  { kind: "AclRole", inputs: role() },
  { kind: "AclBindingRule", inputs: rule() },
] as const;

throughEveryAdapterToEveryServer("an object that its region does not show yet", (start, dialect) => {
  // A documented server may take any policy of a role, so no update can ask for the role: see probed-roles.test.ts.
  const askedFor = kinds.filter(({ kind }) => dialect === "measured" || kind !== "AclRole");

  /** The region has an older object of the kind, at an index that, as regions count by themselves, is above that of the new one in the authoritative region. */
  const begin = async (kind: Kind, inputs: object) => {
    const stack = await start({ regions: ["eu"] });
    const { cluster } = stack.simulator;
    if (kind === "AclBindingRule") {
      cluster.methods.put({ Name: "sso" });
      cluster.rules.put({ AuthMethod: "sso", BindType: "role", BindName: "older" });
    }
    if (kind === "AclAuthMethod") cluster.methods.put({ Name: "older" });
    if (kind === "AclRole") cluster.roles.put({ Name: "older", Policies: [{ Name: "read" }] });
    const others = everything(stack.simulator);
    cluster.lag("eu", true);
    await stack.up(only(kind, { ...inputs }), eu);
    return { stack, others };
  };
  const probes = (stack: TestStack) =>
    stack.simulator.journal.entries.filter(({ method, status }) => method === "POST" && status === 400).map(({ path }) => path);

  test.each(askedFor)("$kind: a refresh keeps it, and says that the region lags", async ({ kind, inputs }) => {
    const { stack } = await begin(kind, inputs);
    const before = { server: everything(stack.simulator), state: stack.properties() };
    const { errors } = await stack.fails("refresh", nothing, eu);
    expect(errors).toMatch(
      /does not have it, but the authoritative region has, still after 30 s.*the state keeps the object.*clusterRegion/,
    );
    expect({ server: everything(stack.simulator), state: stack.properties() }).toEqual(before);
    expect((await stack.up(only(kind, inputs), eu)).changes).toEqual([]);
    expect(everything(stack.simulator)).toEqual(before.server);
  });

  test.each(askedFor)("$kind: a refresh waits until the region shows it, and asks for it once", async ({ kind, inputs }) => {
    const { stack } = await begin(kind, inputs);
    const from = stack.clock.now();
    stack.clock.duringSleep = () => {
      if (stack.clock.now() - from >= 20_000) stack.simulator.cluster.lag("eu", false);
    };
    expect((await stack.refresh(eu)).changes).toEqual([]);
    expect(probes(stack)).toHaveLength(1);
    expect((await stack.preview(only(kind, inputs), { ...eu, refresh: true })).changes).toEqual([]);
  });

  test.each(kinds)("$kind: taken out of the program, it is deleted, or the state keeps it", async ({ kind, inputs }) => {
    const { stack, others } = await begin(kind, inputs);
    if (kind === "AclAuthMethod") {
      // Only a read shows whether the method is the state's, so one that no read shows is not deleted.
      const { errors } = await stack.fails("up", nothing, eu);
      expect(errors).toContain("but the authoritative region has");
      expect(stack.entry().id).toBe("sso");
      stack.simulator.cluster.lag("eu", false);
    }
    await stack.up(nothing, eu);
    stack.simulator.cluster.lag("eu", false);
    expect(everything(stack.simulator)).toEqual(others);
    expect(stack.entries()).toEqual([]);
  });

  test.each(askedFor)(
    "$kind: that others have deleted leaves the state, and is asked for by one refused write",
    async ({ kind, inputs }) => {
      const { stack, others } = await begin(kind, inputs);
      const { cluster } = stack.simulator;
      const { id } = stack.entry();
      if (kind === "AclAuthMethod") cluster.methods.delete(id);
      if (kind === "AclRole") cluster.roles.delete(id);
      if (kind === "AclBindingRule") cluster.rules.delete(id);
      expect((await stack.refresh(eu)).writes).toEqual([expect.stringMatching(new RegExp(`^POST .*/${id}$`))]);
      expect(stack.entries()).toEqual([]);
      expect(everything(stack.simulator)).toEqual(others);
    },
  );

  test.each(askedFor)("$kind: with a token that may not write it is as the region says, with a warning", async ({ kind, inputs }) => {
    const { stack } = await begin(kind, inputs);
    const { id } = stack.entry();
    stack.simulator.faults.add({ method: "POST", fault: { kind: "status", status: 403, body: "Permission denied" } });
    const { warnings } = await stack.refresh(eu);
    expect(warnings.join()).toMatch(new RegExp(`${id}.*may not write \\(403\\).*could not be asked`));
    expect(stack.entries()).toEqual([]);
  });

  test("a destroy of a method is an error where the token may not write: it deletes nothing, and forgets nothing", async () => {
    const { stack } = await begin("AclAuthMethod", oidc());
    stack.simulator.faults.add({ method: "POST", fault: { kind: "status", status: 403, body: "Permission denied" } });
    expect((await stack.fails("destroy", nothing, eu)).errors).toContain("403 Permission denied");
    expect(stack.entry().id).toBe("sso");
    expect(stack.simulator.cluster.methods.get("sso")).toBeDefined();
  });

  test.each([503, 404])("a %s in response to the question leaves the object in the state", async (status) => {
    const { stack } = await begin("AclBindingRule", rule());
    stack.simulator.faults.add({ method: "POST", fault: { kind: "status", status }, times: Number.POSITIVE_INFINITY });
    await stack.fails("refresh", nothing, eu);
    expect(stack.entry().id).toBeTruthy();
  });

  test.each(askedFor)(
    "$kind: a delete whose response is lost is done, while the region shows the object still",
    async ({ kind, inputs }) => {
      const { stack, others } = await begin(kind, inputs);
      const { cluster, faults } = stack.simulator;
      cluster.lag("eu", false);
      cluster.lag("eu", true);
      faults.add({ method: "DELETE", fault: { kind: "drop-after" } });
      await stack.destroy(eu);
      expect(everything(stack.simulator)).toEqual(others);
      expect(stack.entries()).toEqual([]);
    },
  );
});
