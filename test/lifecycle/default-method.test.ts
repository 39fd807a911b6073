import { everything, forgetSecrets } from "./contents";
import { type Inputs, type Kind, only, type Program, type TestStack, throughEveryAdapterToEveryServer } from "./harness";
import { jwt, oidc } from "./samples";

const a = (isDefault: boolean) => oidc({ oidcClientSecret: "of-a" }, { name: "a", default: isDefault });
const b = (isDefault: boolean) => oidc({ oidcClientSecret: "of-b" }, { name: "b", default: isDefault });

const defaults = (stack: TestStack) =>
  stack.simulator.cluster.methods
    .list()
    .filter(({ Default }) => Default)
    .map(({ Name }) => Name);

throughEveryAdapterToEveryServer("the default auth method", (start, dialect) => {
  const begin = async () => {
    const stack = await start();
    await stack.up((declare) => {
      declare("AclAuthMethod", "a", a(true));
      declare("AclAuthMethod", "b", b(false));
    });
    expect(defaults(stack)).toEqual(["a"]);
    return stack;
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
    const stack = await begin();
    const before = stack.simulator.cluster.methods.get("a");
    await stack.up(program);
    expect(defaults(stack)).toEqual(["b"]);
    expect(stack.simulator.cluster.methods.get("a")?.Config).toEqual(before?.Config);
    expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
  });

  test.each(orders)("moves with one write at a time too, declared $order", async ({ program }) => {
    const stack = await begin();
    await stack.up(program, { parallel: 1 });
    expect(defaults(stack)).toEqual(["b"]);
  });

  // A documented server loses the secret that an update leaves out, and one that is ignored may be another than the program's: documented.test.ts.
  if (dialect === "measured")
    test.each(orders)("leaves no doubt about a secret that is ignored by moving, declared $order", async ({ program }) => {
      const stack = await start();
      const options = { ignoreChanges: ["config.oidcClientSecret"] };
      const ignoring: Program = (declare) =>
        program(Object.assign((kind: Kind, name: string, inputs: Inputs) => declare(kind, name, inputs, options), declare));
      await stack.up((declare) => {
        declare("AclAuthMethod", "a", a(true), options);
        declare("AclAuthMethod", "b", b(false), options);
      });
      await stack.up(ignoring, { parallel: 1 });
      const { changes, warnings } = await stack.refresh();
      expect({ changes, warnings, defaults: defaults(stack) }).toEqual({ changes: [], warnings: [], defaults: ["b"] });
      await stack.up((declare) => {
        declare("AclAuthMethod", "a", oidc({ oidcClientSecret: "ignored", oidcScopes: ["new"] }, { name: "a" }), options);
        declare("AclAuthMethod", "b", b(true), options);
      });
      expect(stack.simulator.cluster.methods.get("a")?.Config).toMatchObject({ OIDCClientSecret: "of-a", OIDCScopes: ["new"] });
    });

  test("moves to a method that is new", async () => {
    const stack = await begin();
    const program: Program = (declare) => {
      declare("AclAuthMethod", "c", jwt({}, { name: "c", default: true }));
      declare("AclAuthMethod", "a", a(false));
      declare("AclAuthMethod", "b", b(false));
    };
    await stack.up(program);
    expect(defaults(stack)).toEqual(["c"]);
    expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
  });

  test("moves with other changes of both methods in the same up", async () => {
    const stack = await begin();
    const program: Program = (declare) => {
      declare("AclAuthMethod", "b", { ...b(true), maxTokenTtl: "2h" });
      declare("AclAuthMethod", "a", { ...a(false), tokenLocality: "global" });
    };
    await stack.up(program);
    expect(stack.simulator.cluster.methods.get("a")).toMatchObject({ Default: false, TokenLocality: "global", MaxTokenTTL: "1h0m0s" });
    expect(stack.simulator.cluster.methods.get("b")).toMatchObject({ Default: true, MaxTokenTTL: "2h0m0s" });
    expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
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
    const stack = await begin();
    const before = everything(stack.simulator);
    const { errors } = await stack.fails("up", program);
    expect(errors).toMatch(/"b" can't be the default, because "a" is.*Nothing was changed.*in an earlier update/);
    expect(everything(stack.simulator)).toEqual(before);
  });

  test("stays where it is when the program holds on to it, too", async () => {
    const stack = await begin();
    const { errors } = await stack.fails("up", (declare) => {
      declare("AclAuthMethod", "a", a(true));
      declare("AclAuthMethod", "b", b(true));
    });
    expect(errors).toContain('because "a" is');
    expect(defaults(stack)).toEqual(["a"]);
  });

  test("moves while the old one is replaced delete-first, and is gone before anybody can take the default from it", async () => {
    const stack = await begin();
    const { cluster, faults } = stack.simulator;
    // The write of the new default arrives first; the response that another one has it comes when that one has been deleted.
    faults.add({ method: "POST", path: "/v1/acl/auth-method/b", fault: { kind: "delay", ms: 300 } });
    const program: Program = (declare) => {
      declare("AclAuthMethod", "b", b(true));
      declare("AclAuthMethod", "a", { ...a(false), name: "c" }, { deleteBeforeReplace: true });
    };
    await stack.up(program);
    expect(faults.pending()).toBe(0);
    expect(defaults(stack)).toEqual(["b"]);
    expect(cluster.methods.list().map(({ Name }) => Name)).toEqual(["b", "c"]);
    expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
  });

  test("moves while the old one is deleted after it was read and before the default is taken from it", async () => {
    const stack = await begin();
    const { cluster, faults } = stack.simulator;
    faults.add({ method: "POST", path: "/v1/acl/auth-method/a", fault: { kind: "status", status: 503 } });
    stack.clock.duringSleep = () => void (faults.pending() === 0 && cluster.methods.get("a") && cluster.methods.delete("a"));
    const program: Program = (declare) => {
      declare("AclAuthMethod", "b", b(true));
      declare("AclAuthMethod", "a", { ...a(false), name: "c" }, { deleteBeforeReplace: true });
    };
    // One write at a time: the replacement's own delete comes later.
    await stack.up(program, { parallel: 1 });
    expect(faults.pending()).toBe(0);
    expect(defaults(stack)).toEqual(["b"]);
    expect(cluster.methods.list().map(({ Name }) => Name)).toEqual(["b", "c"]);
  });

  test("is nobody's when the new one is refused after it was taken: a warning says so, and the next up moves it", async () => {
    const stack = await begin();
    const before = stack.simulator.cluster.methods.get("a");
    stack.simulator.faults.add({ method: "POST", path: "/v1/acl/auth-method/b", skip: 1, fault: { kind: "status", status: 403 } });
    const { writes, warnings } = await stack.fails("up", orders[1]?.program, { parallel: 1 });
    expect(writes.slice(0, 3).map((line) => line.at(-1))).toEqual(["b", "a", "b"]);
    expect(warnings.join()).toMatch(/The default was taken from ACL auth method "a" for ACL auth method "b".*may find none/);
    expect(defaults(stack)).toEqual([]);
    await stack.up(orders[1]?.program ?? only("AclAuthMethod", b(true)));
    expect(defaults(stack)).toEqual(["b"]);
    expect(stack.simulator.cluster.methods.get("a")?.Config).toEqual(before?.Config);
  });

  test("is not taken from a method that the program does not know, and the error names it", async () => {
    const stack = await start();
    stack.simulator.cluster.methods.put({ Name: "theirs", Default: true });
    const before = everything(stack.simulator);
    const { errors } = await stack.fails("up", only("AclAuthMethod", b(true)));
    expect(errors).toContain('because "theirs" is');
    expect(everything(stack.simulator)).toEqual(before);
  });

  test("moves by what the server has, in a region that shows the old one as it was before the last update", async () => {
    const stack = await start({ regions: ["eu"] });
    const eu = { config: { clusterRegion: "eu" } };
    const program =
      (ofA: boolean, maxTokenTtl: string, oidcScopes: string[]): Program =>
      (declare) => {
        declare("AclAuthMethod", "b", b(!ofA));
        declare("AclAuthMethod", "a", oidc({ oidcClientSecret: "of-a", oidcScopes }, { name: "a", default: ofA, maxTokenTtl }));
      };
    await stack.up(program(true, "1h", ["one"]), eu);
    stack.simulator.cluster.lag("eu", true);
    await stack.up(program(true, "2h", ["two"]), eu);
    let sleptMs = 0;
    stack.clock.duringSleep = (ms) => {
      sleptMs += ms;
      if (sleptMs > 1_000) stack.simulator.cluster.lag("eu", false);
    };
    await stack.up(program(false, "2h", ["two"]), { ...eu, parallel: 1 });
    expect(stack.simulator.cluster.methods.get("a")).toMatchObject({
      ...{ Default: false, MaxTokenTTL: "2h0m0s" },
      Config: { OIDCScopes: ["two"], OIDCClientSecret: "of-a" },
    });
  });

  test.each(orders)("moves from an imported method whose secret the program gives now, declared $order", async ({ program }) => {
    const stack = await begin();
    forgetSecrets(stack);
    await stack.refresh();
    await stack.up(program, { parallel: 1 });
    expect(defaults(stack)).toEqual(["b"]);
    const secrets = stack.simulator.cluster.methods.list().map(({ Config }) => Config.OIDCClientSecret);
    expect(secrets).toEqual(["of-a", "of-b"]);
  });

  // A documented server has no sign of a change of a secret, and what is ignored stops every update there.
  if (dialect === "measured")
    test("says of no ignored secret that others have changed it, in a region that does not show the hand-over yet", async () => {
      const stack = await start({ regions: ["eu"] });
      const eu = { config: { clusterRegion: "eu" } };
      const program =
        (ofA: boolean, oidcScopes: string[]): Program =>
        (declare) => {
          declare("AclAuthMethod", "b", b(!ofA));
          const ignoring = { ignoreChanges: ["config.oidcClientSecret"] };
          declare("AclAuthMethod", "a", oidc({ oidcClientSecret: "of-a", oidcScopes }, { name: "a", default: ofA }), ignoring);
        };
      await stack.up(program(true, ["one"]), eu);
      stack.simulator.cluster.lag("eu", true);
      await stack.up(program(false, ["one", "two"]), { ...eu, parallel: 1 });
      expect(stack.simulator.cluster.methods.get("a")).toMatchObject({
        Default: false,
        Config: { OIDCScopes: ["one", "two"], OIDCClientSecret: "of-a" },
      });
    });

  test("is not taken from a method that others have made anew under the old one's name", async () => {
    const stack = await begin();
    stack.simulator.cluster.methods.delete("a");
    const theirs = stack.simulator.cluster.methods.put({ Name: "a", Default: true });
    await stack.fails("up", orders[1]?.program);
    expect(stack.simulator.cluster.methods.get("a")).toEqual(theirs);
    expect(defaults(stack)).toEqual(["a"]);
  });
});
