// What a program of this release could declare: every kind, with the inputs that differ in how the state holds them.
const { AclAuthMethod, AclBindingRule, AclRole, AgentPool } = require("pulumi-agentpool-acl");

const pool = new AgentPool("least", { name: "least" });
new AgentPool("most", { name: "most", organizationScoped: true, forceDestroy: true, drainTimeoutSeconds: 30, adopt: true });

const role = new AclRole("developers", { name: "developers", description: pool.id.apply((id) => `Uses ${id}`), policies: ["read-only"] });
new AclRole(
  "ignored",
  { name: "ignored", policies: ["read-only", "deploy-development"], adopt: "overwrite" },
  { ignoreChanges: ["description"] },
);

const oidc = new AclAuthMethod("oidc", {
  name: "oidc",
  type: "OIDC",
  tokenLocality: "global",
  maxTokenTtl: "60m",
  default: true,
  config: {
    oidcDiscoveryUrl: "https://login.example.com",
    oidcClientId: "cluster",
    oidcClientSecret: "secret-of-the-program",
    oidcScopes: ["groups"],
    oidcEnablePkce: true,
    allowedRedirectUris: ["http://localhost:4649/oidc/callback"],
    claimMappings: { "https://example.com/name": "name" },
    listClaimMappings: { groups: "groups" },
    clockSkewLeeway: "30s",
    verboseLogging: true,
  },
});
const jwt = new AclAuthMethod(
  "jwt",
  {
    name: "jwt",
    type: "JWT",
    tokenLocality: "local",
    maxTokenTtl: "1h30m",
    tokenNameFormat: "$" + "{auth_method_name}",
    config: {
      jwksUrl: "https://ci.example.com/keys",
      boundAudiences: ["cluster"],
      boundIssuer: ["https://ci.example.com"],
      signingAlgs: ["RS256"],
      expirationLeeway: "1m",
      notBeforeLeeway: "-1s",
    },
  },
  { protect: true },
);

new AclBindingRule("role", { authMethod: oidc.name, selector: "engineering in list.groups", bindType: "role", bindName: role.name });
new AclBindingRule("policy", {
  authMethod: jwt.name,
  description: "Pipelines",
  selector: 'value.ref == "main"',
  bindType: "policy",
  bindName: "read-only",
});
new AclBindingRule("management", { authMethod: oidc.name, selector: "admins in list.groups", bindType: "management" });
