import { unknown } from "../../common/unknown";
import { publicKeys } from "../../test/support/pem";
import { nowhere, operationWith } from "../../test/support/session";
import type { Resource } from "../lifecycle/resource";
import type { Properties } from "../model/remote";
import { aclAuthMethod } from "./acl-auth-method";
import { aclBindingRule } from "./acl-binding-rule";
import { aclRole } from "./acl-role";
import { agentPool } from "./agent-pool";

/** The result of check: the inputs, the failures as lines, and the warnings. */
function check(resource: Resource, news: Properties, around: { configured?: Properties; olds?: Properties; resourceName?: string } = {}) {
  const { context, warnings } = operationWith({ ...nowhere, ...around.configured });
  const given = { context, olds: around.olds ?? {}, resourceName: around.resourceName };
  const { inputs, failures } = resource.check(given, news);
  return { inputs, failures: failures.map(({ path, reason }) => `${path} ${reason}`), warnings };
}

/** The diff between two sets of inputs, each completed by check. */
function diff(resource: Resource, olds: Properties, news: Properties) {
  const [from, to] = [check(resource, olds), check(resource, news)];
  expect([...from.failures, ...to.failures]).toEqual([]);
  const { replaces, deleteBeforeReplace } = resource.diff(operationWith(nowhere).context, "id", { olds: from.inputs, news: to.inputs });
  return { replaces, deleteBeforeReplace };
}

describe("an agent pool", () => {
  const pool = { name: "build", organization: "example-org" };

  test("takes the resource's name where it gives none", () => {
    for (const name of [undefined, null]) {
      const checked = check(agentPool, { ...pool, name }, { resourceName: "from-the-program" });
      expect(checked).toMatchObject({ inputs: { name: "from-the-program" }, failures: [] });
    }
    expect(check(agentPool, pool, { resourceName: "other" }).inputs.name).toBe("build");
  });

  test("takes the organization of the program, then of the state, then of the configuration", () => {
    const configured = { organization: "configured" };
    expect(check(agentPool, pool, { configured, olds: { organization: "old" } }).inputs.organization).toBe("example-org");
    expect(check(agentPool, { name: "a" }, { configured, olds: { organization: "old" } }).inputs.organization).toBe("old");
    expect(check(agentPool, { name: "a" }, { configured }).inputs.organization).toBe("configured");
  });

  test("is for all workspaces unless it lists those that are allowed", () => {
    expect(check(agentPool, pool).inputs).toMatchObject({ organizationScoped: true });
    expect(check(agentPool, { ...pool, allowedWorkspaceIds: null }).inputs).toMatchObject({ organizationScoped: true });
    for (const allowedWorkspaceIds of [["ws-1"], [], [unknown]]) {
      expect(check(agentPool, { ...pool, allowedWorkspaceIds }).inputs).toMatchObject({ organizationScoped: false });
    }
    expect(check(agentPool, { ...pool, allowedWorkspaceIds: unknown }).inputs).toMatchObject({ organizationScoped: unknown });
    expect(check(agentPool, { ...pool, allowedWorkspaceIds: ["ws-1"], organizationScoped: true }).inputs).toMatchObject({
      organizationScoped: true,
    });
  });

  test("stays limited where neither is given, for as long as the state has it so", () => {
    const limited = check(agentPool, pool, { olds: { ...pool, organizationScoped: false } });
    expect(limited).toMatchObject({ inputs: { organizationScoped: false }, failures: [] });
    expect(limited.warnings).toEqual([expect.stringContaining('Agent pool "build": it stays limited (organizationScoped: false)')]);
    expect(check(agentPool, pool, { olds: { ...pool, organizationScoped: true } })).toMatchObject({
      inputs: { organizationScoped: true },
      warnings: [],
    });
  });

  test("warns where a list of workspaces means nothing beside organizationScoped: true, and only there", () => {
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

  test("is replaced by a change of its organization, made first there, because the name is free", () => {
    expect(diff(agentPool, pool, { ...pool, organization: "other" })).toEqual({ replaces: ["organization"], deleteBeforeReplace: false });
    expect(diff(agentPool, pool, { ...pool, name: "other" })).toEqual({ replaces: [], deleteBeforeReplace: false });
  });

  test("would be deleted first where a replacement is forced, because the name is taken", () => {
    expect(diff(agentPool, pool, pool)).toEqual({ replaces: [], deleteBeforeReplace: true });
  });
});

describe("an auth method", () => {
  const oidc = { oidcDiscoveryUrl: "https://idp.example.com", oidcClientId: "cluster", allowedRedirectUris: ["http://localhost"] };
  const method = { name: "sso", type: "OIDC", tokenLocality: "local", maxTokenTtl: "5m", config: oidc };
  const withConfig = (config: unknown, type: unknown = "OIDC") => check(aclAuthMethod, { ...method, type, config }).failures;

  test("of type OIDC needs discovery URL, client ID and a redirect address, and says so of all at once", () => {
    const failures = [
      "config.oidcDiscoveryUrl is required for OIDC",
      "config.oidcClientId is required for OIDC",
      "config.allowedRedirectUris must hold at least one address for OIDC",
    ];
    expect(withConfig({})).toEqual(failures);
    expect(withConfig({ oidcDiscoveryUrl: "", oidcClientId: "", allowedRedirectUris: [] })).toEqual(failures);
    expect(withConfig({ oidcDiscoveryUrl: null, oidcClientId: null, allowedRedirectUris: null })).toEqual(failures);
    expect(withConfig(oidc)).toEqual([]);
  });

  test("of type OIDC needs no client secret", () => {
    expect(withConfig({ ...oidc, oidcEnablePkce: true })).toEqual([]);
  });

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

  test("has the switches of OIDC where they may mean something, or are given", () => {
    const switches = { oidcEnablePkce: false, oidcDisableUserInfo: false };
    const configOf = (type: unknown, more = {}, olds = {}) => {
      const inputs = { ...method, type, config: { ...oidc, jwksUrl: "https://ci.test/keys", ...more } };
      return aclAuthMethod.check({ context: operationWith({}).context, olds, resourceName: undefined }, inputs).inputs.config;
    };
    for (const type of ["OIDC", unknown]) expect(configOf(type)).toMatchObject(switches);
    for (const more of [{}, { oidcEnablePkce: null }]) {
      expect(Object.keys(configOf("JWT", more) ?? {})).not.toEqual(expect.arrayContaining(["oidcEnablePkce"]));
    }
    expect(configOf("JWT", { oidcEnablePkce: false })).toMatchObject({ oidcEnablePkce: false });
    expect(configOf("JWT", {}, { type: "JWT", config: switches })).toMatchObject(switches);
    expect(configOf("JWT", { oidcEnablePkce: unknown })).toMatchObject({ oidcEnablePkce: unknown });
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

  test("never has a secret in a failure", () => {
    const failures = withConfig({
      ...oidc,
      oidcClientSecret: ["hunter2"],
      oidcClientAssertion: { privateKey: { pemKey: { pem: "hunter2" } } },
    });
    expect(failures).toHaveLength(2);
    expect(failures.join()).not.toContain("hunter2");
  });

  test("is replaced by another name, made first, and changes all else in place", () => {
    expect(diff(aclAuthMethod, method, { ...method, name: "other" })).toEqual({ replaces: ["name"], deleteBeforeReplace: false });
    expect(diff(aclAuthMethod, method, { ...method, type: "JWT", tokenLocality: "global", default: true })).toEqual({
      replaces: [],
      deleteBeforeReplace: true,
    });
  });

  test("that is the default is made beside the old one where its name changes, and the old one gives the default up", () => {
    const old = { ...method, default: true };
    for (const isDefault of [true, false, unknown])
      expect(diff(aclAuthMethod, old, { ...old, name: "other", default: isDefault })).toEqual({
        replaces: ["name"],
        deleteBeforeReplace: false,
      });
    expect(diff(aclAuthMethod, old, old)).toEqual({ replaces: [], deleteBeforeReplace: true });
  });
});

describe("a role", () => {
  test("without policies is warned of, left out or empty", () => {
    const warnings = (inputs: Properties) => check(aclRole, { name: "dev", ...inputs }).warnings;
    for (const policies of [undefined, null, []]) {
      expect(warnings({ policies })).toEqual(['ACL role "dev" has no policies: it grants nothing, and servers may refuse it.']);
      expect(warnings({ policies, name: unknown })).toEqual(["An ACL role has no policies: it grants nothing, and servers may refuse it."]);
    }
    for (const policies of [["read"], unknown, [unknown]]) expect(warnings({ policies })).toEqual([]);
  });

  test("is never replaced by a change, and would be deleted first where it is forced to", () => {
    const role = { name: "dev", policies: ["read"] };
    expect(diff(aclRole, role, { name: "ops", policies: ["write"], description: "x" })).toEqual({
      replaces: [],
      deleteBeforeReplace: false,
    });
    expect(diff(aclRole, role, { ...role, policies: ["write"] })).toEqual({ replaces: [], deleteBeforeReplace: true });
    expect(diff(aclRole, role, { ...role, name: unknown })).toEqual({ replaces: [], deleteBeforeReplace: false });
  });
});

describe("a binding rule", () => {
  const rule = { authMethod: "sso", selector: "a in b", bindType: "role", bindName: "dev" };
  const failures = (changed: Properties) => check(aclBindingRule, { ...rule, ...changed }).failures;

  test("for a role or a policy needs the name of it", () => {
    expect(failures({ bindName: undefined })).toEqual(['bindName is required when bindType is "role"']);
    expect(failures({ bindType: "policy", bindName: null })).toEqual(['bindName is required when bindType is "policy"']);
    expect(failures({ bindType: "policy" })).toEqual([]);
  });

  test("for management allows no name", () => {
    expect(failures({ bindType: "management" })).toEqual(['bindName is not allowed when bindType is "management"']);
    expect(failures({ bindType: "management", bindName: undefined })).toEqual([]);
    expect(failures({ bindType: "management", bindName: null })).toEqual([]);
  });

  test("is not judged again by what it breaks in the state already, and by everything else it is", () => {
    const olds = { authMethod: "sso", selector: "", bindType: "management" };
    const { selector: _, ...forgotten } = olds;
    expect(check(aclBindingRule, forgotten, { olds }).failures).toEqual([]);
    expect(check(aclBindingRule, forgotten, { olds: { ...olds, selector: "a in b" } }).failures).toHaveLength(1);
    expect(check(aclBindingRule, forgotten, { olds: { ...olds, bindType: "role", bindName: "dev" } }).failures).toHaveLength(1);
  });

  test("holds back where a preview does not know", () => {
    expect(failures({ bindType: unknown })).toEqual([]);
    expect(failures({ bindType: unknown, bindName: undefined })).toEqual([]);
    expect(failures({ bindName: unknown })).toEqual([]);
    expect(failures({ bindType: "management", bindName: unknown })).toEqual([]);
  });

  test("for management needs a selector in writing, the empty one too, lest a forgotten one give everything to everyone", () => {
    const reason = /^selector is required when bindType is "management": without one, everyone who logs in gets management rights/;
    for (const selector of [undefined, null]) {
      expect(failures({ bindType: "management", bindName: undefined, selector })).toEqual([expect.stringMatching(reason)]);
    }
    for (const selector of ["", "a in b", unknown]) {
      expect(failures({ bindType: "management", bindName: undefined, selector })).toEqual([]);
    }
    for (const bindType of ["role", "policy", unknown]) expect(failures({ bindType, selector: undefined })).toEqual([]);
  });

  test("without a selector, for a role or a policy, is warned of, and with an empty one that is written out it is not", () => {
    const warnings = (changed: Properties) => check(aclBindingRule, { ...rule, ...changed }).warnings;
    for (const selector of [undefined, null]) {
      expect(warnings({ selector })).toEqual([
        'A binding rule without a selector gives its role to everyone who logs in with sso. If that is intended, write selector: "".',
      ]);
      expect(warnings({ selector, bindType: "policy", authMethod: unknown })).toEqual([
        'A binding rule without a selector gives its policy to everyone who logs in with its auth method. If that is intended, write selector: "".',
      ]);
    }
    for (const selector of ["", "a in b", unknown]) expect(warnings({ selector })).toEqual([]);
  });

  test("warns where everyone who logs in gets management rights, and only there", () => {
    const management = { authMethod: "sso", selector: "", bindType: "management" };
    expect(check(aclBindingRule, management).warnings).toEqual([
      'ACL binding rule of auth method "sso", which gives management: selector is empty, so everyone who logs in with "sso" gets management. Write a selector that only administrators match.',
    ]);
    expect(check(aclBindingRule, { ...management, authMethod: unknown }).warnings[0]).toMatch(
      /everyone who logs in with its auth method gets management/,
    );
    expect(check(aclBindingRule, { ...management, selector: "a in b" }).warnings).toEqual([]);
    expect(check(aclBindingRule, { ...management, selector: unknown }).warnings).toEqual([]);
    expect(check(aclBindingRule, { ...rule, selector: "" }).warnings).toEqual([]);
  });

  test("that fails is not warned of", () => {
    expect(check(aclBindingRule, { ...rule, bindType: "management", selector: "" }).warnings).toEqual([]);
  });

  test("is replaced by another method or by management, and changes all else in place", () => {
    const management = { authMethod: "sso", selector: "a in b", bindType: "management" };
    expect(diff(aclBindingRule, rule, { ...rule, authMethod: "other" })).toEqual({ replaces: ["authMethod"], deleteBeforeReplace: false });
    expect(diff(aclBindingRule, rule, management)).toEqual({ replaces: ["bindType"], deleteBeforeReplace: false });
    expect(diff(aclBindingRule, management, rule)).toEqual({ replaces: [], deleteBeforeReplace: false });
    expect(diff(aclBindingRule, rule, { ...rule, bindType: "policy", selector: "", description: "x" })).toEqual({
      replaces: [],
      deleteBeforeReplace: false,
    });
    expect(diff(aclBindingRule, management, management)).toEqual({ replaces: [], deleteBeforeReplace: true });
  });
});
