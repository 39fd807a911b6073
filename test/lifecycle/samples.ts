import type { Inputs } from "../support/declared";

/** The client secret of the auth methods that programs of the fault matrix declare. The matrix looks for it in all output. */
export const clientSecret = "canary-client-secret-51c3";

/** Small declarations of the kinds with updates. A test adds its own inputs. */
export function role(more: Inputs = {}): Inputs {
  return { name: "dev", policies: ["read"], ...more };
}

export function oidc(config: Inputs = {}, more: Inputs = {}): Inputs {
  return pkce({ oidcClientSecret: "its-secret", ...config }, more);
}

/** A declaration without a client secret. The document requires a secret for a method of type OIDC. */
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

/** Policies that the cluster of every `TestStack` has from the start, for roles. */
export const givenPolicies = ["read", "write", "admin"];

/** The rules of `policy()`. */
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
