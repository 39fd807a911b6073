import { everything, forgetSecrets } from "./contents";
import { type Inputs, type Kind, only, type Program, throughEveryAdapterToEveryServer, type World } from "./harness";
import { jwt, oidc } from "./samples";

const a = (isDefault: boolean) => oidc({ oidcClientSecret: "of-a" }, { name: "a", default: isDefault });
const b = (isDefault: boolean) => oidc({ oidcClientSecret: "of-b" }, { name: "b", default: isDefault });

const defaults = (world: World) =>
  world.simulator.cluster.methods
    .list()
    .filter(({ Default }) => Default)
    .map(({ Name }) => Name);

throughEveryAdapterToEveryServer("the default auth method", (start, dialect) => {
  const begin = async () => {
    const world = await start();
    await world.up((declare) => {
      declare("AclAuthMethod", "a", a(true));
      declare("AclAuthMethod", "b", b(false));
    });
    expect(defaults(world)).toEqual(["a"]);
    return world;
  };

  const orders: readonly { readonly order: string; readonly program: Program }[] = [
    {
      order: "old one first",
      program: (declare) => {
        declare("AclAuthMethod", "a", a(false));
        declare("AclAuthMethod", "b", b(true));
      },
    },
    {
      order: "new one first",
      program: (declare) => {
        declare("AclAuthMethod", "b", b(true));
        declare("AclAuthMethod", "a", a(false));
      },
    },
  ];

  test.each(orders)("moves from one method to another in one up, declared $order", async ({ program }) => {
    const world = await begin();
    const before = world.simulator.cluster.methods.get("a");
    await world.up(program);
    expect(defaults(world)).toEqual(["b"]);
    expect(world.simulator.cluster.methods.get("a")?.Config).toEqual(before?.Config);
    expect((await world.preview(program, { refresh: true })).changes).toEqual([]);
  });

  test.each(orders)("moves with one write at a time too, declared $order", async ({ program }) => {
    const world = await begin();
    await world.up(program, { parallel: 1 });
    expect(defaults(world)).toEqual(["b"]);
  });

  // A documented server loses the secret that an update leaves out, and one that is ignored may be another than the program's: documented.test.ts.
  if (dialect === "measured")
    test.each(orders)("leaves no doubt about a secret that is ignored by moving, declared $order", async ({ program }) => {
      const world = await start();
      const options = { ignoreChanges: ["config.oidcClientSecret"] };
      const ignoring: Program = (declare) =>
        program(Object.assign((kind: Kind, name: string, inputs: Inputs) => declare(kind, name, inputs, options), declare));
      await world.up((declare) => {
        declare("AclAuthMethod", "a", a(true), options);
        declare("AclAuthMethod", "b", b(false), options);
      });
      await world.up(ignoring, { parallel: 1 });
      const { changes, warnings } = await world.refresh();
      expect({ changes, warnings, defaults: defaults(world) }).toEqual({ changes: [], warnings: [], defaults: ["b"] });
      await world.up((declare) => {
        declare("AclAuthMethod", "a", oidc({ oidcClientSecret: "ignored", oidcScopes: ["new"] }, { name: "a" }), options);
        declare("AclAuthMethod", "b", b(true), options);
      });
      expect(world.simulator.cluster.methods.get("a")?.Config).toMatchObject({ OIDCClientSecret: "of-a", OIDCScopes: ["new"] });
    });

  test("moves to a method that is new", async () => {
    const world = await begin();
    const program: Program = (declare) => {
      declare("AclAuthMethod", "c", jwt({}, { name: "c", default: true }));
      declare("AclAuthMethod", "a", a(false));
      declare("AclAuthMethod", "b", b(false));
    };
    await world.up(program);
    expect(defaults(world)).toEqual(["c"]);
    expect((await world.preview(program, { refresh: true })).changes).toEqual([]);
  });

  test("moves with other changes of both methods in the same up", async () => {
    const world = await begin();
    const program: Program = (declare) => {
      declare("AclAuthMethod", "b", { ...b(true), maxTokenTtl: "2h" });
      declare("AclAuthMethod", "a", { ...a(false), tokenLocality: "global" });
    };
    await world.up(program);
    expect(world.simulator.cluster.methods.get("a")).toMatchObject({ Default: false, TokenLocality: "global", MaxTokenTTL: "1h0m0s" });
    expect(world.simulator.cluster.methods.get("b")).toMatchObject({ Default: true, MaxTokenTTL: "2h0m0s" });
    expect((await world.preview(program, { refresh: true })).changes).toEqual([]);
  });

  const blocked: readonly { readonly why: string; readonly program: Program }[] = [
    { why: "is being removed", program: (declare) => void declare("AclAuthMethod", "b", b(true)) },
    {
      why: "waits for the new one",
      program: (declare) => {
        const next = declare("AclAuthMethod", "b", b(true));
        declare("AclAuthMethod", "a", a(false), { dependsOn: [next] });
      },
    },
  ];

  test.each(blocked)("stays where it is when the old one $why, and the error says what to do first", async ({ program }) => {
    const world = await begin();
    const before = everything(world.simulator);
    const { errors } = await world.fails("up", program);
    expect(errors).toMatch(/"b" can't be the default, because "a" is.*Nothing was changed.*in an earlier update/);
    expect(everything(world.simulator)).toEqual(before);
  });

  test("stays where it is when the program holds on to it, too", async () => {
    const world = await begin();
    const { errors } = await world.fails("up", (declare) => {
      declare("AclAuthMethod", "a", a(true));
      declare("AclAuthMethod", "b", b(true));
    });
    expect(errors).toContain('because "a" is');
    expect(defaults(world)).toEqual(["a"]);
  });

  test("moves while the old one is replaced delete-first, and is gone before anybody can take the default from it", async () => {
    const world = await begin();
    const { cluster, faults } = world.simulator;
    // The write of the new default arrives first; the response that another one has it comes when that one has been deleted.
    faults.add({ method: "POST", path: "/v1/acl/auth-method/b", fault: { kind: "delay", ms: 300 } });
    const program: Program = (declare) => {
      declare("AclAuthMethod", "b", b(true));
      declare("AclAuthMethod", "a", { ...a(false), name: "c" }, { deleteBeforeReplace: true });
    };
    await world.up(program);
    expect(faults.pending()).toBe(0);
    expect(defaults(world)).toEqual(["b"]);
    expect(cluster.methods.list().map(({ Name }) => Name)).toEqual(["b", "c"]);
    expect((await world.preview(program, { refresh: true })).changes).toEqual([]);
  });

  test("goes back to the old one when the new one is refused after it was taken, and the next up moves it", async () => {
    const world = await begin();
    const before = world.simulator.cluster.methods.get("a");
    world.simulator.faults.add({ method: "POST", path: "/v1/acl/auth-method/b", skip: 1, fault: { kind: "status", status: 403 } });
    const { writes } = await world.fails("up", orders[1]?.program, { parallel: 1 });
    expect(writes.slice(0, 4).map((line) => line.at(-1))).toEqual(["b", "a", "b", "a"]);
    expect(world.simulator.cluster.methods.get("a")).toMatchObject({ Default: true, Hash: before?.Hash });
    expect((await world.refresh()).changes).toEqual([]);
    await world.up(orders[1]?.program ?? only("AclAuthMethod", b(true)));
    expect(defaults(world)).toEqual(["b"]);
    expect(world.simulator.cluster.methods.get("a")?.Config).toEqual(before?.Config);
  });

  test("is not taken from a method that the program does not know, and the error names it", async () => {
    const world = await start();
    world.simulator.cluster.methods.put({ Name: "theirs", Default: true });
    const before = everything(world.simulator);
    const { errors } = await world.fails("up", only("AclAuthMethod", b(true)));
    expect(errors).toContain('because "theirs" is');
    expect(everything(world.simulator)).toEqual(before);
  });

  test("moves by what the server has, in a region that shows the old one as it was before the last update", async () => {
    const world = await start({ regions: ["eu"] });
    const eu = { config: { clusterRegion: "eu" } };
    const program =
      (ofA: boolean, maxTokenTtl: string, oidcScopes: string[]): Program =>
      (declare) => {
        declare("AclAuthMethod", "b", b(!ofA));
        declare("AclAuthMethod", "a", oidc({ oidcClientSecret: "of-a", oidcScopes }, { name: "a", default: ofA, maxTokenTtl }));
      };
    await world.up(program(true, "1h", ["one"]), eu);
    world.simulator.cluster.lag("eu", true);
    await world.up(program(true, "2h", ["two"]), eu);
    let sleptMs = 0;
    world.clock.duringSleep = (ms) => {
      sleptMs += ms;
      if (sleptMs > 1_000) world.simulator.cluster.lag("eu", false);
    };
    await world.up(program(false, "2h", ["two"]), { ...eu, parallel: 1 });
    expect(world.simulator.cluster.methods.get("a")).toMatchObject({
      ...{ Default: false, MaxTokenTTL: "2h0m0s" },
      Config: { OIDCScopes: ["two"], OIDCClientSecret: "of-a" },
    });
  });

  test.each(orders)("moves from an imported method whose secret the program gives now, declared $order", async ({ program }) => {
    const world = await begin();
    forgetSecrets(world);
    await world.refresh();
    await world.up(program, { parallel: 1 });
    expect(defaults(world)).toEqual(["b"]);
    const secrets = world.simulator.cluster.methods.list().map(({ Config }) => Config.OIDCClientSecret);
    expect(secrets).toEqual(["of-a", "of-b"]);
  });

  // A documented server has no sign of a change of a secret, and what is ignored stops every update there.
  if (dialect === "measured")
    test("says of no ignored secret that others have changed it, in a region that does not show the hand-over yet", async () => {
      const world = await start({ regions: ["eu"] });
      const eu = { config: { clusterRegion: "eu" } };
      const program =
        (ofA: boolean, oidcScopes: string[]): Program =>
        (declare) => {
          declare("AclAuthMethod", "b", b(!ofA));
          const ignoring = { ignoreChanges: ["config.oidcClientSecret"] };
          declare("AclAuthMethod", "a", oidc({ oidcClientSecret: "of-a", oidcScopes }, { name: "a", default: ofA }), ignoring);
        };
      await world.up(program(true, ["one"]), eu);
      world.simulator.cluster.lag("eu", true);
      await world.up(program(false, ["one", "two"]), { ...eu, parallel: 1 });
      expect(world.simulator.cluster.methods.get("a")).toMatchObject({
        Default: false,
        Config: { OIDCScopes: ["one", "two"], OIDCClientSecret: "of-a" },
      });
    });

  test("is not taken from a method that others have made anew under the old one's name", async () => {
    const world = await begin();
    world.simulator.cluster.methods.delete("a");
    const theirs = world.simulator.cluster.methods.put({ Name: "a", Default: true });
    await world.fails("up", orders[1]?.program);
    expect(world.simulator.cluster.methods.get("a")).toEqual(theirs);
    expect(defaults(world)).toEqual(["a"]);
  });
});
