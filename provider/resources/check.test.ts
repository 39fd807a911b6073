import { unknown } from "../../common/unknown";
import { publicKeys } from "../../test/support/pem";
import { nowhere, operationWith } from "../../test/support/session";
import type { Resource } from "../lifecycle/resource";
import type { Properties } from "../model/remote";
import { aclAuthMethod } from "./acl-auth-method";
import { aclBindingRule } from "./acl-binding-rule";
import { agentPool } from "./agent-pool";

/** The result of check: the inputs, the failures as lines, and the warnings. */
function check(resource: Resource, news: Properties, around: { configured?: Properties; olds?: Properties; resourceName?: string } = {}) {
  const { context, warnings } = operationWith({ ...nowhere, ...around.configured });
  const given = { context, olds: around.olds ?? {}, resourceName: around.resourceName };
  const { inputs, failures } = resource.check(given, news);
  return { inputs, failures: failures.map(({ path, reason }) => `${path} ${reason}`), warnings };
}

describe("an agent pool", () => {
  const pool = { name: "build", organization: "example-org" };

  test("warns of a list of workspaces without effect because of organizationScoped: true, and only then", () => {
    expect(check(agentPool, { ...pool, organizationScoped: true, allowedWorkspaceIds: ["ws-1"] }).warnings).toEqual([
      'Agent pool "build": organizationScoped: true lets every workspace use the pool, regardless of allowedWorkspaceIds.',
    ]);
    expect(check(agentPool, { ...pool, organizationScoped: false, allowedWorkspaceIds: ["ws-1"] }).warnings).toEqual([]);
    expect(check(agentPool, { ...pool, organizationScoped: true, allowedWorkspaceIds: [] }).warnings).toEqual([]);
    expect(check(agentPool, { ...pool, organizationScoped: unknown, allowedWorkspaceIds: ["ws-1"] }).warnings).toEqual([]);
  });

  test("warns of drainTimeoutSeconds where nothing is drained, and only there", () => {
    expect(check(agentPool, { ...pool, drainTimeoutSeconds: 1.5 }).warnings).toEqual([
      'Agent pool "build": drainTimeoutSeconds has no effect without forceDestroy: true.',
    ]);
    for (const inputs of [
      { drainTimeoutSeconds: 0 },
      { drainTimeoutSeconds: 60, forceDestroy: true },
      { drainTimeoutSeconds: 60, forceDestroy: unknown },
    ])
      expect(check(agentPool, { ...pool, ...inputs }).warnings).toEqual([]);
  });
});

describe("an auth method", () => {
  const oidc = { oidcDiscoveryUrl: "https://idp.example.com", oidcClientId: "cluster", allowedRedirectUris: ["http://localhost"] };
  const method = { name: "sso", type: "OIDC", tokenLocality: "local", maxTokenTtl: "5m", config: oidc };
  const withConfig = (config: unknown, type: unknown = "OIDC") => check(aclAuthMethod, { ...method, type, config }).failures;

  test("of type OIDC that proves nothing to the provider is warned of when it is new, and only then", () => {
    const warningsOf = (config: Properties, olds?: Properties) =>
      check(aclAuthMethod, { ...method, config: { ...oidc, ...config } }, { configured: nowhere, olds: olds ?? {} }).warnings;
    expect(warningsOf({})).toEqual([
      expect.stringMatching(
        /^ACL auth method "sso": type OIDC, and config has none of oidcClientSecret, oidcEnablePkce and oidcClientAssertion\./,
      ),
    ]);
    for (const given of [{ oidcClientSecret: "s" }, { oidcClientSecret: unknown }, { oidcClientSecret: "s", oidcEnablePkce: true }])
      expect(warningsOf(given)).toEqual([]);
    // With PKCE as well: servers of the document refuse it.
    for (const given of [{ oidcEnablePkce: true }, { oidcEnablePkce: unknown }])
      expect(warningsOf(given)).toEqual([
        expect.stringMatching(
          /^ACL auth method "sso": type OIDC, and config has oidcEnablePkce and no oidcClientSecret\. Servers that follow .* refuse/,
        ),
      ]);
    // The server may hold a secret that the program leaves out.
    expect(warningsOf({}, { ...method, config: oidc })).toEqual([]);
  });

  test("of type JWT needs one source of keys", () => {
    expect(withConfig({}, "JWT")).toEqual(["config needs one of oidcDiscoveryUrl, jwksUrl or jwtValidationPubKeys for JWT"]);
    expect(withConfig({ jwtValidationPubKeys: [], jwksUrl: "" }, "JWT")).toHaveLength(1);
    for (const config of [{ oidcDiscoveryUrl: "https://a" }, { jwksUrl: "https://a" }, { jwtValidationPubKeys: [...publicKeys] }]) {
      expect(withConfig(config, "JWT")).toEqual([]);
    }
  });

  test("holds back where a preview does not know", () => {
    expect(withConfig({ oidcDiscoveryUrl: unknown, oidcClientId: unknown, allowedRedirectUris: [unknown] })).toEqual([]);
    expect(withConfig({ oidcDiscoveryUrl: unknown, oidcClientId: unknown, allowedRedirectUris: unknown })).toEqual([]);
    expect(withConfig(unknown)).toEqual([]);
    expect(withConfig({}, unknown)).toEqual([]);
    expect(withConfig({ jwksUrl: unknown }, "JWT")).toEqual([]);
  });

  test("of an unknown type is reported once, and its configuration is not checked by it", () => {
    expect(withConfig({}, "SAML")).toEqual(['type must be "OIDC" or "JWT"']);
  });

  test("takes the discovery URL without the part that the server adds", () => {
    expect(withConfig({ ...oidc, oidcDiscoveryUrl: "https://idp.example.com/.well-known/openid-configuration" })).toEqual([
      "config.oidcDiscoveryUrl must be given without the .well-known part",
    ]);
  });

  test("reports properties and rules between them at once", () => {
    expect(check(aclAuthMethod, { name: "a_b", type: "OIDC", maxTokenTtl: "1 day", config: { oidcScopes: "openid" } }).failures).toEqual([
      "name must be 1 to 128 letters, digits or dashes",
      "tokenLocality is required",
      'maxTokenTtl must be a duration like "60s", "5m" or "1h0m0s"',
      "config.oidcScopes must be a list, not a string",
      "config.oidcDiscoveryUrl is required for OIDC",
      "config.oidcClientId is required for OIDC",
      "config.allowedRedirectUris must hold at least one address for OIDC",
    ]);
  });
});

describe("a role", () => {});

describe("a binding rule", () => {
  const rule = { authMethod: "sso", selector: "a in b", bindType: "role", bindName: "dev" };
  const failures = (changed: Properties) => check(aclBindingRule, { ...rule, ...changed }).failures;

  test("holds back where a preview does not know", () => {
    expect(failures({ bindType: unknown })).toEqual([]);
    expect(failures({ bindType: unknown, bindName: undefined })).toEqual([]);
    expect(failures({ bindName: unknown })).toEqual([]);
    expect(failures({ bindType: "management", bindName: unknown })).toEqual([]);
  });

  test("that fails is not warned of", () => {
    expect(check(aclBindingRule, { ...rule, bindType: "management", selector: "" }).warnings).toEqual([]);
  });
});
