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
