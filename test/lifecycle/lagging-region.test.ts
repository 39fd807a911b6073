/** A region that lags behind the authoritative one shows objects that are deleted: they are neither adopted, nor anybody's who is to be blamed. */
import type { DialectName, Fault } from "../../testing/simulator";
import { sampleOf } from "../kinds";
import { everything } from "./contents";
import { type Inputs, nothing, only, type TestStack, throughEveryAdapter, throughEveryAdapterToEveryServer } from "./harness";
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
    const stack = await start({ regions: ["eu"] });
    if (kind === "AclBindingRule") stack.simulator.cluster.methods.put({ Name: "sso" });
    return stack;
  };
  const objects = (stack: TestStack, kind: string) => sampleOf(kind).objects(stack.simulator);
  /** The region catches up while somebody waits for it. */
  const catchUp = (stack: TestStack) => {
    stack.clock.duringSleep = () => stack.simulator.cluster.lag("eu", false);
  };

  test.each(adoptions)("an up after a destroy with adopt: $adopt makes the $kind that is not there", async ({ kind, inputs, adopt }) => {
    const stack = await begin(kind);
    const program = only(kind, { ...inputs, adopt });
    await stack.up(program, eu);
    stack.simulator.cluster.lag("eu", true);
    await stack.destroy(eu);
    expect(objects(stack, kind)).toEqual([]);
    catchUp(stack);
    await stack.up(program, eu);
    stack.simulator.cluster.lag("eu", false);
    expect(objects(stack, kind)).toEqual([{ id: stack.entry().id }]);
    expect((await stack.preview(program, { ...eu, refresh: true })).changes).toEqual([]);
  });

  test.each([...adoptions, ...kinds.map((sample) => ({ ...sample, adopt: false as const }))])(
    "a forced replacement that deletes first, with adopt: $adopt, ends with one new $kind",
    async ({ kind, inputs, adopt }) => {
      const stack = await begin(kind);
      const program = only(kind, { ...inputs, adopt }, { deleteBeforeReplace: true });
      await stack.up(program, eu);
      const before = everything(stack.simulator);
      stack.simulator.cluster.lag("eu", true);
      catchUp(stack);
      const { writes } = await stack.up(program, { ...eu, replace: [stack.entry().urn] });
      stack.simulator.cluster.lag("eu", false);
      expect(writes.map((line) => line.split(" ")[0])).toEqual(["DELETE", "POST"]);
      expect(objects(stack, kind)).toEqual([{ id: stack.entry().id }]);
      expect(everything(stack.simulator)).not.toEqual(before);
      expect((await stack.preview(program, { ...eu, refresh: true })).changes).toEqual([]);
    },
  );

  test.each([false, true])(
    "a method that it has just deleted blames nobody, when the region does not catch up (adopt: %s)",
    async (adopt) => {
      const stack = await begin("AclAuthMethod");
      const program = only("AclAuthMethod", jwt({}, { adopt }), { deleteBeforeReplace: true });
      await stack.up(program, eu);
      stack.simulator.cluster.lag("eu", true);
      const { errors } = await stack.fails("up", program, { ...eu, replace: [stack.entry().urn] });
      expect(errors).toMatch(
        /region eu still shows one that this update has deleted: it lags behind .*Nothing was created.*Run the update again/,
      );
      expect(errors).not.toMatch(/others|exists already/i);
      expect(objects(stack, "AclAuthMethod")).toEqual([]);
      stack.simulator.cluster.lag("eu", false);
      await stack.up(program, eu);
      expect(objects(stack, "AclAuthMethod")).toEqual([{ id: "ci" }]);
    },
  );

  test("a method that others made anew after the destroy keeps what they gave it, and is not taken for the older one that the region shows", async () => {
    const stack = await begin("AclAuthMethod");
    const program = only("AclAuthMethod", jwt({}, { adopt: true }));
    await stack.up(program, eu);
    stack.simulator.cluster.lag("eu", true);
    await stack.destroy(eu);
    const change = { Name: "ci", Type: "JWT", MaxTokenTTL: "2h", Config: { JWKSURL: "https://ci.test/keys" } };
    const theirs = stack.simulator.cluster.methods.put(change);
    // The region shows the deleted one, which equals the inputs; an error does not show which one of that name exists.
    await stack.up(program, eu);
    stack.simulator.cluster.lag("eu", false);
    expect((await stack.fails("refresh", nothing, eu)).errors).toMatch(/is not the one of the state/);
    expect((await stack.destroy(eu)).warnings.join()).toMatch(/created again by others.*not touched/);
    expect(stack.simulator.cluster.methods.list()).toEqual([theirs]);
    expect(stack.entries()).toEqual([]);
  });
});

throughEveryAdapterToEveryServer("an object of others that the region does not show yet", (start, dialect) => {
  // A measured server raises no conflict over the name of a method.
  const kinds = kindsWith(dialect).filter(({ kind }) => kind === "AclRole" || (kind === "AclAuthMethod" && dialect === "documented"));
  const begin = async (kind: string) => {
    const stack = await start({ regions: ["eu"] });
    const { cluster } = stack.simulator;
    cluster.lag("eu", true);
    if (kind === "AclRole") cluster.roles.put({ Name: "dev", Policies: [{ Name: "write" }] });
    else cluster.methods.put({ Name: "sso", Config: { OIDCDiscoveryURL: "https://theirs.test", AllowedRedirectURIs: ["http://x"] } });
    return stack;
  };
  const catchUpAfter = (stack: TestStack, ms: number) => {
    const from = stack.clock.now();
    stack.clock.duringSleep = () => {
      if (stack.clock.now() - from >= ms) stack.simulator.cluster.lag("eu", false);
    };
  };

  test.each(kinds)("$kind: that has the name is waited for, and the error names it and the ways on", async ({ kind, inputs }) => {
    const stack = await begin(kind);
    const before = everything(stack.simulator);
    catchUpAfter(stack, 20_000);
    const { errors } = await stack.fails("up", only(kind, inputs), eu);
    expect(errors).toMatch(/exists already: .*It was not touched.*adopt: "overwrite"/);
    expect(everything(stack.simulator)).toEqual(before);
  });

  test("AclRole: that has given up the name since, as one of the same program may, lets a second create succeed at once", async () => {
    const stack = await start();
    const taken: Fault = { kind: "status", status: 400, body: "role with name dev already exists" };
    stack.simulator.faults.add({ method: "POST", path: "/v1/acl/role", fault: taken });
    const { requests } = await stack.up(only("AclRole", role()));
    expect(requests.filter(({ method }) => method === "POST")).toHaveLength(2);
    expect(stack.simulator.cluster.roles.list().map(({ ID }) => ID)).toEqual([stack.entry().id]);
  });

  test.each(kinds)('$kind: that has the name is waited for, and overwritten with adopt: "overwrite"', async ({ kind, inputs }) => {
    const stack = await begin(kind);
    catchUpAfter(stack, 20_000);
    const program = only(kind, { ...inputs, adopt: "overwrite" });
    await stack.up(program, eu);
    expect(everything(stack.simulator)).toHaveLength(1);
    expect((await stack.preview(program, { ...eu, refresh: true })).changes).toEqual([]);
  });

  test.each(kinds)("$kind: that has the name, in a region that does not catch up, is an error that says so", async ({ kind, inputs }) => {
    const stack = await begin(kind);
    const before = everything(stack.simulator);
    const { errors } = await stack.fails("up", only(kind, { ...inputs, adopt: "overwrite" }), eu);
    expect(errors).toMatch(
      /after 30 s .*region eu does not show the existing one that the response to the create reports .*already exists.*it lags behind.*Nothing was created.*clusterRegion/,
    );
    expect(everything(stack.simulator)).toEqual(before);
    expect(stack.entries()).toEqual([]);
  });
});

throughEveryAdapterToEveryServer("adopt: true in a region that lags takes back nothing that others did meanwhile:", (start) => {
  const begin = async () => start({ regions: ["eu"] });

  test("the default that a method has got", async () => {
    const stack = await begin();
    const { methods } = stack.simulator.cluster;
    methods.put({ Name: "ci", Type: "JWT", Config: { JWKSURL: "https://ci.test/keys" } });
    stack.simulator.cluster.lag("eu", true);
    const theirs = methods.put({ Name: "ci", Default: true });
    const { writes } = await stack.up(only("AclAuthMethod", jwt({}, { adopt: true })), eu);
    expect(writes).toHaveLength(1);
    expect(methods.list()).toEqual([theirs]);
    stack.simulator.cluster.lag("eu", false);
    expect((await stack.refresh(eu)).changes).toEqual(["refresh update AclAuthMethod it"]);
  });

  test("the policy that a role has lost", async () => {
    const stack = await begin();
    const { cluster } = stack.simulator;
    const { ID } = cluster.roles.put({ Name: "dev", Policies: [{ Name: "read" }, { Name: "admin" }] });
    cluster.lag("eu", true);
    const theirs = cluster.roles.put({ ID, Policies: [{ Name: "read" }] });
    await stack.up(only("AclRole", role({ policies: ["read", "admin"], adopt: true })), eu);
    expect(cluster.roles.list()).toEqual([theirs]);
  });

  test("the selector that a rule has got", async () => {
    const stack = await begin();
    const { cluster } = stack.simulator;
    cluster.methods.put({ Name: "sso" });
    const { ID } = cluster.rules.put({ AuthMethod: "sso", Selector: "", BindType: "role", BindName: "dev" });
    cluster.lag("eu", true);
    const theirs = cluster.rules.put({ ID, Selector: "engineering in list.groups" });
    await stack.up(only("AclBindingRule", { authMethod: "sso", selector: "", bindType: "role", bindName: "dev", adopt: true }), eu);
    expect(cluster.rules.list()).toEqual([theirs]);
  });
});

throughEveryAdapterToEveryServer("a role in a region that lags", (start) => {
  const policiesThere = (stack: TestStack) => stack.simulator.cluster.roles.list().map(({ Policies }) => Policies.map(({ Name }) => Name));

  /** An update takes a policy away, which the region does not show yet. */
  const begin = async (isRefreshed: boolean) => {
    const stack = await start({ regions: ["eu"] });
    await stack.up(only("AclRole", role({ policies: ["read", "admin"] })), eu);
    if (isRefreshed) await stack.refresh(eu);
    stack.simulator.cluster.lag("eu", true);
    await stack.up(only("AclRole", role({ policies: ["read"] })), eu);
    return stack;
  };

  test.each([true, false])("shows an older copy, which no refresh takes for drift (refreshed before: %s)", async (isRefreshed) => {
    const stack = await begin(isRefreshed);
    const before = stack.properties();
    expect((await stack.fails("refresh", nothing, eu)).errors).toMatch(/returns an older copy than the state has, still after 30 s/);
    expect(stack.properties()).toEqual(before);
    stack.clock.duringSleep = () => stack.simulator.cluster.lag("eu", false);
    expect((await stack.refresh(eu)).changes).toEqual([]);
    expect(stack.inputs().policies).toEqual(["read"]);
    expect(stack.outputs()).not.toHaveProperty("wroteOver");
  });

  test("gets no policy back that an update took away, by the next update, nor by one with a refresh that ignores the policies", async () => {
    const stack = await begin(true);
    await stack.fails("up", only("AclRole", role({ policies: ["read"], description: "new" })), eu);
    const ignoring = only("AclRole", role({ policies: ["read"], description: "newer" }), { ignoreChanges: ["policies"] });
    await stack.fails("up", ignoring, { ...eu, refresh: true });
    expect(policiesThere(stack)).toEqual([["read"]]);
    stack.simulator.cluster.lag("eu", false);
    await stack.up(ignoring, { ...eu, refresh: true });
    expect(stack.simulator.cluster.roles.list()).toMatchObject([{ Description: "newer", Policies: [{ Name: "read" }] }]);
  });

  test("that was overwritten by its adoption is not put back by a refresh", async () => {
    const stack = await start({ regions: ["eu"] });
    stack.simulator.cluster.roles.put({ Name: "dev", Policies: [{ Name: "admin" }] });
    stack.simulator.cluster.lag("eu", true);
    await stack.up(only("AclRole", role({ policies: ["read"], adopt: "overwrite" })), eu);
    await stack.fails("refresh", nothing, eu);
    expect(stack.inputs().policies).toEqual(["read"]);
    expect(policiesThere(stack)).toEqual([["read"]]);
  });

  test("is no older copy where the update found on the server what it writes", async () => {
    const stack = await start({ regions: ["eu"] });
    await stack.up(only("AclRole", role({ policies: ["read", "admin"] })), eu);
    stack.simulator.cluster.roles.put({ ID: stack.entry().id, Policies: [{ Name: "read" }] });
    await stack.up(only("AclRole", role({ policies: ["read"] })), eu);
    expect((await stack.refresh(eu)).changes).toEqual([]);
    expect(stack.inputs().policies).toEqual(["read"]);
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
    const stack = await start();
    if (kind === "AclBindingRule") stack.simulator.cluster.methods.put({ Name: "sso" });
    await stack.up(only(kind, inputs));
    stack.forget();
    if (kind === "AclAuthMethod") stack.simulator.cluster.rotateClientSecret("sso", "theirs");
    const before = everything(stack.simulator);
    const { writes } = await stack.up(only(kind, { ...inputs, adopt: true }));
    expect(writes.filter((line) => line.startsWith("POST") && /\/[^/]+\/[^/]+$/.test(line))).not.toEqual([]);
    expect(everything(stack.simulator)).toEqual(before);
  });

  const denials = {
    AclAuthMethod: { path: "/v1/acl/auth-method/", body: "auth method 0 invalid: invalid config: missing auth method Config" },
    AclRole: { path: "/v1/acl/role/", body: "cannot find role" },
    AclBindingRule: { path: "/v1/acl/binding-rule/", body: "cannot find binding rule" },
  };

  test.each(kinds)(
    "creates no second $kind when the write denies the existing one, and the error has the response",
    async ({ kind, inputs }) => {
      const stack = await start();
      if (kind === "AclBindingRule") stack.simulator.cluster.methods.put({ Name: "sso" });
      await stack.up(only(kind, inputs));
      const { id } = stack.entry();
      stack.forget();
      const before = everything(stack.simulator);
      const { path, body } = denials[kind];
      stack.simulator.faults.add({ method: "POST", path: path + id, fault: { kind: "status", status: 400, body } });
      const { errors } = await stack.fails("up", only(kind, { ...inputs, adopt: true }));
      expect(errors).toContain(`400 ${body}`);
      expect(errors).toMatch(/still shows one that the authoritative region does not have .*Nothing was created/);
      expect(everything(stack.simulator)).toEqual(before);
      expect(stack.entries()).toEqual([]);
    },
  );

  test("of a method writes nothing when what it looks at besides can't be read", async () => {
    const stack = await start();
    stack.simulator.cluster.methods.put({ Name: "sso" });
    const before = everything(stack.simulator);
    stack.simulator.faults.add({ method: "GET", path: "/v1/acl/binding-rules", fault: { kind: "status", status: 403 } });
    await stack.fails("up", only("AclAuthMethod", pkce({}, { adopt: "overwrite" })));
    expect(everything(stack.simulator)).toEqual(before);
  });
});
