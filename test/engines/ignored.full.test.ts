/** `ignoreChanges` in whole programs, through both adapters. */
import { onBothEngines } from "../support/both-engines";
import { dynamicModule, pluginModule } from "../support/cli";
import type { Files } from "../support/programs";

jest.setTimeout(240_000);

const ignored = '["config.oidcClientSecret", "config.oidcScopes"]';

interface Declared {
  readonly module?: string;
  readonly name?: string;
  readonly ttl?: string;
  readonly audience?: string;
  readonly options?: string;
}

/** A method whose secret and scopes are managed elsewhere. */
function login({ module, name = "sso", ttl = "1h", audience = "cluster", options = `{ ignoreChanges: ${ignored} }` }: Declared): Files {
  return {
    "index.js": `const { AclAuthMethod } = require("${module}");
new AclAuthMethod("sso", {
  name: "${name}", type: "OIDC", tokenLocality: "local", maxTokenTtl: "${ttl}",
  config: {
    oidcDiscoveryUrl: "https://login.example.com", oidcClientId: "cluster", oidcClientSecret: "s1", oidcScopes: ["openid"],
    allowedRedirectUris: ["http://localhost/callback"], boundAudiences: ["${audience}"],
  },
}, ${options});
`,
  };
}

it.each([dynamicModule, pluginModule])("what ignoreChanges names keeps the value of others, on the server too (%s)", async (module) => {
  await onBothEngines(login({ module }), async ({ engine, simulator, rewrite }) => {
    expect((await engine.run("up")).errors).toEqual([]);
    const { methods } = simulator.cluster;
    const config = () => methods.get("sso")?.Config;
    methods.put({ Name: "sso", Config: { OIDCClientSecret: "s2", OIDCScopes: ["openid", "groups"] } });
    rewrite(login({ module, ttl: "2h" }));
    expect((await engine.run("up")).errors).toEqual([]);
    expect(methods.get("sso")).toMatchObject({
      MaxTokenTTL: "2h0m0s",
      Config: { OIDCClientSecret: "s2", OIDCScopes: ["openid", "groups"] },
    });
    expect((await engine.run("refresh")).errors).toEqual([]);
    expect(await engine.run("up")).toMatchObject({ errors: [], changes: [] });

    rewrite(login({ module, ttl: "2h", audience: "another" }));
    expect((await engine.run("preview")).errors.join()).toContain("config.oidcClientSecret: others have changed this secret");
    expect((await engine.run("up")).errors.join()).toContain("config.oidcClientSecret: others have changed this secret");
    rewrite(login({ module, ttl: "2h", name: "other" }));
    expect((await engine.run("up")).errors.join()).toMatch(/config\.oidcClientSecret was changed by others.*Nothing was deleted or made/);
    expect(methods.list().map(({ Name }) => Name)).toEqual(["sso"]);
    expect(config()).toMatchObject({ OIDCClientSecret: "s2", OIDCScopes: ["openid", "groups"], BoundAudiences: ["cluster"] });

    rewrite(login({ module, ttl: "2h", audience: "another", options: "{}" }));
    expect((await engine.run("up")).errors).toEqual([]);
    expect(config()).toMatchObject({ OIDCClientSecret: "s1", OIDCScopes: ["openid"], BoundAudiences: ["another"] });
    expect(await engine.run("preview", { refresh: true })).toMatchObject({ errors: [], changes: [] });
  });
});

it("a stack that moves to the plugin and back ignores the same, and the moves change nothing", async () => {
  await onBothEngines(login({ module: dynamicModule }), async ({ engine, simulator, rewrite }) => {
    expect((await engine.run("up")).errors).toEqual([]);
    simulator.cluster.rotateClientSecret("sso", "s2");
    for (const [module, ttl] of [
      [pluginModule, "1h"],
      [pluginModule, "2h"],
      [dynamicModule, "2h"],
      [dynamicModule, "3h"],
    ] as const) {
      rewrite(login({ module, ttl }));
      expect((await engine.run("up")).errors).toEqual([]);
      expect(simulator.cluster.methods.get("sso")).toMatchObject({
        MaxTokenTTL: `${ttl.slice(0, 1)}h0m0s`,
        Config: { OIDCClientSecret: "s2" },
      });
    }
  });
});
