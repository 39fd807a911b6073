/**
 * What the provider promises on servers that follow the API's document to the letter. They give no hash of a method and no sign of its secret, and an
 * update of a method loses what its body leaves out.
 */
import { everything, forgetSecrets } from "./contents";
import { nothing, only, type Program, type RunOptions, throughEveryAdapter, type World } from "./harness";
import { jwt, oidc, pkce, role, rule } from "./samples";

const method = (config = {}, more = {}) => only("AclAuthMethod", oidc(config, more));
const stored = (world: World) => world.simulator.cluster.methods.get("sso");
const noHash = /gives no hash of auth methods/;

/** An operation that must fail before it writes. @returns the errors */
async function failsUnsent(world: World, program: Program, options?: RunOptions): Promise<string> {
  const before = everything(world.simulator);
  const { errors, writes } = await world.fails("up", program, options);
  expect(writes).toEqual([]);
  expect(everything(world.simulator)).toEqual(before);
  return errors;
}

/** An update by another tool. */
async function updateByOthers({ simulator }: World, body: { readonly Name: string; readonly [field: string]: unknown }): Promise<void> {
  const headers = { "X-Cluster-Token": simulator.clusterToken };
  const address = `${simulator.clusterAddress}/v1/acl/auth-method/${body.Name}`;
  const { status } = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
  expect(status).toBe(200);
}

throughEveryAdapter("an auth method on a documented server", (measured) => {
  const start = () => measured({ dialect: "documented" });

  test("keeps its configuration and its secret through an update of something else, which sends all of it", async () => {
    const world = await start();
    await world.up(method({ oidcScopes: ["groups"], claimMappings: { team: "team" } }));
    const before = stored(world)?.Config;
    const { requests } = await world.up(method({ oidcScopes: ["groups"], claimMappings: { team: "team" } }, { maxTokenTtl: "2h" }));
    const [write] = requests.filter((request) => request.method === "POST");
    expect(write?.body).toMatchObject({ TokenLocality: "local", Config: { OIDCClientSecret: "its-secret", OIDCScopes: ["groups"] } });
    expect(stored(world)).toMatchObject({ MaxTokenTTL: "2h0m0s", Config: before });
  });

  test("has the secret that others set until the next update, and a refresh says once that nobody can see it", async () => {
    const world = await start();
    const names = ["sso", "two", "three"];
    const program =
      (more = {}): Program =>
      (declare) => {
        for (const name of names) declare("AclAuthMethod", name, oidc({}, { name, ...more }));
      };
    await world.up(program());
    world.simulator.cluster.rotateClientSecret("sso", "theirs");
    const { changes, warnings } = await world.refresh();
    expect(changes).toEqual([]);
    expect(warnings.filter((warning) => noHash.test(warning))).toHaveLength(1);
    expect((await world.up(program())).writes).toEqual([]);
    await world.up(program({ maxTokenTtl: "2h" }));
    expect(names.map((name) => world.simulator.cluster.methods.get(name)?.Config.OIDCClientSecret)).toEqual(names.map(() => "its-secret"));
  });

  test("whose secret the program does not know is not updated: the error names the property, and nothing is sent", async () => {
    const world = await start();
    await world.up(method());
    forgetSecrets(world);
    for (const change of [pkce({}, { maxTokenTtl: "2h" }), pkce({ oidcScopes: ["groups"] })]) {
      expect(await failsUnsent(world, only("AclAuthMethod", change))).toContain("config.oidcClientSecret");
    }
    await world.up(method({}, { maxTokenTtl: "2h" }));
    expect(stored(world)).toMatchObject({ MaxTokenTTL: "2h0m0s", Config: { OIDCClientSecret: "its-secret" } });
  });

  test("whose secret the program ignores is not updated, since others may have rotated it: the error says so, and nothing is sent", async () => {
    const world = await start();
    const ignoring = (more = {}) => only("AclAuthMethod", oidc({}, more), { ignoreChanges: ["config.oidcClientSecret"] });
    await world.up(ignoring());
    world.simulator.cluster.rotateClientSecret("sso", "theirs");
    const errors = await failsUnsent(world, ignoring({ maxTokenTtl: "2h" }));
    expect(errors).toMatch(/config\.oidcClientSecret.*ignoreChanges.*gives no hash/);
    await world.up(method({}, { maxTokenTtl: "2h" }));
    expect(stored(world)).toMatchObject({ MaxTokenTTL: "2h0m0s", Config: { OIDCClientSecret: "its-secret" } });
  });

  test("does not hand the default over where nobody knows its secret, and neither method is touched", async () => {
    const world = await start();
    const program =
      (first: boolean): Program =>
      (declare) => {
        declare("AclAuthMethod", "a", oidc({}, { name: "a", default: first }), { ignoreChanges: ["config.oidcClientSecret"] });
        declare("AclAuthMethod", "b", oidc({}, { name: "b", default: !first }));
      };
    await world.up(program(true));
    world.simulator.cluster.rotateClientSecret("a", "theirs");
    expect(await failsUnsent(world, program(false), { parallel: 1 })).toContain("config.oidcClientSecret");
  });

  test("whose secret the program does not give is not overwritten by adopt", async () => {
    const world = await start();
    await world.up(method());
    world.forget();
    const overwrite = only("AclAuthMethod", pkce({ oidcScopes: ["groups"] }, { adopt: "overwrite" }));
    expect(await failsUnsent(world, overwrite)).toContain("config.oidcClientSecret");
  });

  test("that others have left without a configuration is mended by the next update", async () => {
    const world = await start();
    await world.up(method());
    await updateByOthers(world, { Name: "sso", MaxTokenTTL: "1h" });
    expect(stored(world)).toMatchObject({ TokenLocality: "", Config: { OIDCClientID: "", OIDCClientSecret: "" } });
    await world.up(method(), { refresh: true });
    expect(stored(world)).toMatchObject({ TokenLocality: "local", Config: { OIDCClientSecret: "its-secret", OIDCClientID: "cluster" } });
    expect((await world.preview(method(), { refresh: true })).changes).toEqual([]);
  });

  test("that others have left without a configuration, unseen, is updated and gives up the default all the same, without one", async () => {
    const world = await start();
    const program =
      (ofSso: boolean, more = {}): Program =>
      (declare) => {
        declare("AclAuthMethod", "next", oidc({}, { name: "next", default: !ofSso }));
        declare("AclAuthMethod", "sso", oidc({}, { default: ofSso, ...more }));
      };
    await world.up(program(true));
    await updateByOthers(world, { Name: "sso", MaxTokenTTL: "1h", Default: true });
    await world.up(program(true, { maxTokenTtl: "2h" }));
    expect(stored(world)).toMatchObject({ MaxTokenTTL: "2h0m0s", Config: { OIDCClientID: "" } });
    await world.up(program(false, { maxTokenTtl: "2h" }), { parallel: 1 });
    expect(world.simulator.cluster.methods.list().map(({ Name, Default }) => [Name, Default])).toEqual([
      ["next", true],
      ["sso", false],
    ]);
    await world.up(program(false, { maxTokenTtl: "2h" }), { refresh: true });
    expect(stored(world)).toMatchObject({ TokenLocality: "local", Config: { OIDCClientSecret: "its-secret", OIDCClientID: "cluster" } });
  });

  test("that others have left without a configuration, unseen, takes no change of a part of it before a refresh, as the error says", async () => {
    const world = await start();
    await world.up(method());
    await updateByOthers(world, { Name: "sso", MaxTokenTTL: "1h" });
    const change = method({ oidcScopes: ["groups"] });
    expect(await failsUnsent(world, change)).toMatch(/^config: others have erased all of it.*pulumi refresh/);
    await world.up(change, { refresh: true });
    expect(stored(world)?.Config).toMatchObject({ OIDCScopes: ["groups"], OIDCClientSecret: "its-secret" });
  });

  test("keeps a secret when others have taken its client ID away, and an update of something else sends the rest", async () => {
    const world = await start();
    await world.up(method());
    const { OIDCDiscoveryURL, AllowedRedirectURIs } = stored(world)?.Config ?? {};
    const config = { OIDCDiscoveryURL, AllowedRedirectURIs, OIDCClientSecret: "theirs" };
    await updateByOthers(world, { Name: "sso", MaxTokenTTL: "1h", TokenLocality: "local", Config: config });
    await world.up(method({}, { maxTokenTtl: "2h" }));
    expect(stored(world)).toMatchObject({ MaxTokenTTL: "2h0m0s", Config: { OIDCClientID: "", OIDCClientSecret: "its-secret" } });
  });

  test("of type JWT with a client ID is not said to have a secret, and may be given one", async () => {
    const world = await start();
    const program = (secret: string) => only("AclAuthMethod", jwt({ oidcClientId: "cluster", oidcClientSecret: secret }));
    for (const secret of ["", "unused"]) {
      await world.up(program(secret));
      expect(world.outputs()).not.toHaveProperty("unmanagedSecrets");
      expect((await world.preview(program(secret), { refresh: true })).changes).toEqual([]);
      await world.destroy();
    }
  });

  test("that lacks what the server wants is an error that names the property", async () => {
    const world = await start();
    expect((await world.fails("up", only("AclAuthMethod", pkce()))).errors).toMatch(/^config\.oidcClientSecret: /);
  });

  test.each([true, "overwrite"])("of type JWT that the state does not know is taken over as it is by adopt: %j", async (adopt) => {
    const world = await start();
    await world.up(only("AclAuthMethod", jwt()));
    world.forget();
    const before = everything(world.simulator);
    const differing = await failsUnsent(world, only("AclAuthMethod", jwt({}, { adopt: "overwrite", maxTokenTtl: "2h" })));
    expect(differing).toMatch(/type JWT can't be updated.*Make the inputs equal.*delete it by hand/);
    await world.up(only("AclAuthMethod", jwt({}, { adopt })));
    expect(everything(world.simulator)).toEqual(before);
    expect(world.entry().id).toBe("ci");
  });

  test("of type JWT is made, read and deleted; a change of it is refused before anything is sent, and a forced replacement makes it", async () => {
    const world = await start();
    const program = (more = {}) => only("AclAuthMethod", jwt({ clockSkewLeeway: "10s" }, more), { deleteBeforeReplace: true });
    await world.up(program());
    expect((await world.preview(program(), { refresh: true })).changes).toEqual([]);
    const errors = await failsUnsent(world, program({ maxTokenTtl: "2h" }));
    expect(errors).toMatch(/maxTokenTtl: ACL auth method "ci": .*type JWT can't be updated.*pulumi up --replace/);
    await world.up(program({ maxTokenTtl: "2h" }), { replace: [world.entry().urn] });
    expect(world.simulator.cluster.methods.list()).toMatchObject([
      { Name: "ci", MaxTokenTTL: "2h0m0s", Config: { ClockSkewLeeway: "10s" } },
    ]);
    await world.up(nothing);
    expect(world.simulator.cluster.methods.list()).toEqual([]);
  });

  test("of type JWT that is to change is warned of by the preview, with what changes, and not where nothing of it is sent", async () => {
    const world = await start();
    await world.up(only("AclAuthMethod", jwt()));
    const changed = only("AclAuthMethod", jwt({ jwksUrl: "https://ci.test/other", boundAudiences: ["ci"] }));
    const { warnings } = await world.preview(changed);
    expect(warnings).toEqual([
      expect.stringMatching(/config\.jwksUrl and config\.boundAudiences: ACL auth method "ci": a server that gives no hash may refuse/),
    ]);
    expect(await failsUnsent(world, changed)).toMatch(/config\.jwksUrl and config\.boundAudiences: ACL auth method "ci": on this server/);
    for (const more of [{ adopt: true }, { name: "other" }])
      expect((await world.preview(only("AclAuthMethod", jwt({}, more)))).warnings).toEqual([]);
    expect((await world.up(only("AclAuthMethod", jwt({}, { adopt: true })))).writes).toEqual([]);
  });

  test("is no cause for that warning on a server that gives hashes, nor where an update may change what it changes", async () => {
    const measuredWorld = await measured();
    await measuredWorld.up(only("AclAuthMethod", jwt()));
    expect((await measuredWorld.up(only("AclAuthMethod", jwt({}, { maxTokenTtl: "2h" })))).warnings).toEqual([]);
    const world = await start();
    await world.up(method());
    expect((await world.preview(method({ oidcScopes: ["groups"] }))).warnings).toEqual([]);
    expect((await world.preview(method({ verboseLogging: true }))).warnings).toEqual([
      expect.stringMatching(/config\.verboseLogging: ACL auth method "sso": .*only a create sets this/),
    ]);
  });

  test("does not become one of type JWT, nor the other way round", async () => {
    const world = await start();
    await world.up(method());
    const becoming = only("AclAuthMethod", jwt({}, { name: "sso" }));
    expect(await failsUnsent(world, becoming)).toMatch(/\btype, config\..*: ACL auth method "sso": .*type JWT can't be updated/);
    await world.up(nothing);
    await world.up(becoming);
    expect(await failsUnsent(world, method())).toMatch(/type JWT can't be updated/);
  });

  test("keeps what only a create can set, and a change of that is refused by its name before anything is sent", async () => {
    const world = await start();
    await world.up(method({ verboseLogging: true }));
    await world.up(method({ verboseLogging: true, oidcScopes: ["groups"] }));
    expect(stored(world)?.Config).toMatchObject({ VerboseLogging: true, OIDCScopes: ["groups"] });
    expect(await failsUnsent(world, method({ oidcScopes: ["groups"] }))).toMatch(/config\.verboseLogging.*pulumi up --replace/);
  });

  test("with a field that the document lacks is an error that names it, the object is known, and without the field all is well", async () => {
    const world = await start();
    const { errors } = await world.fails("up", method({ boundIssuer: ["https://idp.test"] }));
    expect(errors).toContain("config.boundIssuer");
    expect(world.entry().id).toBe("sso");
    await world.up(method());
    expect((await world.preview(method(), { refresh: true })).changes).toEqual([]);
    await world.destroy();
    expect(world.simulator.cluster.methods.list()).toEqual([]);
  });
});

throughEveryAdapter("a role on a documented server", (measured) => {
  test("may have underscores in its name and 256 characters of any size in its description", async () => {
    const world = await measured({ dialect: "documented" });
    const program = only("AclRole", role({ name: "dev_ops", description: "ü".repeat(256) }));
    const { warnings } = await world.up(program);
    expect(warnings).toEqual([
      expect.stringContaining('ACL role "dev_ops": its description has 512 bytes, and some servers take 256 at most'),
    ]);
    expect(world.simulator.cluster.roles.list()).toMatchObject([{ Name: "dev_ops" }]);
    expect((await world.preview(program, { refresh: true })).changes).toEqual([]);
  });
});

throughEveryAdapter("a description that a measured server refuses, because it counts bytes", (start) => {
  test.each([
    ["a role's", (description: string) => only("AclRole", role({ description })), 'ACL role "dev"'],
    ["a rule's", (description: string) => only("AclBindingRule", rule({ description })), "A binding rule of sso"],
  ] as const)("is warned of by the preview: %s", async (_, program, label) => {
    const world = await start();
    world.simulator.cluster.methods.put({ Name: "sso" });
    const long = "ü".repeat(129);
    const { warnings } = await world.preview(program(long));
    expect(warnings).toEqual([expect.stringContaining(`${label}: its description has 258 bytes, and some servers take 256 at most`)]);
    expect((await world.fails("up", program(long))).errors).toContain("description");
    expect((await world.up(program("ü".repeat(128)))).warnings).toEqual([]);
  });
});
