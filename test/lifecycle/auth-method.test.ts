import type { Fault } from "../../testing/simulator";
import { ellipticKeys } from "../support/pem";
import { everything } from "./contents";
import { only, type Program, type TestStack, throughEveryAdapter, toEveryServer } from "./harness";
import { at } from "./paths";
import { jwt, oidc, pkce, role, rule } from "./samples";

const method = (config = {}, more = {}) => only("AclAuthMethod", pkce(config, more));
/** A method with a secret. Its other properties equal those of the smallest program. */
const madeByHand = {
  Name: "sso",
  MaxTokenTTL: "1h",
  Config: {
    OIDCDiscoveryURL: "https://idp.test",
    OIDCClientID: "cluster",
    OIDCClientSecret: "theirs",
    AllowedRedirectURIs: ["http://localhost/callback"],
  },
};
const stored = (stack: TestStack) => stack.simulator.cluster.methods.get("sso");

toEveryServer("an auth method that others deleted and made again", (start) => {
  const begin = async () => {
    const stack = await start();
    await stack.up(only("AclAuthMethod", oidc()));
    stack.simulator.cluster.methods.delete("sso");
    const theirs = stack.simulator.cluster.methods.put({ Name: "sso", TokenLocality: "global" });
    return { stack, theirs };
  };

  test("is an error of a refresh and an update, with the ways on", async () => {
    const { stack, theirs } = await begin();
    const before = stack.properties();
    for (const attempt of [stack.fails("refresh"), stack.fails("up", only("AclAuthMethod", oidc({}, { maxTokenTtl: "2h" })))]) {
      const { errors } = await attempt;
      expect(errors).toContain(theirs.CreateTime);
      expect(errors).toMatch(/pulumi refresh.*AGENTPOOL_ACL_ACCEPT_MOVED_SERVER=true.*adopt: "overwrite"/s);
    }
    expect(stored(stack)).toEqual(theirs);
    expect(stack.properties()).toEqual(before);
  });

  test("stays after a destroy, which removes the entry with a warning", async () => {
    const { stack, theirs } = await begin();
    const { warnings } = await stack.destroy();
    expect(warnings.join()).toMatch(/created again by others.*Theirs was not touched/);
    expect(stored(stack)).toEqual(theirs);
    expect(stack.entries()).toEqual([]);
  });

  test("leaves the state by a refresh with AGENTPOOL_ACL_ACCEPT_MOVED_SERVER", async () => {
    const { stack, theirs } = await begin();
    await stack.refresh({ env: { AGENTPOOL_ACL_ACCEPT_MOVED_SERVER: "true" } });
    expect(stack.entries()).toEqual([]);
    expect(stored(stack)).toEqual(theirs);
  });
});

throughEveryAdapter("the secret of an auth method", (start) => {
  test("that the program does not give makes a change of config fail before any write, with the property's name", async () => {
    const stack = await start();
    await stack.up(method());
    stack.simulator.cluster.rotateClientSecret("sso", "canary");
    const before = everything(stack.simulator);
    const { errors, writes } = await stack.fails("up", method({ oidcScopes: ["groups"] }));
    expect(errors).toContain("config.oidcClientSecret: the server holds a secret that the program does not give");
    expect(writes).toEqual([]);
    expect(everything(stack.simulator)).toEqual(before);
  });

  test.each([false, true])("is never erased by an empty text of the program (adopt: %s)", async (adopt) => {
    const stack = await start();
    const empty = (config = {}) => method({ oidcClientSecret: "", ...config }, { adopt });
    if (adopt) stack.simulator.cluster.methods.put(madeByHand);
    await stack.up(empty());
    if (!adopt) stack.simulator.cluster.rotateClientSecret("sso", "theirs");
    const before = everything(stack.simulator);
    const { errors, writes } = await stack.fails("up", empty({ verboseLogging: true }));
    expect(errors).toContain("config.oidcClientSecret: the server holds a secret that the program does not give");
    expect(writes).toEqual([]);
    expect(everything(stack.simulator)).toEqual(before);
  });

  test("that the program does not give, and others change, is a warning of a refresh and no drift", async () => {
    const stack = await start();
    await stack.up(method());
    stack.simulator.cluster.rotateClientSecret("sso", "theirs");
    const { warnings, changes } = await stack.refresh();
    expect(changes).toEqual([]);
    expect(warnings.join()).toContain("someone has changed the secret of its configuration, which this program does not give");
  });

  test("that others change is drift of this property, and the next up writes the program's secret", async () => {
    const stack = await start();
    const program = method({ oidcClientSecret: "ours" });
    await stack.up(program);
    stack.simulator.cluster.rotateClientSecret("sso", "canary-theirs");
    const { warnings, changes } = await stack.refresh();
    expect(changes).toEqual(["refresh update AclAuthMethod it"]);
    expect(warnings.join()).toContain("config.oidcClientSecret was changed or rewritten outside of this program");
    expect(at(stack.inputs(), "config.oidcClientSecret")).toBe("(changed outside of this program)");
    expect((await stack.up(program)).writes).toHaveLength(1);
    expect(stored(stack)?.Config.OIDCClientSecret).toBe("ours");
    expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
  });

  test("that others change is written again by an update of another property, also without a refresh", async () => {
    const stack = await start();
    await stack.up(method({ oidcClientSecret: "ours" }));
    stack.simulator.cluster.rotateClientSecret("sso", "theirs");
    await stack.up(method({ oidcClientSecret: "ours" }, { maxTokenTtl: "2h" }));
    expect(stored(stack)?.Config.OIDCClientSecret).toBe("ours");
    expect((await stack.preview(method({ oidcClientSecret: "ours" }, { maxTokenTtl: "2h" }), { refresh: true })).changes).toEqual([]);
  });

  test.each([
    { what: "with the secret", secret: "theirs" },
    { what: "without touching the secret", secret: "ours" },
  ])("is written again after a change of others $what, if the program then agrees with their change", async ({ secret }) => {
    const stack = await start();
    await stack.up(method({ oidcClientSecret: "ours" }));
    stack.simulator.cluster.methods.put({ Name: "sso", MaxTokenTTL: "2h", Config: { OIDCClientSecret: secret } });
    const program = method({ oidcClientSecret: "ours" }, { maxTokenTtl: "2h" });
    expect((await stack.refresh()).warnings).toEqual([]);
    // A second refresh does not know the secret either, and does not report that others have changed it.
    expect((await stack.refresh()).warnings).toEqual([]);
    expect((await stack.up(program)).writes).toEqual(["POST /v1/acl/auth-method/sso"]);
    expect(stored(stack)).toMatchObject({ MaxTokenTTL: "2h0m0s", Config: { OIDCClientSecret: "ours" } });
    const { changes, warnings } = await stack.preview(program, { refresh: true });
    expect({ changes, warnings }).toEqual({ changes: [], warnings: [] });
  });

  test('that the program does not give keeps adopt: "overwrite" from erasing it', async () => {
    const stack = await start();
    stack.simulator.cluster.methods.put({ Name: "sso", Config: { OIDCClientSecret: "theirs" } });
    const before = everything(stack.simulator);
    const { errors } = await stack.fails("up", method({}, { adopt: "overwrite" }));
    expect(errors).toContain("config.oidcClientSecret: the server holds a secret that the program does not give");
    expect(everything(stack.simulator)).toEqual(before);
  });

  test.each([
    {
      what: "another change of config",
      ignored: "config.oidcClientSecret",
      change: oidc({ oidcClientSecret: "ours", oidcScopes: ["groups"] }),
    },
    { what: "another rotation", ignored: "config", change: oidc({ oidcClientSecret: "ours" }, { maxTokenTtl: "2h" }) },
  ])("that others changed, and the program ignores, is not overwritten by $what", async ({ ignored, change }) => {
    const stack = await start();
    await stack.up(method({ oidcClientSecret: "ours" }));
    stack.simulator.cluster.rotateClientSecret("sso", "theirs");
    await stack.refresh();
    stack.simulator.cluster.rotateClientSecret("sso", "theirs-again");
    const program = only("AclAuthMethod", change, { ignoreChanges: [ignored] });
    await stack.attempt("up", program);
    expect(stored(stack)?.Config.OIDCClientSecret).toBe("theirs-again");
  });

  test("that the state lacks and ignoreChanges names makes a change of config fail, and the error names ignoreChanges", async () => {
    const stack = await start();
    await stack.up(method());
    stack.simulator.cluster.rotateClientSecret("sso", "theirs");
    const before = everything(stack.simulator);
    const inputs = oidc({ oidcClientSecret: "ours", oidcScopes: ["groups"] });
    const { errors } = await stack.fails("up", only("AclAuthMethod", inputs, { ignoreChanges: ["config.oidcClientSecret"] }));
    expect(errors).toMatch(/config\.oidcClientSecret: the server holds a secret.*If ignoreChanges lists it, remove it there/);
    expect(everything(stack.simulator)).toEqual(before);
  });

  test("is not in the error about an assertion with the wrong algorithm", async () => {
    const stack = await start();
    const privateKey = { pemKey: ellipticKeys.privateKey, keyId: "key" };
    const oidcClientAssertion = { keySource: "private_key", keyAlgorithm: "ES256", privateKey };
    const { errors } = await stack.fails("up", method({ oidcClientAssertion }));
    expect(errors).toMatch(/^config\.oidcClientAssertion: .*400 /);
    expect(errors).not.toContain(ellipticKeys.privateKey.split("\n")[1]);
    expect(everything(stack.simulator)).toEqual([]);
  });

  test("that signs an assertion is unchanged by a refresh, kept by a change, and restored after a rotation", async () => {
    const stack = await start();
    const program = (more = {}) =>
      method({ oidcClientSecret: "a-secret-of-at-least-32-characters", oidcClientAssertion: { keySource: "client_secret" }, ...more });
    await stack.up(program());
    const before = stack.properties();
    expect((await stack.refresh()).changes).toEqual([]);
    expect(stack.properties()).toEqual(before);
    await stack.up(program({ oidcScopes: ["groups"] }));
    stack.simulator.cluster.rotateClientSecret("sso", "another-secret-of-at-least-32-characters");
    await stack.refresh();
    await stack.up(program({ oidcScopes: ["groups"] }));
    expect(stored(stack)?.Config).toMatchObject({
      OIDCClientSecret: "a-secret-of-at-least-32-characters",
      OIDCScopes: ["groups"],
      OIDCClientAssertion: { KeySource: "client_secret", ClientSecret: "a-secret-of-at-least-32-characters" },
    });
    expect((await stack.preview(program({ oidcScopes: ["groups"] }), { refresh: true })).changes).toEqual([]);
    expect(JSON.stringify(stack.simulator.journal.requests({ method: "POST" }))).not.toContain("redacted");
  });

  test("is never sent as the placeholder that the API returns", async () => {
    const stack = await start();
    const { journal } = stack.simulator;
    await stack.up(method({ oidcClientSecret: "ours" }));
    await stack.refresh();
    await stack.up(method({ oidcClientSecret: "ours", oidcScopes: ["groups"] }));
    await stack.up(method({ oidcClientSecret: "ours", oidcScopes: ["groups"] }, { default: true, maxTokenTtl: "2h" }));
    await stack.up(method({ oidcClientSecret: "newer" }));
    await stack.up(method({ oidcClientSecret: "newer" }, { adopt: "overwrite" }));
    await stack.refresh();
    await stack.up(method({}, { tokenLocality: "global" }));
    expect(journal.requests({ method: "POST" }).length).toBeGreaterThan(4);
    expect(JSON.stringify(journal.requests({ method: "POST" }).map(({ body }) => body))).not.toContain("redacted");
  });
});

throughEveryAdapter("changes that a server makes itself", (start) => {
  test("an unknown field of config survives a change of config", async () => {
    const stack = await start();
    await stack.up(method());
    const known = stored(stack);
    const future = { ...known, Config: { ...known?.Config, OIDCFutureFlag: true, OIDCFutureList: ["a"] } };
    const response: Fault = { kind: "malformed", body: JSON.stringify(future) };
    stack.simulator.faults.add({ method: "GET", path: "/v1/acl/auth-method/sso", fault: response });
    const { requests } = await stack.up(method({ oidcScopes: ["groups"] }));
    const write = requests.find((request) => request.method === "POST");
    expect(write?.body).toMatchObject({ Config: { OIDCFutureFlag: true, OIDCFutureList: ["a"], OIDCScopes: ["groups"] } });
  });

  test("a new hash without a change leads to one update at most", async () => {
    const stack = await start();
    const program = method({
      oidcClientSecret: "ours",
      claimMappings: { a: "one", b: "two" },
    });
    await stack.up(program);
    expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
    const before = stored(stack)?.Hash;
    stack.simulator.cluster.methods.put({ Name: "sso" });
    expect(stored(stack)?.Hash).not.toBe(before);
    await stack.refresh();
    await stack.up(program);
    for (let round = 0; round < 3; round++) {
      expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
      expect((await stack.refresh()).changes).toEqual([]);
    }
  });

  test("a new hash is no change if the program gives no secret", async () => {
    const stack = await start();
    const program = only("AclAuthMethod", jwt({ claimMappings: { a: "one", b: "two" } }));
    await stack.up(program);
    stack.simulator.cluster.methods.put({ Name: "ci" });
    expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
    expect((await stack.refresh()).warnings).toEqual([]);
  });
});

toEveryServer("rules that refer to an auth method", (start) => {
  test("and are older than the method cause a warning with their IDs, because they now apply", async () => {
    const stack = await start();
    const [one, two] = ["one", "two"].map((BindName) =>
      stack.simulator.cluster.rules.put({ AuthMethod: "sso", BindType: "role", BindName }),
    );
    stack.simulator.cluster.rules.put({ AuthMethod: "another", BindType: "management" });
    const { warnings } = await stack.up(only("AclAuthMethod", oidc()));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/2 older binding rules/);
    expect(warnings[0]).toContain(one?.ID);
    expect(warnings[0]).toContain(two?.ID);
  });

  test("cause a warning when the method is created again, including the program's own rules", async () => {
    const stack = await start();
    const program: Program = (declare) => {
      const sso = declare("AclAuthMethod", "it", oidc());
      declare("AclBindingRule", "rule", { authMethod: sso.output("name"), selector: "", bindType: "role", bindName: "ours" });
    };
    await stack.up(program);
    stack.simulator.cluster.methods.delete("sso");
    const theirs = stack.simulator.cluster.rules.put({ AuthMethod: "sso", BindType: "role", BindName: "theirs" });
    const { warnings } = await stack.up(program, { refresh: true });
    expect(warnings.join()).toMatch(
      /2 older binding rules that refer to this name apply to its logins from now on.*Unless this program manages them/,
    );
    expect(warnings.join()).toContain(theirs.ID);
  });

  test("and stay behind after its delete cause a warning with their grants and IDs", async () => {
    const stack = await start();
    await stack.up(only("AclAuthMethod", oidc()));
    const left = stack.simulator.cluster.rules.put({ AuthMethod: "sso", BindType: "role", BindName: "dev" });
    const all = stack.simulator.cluster.rules.put({ AuthMethod: "sso", BindType: "management" });
    const { warnings } = await stack.destroy();
    expect(warnings).toEqual([expect.stringContaining("leaves binding rules behind: 1 for ")]);
    expect(warnings.join()).toContain(`1 for the role "dev" (${left.ID})`);
    expect(warnings.join()).toContain(`1 for management (${all.ID})`);
    expect(everything(stack.simulator)).toEqual(expect.arrayContaining([left, all]));
  });

  test("and stay behind by retainOnDelete, when it is deleted before its replacement, cause the same warning", async () => {
    const stack = await start();
    stack.simulator.cluster.roles.put({ Name: "dev", Policies: [{ Name: "read" }] });
    const program =
      (name: string): Program =>
      (declare) => {
        const method = declare("AclAuthMethod", "method", oidc({}, { name }), { deleteBeforeReplace: true });
        declare("AclBindingRule", "rule", rule({ authMethod: method.output("name") }), { retainOnDelete: true });
      };
    await stack.up(program("old"));
    const { id } = stack.entry("rule");
    const { warnings } = await stack.up(program("new"));
    expect(warnings.join()).toContain(`leaves binding rules behind: 1 for the role "dev" (${id})`);
    expect(stack.simulator.cluster.rules.get(id)).toMatchObject({ AuthMethod: "old" });
  });
});

throughEveryAdapter("a preview of an OIDC method", (start) => {
  test("warns of settings that servers ignore for OIDC, and not for JWT", async () => {
    const stack = await start();
    const bound = { boundIssuer: ["https://idp.test"], clockSkewLeeway: "2m" };
    expect((await stack.preview(only("AclAuthMethod", oidc(bound)))).warnings).toEqual([
      'warning: ACL auth method "sso": config.boundIssuer, config.clockSkewLeeway: without effect for OIDC, where only oidcDiscoveryUrl determines the issuer. Leave it out.',
    ]);
    expect((await stack.preview(only("AclAuthMethod", oidc({ boundIssuer: [] })))).warnings).toEqual([]);
    expect((await stack.preview(only("AclAuthMethod", jwt(bound)))).warnings).toEqual([]);
  });

  test("warns of them without the name, while that is unknown", async () => {
    const stack = await start();
    const program: Program = (declare) => {
      const { id } = declare("AclRole", "role", role());
      declare("AclAuthMethod", "method", oidc({ boundIssuer: ["https://idp.test"] }, { name: id }));
    };
    const { warnings } = await stack.preview(program);
    expect(warnings.join()).toContain("An ACL auth method: config.boundIssuer: without effect for OIDC");
  });
});

throughEveryAdapter("a JWT method", (start) => {
  test.each([{}, { boundAudiences: [] }])(
    "without its former audiences causes one warning in each preview and update, and none afterwards: %j",
    async (config) => {
      const stack = await start();
      const without = only("AclAuthMethod", jwt(config));
      expect((await stack.up(only("AclAuthMethod", jwt({ boundAudiences: ["cluster"] })))).warnings).toEqual([]);
      const warning =
        'warning: ACL auth method "ci": config.boundAudiences becomes empty, so logins may use tokens that the issuer made for other services. ' +
        "If that is not intended, keep the audience of tokens for this cluster.";
      expect((await stack.preview(only("AclAuthMethod", jwt({ boundAudiences: ["other"] })))).warnings).toEqual([]);
      expect((await stack.preview(without)).warnings).toEqual([warning]);
      expect((await stack.preview(without, { refresh: true })).warnings).toEqual([warning]);
      expect((await stack.up(without)).warnings).toEqual([warning]);
      expect(stack.simulator.cluster.methods.get("ci")?.Config?.BoundAudiences ?? []).toEqual([]);
      expect((await stack.preview(without)).warnings).toEqual([]);
    },
  );
});
