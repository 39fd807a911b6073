import { everything } from "./contents";
import { type Inputs, only, throughEveryAdapter, type World } from "./harness";
import { at } from "./paths";
import { oidc, pkce } from "./samples";

const path = "config.oidcClientSecret";
const remark = "(changed outside of this program)";
const stored = (world: World) => world.simulator.cluster.methods.get("sso");
const method = (config: Inputs = {}, more: Inputs = {}, ignoreChanges = [path, "config.oidcScopes"]) =>
  only("AclAuthMethod", oidc({ oidcClientSecret: "s1", ...config }, more), { ignoreChanges });

throughEveryAdapter("a client secret that others rotate and the program ignores", (start) => {
  const begin = async () => {
    const world = await start();
    await world.up(method());
    return world;
  };

  test("stays theirs when only something else changes, also the second time, and the state has the program's", async () => {
    const world = await begin();
    world.simulator.cluster.rotateClientSecret("sso", "s2");
    const change = method({}, { maxTokenTtl: "2h" });
    expect((await world.preview(change)).changedProperties()).toEqual(["maxTokenTtl"]);
    expect((await world.up(change)).writes).toEqual(["POST /v1/acl/auth-method/sso"]);
    await world.up(method({}, { maxTokenTtl: "3h" }));
    expect(stored(world)).toMatchObject({ MaxTokenTTL: "3h0m0s", Config: { OIDCClientSecret: "s2" } });
    expect(at(world.inputs(), path)).toBe("s1");
    expect(at(world.outputs(), path)).toBe("s1");
    expect(world.outputs().hash).not.toBe(stored(world)?.Hash);
  });

  test("is reported by a refresh, in a text that is also right where it is ignored, and an unchanged program writes nothing", async () => {
    const world = await begin();
    world.simulator.cluster.rotateClientSecret("sso", "s2");
    const { warnings } = await world.refresh();
    expect(warnings.join()).toMatch(/config\.oidcClientSecret was changed or rewritten.*Unless the program ignores that by ignoreChanges/);
    expect((await world.preview(method())).changes).toEqual([]);
    expect((await world.up(method())).writes).toEqual([]);
    await world.up(method({}, { maxTokenTtl: "2h" }));
    expect(stored(world)).toMatchObject({ MaxTokenTTL: "2h0m0s", Config: { OIDCClientSecret: "s2" } });
  });

  test("stays theirs with what is ignored beside it, after a refresh and with an unchanged program", async () => {
    const world = await begin();
    world.simulator.cluster.methods.put({ Name: "sso", Config: { OIDCClientSecret: "s2", OIDCScopes: ["groups"] } });
    await world.refresh();
    expect((await world.preview(method())).changes).toEqual([]);
    expect((await world.up(method())).writes).toEqual([]);
    expect(stored(world)?.Config).toMatchObject({ OIDCClientSecret: "s2", OIDCScopes: ["groups"] });
  });

  test("makes an update of another property of config fail before it writes, and the error says what to do", async () => {
    const world = await begin();
    world.simulator.cluster.rotateClientSecret("sso", "s2");
    const before = everything(world.simulator);
    const { errors, writes } = await world.fails("up", method({ boundAudiences: ["cluster"] }));
    expect(errors).toMatch(
      /config\.oidcClientSecret: others have changed this secret.*Give the secret as it is to be.*out of ignoreChanges/,
    );
    expect(writes).toEqual([]);
    expect(everything(world.simulator)).toEqual(before);
  });

  test("makes that update fail in the preview already, once a refresh has seen it, without a request", async () => {
    const world = await begin();
    world.simulator.cluster.rotateClientSecret("sso", "s2");
    await world.refresh();
    for (const command of ["preview", "up"] as const) {
      const { errors, requests } = await world.fails(command, method({ boundAudiences: ["cluster"] }));
      expect(errors).toContain("config.oidcClientSecret: others have changed this secret");
      expect(requests).toEqual([]);
    }
    expect(stored(world)?.Config.OIDCClientSecret).toBe("s2");
  });

  test.each([false, true])("is written as the program gives it once it is ignored no more (after a refresh: %s)", async (refreshed) => {
    const world = await begin();
    world.simulator.cluster.rotateClientSecret("sso", "s2");
    if (refreshed) await world.refresh();
    const given = method({ oidcClientSecret: "s3", boundAudiences: ["cluster"] }, {}, []);
    await world.up(given);
    expect(stored(world)?.Config).toMatchObject({ OIDCClientSecret: "s3", BoundAudiences: ["cluster"] });
    expect((await world.preview(given, { refresh: true })).changes).toEqual([]);
  });

  test("that they have not rotated goes with a change of config", async () => {
    const world = await begin();
    await world.up(method({ oidcClientSecret: "ignored", boundAudiences: ["cluster"] }));
    expect(stored(world)?.Config).toMatchObject({ OIDCClientSecret: "s1", BoundAudiences: ["cluster"] });
    expect(world.outputs().hash).toBe(stored(world)?.Hash);
  });

  test("keeps a replacement from deleting or making anything, and the preview says so", async () => {
    const world = await begin();
    world.simulator.cluster.rotateClientSecret("sso", "s2");
    await world.refresh();
    const before = everything(world.simulator);
    for (const command of ["preview", "up"] as const) {
      const { errors, requests } = await world.fails(command, method({}, { name: "other" }));
      expect(errors).toMatch(/config\.oidcClientSecret was changed by others.*Nothing was deleted or made/);
      expect(requests).toEqual([]);
    }
    expect(everything(world.simulator)).toEqual(before);
    await world.up(method({ oidcClientSecret: "s3" }, { name: "other" }, []));
    expect(world.simulator.cluster.methods.list()).toMatchObject([{ Name: "other", Config: { OIDCClientSecret: "s3" } }]);
  });

  test("is not made up for a new method: the remark that a state has in its place is refused by check", async () => {
    const world = await start();
    const { errors, requests } = await world.fails("preview", method({ oidcClientSecret: remark }));
    expect(errors).toContain("config.oidcClientSecret was changed by others");
    expect(requests).toEqual([]);
  });
});

throughEveryAdapter("a client secret that may have been changed with something else", (start) => {
  test("shows as changed in the inputs, so that the next update marks it, and the output hash is one of the server's", async () => {
    const world = await start();
    await world.up(method({}, {}, []));
    world.simulator.cluster.methods.put({ Name: "sso", MaxTokenTTL: "2h", Config: { OIDCClientSecret: "s2" } });
    await world.refresh();
    expect(at(world.inputs(), path)).toBe(remark);
    expect(world.outputs().hash).toBe(stored(world)?.Hash);
    const agreed = method({}, { maxTokenTtl: "2h" }, []);
    expect((await world.preview(agreed)).changedProperties()).toContain("config");
    await world.up(agreed);
    expect(stored(world)?.Config.OIDCClientSecret).toBe("s1");
    expect((await world.preview(agreed, { refresh: true })).changes).toEqual([]);
  });
});

throughEveryAdapter("a client secret, after an update that left ignored drift, so that the state has no hash,", (start) => {
  const begin = async (ignoreChanges: string[]) => {
    const world = await start();
    await world.up(method({}, {}, ignoreChanges));
    world.simulator.cluster.methods.put({ Name: "sso", Config: { OIDCScopes: ["groups"] } });
    await world.up(method({}, { maxTokenTtl: "2h" }, ignoreChanges));
    expect(at(world.inputs(), path)).toBe("s1");
    return world;
  };

  test("shows at the refresh when others rotate it, and is written as the program gives it", async () => {
    const ignored = ["config.oidcScopes"];
    const world = await begin(ignored);
    world.simulator.cluster.rotateClientSecret("sso", "s2");
    await world.refresh();
    expect(at(world.inputs(), path)).toBe(remark);
    await world.up(method({}, { maxTokenTtl: "2h" }, ignored));
    expect(stored(world)?.Config).toMatchObject({ OIDCClientSecret: "s1", OIDCScopes: ["groups"] });
    expect((await world.preview(method({}, { maxTokenTtl: "2h" }, ignored), { refresh: true })).changes).toEqual([]);
  });

  test("is not said to have changed when nobody has changed anything since", async () => {
    const world = await begin(["config.oidcScopes"]);
    expect((await world.refresh()).warnings).toEqual([]);
    expect(at(world.inputs(), path)).toBe("s1");
    expect(world.outputs().hash).toBe(stored(world)?.Hash);
  });

  test("is not needed again for an update that comes next, also where it is ignored from then on", async () => {
    const world = await begin(["config.oidcScopes"]);
    await world.up(method({ boundAudiences: ["cluster"] }, { maxTokenTtl: "2h" }));
    expect(stored(world)?.Config).toMatchObject({ OIDCClientSecret: "s1", OIDCScopes: ["groups"], BoundAudiences: ["cluster"] });
  });

  test("stays theirs when they rotate it and the program ignores it from then on, through updates and a refresh", async () => {
    const world = await begin(["config.oidcScopes"]);
    world.simulator.cluster.rotateClientSecret("sso", "s2");
    await world.up(method({}, { maxTokenTtl: "3h" }));
    await world.up(method({}, { maxTokenTtl: "4h" }));
    const { errors } = await world.fails("up", method({ boundAudiences: ["cluster"] }, { maxTokenTtl: "4h" }));
    expect(errors).toContain("config.oidcClientSecret: others have changed this secret");
    await world.refresh();
    expect(at(world.inputs(), path)).toBe(remark);
    await world.fails("up", method({ boundAudiences: ["cluster"] }, { maxTokenTtl: "4h" }));
    expect(stored(world)?.Config.OIDCClientSecret).toBe("s2");
  });
});

throughEveryAdapter("a client secret that the state does not have", (start) => {
  test("is named by an output, and a change of config that would erase it is refused in the preview, without a request", async () => {
    const world = await start();
    const program = (more: Inputs = {}) => only("AclAuthMethod", pkce(more));
    await world.up(program());
    world.simulator.cluster.rotateClientSecret("sso", "theirs");
    await world.refresh();
    expect(world.outputs().unmanagedSecrets).toEqual([path]);
    const { errors, requests } = await world.fails("preview", program({ oidcScopes: ["groups"] }));
    expect(errors).toContain("config.oidcClientSecret: the server holds a secret that the program does not give");
    expect(requests).toEqual([]);
    expect((await world.preview(only("AclAuthMethod", oidc({ oidcScopes: ["groups"] })))).changes).toEqual(["update AclAuthMethod it"]);
    expect((await world.refresh()).changes).toEqual([]);
  });
});
