import { readFileSync } from "node:fs";
import { join } from "node:path";
import { camelCase } from "../../../cli/import/names";
import { toProgram, toProperties } from "../../../cli/import/program";
import type { InventoryObject } from "../../../cli/inventory/inventory";
import { capitalized } from "../../../common/label";
import { functions } from "../../../provider/functions";
import { root } from "../../repository";
import type { Example } from "./example";

type Values = Readonly<Record<string, unknown>>;

/** A resource of a program. @param secrets the paths of inputs from the configuration */
function resource(kind: string, name: string, inputs: Values, secrets: readonly string[] = []): InventoryObject {
  return { kind, id: name, name, inputs, outputs: { organization: "example-org", ...inputs, unmanagedSecrets: secrets } };
}

const config = {
  oidcDiscoveryUrl: "https://idp.example.com",
  oidcClientId: "cluster",
  boundAudiences: ["cluster"],
  allowedRedirectUris: ["http://localhost:4649/oidc/callback"],
  listClaimMappings: { groups: "groups" },
};
const sso = resource("AclAuthMethod", "sso", { name: "sso", type: "OIDC", tokenLocality: "global", maxTokenTtl: "1h", config }, [
  "config.oidcClientSecret",
]);
const readJobs = resource("AclPolicy", "read-jobs", {
  name: "read-jobs",
  description: "Reads jobs of the default namespace",
  rules: 'namespace "default" { policy = "read" }',
});
const developers = resource("AclRole", "developers", { name: "developers", policies: ["read-jobs", "submit-jobs"] });
const engineers = resource("AclBindingRule", "engineers", {
  authMethod: "sso",
  description: "Engineers are developers",
  selector: "engineering in list.groups",
  bindType: "role",
  bindName: "developers",
});

const build = resource("AgentPool", "build", { name: "build", allowedWorkspaceIds: ["ws-abc123", "ws-def456"] });
const runners = resource("AgentToken", "runners", { agentPoolId: build.id, description: "Runners in the build cluster" });

const pipeline = resource("AclToken", "pipeline", {
  name: "pipeline",
  type: "client",
  policies: ["submit-jobs"],
  expirationTtl: "8h",
});

/** examples/from-nothing in other languages, with an identity provider that publishes its keys. */
const fromNothing = [
  allowing("develop", "Runs jobs in the namespace default"),
  allowing("operate", "Runs jobs in every namespace, and drains nodes"),
  resource("AclRole", "developers", { name: "developers", policies: ["develop"] }),
  resource("AclRole", "operators", { name: "operators", policies: ["operate"] }),
  resource("AclAuthMethod", "company", {
    name: "company",
    type: "JWT",
    tokenLocality: "local",
    maxTokenTtl: "8h",
    config: {
      oidcDiscoveryUrl: "https://login.example.com",
      boundIssuer: ["https://login.example.com"],
      boundAudiences: ["cluster"],
      listClaimMappings: { groups: "groups" },
    },
  }),
  binding("engineering", "Engineers are developers", "developers"),
  binding("operations", "Operations are operators", "operators"),
  resource("AgentPool", "runners", { name: "runners" }),
  resource("AgentToken", "runners", { agentPoolId: "runners", description: "Runners on the cluster's network" }),
];

/** A policy of examples/from-nothing, from the example's file. */
function allowing(name: string, description: string): InventoryObject {
  const rules = readFileSync(join(root, "examples/from-nothing/policies", `${name}.hcl`), "utf8");
  return resource("AclPolicy", name, { name, description, rules });
}

function binding(group: string, description: string, role: string): InventoryObject {
  const selector = `${group} in list.groups`;
  return resource("AclBindingRule", group, { authMethod: "company", description, selector, bindType: "role", bindName: role });
}

/** The examples of the documents, by their resource or function, and examples/from-nothing by its name. */
export const programs: Readonly<Record<string, Example>> = {
  "from-nothing": declare("From an empty cluster to a login", fromNothing, { agentToken: "token" }, []),
  AgentPool: declare("A pool for two workspaces", [build], { poolId: "id" }, ["apool-yoGUFz5zcRMMz53i", "example-org/build"]),
  AclAuthMethod: declare("Logins by OpenID Connect", [sso], { loginMethod: "name" }, ["sso"]),
  AclPolicy: declare("A policy for the default namespace", [readJobs], { policyName: "name" }, ["read-jobs"]),
  AclRole: declare("A role with two policies", [developers], { roleId: "id" }, ["f65c75d2-0a20-4e4d-88ae-71ae5c10ca8c", "developers"]),
  AclBindingRule: declare("Engineers are developers", [sso, developers, engineers], { ruleId: "id" }, [
    "a477e270-a6b4-45f8-a239-6de5e86b64d1",
    "sso/Engineers are developers",
    "sso/engineering in list.groups",
  ]),
  AgentToken: declare("A token for the agents of a pool", [build, runners], { tokenId: "id" }, [
    "apool-yoGUFz5zcRMMz53i/at-bonpPzYqv2bGD7vr",
    "at-bonpPzYqv2bGD7vr",
  ]),
  AclToken: declare("A token for a pipeline, for a working day", [pipeline], { accessorId: "accessorId" }, [
    "6023284f-5bd8-4a3e-858a-12347cd3590d",
  ]),
  getAgentPool: look("A pool by its name", "getAgentPool", { name: "build" }, { poolId: "id", agents: "agentCount" }),
  listAgentPools: look("The pools of an organization", "listAgentPools", { organization: "example-org" }, { pools: "agentPools" }),
  getAgent: look("An agent by its ID", "getAgent", { id: "agent-abc123" }, { status: "status" }),
  listAgents: look("The agents of a pool", "listAgents", { agentPoolId: "apool-abc123" }, { agents: "agents" }),
  getWorkspace: look("A workspace by its name", "getWorkspace", { name: "website" }, { workspaceId: "id" }),
  getProject: look("A project by its name", "getProject", { name: "shop" }, { projectId: "id" }),
  getAuthMethod: look("An auth method by its name", "getAuthMethod", { name: "sso" }, { type: "type", lifetime: "maxTokenTtl" }),
  listAuthMethods: look("All auth methods", "listAuthMethods", {}, { methods: "authMethods" }),
  getPolicy: look("A policy by its name", "getPolicy", { name: "read-jobs" }, { rules: "rules" }),
  listPolicies: look("All policies", "listPolicies", {}, { policies: "policies" }),
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
  getToken: look(
    "A token by its accessor ID",
    "getToken",
    { accessorId: "6023284f-5bd8-4a3e-858a-12347cd3590d" },
    { policies: "policies", roles: "roles" },
  ),
  listTokens: look("All tokens", "listTokens", {}, { tokens: "tokens" }),
};

type Outputs = Readonly<Record<string, string>>;

/** A program with these resources. The last one is its subject. @param ids the subject's IDs for `pulumi import`, one of each form */
function declare(title: string, objects: readonly InventoryObject[], outputs: Outputs, ids: readonly string[]): Example {
  const program = toProgram(objects, { withSecrets: true, spell: camelCase, basesOf: ({ name }) => [name] });
  const variable = program.declarations.at(-1)?.variable ?? "";
  const declarations = program.declarations.map((one) => (one.variable === variable ? { ...one, isReferredTo: true } : one));
  return { title, program: { ...program, declarations }, variable, outputs, ids };
}

/** A program that calls one function. @param outputs the properties of its result, by the names of the stack's outputs */
function look(title: string, name: string, values: Values, outputs: Outputs): Example {
  const called = functions.find((one) => one.name === name);
  if (!called) throw new Error(`an example calls the unknown ${name}`);
  const call = { name, arguments: toProperties(called.inputs, values, { path: "", type: capitalized(name), keys: new Map() }) };
  return { title, program: { declarations: [], secrets: [] }, call, variable: "found", outputs, ids: [] };
}
