/**
 * Servers that follow the API's document to the letter. They return no hash of a method and no sign of its secret. An update of a
 * method erases the fields that it leaves out. If it has a config, the config's fields that only a create can set stay.
 */
import { everything, forgetSecrets } from "./contents";
import { nothing, only, type Program, type RunOptions, type TestStack, throughEveryAdapter } from "./harness";
import { jwt, oidc, pkce, role, rule } from "./samples";

const method = (config = {}, more = {}) => only("AclAuthMethod", oidc(config, more));
const stored = (stack: TestStack) => stack.simulator.cluster.methods.get("sso");
const noHash = /gives no hash of auth methods/;

/** Runs an update that must fail before it writes. @returns the errors */
async function failsUnsent(stack: TestStack, program: Program, options?: RunOptions): Promise<string> {
  const before = everything(stack.simulator);
  const { errors, writes } = await stack.fails("up", program, options);
  expect(writes).toEqual([]);
  expect(everything(stack.simulator)).toEqual(before);
  return errors;
}

/** Updates a method as another tool would. */
async function updateByOthers({ simulator }: TestStack, body: { readonly Name: string; readonly [field: string]: unknown }): Promise<void> {
  const headers = { "X-Cluster-Token": simulator.clusterToken };
  const address = `${simulator.clusterAddress}/v1/acl/auth-method/${body.Name}`;
  const { status } = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
  expect(status).toBe(200);
}

throughEveryAdapter("an auth method on a documented server", (measured) => {
  const start = () => measured({ dialect: "documented" });

  test("keeps its configuration and its secret through an update of another property, which sends all of it", async () => {
    const stack = await start();
    await stack.up(method({ oidcScopes: ["groups"], claimMappings: { team: "team" } }));
    const before = stored(stack)?.Config;
    const { requests } = await stack.up(method({ oidcScopes: ["groups"], claimMappings: { team: "team" } }, { maxTokenTtl: "2h" }));
    const [write] = requests.filter((request) => request.method === "POST");
    expect(write?.body).toMatchObject({ TokenLocality: "local", Config: { OIDCClientSecret: "its-secret", OIDCScopes: ["groups"] } });
    expect(stored(stack)).toMatchObject({ MaxTokenTTL: "2h0m0s", Config: before });
  });

  test("keeps the secret of others until the next update, and one warning of a refresh says that changes are invisible", async () => {
    const stack = await start();
    const names = ["sso", "two", "three"];
    const program =
      (more = {}): Program =>
      (declare) => {
        for (const name of names) declare("AclAuthMethod", name, oidc({}, { name, ...more }));
      };
    await stack.up(program());
    stack.simulator.cluster.rotateClientSecret("sso", "theirs");
    const { changes, warnings } = await stack.refresh();
    expect(changes).toEqual([]);
    expect(warnings.filter((warning) => noHash.test(warning))).toHaveLength(1);
    expect((await stack.up(program())).writes).toEqual([]);
    await stack.up(program({ maxTokenTtl: "2h" }));
    expect(names.map((name) => stack.simulator.cluster.methods.get(name)?.Config.OIDCClientSecret)).toEqual(names.map(() => "its-secret"));
  });

  test("whose secret the program lacks is not updated: the error names the property, and nothing is sent", async () => {
    const stack = await start();
    await stack.up(method());
    forgetSecrets(stack);
    for (const change of [pkce({}, { maxTokenTtl: "2h" }), pkce({ oidcScopes: ["groups"] })]) {
      expect(await failsUnsent(stack, only("AclAuthMethod", change))).toContain("config.oidcClientSecret");
    }
    await stack.up(method({}, { maxTokenTtl: "2h" }));
    expect(stored(stack)).toMatchObject({ MaxTokenTTL: "2h0m0s", Config: { OIDCClientSecret: "its-secret" } });
  });

  test("whose secret the program ignores is not updated, because others may have rotated it: the error says so, and nothing is sent", async () => {
    const stack = await start();
    const ignoring = (more = {}) => only("AclAuthMethod", oidc({}, more), { ignoreChanges: ["config.oidcClientSecret"] });
    await stack.up(ignoring());
    stack.simulator.cluster.rotateClientSecret("sso", "theirs");
    const errors = await failsUnsent(stack, ignoring({ maxTokenTtl: "2h" }));
    expect(errors).toMatch(/config\.oidcClientSecret.*ignoreChanges.*gives no hash/);
    await stack.up(method({}, { maxTokenTtl: "2h" }));
    expect(stored(stack)).toMatchObject({ MaxTokenTTL: "2h0m0s", Config: { OIDCClientSecret: "its-secret" } });
  });

  test("does not hand over the default without its secret, and neither method is touched", async () => {
    const stack = await start();
    const program =
      (first: boolean): Program =>
      (declare) => {
        declare("AclAuthMethod", "a", oidc({}, { name: "a", default: first }), { ignoreChanges: ["config.oidcClientSecret"] });
        declare("AclAuthMethod", "b", oidc({}, { name: "b", default: !first }));
      };
    await stack.up(program(true));
    stack.simulator.cluster.rotateClientSecret("a", "theirs");
    expect(await failsUnsent(stack, program(false), { parallel: 1 })).toContain("config.oidcClientSecret");
  });

  test("whose secret the program does not give is not overwritten by adopt", async () => {
    const stack = await start();
    await stack.up(method());
    stack.forget();
    const overwrite = only("AclAuthMethod", pkce({ oidcScopes: ["groups"] }, { adopt: "overwrite" }));
    expect(await failsUnsent(stack, overwrite)).toContain("config.oidcClientSecret");
  });

  test("whose configuration others have erased gets it back by the next update", async () => {
    const stack = await start();
    await stack.up(method());
    await updateByOthers(stack, { Name: "sso", MaxTokenTTL: "1h" });
    expect(stored(stack)).toMatchObject({ TokenLocality: "", Config: { OIDCClientID: "", OIDCClientSecret: "" } });
    await stack.up(method(), { refresh: true });
    expect(stored(stack)).toMatchObject({ TokenLocality: "local", Config: { OIDCClientSecret: "its-secret", OIDCClientID: "cluster" } });
    expect((await stack.preview(method(), { refresh: true })).changes).toEqual([]);
  });

  test("whose configuration others have erased is updated and gives up the default without a refresh", async () => {
    const stack = await start();
    const program =
      (ofSso: boolean, more = {}): Program =>
      (declare) => {
        declare("AclAuthMethod", "sso", oidc({}, { default: ofSso, ...more }));
        declare("AclAuthMethod", "next", oidc({}, { name: "next", default: !ofSso }));
      };
    await stack.up(program(true));
    await updateByOthers(stack, { Name: "sso", MaxTokenTTL: "1h", Default: true });
    await stack.up(program(true, { maxTokenTtl: "2h" }));
    expect(stored(stack)).toMatchObject({ MaxTokenTTL: "2h0m0s", Config: { OIDCClientID: "" } });
    await stack.up(program(false, { maxTokenTtl: "2h" }), { parallel: 1 });
    expect(stack.simulator.cluster.methods.list().map(({ Name, Default }) => [Name, Default])).toEqual([
      ["next", true],
      ["sso", false],
    ]);
    await stack.up(program(false, { maxTokenTtl: "2h" }), { refresh: true });
    expect(stored(stack)).toMatchObject({ TokenLocality: "local", Config: { OIDCClientSecret: "its-secret", OIDCClientID: "cluster" } });
  });

  test("whose configuration others have erased takes no change of a part of it before a refresh, as the error says", async () => {
    const stack = await start();
    await stack.up(method());
    await updateByOthers(stack, { Name: "sso", MaxTokenTTL: "1h" });
    const change = method({ oidcScopes: ["groups"] });
    expect(await failsUnsent(stack, change)).toMatch(/^config: others have erased all of it.*pulumi refresh/);
    await stack.up(change, { refresh: true });
    expect(stored(stack)?.Config).toMatchObject({ OIDCScopes: ["groups"], OIDCClientSecret: "its-secret" });
  });

  test("keeps its secret after others have erased its client ID", async () => {
    const stack = await start();
    await stack.up(method());
    const { OIDCDiscoveryURL, AllowedRedirectURIs } = stored(stack)?.Config ?? {};
    const config = { OIDCDiscoveryURL, AllowedRedirectURIs, OIDCClientSecret: "theirs" };
    await updateByOthers(stack, { Name: "sso", MaxTokenTTL: "1h", TokenLocality: "local", Config: config });
    await stack.up(method({}, { maxTokenTtl: "2h" }));
    expect(stored(stack)).toMatchObject({ MaxTokenTTL: "2h0m0s", Config: { OIDCClientID: "", OIDCClientSecret: "its-secret" } });
  });

  test("of type JWT with a client ID counts as one without a secret, and may get one", async () => {
    const stack = await start();
    const program = (secret: string) => only("AclAuthMethod", jwt({ oidcClientId: "cluster", oidcClientSecret: secret }));
    for (const secret of ["", "unused"]) {
      await stack.up(program(secret));
      expect(stack.outputs()).not.toHaveProperty("unmanagedSecrets");
      expect((await stack.preview(program(secret), { refresh: true })).changes).toEqual([]);
      await stack.destroy();
    }
  });

  test("without a required property is an error that names it", async () => {
    const stack = await start();
    expect((await stack.fails("up", only("AclAuthMethod", pkce()))).errors).toMatch(/^config\.oidcClientSecret: /);
  });

  test.each([true, "overwrite"])("of type JWT is taken over unchanged by adopt: %j", async (adopt) => {
    const stack = await start();
    await stack.up(only("AclAuthMethod", jwt()));
    stack.forget();
    const before = everything(stack.simulator);
    const differing = await failsUnsent(stack, only("AclAuthMethod", jwt({}, { adopt: "overwrite", maxTokenTtl: "2h" })));
    expect(differing).toMatch(/type JWT can't be updated.*Make the inputs equal.*delete it by hand/);
    await stack.up(only("AclAuthMethod", jwt({}, { adopt })));
    expect(everything(stack.simulator)).toEqual(before);
    expect(stack.entry().id).toBe("ci");
  });

  test("of type JWT is created, read and deleted; a change is refused before any request, and works by a forced replacement", async () => {
    const stack = await start();
    const program = (more = {}) => only("AclAuthMethod", jwt({ clockSkewLeeway: "10s" }, more), { deleteBeforeReplace: true });
    await stack.up(program());
    expect((await stack.preview(program(), { refresh: true })).changes).toEqual([]);
    const errors = await failsUnsent(stack, program({ maxTokenTtl: "2h" }));
    expect(errors).toMatch(/maxTokenTtl: ACL auth method "ci": .*type JWT can't be updated.*pulumi up --replace/);
    await stack.up(program({ maxTokenTtl: "2h" }), { replace: [stack.entry().urn] });
    expect(stack.simulator.cluster.methods.list()).toMatchObject([
      { Name: "ci", MaxTokenTTL: "2h0m0s", Config: { ClockSkewLeeway: "10s" } },
    ]);
    await stack.up(nothing);
    expect(stack.simulator.cluster.methods.list()).toEqual([]);
  });

  test("does not become one of type JWT, nor the other way round", async () => {
    const stack = await start();
    await stack.up(method());
    const becoming = only("AclAuthMethod", jwt({}, { name: "sso" }));
    expect(await failsUnsent(stack, becoming)).toMatch(/\btype, config\..*: ACL auth method "sso": .*type JWT can't be updated/);
    await stack.up(nothing);
    await stack.up(becoming);
    expect(await failsUnsent(stack, method())).toMatch(/type JWT can't be updated/);
  });

  test("keeps properties that only a create can set, and refuses their changes by name before any request", async () => {
    const stack = await start();
    await stack.up(method({ verboseLogging: true }));
    await stack.up(method({ verboseLogging: true, oidcScopes: ["groups"] }));
    expect(stored(stack)?.Config).toMatchObject({ VerboseLogging: true, OIDCScopes: ["groups"] });
    expect(await failsUnsent(stack, method({ oidcScopes: ["groups"] }))).toMatch(/config\.verboseLogging.*pulumi up --replace/);
  });

  test("with a field that the document lacks is an error that names it, and the object is in the state", async () => {
    const stack = await start();
    const { errors } = await stack.fails("up", method({ boundIssuer: ["https://idp.test"] }));
    expect(errors).toContain("config.boundIssuer");
    expect(stack.entry().id).toBe("sso");
    await stack.up(method());
    expect((await stack.preview(method(), { refresh: true })).changes).toEqual([]);
    await stack.destroy();
    expect(stack.simulator.cluster.methods.list()).toEqual([]);
  });
});

throughEveryAdapter("a role on a documented server", (measured) => {
  test("may have underscores in its name and 256 characters of any length in its description", async () => {
    const stack = await measured({ dialect: "documented" });
    const program = only("AclRole", role({ name: "dev_ops", description: "ü".repeat(256) }));
    const { warnings } = await stack.up(program);
    expect(warnings).toEqual([
      expect.stringContaining('ACL role "dev_ops": its description has 512 bytes, and some servers take 256 at most'),
    ]);
    expect(stack.simulator.cluster.roles.list()).toMatchObject([{ Name: "dev_ops" }]);
    expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
  });
});

throughEveryAdapter("a description that a measured server refuses, because it counts bytes", (start) => {
  test.each([
    ["a role's", (description: string) => only("AclRole", role({ description })), 'ACL role "dev"'],
    ["a rule's", (description: string) => only("AclBindingRule", rule({ description })), "A binding rule of sso"],
  ] as const)("causes a warning of the preview: %s", async (_, program, label) => {
    const stack = await start();
    stack.simulator.cluster.methods.put({ Name: "sso" });
    if (label !== 'ACL role "dev"') stack.simulator.cluster.roles.put({ Name: "dev", Policies: [{ Name: "read" }] });
    const long = "ü".repeat(129);
    const { warnings } = await stack.preview(program(long));
    expect(warnings).toEqual([expect.stringContaining(`${label}: its description has 258 bytes, and some servers take 256 at most`)]);
    expect((await stack.fails("up", program(long))).errors).toContain("description");
    expect((await stack.up(program("ü".repeat(128)))).warnings).toEqual([]);
  });
});
