import { unknown } from "../../common/unknown";
import { publicKeys } from "../../test/support/pem";
import { nowhere, operationWith } from "../../test/support/session";
import type { Resource } from "../lifecycle/resource";
import type { Properties } from "../model/remote";
import { aclAuthMethod } from "./acl-auth-method";
import { aclBindingRule } from "./acl-binding-rule";
import { agentPool } from "./agent-pool";

/** The result of a check, with the failures as lines. */
function check(resource: Resource, news: Properties, around: { configured?: Properties; olds?: Properties; resourceName?: string } = {}) {
  const { context, warnings } = operationWith({ ...nowhere, ...around.configured });
  const given = { context, olds: around.olds ?? {}, resourceName: around.resourceName };
  const { inputs, failures } = resource.check(given, news);
  return { inputs, failures: failures.map(({ path, reason }) => `${path} ${reason}`), warnings };
}

describe("an agent pool", () => {
  const pool = { name: "build", organization: "example-org" };

  test("causes a warning about allowedWorkspaceIds with organizationScoped: true, which makes them ineffective, and only then", () => {
    expect(check(agentPool, { ...pool, organizationScoped: true, allowedWorkspaceIds: ["ws-1"] }).warnings).toEqual([
      'Agent pool "build": organizationScoped: true lets every workspace use the pool, regardless of allowedWorkspaceIds.',
    ]);
    expect(check(agentPool, { ...pool, organizationScoped: false, allowedWorkspaceIds: ["ws-1"] }).warnings).toEqual([]);
    expect(check(agentPool, { ...pool, organizationScoped: true, allowedWorkspaceIds: [] }).warnings).toEqual([]);
    expect(check(agentPool, { ...pool, organizationScoped: unknown, allowedWorkspaceIds: ["ws-1"] }).warnings).toEqual([]);
  });

  test("causes a warning about drainTimeoutSeconds without forceDestroy, and only then", () => {
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

  test("of type OIDC without a client secret causes a warning if it is new, even with PKCE, and only then", () => {
    const warningsOf = (config: Properties, olds?: Properties) =>
      check(aclAuthMethod, { ...method, config: { ...oidc, ...config } }, { configured: nowhere, olds: olds ?? {} }).warnings;
    expect(warningsOf({})).toEqual([
      expect.stringMatching(
        /^ACL auth method "sso": type OIDC, and config has none of oidcClientSecret, oidcEnablePkce and oidcClientAssertion\./,
      ),
    ]);
    const adopting = check(aclAuthMethod, { ...method, config: oidc, adopt: true }, { configured: nowhere }).warnings;
    expect(adopting).toEqual([expect.stringMatching(/Give one of them, unless the adopted method has one\.$/)]);
    for (const given of [{ oidcClientSecret: "s" }, { oidcClientSecret: unknown }, { oidcClientSecret: "s", oidcEnablePkce: true }])
      expect(warningsOf(given)).toEqual([]);
    // Servers that follow the document refuse it with PKCE, too.
    for (const given of [{ oidcEnablePkce: true }, { oidcEnablePkce: unknown }])
      expect(warningsOf(given)).toEqual([
        expect.stringMatching(
          /^ACL auth method "sso": type OIDC, and config has oidcEnablePkce and no oidcClientSecret\. Servers that follow .* refuse/,
        ),
      ]);
    // The server may hold a secret that the program leaves out.
    expect(warningsOf({}, { ...method, config: oidc })).toEqual([]);
  });

  test("of type JWT needs a source of keys", () => {
    expect(withConfig({}, "JWT")).toEqual(["config needs one of oidcDiscoveryUrl, jwksUrl or jwtValidationPubKeys for JWT"]);
    expect(withConfig({ jwtValidationPubKeys: [], jwksUrl: "" }, "JWT")).toHaveLength(1);
    for (const config of [{ oidcDiscoveryUrl: "https://a" }, { jwksUrl: "https://a" }, { jwtValidationPubKeys: [...publicKeys] }]) {
      expect(withConfig(config, "JWT")).toEqual([]);
    }
  });

  test("is not checked for values that a preview does not know", () => {
    expect(withConfig({ oidcDiscoveryUrl: unknown, oidcClientId: unknown, allowedRedirectUris: [unknown] })).toEqual([]);
    expect(withConfig({ oidcDiscoveryUrl: unknown, oidcClientId: unknown, allowedRedirectUris: unknown })).toEqual([]);
    expect(withConfig(unknown)).toEqual([]);
    expect(withConfig({}, unknown)).toEqual([]);
    expect(withConfig({ jwksUrl: unknown }, "JWT")).toEqual([]);
  });

  test("of an unknown type is reported once, without errors about its configuration", () => {
    expect(withConfig({}, "SAML")).toEqual(['type must be "OIDC" or "JWT"']);
  });

  test("takes a discovery URL without its .well-known part only", () => {
    expect(withConfig({ ...oidc, oidcDiscoveryUrl: "https://idp.example.com/.well-known/openid-configuration" })).toEqual([
      "config.oidcDiscoveryUrl must be given without the .well-known part",
    ]);
  });

  test("is reported with all errors, of single properties and of combinations", () => {
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

describe("a binding rule", () => {
  const rule = { authMethod: "sso", selector: "a in b", bindType: "role", bindName: "dev" };
  const failures = (changed: Properties) => check(aclBindingRule, { ...rule, ...changed }).failures;

  test("is not checked for values that a preview does not know", () => {
    expect(failures({ bindType: unknown })).toEqual([]);
    expect(failures({ bindType: unknown, bindName: undefined })).toEqual([]);
    expect(failures({ bindName: unknown })).toEqual([]);
    expect(failures({ bindType: "management", bindName: unknown })).toEqual([]);
  });

  test("that fails causes no warning", () => {
    expect(check(aclBindingRule, { ...rule, bindType: "management", selector: "" }).warnings).toEqual([]);
  });
});
