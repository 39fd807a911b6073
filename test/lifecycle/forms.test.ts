// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the interpolation of the API itself
/** A text of the wrong form fails the preview, unless the state has the same text. */
import { certificates, privateKeys, publicKeys } from "../support/pem";
import { type Kind, only, throughEveryAdapter } from "./harness";
import { jwt, oidc, role, rule } from "./samples";

const wrong: readonly (readonly [property: string, kind: Kind, inputs: Record<string, unknown>, reason: string])[] = [
  ["selector", "AclBindingRule", rule({ selector: 'value.team = "ops"' }), 'at column 12 ("=")'],
  ["bindName", "AclBindingRule", rule({ bindName: "team-${value.team" }), "at its end (column 18)"],
  ["tokenNameFormat", "AclAuthMethod", oidc({}, { tokenNameFormat: "${}" }), 'at column 3 ("}")'],
  ["config.jwtValidationPubKeys[0]", "AclAuthMethod", jwt({ jwtValidationPubKeys: ["key-1"] }), "public key in PEM form"],
  ["config.jwtValidationPubKeys[1]", "AclAuthMethod", jwt({ jwtValidationPubKeys: [publicKeys[0], privateKeys[0]] }), "is a private one"],
  ["config.jwksCaCert", "AclAuthMethod", jwt({ jwksCaCert: publicKeys[0] }), "certificate in PEM form"],
  ["config.discoveryCaPem[0]", "AclAuthMethod", oidc({ discoveryCaPem: ["ca.pem"] }), "certificate in PEM form"],
  ["config.jwksUrl", "AclAuthMethod", jwt({ jwksUrl: "idp.test/keys" }), "an address like https://"],
  ["config.oidcDiscoveryUrl", "AclAuthMethod", oidc({ oidcDiscoveryUrl: "idp.test" }), "an address like https://"],
  ["config.allowedRedirectUris[0]", "AclAuthMethod", oidc({ allowedRedirectUris: ["/callback"] }), "a whole address"],
  [
    "config.oidcClientAssertion.privateKey.pemKey",
    "AclAuthMethod",
    oidc({ oidcClientAssertion: { keySource: "private_key", privateKey: { pemKey: "canary-no-key", keyId: "key" } } }),
    "private key in PEM form",
  ],
];

throughEveryAdapter("the form of a text", (start) => {
  test.each(wrong)(
    "of %s is checked before any request, and the error has only a position of the text",
    async (property, kind, inputs, reason) => {
      const stack = await start();
      for (const command of ["preview", "up"] as const) {
        const { errors, requests } = await stack.fails(command, only(kind, inputs));
        expect(errors).toContain(property);
        expect(errors).toContain(reason);
        expect(errors).not.toMatch(/canary|value\.team = |key-1|BEGIN PRIVATE KEY-----\n/);
        expect(requests).toEqual([]);
      }
    },
  );

  test("of a selector is checked if it changes, and not if the last update had it", async () => {
    const stack = await start();
    stack.simulator.cluster.methods.put({ Name: "sso" });
    await stack.up(only("AclBindingRule", rule({ selector: "a == b" })));
    // The server has this selector, as a server with other forms of selectors may.
    stack.simulator.cluster.rules.put({ ID: stack.entry().id, Selector: "groups HAS 'ops'" });
    await stack.refresh();
    const same = only("AclBindingRule", rule({ selector: "groups HAS 'ops'" }));
    expect((await stack.preview(same)).changes).toEqual([]);
    expect((await stack.up(same)).changes).toEqual([]);
    expect((await stack.preview(only("AclBindingRule", rule({ selector: "groups HAS 'ops'", description: "x" })))).changes).toEqual([
      "update AclBindingRule it",
    ]);
    expect((await stack.fails("preview", only("AclBindingRule", rule({ selector: "groups HAS 'dev'" })))).errors).toContain("selector");
  });

  test("of a key, a template or an address is not checked if the last update had it, in any order of a list", async () => {
    const stack = await start();
    await stack.up(only("AclAuthMethod", jwt({ jwtValidationPubKeys: [publicKeys[0]] })));
    const method = stack.simulator.cluster.methods.get("ci");
    if (!method) throw new Error("the method was not made");
    const old = { JWTValidationPubKeys: ["key-1", "key-2"], DiscoveryCaPem: ["ca"], JWKSURL: "idp.test/keys", JWKSCACert: "ca" };
    stack.simulator.cluster.methods.put({ Name: "ci", TokenNameFormat: "${", Config: { ...method.Config, ...old } });
    await stack.refresh();
    const config = { jwtValidationPubKeys: ["key-2", "key-1"], discoveryCaPem: ["ca"], jwksUrl: "idp.test/keys", jwksCaCert: "ca" };
    const program = only("AclAuthMethod", jwt(config, { tokenNameFormat: "${", maxTokenTtl: "2h" }));
    expect((await stack.up(program)).changes).toEqual(["update AclAuthMethod it"]);
    expect(stack.simulator.cluster.methods.get("ci")).toMatchObject({
      MaxTokenTTL: "2h0m0s",
      TokenNameFormat: "${",
      Config: { JWKSURL: "idp.test/keys" },
    });
    const next = only("AclAuthMethod", jwt({ ...config, jwtValidationPubKeys: ["key-2", "key-3"] }, { tokenNameFormat: "${" }));
    expect((await stack.fails("preview", next)).errors).toContain("config.jwtValidationPubKeys[1]");
  });

  test("accepts the texts that servers accept in practice", async () => {
    const stack = await start();
    const assertion = { keySource: "private_key", privateKey: { pemKey: privateKeys[0].replaceAll("\n", ""), keyId: "key" } };
    const config = {
      discoveryCaPem: [certificates[0].repeat(2)],
      oidcClientAssertion: assertion,
      allowedRedirectUris: ["com.example.app:/callback"],
    };
    const selector = "any list.groups as g { g matches `^ops-` }";
    const bindName = 'a-${value.team == "x" ? 1 : value.b}$${';
    await stack.up((declare) => {
      const sso = declare("AclAuthMethod", "sso", oidc(config, { tokenNameFormat: "${auth_method_name}-${value.user}" }));
      declare("AclAuthMethod", "ci", jwt({ jwtValidationPubKeys: [publicKeys[1], certificates[1]] }));
      declare("AclBindingRule", "rule", rule({ selector, bindName }), { dependsOn: [sso] });
    });
    expect(stack.simulator.cluster.rules.list()).toMatchObject([{ Selector: selector, BindName: bindName }]);
  });
});

throughEveryAdapter("optional inputs of the documents", (start) => {
  const withoutSelector = (more = {}) => {
    const { selector: _, ...inputs } = rule(more);
    return only("AclBindingRule", inputs);
  };

  test("a missing selector equals the empty one, and causes a warning that every login matches", async () => {
    const stack = await start();
    stack.simulator.cluster.methods.put({ Name: "sso" });
    await stack.up(only("AclBindingRule", rule()));
    const { changes, warnings } = await stack.preview(withoutSelector());
    expect(changes).toEqual([]);
    expect(warnings).toEqual([
      expect.stringContaining("A binding rule without a selector gives its role to everyone who logs in with sso."),
    ]);
    expect((await stack.up(withoutSelector())).writes).toEqual([]);
    expect((await stack.preview(only("AclBindingRule", rule()), { refresh: true })).warnings).toEqual([]);
    expect(stack.simulator.cluster.rules.list()).toMatchObject([{ Selector: "" }]);
  });

  test("a missing selector with management fails in the preview, and nothing is created", async () => {
    const stack = await start();
    stack.simulator.cluster.methods.put({ Name: "sso" });
    const { errors, requests } = await stack.fails("preview", only("AclBindingRule", { authMethod: "sso", bindType: "management" }));
    expect(errors).toContain('selector is required when bindType is "management"');
    expect(requests).toEqual([]);
    await stack.fails("up", only("AclBindingRule", { authMethod: "sso", bindType: "management" }));
    expect(stack.simulator.cluster.rules.list()).toEqual([]);
    const written = await stack.up(only("AclBindingRule", { authMethod: "sso", selector: "", bindType: "management" }));
    expect(written.warnings).toEqual([expect.stringContaining('everyone who logs in with "sso" gets management')]);
    expect(stack.simulator.cluster.rules.list()).toMatchObject([{ BindType: "management", Selector: "" }]);
  });

  test.each([undefined, []])(
    "a role without policies (%j) causes a warning, is created if the server accepts it, and shows no difference",
    async (policies) => {
      const stack = await start({ dialect: "documented" });
      const program = only("AclRole", role({ policies }));
      const { warnings } = await stack.preview(program);
      expect(warnings).toEqual([expect.stringContaining('ACL role "dev" has no policies: it grants nothing, and servers may refuse it.')]);
      await stack.up(program);
      expect(stack.simulator.cluster.roles.list()).toMatchObject([{ Name: "dev", Policies: [] }]);
      for (const same of [role({ policies: undefined }), role({ policies: [] })]) {
        expect((await stack.preview(only("AclRole", same), { refresh: true })).changes).toEqual([]);
      }
    },
  );
});
