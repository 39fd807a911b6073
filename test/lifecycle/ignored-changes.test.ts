import { type Inputs, type Kind, only, throughEveryAdapterToEveryServer, type World } from "./harness";
import { at } from "./paths";
import { oidc, pkce, pool, role, rule } from "./samples";

interface Case {
  readonly kind: Kind;
  /** The input that others change. */
  readonly path: string;
  readonly inputs: Inputs;
  /** What the program changes besides. */
  readonly change: Inputs;
  /** What others do to the object, and what the server has then. */
  readonly theirs: (world: World) => void;
  readonly there: (world: World) => unknown;
}

const poolOf = ({ simulator: { pools } }: World) => pools.list()[0];
const methodOf = ({ simulator: { cluster } }: World) => cluster.methods.list()[0];
const roleOf = ({ simulator: { cluster } }: World) => cluster.roles.list()[0];
const ruleOf = ({ simulator: { cluster } }: World) => cluster.rules.list()[0];

/** @param client an auth method of OIDC: with a secret where servers need one, and elsewhere without, so that nothing is in doubt but what others change */
const casesWith = (client: typeof oidc): readonly Case[] => [
  {
    kind: "AgentPool",
    path: "allowedWorkspaceIds",
    inputs: pool({ allowedWorkspaceIds: ["ws-1"] }),
    change: { name: "build-2" },
    theirs: (world) => world.simulator.pools.update(poolOf(world)?.id ?? "", { allowedWorkspaceIds: ["ws-1", "ws-2"] }),
    there: (world) => poolOf(world)?.allowedWorkspaceIds,
  },
  {
    kind: "AgentPool",
    path: "organizationScoped",
    inputs: pool({ organizationScoped: true }),
    change: { name: "build-2" },
    theirs: (world) => world.simulator.pools.update(poolOf(world)?.id ?? "", { organizationScoped: false }),
    there: (world) => poolOf(world)?.organizationScoped,
  },
  {
    kind: "AclRole",
    path: "policies",
    inputs: role(),
    change: { description: "new" },
    theirs: (world) => world.simulator.cluster.roles.put({ ID: roleOf(world)?.ID ?? "", Policies: [{ Name: "write" }] }),
    there: (world) => roleOf(world)?.Policies,
  },
  {
    kind: "AclBindingRule",
    path: "selector",
    inputs: rule({ selector: "dev in list.groups" }),
    change: { description: "new" },
    theirs: (world) => world.simulator.cluster.rules.put({ ID: ruleOf(world)?.ID ?? "", Selector: "ops in list.groups" }),
    there: (world) => ruleOf(world)?.Selector,
  },
  {
    kind: "AclAuthMethod",
    path: "tokenLocality",
    inputs: client(),
    change: { maxTokenTtl: "2h" },
    theirs: (world) => world.simulator.cluster.methods.put({ Name: "sso", TokenLocality: "global" }),
    there: (world) => methodOf(world)?.TokenLocality,
  },
  {
    kind: "AclAuthMethod",
    path: "config.oidcScopes",
    inputs: client({ oidcScopes: ["openid"] }),
    change: { maxTokenTtl: "2h" },
    theirs: (world) => world.simulator.cluster.methods.put({ Name: "sso", Config: { OIDCScopes: ["openid", "groups"] } }),
    there: (world) => methodOf(world)?.Config.OIDCScopes,
  },
  {
    kind: "AclAuthMethod",
    path: "config.claimMappings",
    inputs: client({ claimMappings: { a: "one" } }),
    change: client({ claimMappings: { a: "one" }, boundAudiences: ["cluster"] }),
    theirs: (world) => world.simulator.cluster.methods.put({ Name: "sso", Config: { ClaimMappings: { a: "one", b: "two" } } }),
    there: (world) => methodOf(world)?.Config.ClaimMappings,
  },
];

throughEveryAdapterToEveryServer("what others change of a resource", (start, dialect) => {
  const client = dialect === "measured" ? pkce : oidc;
  const cases = casesWith(client);
  const begin = async ({ kind, inputs, theirs, there }: Case, ignoreChanges: string[] = []) => {
    const world = await start();
    if (kind === "AclBindingRule") world.simulator.cluster.methods.put({ Name: "sso" });
    const program = (more: Inputs = {}, ignored = ignoreChanges) => only(kind, { ...inputs, ...more }, { ignoreChanges: ignored });
    await world.up(program());
    const ours = there(world);
    theirs(world);
    const changed = there(world);
    expect(changed).not.toEqual(ours);
    return { world, program, ours, changed };
  };

  test.each(cases)("$kind: $path, where it is ignored, is not taken back by an update of something else", async (one) => {
    const { world, program, changed } = await begin(one, [one.path]);
    const { writes } = await world.up(program(one.change));
    expect(writes).toHaveLength(1);
    expect(one.there(world)).toEqual(changed);
    expect(at(world.outputs(), one.path)).toEqual(at(world.inputs(), one.path));
    expect((await world.up(program(one.change))).requests).toEqual([]);
  });

  test.each(cases)("$kind: $path, where it is ignored, is left to them after a refresh, by an unchanged program too", async (one) => {
    const { world, program, changed } = await begin(one, [one.path]);
    await world.refresh();
    expect((await world.preview(program())).changes).toEqual([]);
    expect((await world.up(program())).writes).toEqual([]);
    expect(one.there(world)).toEqual(changed);
    expect((await world.up(program(one.change))).writes).toHaveLength(1);
    expect(one.there(world)).toEqual(changed);
    expect((await world.preview(program(one.change), { refresh: true })).changes).toEqual([]);
  });

  test.each(cases)(
    "$kind: $path, where nobody has seen it, survives an update of something else, and shows at the next refresh",
    async (one) => {
      const { world, program, ours, changed } = await begin(one);
      await world.up(program(one.change));
      expect(one.there(world)).toEqual(changed);
      expect((await world.refresh()).changes).toEqual([`refresh update ${one.kind} it`]);
      expect((await world.up(program(one.change))).writes).toHaveLength(1);
      expect(one.there(world)).toEqual(ours);
      expect((await world.preview(program(one.change), { refresh: true })).changes).toEqual([]);
    },
  );

  test.each(cases)("$kind: $path, ignored until now, shows at the refresh after the program stops to ignore it", async (one) => {
    const { world, program, ours } = await begin(one, [one.path]);
    await world.up(program(one.change));
    await world.refresh();
    expect((await world.up(program(one.change, []))).writes).toHaveLength(1);
    expect(one.there(world)).toEqual(ours);
  });

  test("a map of which one key is ignored keeps theirs of that key, and takes the program's of the others", async () => {
    const world = await start();
    const program = (a: string) =>
      only("AclAuthMethod", client({ claimMappings: { a, b: "ours" } }), { ignoreChanges: ['config.claimMappings["b"]'] });
    await world.up(program("one"));
    world.simulator.cluster.methods.put({ Name: "sso", Config: { ClaimMappings: { a: "one", b: "theirs" } } });
    await world.up(program("two"));
    expect(methodOf(world)?.Config.ClaimMappings).toEqual({ a: "two", b: "theirs" });
  });

  test("a list of which one item is ignored is theirs as a whole, which a warning says once, with the path that means it", async () => {
    const world = await start();
    const program = (more: Inputs = {}, ignored = "policies[0]") =>
      only("AclRole", role({ policies: ["read"], ...more }), { ignoreChanges: [ignored] });
    await world.up(program());
    world.simulator.cluster.roles.put({ ID: world.entry().id, Policies: [{ Name: "write" }, { Name: "admin" }] });
    const { warnings } = await world.up(program({ description: "new" }));
    expect(warnings).toEqual([expect.stringContaining("so that changes of policies in the program are not written")]);
    expect(roleOf(world)).toMatchObject({ Description: "new", Policies: [{ Name: "write" }, { Name: "admin" }] });
    expect((await world.up(program({ description: "newer" }, "policies"))).warnings).toEqual([]);
  });

  test("a value that this version does not know is sent back as the server has it by an update of something else", async () => {
    const world = await start();
    await world.up(only("AclAuthMethod", client()));
    world.simulator.cluster.methods.put({ Name: "sso", TokenLocality: "", Type: "LDAP" });
    world.simulator.faults.add({ method: "POST", path: "/v1/acl/auth-method/sso", fault: { kind: "status", status: 400, body: "any" } });
    const { requests } = await world.fails("up", only("AclAuthMethod", client({}, { maxTokenTtl: "2h" })));
    expect(requests.at(-1)?.body).toMatchObject({ Type: "LDAP", TokenLocality: "", MaxTokenTTL: "2h" });
  });

  test("a new value of a property that would force a replacement forces none where it is ignored", async () => {
    const world = await start();
    const program = (name: string) => only("AclAuthMethod", client({}, { name }), { ignoreChanges: ["name"] });
    await world.up(program("sso"));
    expect((await world.up(program("other"))).writes).toEqual([]);
    expect(world.simulator.cluster.methods.list().map(({ Name }) => Name)).toEqual(["sso"]);
  });

  test("a role's own change is not taken back by a copy from a region that lags", async () => {
    const world = await start({ regions: ["eu"] });
    const config = { clusterRegion: "eu" };
    const program = (more: Inputs) => only("AclRole", role(more));
    await world.up(program({ policies: ["read"] }), { config });
    world.simulator.cluster.lag("eu", true);
    await world.up(program({ policies: ["read", "write"] }), { config });
    const next = program({ policies: ["read", "write"], description: "new" });
    // The copy is known to be older: the update waits for the region, as those of methods and rules do, and sends nothing of it.
    expect((await world.fails("up", next, { config })).writes).toEqual([]);
    world.clock.duringSleep = () => world.simulator.cluster.lag("eu", false);
    await world.up(next, { config });
    expect(roleOf(world)).toMatchObject({ Description: "new", Policies: [{ Name: "read" }, { Name: "write" }] });
  });
});
