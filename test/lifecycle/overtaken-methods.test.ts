import { only, throughEveryAdapterToEveryServer, type World } from "./harness";
import { oidc } from "./samples";

const stored = (world: World) => world.simulator.cluster.methods.get("sso");
const method = (more = {}, config = {}) => only("AclAuthMethod", oidc(config, more));
/** As oidc() has it on the server. */
const shown = { OIDCDiscoveryURL: "https://idp.test", OIDCClientID: "cluster", AllowedRedirectURIs: ["http://localhost/callback"] };
const update = { method: "POST", path: "/v1/acl/auth-method/sso" };

throughEveryAdapterToEveryServer("an auth method that others make while the response to its create is lost", (start, dialect) => {
  const begin = async (secret: string) => {
    const world = await start();
    world.simulator.faults.add({ method: "POST", path: "/v1/acl/auth-method", fault: { kind: "refuse" } });
    world.clock.duringSleep = () => {
      if (stored(world)) return;
      const Config = { ...shown, OIDCClientSecret: secret };
      world.simulator.cluster.methods.put({ Name: "sso", TokenLocality: "local", Config });
    };
    return world;
  };

  test("with another secret has the program's afterwards, as the state says, and a warning says so where that is visible", async () => {
    const world = await begin("theirs");
    const { warnings, writes } = await world.up(method());
    expect(writes).toEqual(["POST /v1/acl/auth-method", "POST /v1/acl/auth-method/sso"]);
    expect(stored(world)?.Config.OIDCClientSecret).toBe("its-secret");
    expect(warnings.join()).toMatch(/response to its create was lost/);
    expect(warnings.some((warning) => /another hash before.*another program has made it/.test(warning))).toBe(dialect === "measured");
    expect((await world.preview(method(), { refresh: true })).changes).toEqual([]);
  });

  test("with the same secret is not said to have had another one", async () => {
    const world = await begin("its-secret");
    const { warnings } = await world.up(method());
    expect(warnings.some((warning) => warning.includes("another hash"))).toBe(false);
    expect(stored(world)?.Config.OIDCClientSecret).toBe("its-secret");
  });

  test("is not in the state when the secret can't be written, and the error says how to go on", async () => {
    const world = await begin("theirs");
    world.simulator.faults.add({ ...update, fault: { kind: "status", status: 403, body: "Permission denied" } });
    const { errors } = await world.fails("up", method());
    expect(errors).toMatch(/response to its create was lost.*Permission denied.*adopt: "overwrite"/);
    expect(world.entries()).toEqual([]);
    await world.up(method({ adopt: "overwrite" }));
    expect(stored(world)?.Config.OIDCClientSecret).toBe("its-secret");
  });
});

throughEveryAdapterToEveryServer("an auth method that others delete between the read and the write of its update", (start, dialect) => {
  const begin = async (meanwhile: (world: World) => void) => {
    const world = await start();
    await world.up(method());
    world.simulator.faults.add({ ...update, fault: { kind: "status", status: 503 } });
    let isOver = false;
    world.clock.duringSleep = () => {
      if (!isOver) meanwhile(world);
      isOver = true;
    };
    return world;
  };
  const remove = (world: World) => void world.simulator.cluster.methods.delete("sso");

  test("is an error that says so: an update without its configuration makes no new one, and neither does a documented server", async () => {
    const world = await begin(remove);
    const { errors } = await world.fails("up", method({ maxTokenTtl: "2h" }));
    expect(errors).toMatch(/"sso" no longer exists.*pulumi refresh/);
    expect(stored(world)).toBeUndefined();
    await world.up(method({ maxTokenTtl: "2h" }), { refresh: true });
    expect(stored(world)?.MaxTokenTTL).toBe("2h0m0s");
  });

  test("is an error that says so where the server makes a new one of it, which the state has, so that the next update can delete it", async () => {
    const world = await begin(remove);
    const { errors } = await world.fails("up", method({}, { oidcScopes: ["groups"] }));
    if (dialect === "documented") {
      expect(errors).toMatch(/"sso" no longer exists.*pulumi refresh/);
      expect(stored(world)).toBeUndefined();
    } else {
      expect(errors).toMatch(/was deleted by others between the read and the write.*binding rules of this name apply.*pulumi refresh/);
      expect(world.outputs().createTime).toBe(stored(world)?.CreateTime);
      await world.refresh();
      expect((await world.preview(method({}, { oidcScopes: ["groups"] }))).changes).toEqual([]);
    }
    await world.destroy({ refresh: true });
    expect(stored(world)).toBeUndefined();
  });

  test("and make anew is not taken over in silence", async () => {
    const world = await begin((there) => {
      remove(there);
      there.simulator.cluster.methods.put({ Name: "sso", Config: { OIDCClientID: "theirs", AllowedRedirectURIs: ["http://x"] } });
    });
    const { errors } = await world.fails("up", method({}, { oidcScopes: ["groups"] }));
    expect(errors).toMatch(/was deleted by others, who made another of the same name.*Agree with them/);
    expect((await world.fails("refresh")).errors).toContain("is not the one of the state");
  });
});
