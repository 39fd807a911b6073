/** Defaults without an effect stay out of the state of a new resource. */

import { only, throughEveryAdapter } from "./harness";
import { jwt, oidc, role } from "./samples";

throughEveryAdapter("settings of the provider's own", (start) => {
  test("are in the state if the program gives them, and return to their default if it gives them no more", async () => {
    const world = await start();
    await world.up(only("AclRole", role({ adopt: true })));
    expect([world.inputs(), world.outputs()]).toMatchObject([{ adopt: true }, { adopt: true }]);
    const { requests } = await world.up(only("AclRole", role()));
    expect(requests).toEqual([]);
    expect([world.inputs(), world.outputs()]).toMatchObject([{ adopt: false }, { adopt: false }]);
    expect((await world.refresh()).changes).toEqual([]);
    await world.up(only("AclRole", role({ name: "other", adopt: false })));
    expect(world.inputs()).toMatchObject({ adopt: false });
  });

  test("are missing from a look-up", async () => {
    const world = await start();
    const { ID } = world.simulator.cluster.roles.put({ Name: "found", Policies: [{ Name: "read" }] });
    await world.up((declare) => void declare.get("AclRole", "it", ID));
    expect(world.outputs()).toMatchObject({ name: "found", description: "" });
    expect(world.outputs()).not.toHaveProperty("adopt");
  });
});

throughEveryAdapter("a method that changes its type", (start) => {
  const ofJwt = jwt({}, { name: "sso" });

  test("from JWT gets the switches of OIDC, without a change in the next refresh", async () => {
    const world = await start();
    await world.up(only("AclAuthMethod", ofJwt));
    expect(world.simulator.cluster.methods.get("sso")?.Config).toMatchObject({ OIDCEnablePKCE: false, OIDCDisableUserInfo: false });
    expect((await world.up(only("AclAuthMethod", oidc()))).changes).toEqual(["update AclAuthMethod it"]);
    expect(world.inputs().config).toMatchObject({ oidcEnablePkce: false, oidcDisableUserInfo: false });
    expect((await world.refresh()).changes).toEqual([]);
    expect((await world.up(only("AclAuthMethod", oidc()))).changes).toEqual([]);
  });

  test("to JWT keeps the switches of the state", async () => {
    const world = await start();
    await world.up(only("AclAuthMethod", oidc({ oidcEnablePkce: true })));
    expect((await world.up(only("AclAuthMethod", ofJwt))).changes).toEqual(["update AclAuthMethod it"]);
    expect(world.inputs().config).toMatchObject({ oidcEnablePkce: false, oidcDisableUserInfo: false });
    expect((await world.refresh()).changes).toEqual([]);
  });

  test("shows a switch that others turn on as drift, although the state has none", async () => {
    const world = await start();
    await world.up(only("AclAuthMethod", ofJwt));
    const stored = world.simulator.cluster.methods.get("sso");
    world.simulator.cluster.methods.put({ Name: "sso", Config: { ...stored?.Config, OIDCEnablePKCE: true } });
    expect((await world.refresh()).changes).toEqual(["refresh update AclAuthMethod it"]);
    expect(world.outputs().config).toMatchObject({ oidcEnablePkce: true });
    expect((await world.up(only("AclAuthMethod", ofJwt))).changes).toEqual(["update AclAuthMethod it"]);
    expect(world.simulator.cluster.methods.get("sso")?.Config).toMatchObject({ OIDCEnablePKCE: false });
    expect((await world.refresh()).changes).toEqual([]);
  });
});
