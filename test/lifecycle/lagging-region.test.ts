/** A region that lags behind the one that takes the writes shows objects that are deleted: they are neither adopted, nor anybody's who is to be blamed. */
import type { DialectName, Fault } from "../../provider/testing/simulator";
import { sampleOf } from "../kinds";
import { everything } from "./contents";
import { type Inputs, nothing, only, throughEveryAdapter, throughEveryAdapterToEveryServer, type World } from "./harness";
import { jwt, oidc, pkce, role, rule } from "./samples";

const kindsWith = (dialect: DialectName) =>
  [
    { kind: "AclAuthMethod", inputs: dialect === "measured" ? pkce() : oidc() },
    { kind: "AclRole", inputs: role() },
    { kind: "AclBindingRule", inputs: rule() },
  ] as const;
const eu = { config: { clusterRegion: "eu" } };

throughEveryAdapterToEveryServer("in a region that lags", (start, dialect) => {
  const kinds = kindsWith(dialect);
  // Where the program gives a secret, as it must to documented servers, adopt: true has nothing to compare it with.
  const adopts = (kind: string) =>
    kind === "AclAuthMethod" && dialect === "documented" ? (["overwrite"] as const) : ([true, "overwrite"] as const);
  const adoptions = kinds.flatMap((sample) => adopts(sample.kind).map((adopt) => ({ ...sample, adopt })));

  const begin = async (kind: string) => {
    const world = await start({ regions: ["eu"] });
    if (kind === "AclBindingRule") world.simulator.cluster.methods.put({ Name: "sso" });
    return world;
  };
  const objects = (world: World, kind: string) => sampleOf(kind).objects(world.simulator);
  /** The region catches up while somebody waits for it. */
  const catchUp = (world: World) => {
    world.clock.duringSleep = () => world.simulator.cluster.lag("eu", false);
  };

  test.each(adoptions)("an up after a destroy with adopt: $adopt makes the $kind that is not there", async ({ kind, inputs, adopt }) => {
    const world = await begin(kind);
    const program = only(kind, { ...inputs, adopt });
    await world.up(program, eu);
    world.simulator.cluster.lag("eu", true);
    await world.destroy(eu);
    expect(objects(world, kind)).toEqual([]);
    catchUp(world);
    await world.up(program, eu);
    world.simulator.cluster.lag("eu", false);
    expect(objects(world, kind)).toEqual([{ id: world.entry().id }]);
    expect((await world.preview(program, { ...eu, refresh: true })).changes).toEqual([]);
  });

  test.each([...adoptions, ...kinds.map((sample) => ({ ...sample, adopt: false as const }))])(
    "a forced replacement that deletes first, with adopt: $adopt, ends with one new $kind",
    async ({ kind, inputs, adopt }) => {
      const world = await begin(kind);
      const program = only(kind, { ...inputs, adopt }, { deleteBeforeReplace: true });
      await world.up(program, eu);
      const before = everything(world.simulator);
      world.simulator.cluster.lag("eu", true);
      catchUp(world);
      const { writes } = await world.up(program, { ...eu, replace: [world.entry().urn] });
      world.simulator.cluster.lag("eu", false);
      expect(writes.map((line) => line.split(" ")[0])).toEqual(["DELETE", "POST"]);
      expect(objects(world, kind)).toEqual([{ id: world.entry().id }]);
      expect(everything(world.simulator)).not.toEqual(before);
      expect((await world.preview(program, { ...eu, refresh: true })).changes).toEqual([]);
    },
  );

  test.each([false, true])(
    "a method that it has just deleted blames nobody, when the region does not catch up (adopt: %s)",
    async (adopt) => {
      const world = await begin("AclAuthMethod");
      const program = only("AclAuthMethod", jwt({}, { adopt }), { deleteBeforeReplace: true });
      await world.up(program, eu);
      world.simulator.cluster.lag("eu", true);
      const { errors } = await world.fails("up", program, { ...eu, replace: [world.entry().urn] });
      expect(errors).toMatch(
        /region eu still shows one that this update has deleted: it lags behind .*Nothing was created.*Run the update again/,
      );
      expect(errors).not.toMatch(/others|exists already/i);
      expect(objects(world, "AclAuthMethod")).toEqual([]);
      world.simulator.cluster.lag("eu", false);
      await world.up(program, eu);
      expect(objects(world, "AclAuthMethod")).toEqual([{ id: "ci" }]);
    },
  );

  test("a method that others made anew after the destroy keeps what they gave it, and is not taken for the older one that the region shows", async () => {
    const world = await begin("AclAuthMethod");
    const program = only("AclAuthMethod", jwt({}, { adopt: true }));
    await world.up(program, eu);
    world.simulator.cluster.lag("eu", true);
    await world.destroy(eu);
    const change = { Name: "ci", Type: "JWT", MaxTokenTTL: "2h", Config: { JWKSURL: "https://ci.test/keys" } };
    const theirs = world.simulator.cluster.methods.put(change);
    // The region shows the deleted one, which equals the inputs; an error does not show which one of that name exists.
    await world.up(program, eu);
    world.simulator.cluster.lag("eu", false);
    expect((await world.fails("refresh", nothing, eu)).errors).toMatch(/is not the one of the state/);
    expect((await world.destroy(eu)).warnings.join()).toMatch(/created again by others.*not touched/);
    expect(world.simulator.cluster.methods.list()).toEqual([theirs]);
    expect(world.entries()).toEqual([]);
  });

  test("a role whose name others took after the destroy is looked for until the region shows theirs", async () => {
    const world = await begin("AclRole");
    const program = only("AclRole", role({ adopt: true }));
    await world.up(program, eu);
    world.simulator.cluster.lag("eu", true);
    await world.destroy(eu);
    const { ID } = world.simulator.cluster.roles.put({ Name: "dev", Policies: [{ Name: "read" }] });
    catchUp(world);
    await world.up(program, eu);
    expect(world.entry().id).toBe(ID);
    expect(objects(world, "AclRole")).toEqual([{ id: ID }]);
  });
});

throughEveryAdapterToEveryServer("an object of others that the region does not show yet", (start, dialect) => {
  // A measured server raises no conflict over the name of a method.
  const kinds = kindsWith(dialect).filter(({ kind }) => kind === "AclRole" || (kind === "AclAuthMethod" && dialect === "documented"));
  const begin = async (kind: string) => {
    const world = await start({ regions: ["eu"] });
    const { cluster } = world.simulator;
    cluster.lag("eu", true);
    if (kind === "AclRole") cluster.roles.put({ Name: "dev", Policies: [{ Name: "write" }] });
    else cluster.methods.put({ Name: "sso", Config: { OIDCDiscoveryURL: "https://theirs.test", AllowedRedirectURIs: ["http://x"] } });
    return world;
  };
  const catchUpAfter = (world: World, ms: number) => {
    const from = world.clock.now();
    world.clock.duringSleep = () => {
      if (world.clock.now() - from >= ms) world.simulator.cluster.lag("eu", false);
    };
  };

  test.each(kinds)("$kind: that has the name is waited for, and the error names it and the ways on", async ({ kind, inputs }) => {
    const world = await begin(kind);
    const before = everything(world.simulator);
    catchUpAfter(world, 20_000);
    const { errors } = await world.fails("up", only(kind, inputs), eu);
    expect(errors).toMatch(/exists already: .*It was not touched.*adopt: "overwrite"/);
    expect(everything(world.simulator)).toEqual(before);
  });

  test("AclRole: that has given up the name since, as one of the same program may, lets a second create succeed at once", async () => {
    const world = await start();
    const taken: Fault = { kind: "status", status: 400, body: "role with name dev already exists" };
    world.simulator.faults.add({ method: "POST", path: "/v1/acl/role", fault: taken });
    const { requests } = await world.up(only("AclRole", role()));
    expect(requests.filter(({ method }) => method === "POST")).toHaveLength(2);
    expect(world.simulator.cluster.roles.list().map(({ ID }) => ID)).toEqual([world.entry().id]);
  });

  test.each(kinds)('$kind: that has the name is waited for, and overwritten with adopt: "overwrite"', async ({ kind, inputs }) => {
    const world = await begin(kind);
    catchUpAfter(world, 20_000);
    const program = only(kind, { ...inputs, adopt: "overwrite" });
    await world.up(program, eu);
    expect(everything(world.simulator)).toHaveLength(1);
    expect((await world.preview(program, { ...eu, refresh: true })).changes).toEqual([]);
  });

  test.each(kinds)("$kind: that has the name, in a region that does not catch up, is an error that says so", async ({ kind, inputs }) => {
    const world = await begin(kind);
    const before = everything(world.simulator);
    const { errors } = await world.fails("up", only(kind, { ...inputs, adopt: "overwrite" }), eu);
    expect(errors).toMatch(
      /after 30 s .*region eu does not show the existing one that the response to the create reports .*already exists.*it lags behind.*Nothing was created.*clusterRegion/,
    );
    expect(everything(world.simulator)).toEqual(before);
    expect(world.entries()).toEqual([]);
  });
});

throughEveryAdapterToEveryServer("adopt: true in a region that lags takes back nothing that others did meanwhile:", (start) => {
  const begin = async () => start({ regions: ["eu"] });

  test("the default that a method has got", async () => {
    const world = await begin();
    const { methods } = world.simulator.cluster;
    methods.put({ Name: "ci", Type: "JWT", Config: { JWKSURL: "https://ci.test/keys" } });
    world.simulator.cluster.lag("eu", true);
    const theirs = methods.put({ Name: "ci", Default: true });
    const { writes } = await world.up(only("AclAuthMethod", jwt({}, { adopt: true })), eu);
    expect(writes).toHaveLength(1);
    expect(methods.list()).toEqual([theirs]);
    world.simulator.cluster.lag("eu", false);
    expect((await world.refresh(eu)).changes).toEqual(["refresh update AclAuthMethod it"]);
  });

  test("the policy that a role has lost", async () => {
    const world = await begin();
    const { cluster } = world.simulator;
    const { ID } = cluster.roles.put({ Name: "dev", Policies: [{ Name: "read" }, { Name: "admin" }] });
    cluster.lag("eu", true);
    const theirs = cluster.roles.put({ ID, Policies: [{ Name: "read" }] });
    await world.up(only("AclRole", role({ policies: ["read", "admin"], adopt: true })), eu);
    expect(cluster.roles.list()).toEqual([theirs]);
  });

  test("the selector that a rule has got", async () => {
    const world = await begin();
    const { cluster } = world.simulator;
    cluster.methods.put({ Name: "sso" });
    const { ID } = cluster.rules.put({ AuthMethod: "sso", Selector: "", BindType: "role", BindName: "dev" });
    cluster.lag("eu", true);
    const theirs = cluster.rules.put({ ID, Selector: "engineering in list.groups" });
    await world.up(only("AclBindingRule", { authMethod: "sso", selector: "", bindType: "role", bindName: "dev", adopt: true }), eu);
    expect(cluster.rules.list()).toEqual([theirs]);
  });
});

throughEveryAdapterToEveryServer("a role in a region that lags", (start) => {
  const policiesThere = (world: World) => world.simulator.cluster.roles.list().map(({ Policies }) => Policies.map(({ Name }) => Name));

  /** An update takes a policy away, which the region does not show yet. */
  const begin = async (isRefreshed: boolean) => {
    const world = await start({ regions: ["eu"] });
    await world.up(only("AclRole", role({ policies: ["read", "admin"] })), eu);
    if (isRefreshed) await world.refresh(eu);
    world.simulator.cluster.lag("eu", true);
    await world.up(only("AclRole", role({ policies: ["read"] })), eu);
    return world;
  };

  test.each([true, false])("shows an older copy, which no refresh takes for drift (refreshed before: %s)", async (isRefreshed) => {
    const world = await begin(isRefreshed);
    const before = world.properties();
    expect((await world.fails("refresh", nothing, eu)).errors).toMatch(/returns an older copy than the state has, still after 30 s/);
    expect(world.properties()).toEqual(before);
    world.clock.duringSleep = () => world.simulator.cluster.lag("eu", false);
    expect((await world.refresh(eu)).changes).toEqual([]);
    expect(world.inputs().policies).toEqual(["read"]);
    expect(world.outputs()).not.toHaveProperty("wroteOver");
  });

  test("gets no policy back that an update took away, by the next update, nor by one with a refresh that ignores the policies", async () => {
    const world = await begin(true);
    await world.fails("up", only("AclRole", role({ policies: ["read"], description: "new" })), eu);
    const ignoring = only("AclRole", role({ policies: ["read"], description: "newer" }), { ignoreChanges: ["policies"] });
    await world.fails("up", ignoring, { ...eu, refresh: true });
    expect(policiesThere(world)).toEqual([["read"]]);
    world.simulator.cluster.lag("eu", false);
    await world.up(ignoring, { ...eu, refresh: true });
    expect(world.simulator.cluster.roles.list()).toMatchObject([{ Description: "newer", Policies: [{ Name: "read" }] }]);
  });

  test("that was overwritten by its adoption is not put back by a refresh", async () => {
    const world = await start({ regions: ["eu"] });
    world.simulator.cluster.roles.put({ Name: "dev", Policies: [{ Name: "admin" }] });
    world.simulator.cluster.lag("eu", true);
    await world.up(only("AclRole", role({ policies: ["read"], adopt: "overwrite" })), eu);
    await world.fails("refresh", nothing, eu);
    expect(world.inputs().policies).toEqual(["read"]);
    expect(policiesThere(world)).toEqual([["read"]]);
  });

  test("is no older copy where the update found on the server what it writes", async () => {
    const world = await start({ regions: ["eu"] });
    await world.up(only("AclRole", role({ policies: ["read", "admin"] })), eu);
    world.simulator.cluster.roles.put({ ID: world.entry().id, Policies: [{ Name: "read" }] });
    await world.up(only("AclRole", role({ policies: ["read"] })), eu);
    expect((await world.refresh(eu)).changes).toEqual([]);
    expect(world.inputs().policies).toEqual(["read"]);
  });
});

throughEveryAdapter("adopt: true", (start) => {
  const kinds = kindsWith("measured");
  const unhurt: readonly { readonly kind: (typeof kinds)[number]["kind"]; readonly inputs: Inputs }[] = [
    ...kinds,
    { kind: "AclAuthMethod", inputs: pkce({}, { default: true, maxTokenTtl: "90m", tokenNameFormat: "x" }) },
    { kind: "AclRole", inputs: role({ policies: ["write", "read"] }) },
  ];

  test.each(unhurt)("makes sure by a write that is refused that the $kind exists, and changes nothing of it", async ({ kind, inputs }) => {
    const world = await start();
    if (kind === "AclBindingRule") world.simulator.cluster.methods.put({ Name: "sso" });
    await world.up(only(kind, inputs));
    world.forget();
    if (kind === "AclAuthMethod") world.simulator.cluster.rotateClientSecret("sso", "theirs");
    const before = everything(world.simulator);
    const { writes } = await world.up(only(kind, { ...inputs, adopt: true }));
    expect(writes.filter((line) => line.startsWith("POST") && /\/[^/]+\/[^/]+$/.test(line))).not.toEqual([]);
    expect(everything(world.simulator)).toEqual(before);
  });

  const denials = {
    AclAuthMethod: { path: "/v1/acl/auth-method/", body: "auth method 0 invalid: invalid config: missing auth method Config" },
    AclRole: { path: "/v1/acl/role/", body: "cannot find role" },
    AclBindingRule: { path: "/v1/acl/binding-rule/", body: "cannot find binding rule" },
  };

  test.each(kinds)(
    "creates no second $kind when the write denies the existing one, and the error has the response",
    async ({ kind, inputs }) => {
      const world = await start();
      if (kind === "AclBindingRule") world.simulator.cluster.methods.put({ Name: "sso" });
      await world.up(only(kind, inputs));
      const { id } = world.entry();
      world.forget();
      const before = everything(world.simulator);
      const { path, body } = denials[kind];
      world.simulator.faults.add({ method: "POST", path: path + id, fault: { kind: "status", status: 400, body } });
      const { errors } = await world.fails("up", only(kind, { ...inputs, adopt: true }));
      expect(errors).toContain(`400 ${body}`);
      expect(errors).toMatch(/still shows one that the region that takes the writes does not have .*Nothing was created/);
      expect(everything(world.simulator)).toEqual(before);
      expect(world.entries()).toEqual([]);
    },
  );

  test("of a method writes nothing when what it looks at besides can't be read", async () => {
    const world = await start();
    world.simulator.cluster.methods.put({ Name: "sso" });
    const before = everything(world.simulator);
    world.simulator.faults.add({ method: "GET", path: "/v1/acl/binding-rules", fault: { kind: "status", status: 403 } });
    await world.fails("up", only("AclAuthMethod", pkce({}, { adopt: "overwrite" })));
    expect(everything(world.simulator)).toEqual(before);
  });
});
