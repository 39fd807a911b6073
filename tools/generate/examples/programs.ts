import { type Program, Reference, SecretKey, type Values } from "./program";

const of = (variable: string, property: string) => new Reference(variable, property);

const sso = {
  name: "sso",
  type: "OIDC",
  tokenLocality: "global",
  maxTokenTtl: "1h",
  config: {
    oidcDiscoveryUrl: "https://idp.example.com",
    oidcClientId: "cluster",
    oidcClientSecret: new SecretKey("clientSecret"),
    boundAudiences: ["cluster"],
    allowedRedirectUris: ["http://localhost:4649/oidc/callback"],
    listClaimMappings: { groups: "groups" },
  },
};
const developers = { name: "developers", policies: ["read-jobs", "submit-jobs"] };

/** The examples of the documents, by the resource or function that they are for. */
export const programs: Readonly<Record<string, Program>> = {
  AgentPool: {
    title: "A pool for two workspaces",
    steps: [{ variable: "build", kind: "AgentPool", properties: { name: "build", allowedWorkspaceIds: ["ws-abc123", "ws-def456"] } }],
    outputs: { poolId: of("build", "id") },
    ids: ["apool-yoGUFz5zcRMMz53i", "example-org/build"],
  },
  AclAuthMethod: {
    title: "Logins by OpenID Connect",
    steps: [{ variable: "sso", kind: "AclAuthMethod", properties: sso }],
    outputs: { loginMethod: of("sso", "name") },
    ids: ["sso"],
  },
  AclRole: {
    title: "A role with two policies",
    steps: [{ variable: "developers", kind: "AclRole", properties: developers }],
    outputs: { roleId: of("developers", "id") },
    ids: ["f65c75d2-0a20-4e4d-88ae-71ae5c10ca8c", "developers"],
  },
  AclBindingRule: {
    title: "Engineers are developers",
    steps: [
      { variable: "sso", kind: "AclAuthMethod", properties: sso },
      { variable: "developers", kind: "AclRole", properties: developers },
      {
        variable: "engineers",
        kind: "AclBindingRule",
        properties: {
          authMethod: of("sso", "name"),
          description: "Engineers are developers",
          selector: "engineering in list.groups",
          bindType: "role",
          bindName: of("developers", "name"),
        },
      },
    ],
    outputs: { ruleId: of("engineers", "id") },
    ids: ["a477e270-a6b4-45f8-a239-6de5e86b64d1", "sso/Engineers are developers", "sso/engineering in list.groups"],
  },
  getAgentPool: look("A pool by its name", "getAgentPool", { name: "build" }, { poolId: "id", agents: "agentCount" }),
  listAgentPools: look("The pools of an organization", "listAgentPools", { organization: "example-org" }, { pools: "agentPools" }),
  getAgent: look("An agent by its ID", "getAgent", { id: "agent-abc123" }, { status: "status" }),
  listAgents: look("The agents of a pool", "listAgents", { agentPoolId: "apool-abc123" }, { agents: "agents" }),
  getAuthMethod: look("An auth method by its name", "getAuthMethod", { name: "sso" }, { type: "type", lifetime: "maxTokenTtl" }),
  listAuthMethods: look("All auth methods", "listAuthMethods", {}, { methods: "authMethods" }),
  getRole: look("A role by its name", "getRole", { name: "developers" }, { policies: "policies" }),
  listRoles: look("The roles whose IDs begin alike", "listRoles", { prefix: "a1b2" }, { roles: "roles" }),
  getBindingRule: look(
    "A binding rule by its ID",
    "getBindingRule",
    { id: "1a2b3c4d-0000-4000-8000-000000000000" },
    { selector: "selector" },
  ),
  explainLogin: look(
    "What an engineer gets",
    "explainLogin",
    { authMethod: "sso", claims: { sub: "alice", groups: ["engineering"] } },
    { isAllowed: "ok", grants: "token" },
  ),
  getAccessGraph: look("All of the access to a cluster", "getAccessGraph", {}, { policies: "policies", edges: "edges" }),
  listBindingRules: look("All binding rules", "listBindingRules", {}, { rules: "bindingRules" }),
};

/** The call of one function. @param outputs the properties of its result, by the names of the stack's outputs */
function look(title: string, call: string, properties: Values, outputs: Readonly<Record<string, string>>): Program {
  return {
    title,
    steps: [{ variable: "found", call, properties }],
    outputs: Object.fromEntries(Object.entries(outputs).map(([name, property]) => [name, of("found", property)])),
  };
}
