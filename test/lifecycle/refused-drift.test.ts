import { type Inputs, only, throughEveryAdapterToEveryServer, type World } from "./harness";
import { oidc, pkce, role, rule } from "./samples";

const stored = (world: World) => world.simulator.cluster.methods.get("sso");
const emptied = { OIDCDiscoveryURL: "", OIDCClientID: "", OIDCClientSecret: "", AllowedRedirectURIs: null };

throughEveryAdapterToEveryServer("what others made of an object, where the program may not write it", (start, dialect) => {
  // A secret would be in doubt with every change of others there.
  const client = dialect === "measured" ? pkce : oidc;
  const methodWith = async (ignoreChanges: string[], theirs: object) => {
    const world = await start();
    const program = (more: Inputs = {}) => only("AclAuthMethod", client({}, more), { ignoreChanges });
    await world.up(program());
    world.simulator.cluster.methods.put({ Name: "sso", ...theirs });
    await world.refresh();
    return { world, program };
  };

  const cases = [
    { path: "tokenLocality", theirs: { TokenLocality: "" }, named: 'tokenLocality must be "local" or "global"' },
    { path: "config.allowedRedirectUris", theirs: { Config: { AllowedRedirectURIs: null } }, named: "must hold at least one address" },
    { path: "config", theirs: { Config: emptied }, named: "config.oidcDiscoveryUrl is required for OIDC" },
  ];
  test.each(cases)("$path: is no mistake of a program that ignores it, which a warning says", async ({ path, theirs, named }) => {
    const { world, program } = await methodWith([path], theirs);
    const before = stored(world);
    for (const command of ["preview", "up"] as const) {
      const { changes, warnings } = await world[command](program());
      expect(changes).toEqual([]);
      expect(warnings.join("\n")).toContain(`ACL auth method "sso": ${path === "config" ? "" : path}`);
      expect(warnings.join("\n")).toContain(named);
    }
    expect(stored(world)).toEqual(before);
  });

  if (dialect === "documented")
    test("does not keep the program from an update of something else, where the server takes it", async () => {
      const { world, program } = await methodWith(["tokenLocality"], { TokenLocality: "" });
      await world.up(program({ maxTokenTtl: "2h" }));
      expect(stored(world)).toMatchObject({ MaxTokenTTL: "2h0m0s" });
      expect((await world.preview(program({ maxTokenTtl: "2h" }), { refresh: true })).changes).toEqual([]);
    });

  if (dialect === "documented")
    test("is left out of an update that writes again what they erased besides it", async () => {
      const { world, program } = await methodWith(["config"], { TokenLocality: "", Config: emptied });
      await world.up(program());
      expect(stored(world)).toMatchObject({ TokenLocality: "local", Config: emptied });
      expect((await world.preview(program(), { refresh: true })).changes).toEqual([]);
    });

  if (dialect === "measured")
    test("does not keep the program from an update that leaves the config as it is on a server that lets it be left out", async () => {
      const { world, program } = await methodWith(["config.allowedRedirectUris"], { Config: { AllowedRedirectURIs: null } });
      await world.up(program({ maxTokenTtl: "2h" }));
      expect(stored(world)).toMatchObject({ MaxTokenTTL: "2h0m0s", Config: { AllowedRedirectURIs: null } });
    });

  test("is written over by a program that does not ignore it, and another value that may not be is refused", async () => {
    const { world } = await methodWith([], { TokenLocality: "" });
    const wrong = await world.fails("up", only("AclAuthMethod", client({}, { tokenLocality: "region" })));
    expect(wrong.errors).toContain('tokenLocality must be "local" or "global"');
    expect(wrong.requests).toEqual([]);
    const { warnings } = await world.up(only("AclAuthMethod", client()));
    expect(warnings.join()).not.toContain("tokenLocality");
    expect(stored(world)).toMatchObject({ TokenLocality: "local" });
  });

  test("is refused in a program that makes a new object of it", async () => {
    const world = await start();
    const { errors, requests } = await world.fails("up", only("AclAuthMethod", client({}, { tokenLocality: "" })));
    expect(errors).toContain('tokenLocality must be "local" or "global"');
    expect(requests).toEqual([]);
    expect((await world.fails("up", only("AclRole", role({ name: "" })))).requests).toEqual([]);
  });
});

throughEveryAdapterToEveryServer("a binding rule that others made one of management", (start) => {
  const ruleOf = ({ simulator: { cluster } }: World) => cluster.rules.list()[0];
  const begin = async (ignoreChanges: string[], inputs = rule()) => {
    const world = await start();
    world.simulator.cluster.methods.put({ Name: "sso" });
    const program = (more: Inputs = {}, ignored = ignoreChanges) =>
      only("AclBindingRule", { ...inputs, ...more }, { ignoreChanges: ignored });
    await world.up(program());
    world.simulator.cluster.rules.put({ ID: world.entry().id, BindType: "management", BindName: "" });
    await world.refresh();
    return { world, program };
  };

  test("goes on as theirs where the program ignores type and name, and everyone's rights are warned of", async () => {
    const { selector: _, ...inputs } = rule();
    const { world, program } = await begin(["bindType", "bindName"], inputs);
    const { warnings } = await world.up(program({ description: "new" }));
    expect(warnings.join()).toContain("gives management rights to everyone who logs in with sso");
    expect(ruleOf(world)).toMatchObject({ BindType: "management", BindName: "", Description: "new" });
  });

  test.each([
    { ignored: "bindType", other: "bindName", reason: 'bindName is not allowed when bindType is "management"' },
    { ignored: "bindName", other: "bindType", reason: 'bindName is required when bindType is "role"' },
  ])("is refused where the program ignores $ignored alone, and the error says the two ways on", async ({ ignored, other, reason }) => {
    const { world, program } = await begin([ignored]);
    const before = ruleOf(world);
    const { errors, requests } = await world.fails("up", program({ description: "new" }));
    expect(errors).toContain(`${reason}. The state has the same ${ignored}: where the program leaves that to others by ignoreChanges`);
    expect(requests).toEqual([]);
    expect(ruleOf(world)).toEqual(before);
    await world.up(program({ description: "new" }, [ignored, other]));
    expect(ruleOf(world)).toMatchObject({ BindType: "management", BindName: "", Description: "new" });
    await world.up(program({ description: "new" }, []));
    expect(ruleOf(world)).toMatchObject({ BindType: "role", BindName: "dev" });
  });
});
