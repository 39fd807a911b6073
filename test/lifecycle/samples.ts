import type { Inputs } from "../support/declared";

/** What the client secret of every auth method is that meets faults, so it can be looked for in all that is shown. */
export const clientSecret = "canary-client-secret-51c3";

/** The least that each kind can be declared with; a test adds what it is about. */
export function role(more: Inputs = {}): Inputs {
  return { name: "dev", policies: ["read"], ...more };
}

export function oidc(config: Inputs = {}, more: Inputs = {}): Inputs {
  return pkce({ oidcClientSecret: "its-secret", ...config }, more);
}

/** Without a client secret: a login by PKCE, which the document does not have. */
export function pkce(config: Inputs = {}, more: Inputs = {}): Inputs {
  return {
    name: "sso",
    type: "OIDC",
    tokenLocality: "local",
    maxTokenTtl: "1h",
    config: {
      oidcDiscoveryUrl: "https://idp.test",
      oidcClientId: "cluster",
      allowedRedirectUris: ["http://localhost/callback"],
      ...config,
    },
    ...more,
  };
}

export function jwt(config: Inputs = {}, more: Inputs = {}): Inputs {
  return {
    name: "ci",
    type: "JWT",
    tokenLocality: "local",
    maxTokenTtl: "1h",
    config: { jwksUrl: "https://ci.test/keys", ...config },
    ...more,
  };
}

/** Policies that every cluster of the tests has, for roles. */
export const givenPolicies = ["read", "write", "admin"];

/** What the policies of the tests allow. */
export const policyRules = 'namespace "default" { policy = "read" }';

export function policy(more: Inputs = {}): Inputs {
  return { name: "readers", rules: policyRules, ...more };
}

export function token(more: Inputs = {}): Inputs {
  return { name: "ci", type: "client", policies: ["read"], ...more };
}

export function rule(more: Inputs = {}): Inputs {
  return { authMethod: "sso", selector: "", bindType: "role", bindName: "dev", ...more };
}

export function pool(more: Inputs = {}): Inputs {
  return { name: "build", ...more };
}
