// Generated from the descriptions in resources/, functions/ and access-functions/ by `npm run generate`. Edit those.
import type * as pulumi from "@pulumi/pulumi";
import * as functions from "../functions";
import { dynamicResource } from "../program/dynamic";
import { callFunction, callFunctionOutput } from "../program/functions";
import { resourceClass } from "../program/resource-class";
import { refuseSameObject } from "../program/same-objects";
import * as aclAuthMethod from "../resources/acl-auth-method";
import * as aclBindingRule from "../resources/acl-binding-rule";
import * as aclPolicy from "../resources/acl-policy";
import * as aclRole from "../resources/acl-role";
import * as aclToken from "../resources/acl-token";
import * as agentPool from "../resources/agent-pool";
import * as agentToken from "../resources/agent-token";
import type * as f from "./functions";
import type * as r from "./resources";

export * from "./functions";
export * from "./resources";

/**
 * An agent pool of an organization of HCP Terraform or Terraform Enterprise: a group of self-hosted agents that run remote operations on private infrastructure.
 *
 * @example
 * import { AgentPool } from "pulumi-agentpool-acl";
 *
 * const build = new AgentPool("build", {
 *   name: "build",
 *   allowedWorkspaceIds: ["ws-abc123", "ws-def456"],
 * });
 *
 * export const poolId = build.id;
 */
export const AgentPool: r.AgentPoolClass = resourceClass(agentPool.agentPool, dynamicResource, refuseSameObject);
export type AgentPool = r.AgentPool;

/**
 * An ACL auth method of a Nomad cluster: how logins use an OIDC or JWT identity provider, and which kind of token they get.
 *
 * @example
 * import * as pulumi from "@pulumi/pulumi";
 * import { AclAuthMethod } from "pulumi-agentpool-acl";
 *
 * const config = new pulumi.Config();
 *
 * const sso = new AclAuthMethod("sso", {
 *   name: "sso",
 *   type: "OIDC",
 *   tokenLocality: "global",
 *   maxTokenTtl: "1h",
 *   config: {
 *     oidcDiscoveryUrl: "https://idp.example.com",
 *     oidcClientId: "cluster",
 *     oidcClientSecret: config.requireSecret("ssoClientSecret"),
 *     boundAudiences: ["cluster"],
 *     allowedRedirectUris: ["http://localhost:4649/oidc/callback"],
 *     listClaimMappings: {
 *       groups: "groups",
 *     },
 *   },
 * });
 *
 * export const loginMethod = sso.name;
 */
export const AclAuthMethod: r.AclAuthMethodClass = resourceClass(aclAuthMethod.aclAuthMethod, dynamicResource, refuseSameObject);
export type AclAuthMethod = r.AclAuthMethod;

/**
 * An ACL policy of a Nomad cluster: the permissions of roles and tokens that name it.
 *
 * @example
 * import { AclPolicy } from "pulumi-agentpool-acl";
 *
 * const readJobs = new AclPolicy("read-jobs", {
 *   name: "read-jobs",
 *   description: "Reads jobs of the default namespace",
 *   rules: 'namespace "default" { policy = "read" }',
 * });
 *
 * export const policyName = readJobs.name;
 */
export const AclPolicy: r.AclPolicyClass = resourceClass(aclPolicy.aclPolicy, dynamicResource, refuseSameObject);
export type AclPolicy = r.AclPolicy;

/**
 * An ACL role of a Nomad cluster: a name for a group of policies, which tokens and binding rules refer to.
 *
 * @example
 * import { AclRole } from "pulumi-agentpool-acl";
 *
 * const developers = new AclRole("developers", {
 *   name: "developers",
 *   policies: ["read-jobs", "submit-jobs"],
 * });
 *
 * export const roleId = developers.id;
 */
export const AclRole: r.AclRoleClass = resourceClass(aclRole.aclRole, dynamicResource, refuseSameObject);
export type AclRole = r.AclRole;

/**
 * An ACL binding rule of a Nomad cluster: the grant of an auth method's logins, by their claims.
 *
 * @example
 * import * as pulumi from "@pulumi/pulumi";
 * import { AclAuthMethod, AclBindingRule, AclRole } from "pulumi-agentpool-acl";
 *
 * const config = new pulumi.Config();
 *
 * const sso = new AclAuthMethod("sso", {
 *   name: "sso",
 *   type: "OIDC",
 *   tokenLocality: "global",
 *   maxTokenTtl: "1h",
 *   config: {
 *     oidcDiscoveryUrl: "https://idp.example.com",
 *     oidcClientId: "cluster",
 *     oidcClientSecret: config.requireSecret("ssoClientSecret"),
 *     boundAudiences: ["cluster"],
 *     allowedRedirectUris: ["http://localhost:4649/oidc/callback"],
 *     listClaimMappings: {
 *       groups: "groups",
 *     },
 *   },
 * });
 *
 * const developers = new AclRole("developers", {
 *   name: "developers",
 *   policies: ["read-jobs", "submit-jobs"],
 * });
 *
 * const engineers = new AclBindingRule("engineers", {
 *   authMethod: sso.name,
 *   description: "Engineers are developers",
 *   selector: "engineering in list.groups",
 *   bindType: "role",
 *   bindName: developers.name,
 * });
 *
 * export const ruleId = engineers.id;
 */
export const AclBindingRule: r.AclBindingRuleClass = resourceClass(aclBindingRule.aclBindingRule, dynamicResource, refuseSameObject);
export type AclBindingRule = r.AclBindingRule;

/**
 * A token by which agents join a pool of HCP Terraform or Terraform Enterprise. It is not in the agent pools' API document, but in the service's public reference.
 *
 * @example
 * import { AgentPool, AgentToken } from "pulumi-agentpool-acl";
 *
 * const build = new AgentPool("build", {
 *   name: "build",
 *   allowedWorkspaceIds: ["ws-abc123", "ws-def456"],
 * });
 *
 * const runners = new AgentToken("runners", {
 *   agentPoolId: build.id,
 *   description: "Runners in the build cluster",
 * }, { deletedWith: build });
 *
 * export const tokenId = runners.id;
 */
export const AgentToken: r.AgentTokenClass = resourceClass(agentToken.agentToken, dynamicResource, refuseSameObject);
export type AgentToken = r.AgentToken;

/**
 * An ACL token of a Nomad cluster. It is not in the API's document, and behaves as measured on servers of version 2.0.
 *
 * @example
 * import { AclToken } from "pulumi-agentpool-acl";
 *
 * const pipeline = new AclToken("pipeline", {
 *   name: "pipeline",
 *   type: "client",
 *   policies: ["submit-jobs"],
 *   expirationTtl: "8h",
 * });
 *
 * export const accessorId = pipeline.accessorId;
 */
export const AclToken: r.AclTokenClass = resourceClass(aclToken.aclToken, dynamicResource, refuseSameObject);
export type AclToken = r.AclToken;

/**
 * Looks up one agent by its ID. It fails when there is none.
 *
 * @example
 * import { getAgentOutput } from "pulumi-agentpool-acl";
 *
 * const found = getAgentOutput({
 *   id: "agent-abc123",
 * });
 *
 * export const status = found.status;
 */
export function getAgent(args: f.GetAgentArgs, options?: pulumi.InvokeOptions): Promise<f.GetAgentResult> {
  return callFunction(functions.getAgent, args, options);
}

/** getAgent, with arguments that may be outputs. */
export function getAgentOutput(args: f.GetAgentOutputArgs, options?: pulumi.InvokeOutputOptions): pulumi.Output<f.GetAgentResult> {
  return callFunctionOutput(functions.getAgent, args, options);
}

/**
 * Lists the agents of a pool, from all pages.
 *
 * @example
 * import { listAgentsOutput } from "pulumi-agentpool-acl";
 *
 * const found = listAgentsOutput({
 *   agentPoolId: "apool-abc123",
 * });
 *
 * export const agents = found.agents;
 */
export function listAgents(args: f.ListAgentsArgs, options?: pulumi.InvokeOptions): Promise<f.ListAgentsResult> {
  return callFunction(functions.listAgents, args, options);
}

/** listAgents, with arguments that may be outputs. */
export function listAgentsOutput(args: f.ListAgentsOutputArgs, options?: pulumi.InvokeOutputOptions): pulumi.Output<f.ListAgentsResult> {
  return callFunctionOutput(functions.listAgents, args, options);
}

/**
 * Looks up the ID of a workspace by its name, for `allowedWorkspaceIds` and `excludedWorkspaceIds` of a pool. It fails when there is none.
 *
 * @example
 * import { getWorkspaceOutput } from "pulumi-agentpool-acl";
 *
 * const found = getWorkspaceOutput({
 *   name: "website",
 * });
 *
 * export const workspaceId = found.id;
 */
export function getWorkspace(args: f.GetWorkspaceArgs, options?: pulumi.InvokeOptions): Promise<f.GetWorkspaceResult> {
  return callFunction(functions.getWorkspace, args, options);
}

/** getWorkspace, with arguments that may be outputs. */
export function getWorkspaceOutput(
  args: f.GetWorkspaceOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<f.GetWorkspaceResult> {
  return callFunctionOutput(functions.getWorkspace, args, options);
}

/**
 * Looks up the ID of a project by its name, for `allowedProjectIds` of a pool. It fails when there is none.
 *
 * @example
 * import { getProjectOutput } from "pulumi-agentpool-acl";
 *
 * const found = getProjectOutput({
 *   name: "shop",
 * });
 *
 * export const projectId = found.id;
 */
export function getProject(args: f.GetProjectArgs, options?: pulumi.InvokeOptions): Promise<f.GetProjectResult> {
  return callFunction(functions.getProject, args, options);
}

/** getProject, with arguments that may be outputs. */
export function getProjectOutput(args: f.GetProjectOutputArgs, options?: pulumi.InvokeOutputOptions): pulumi.Output<f.GetProjectResult> {
  return callFunctionOutput(functions.getProject, args, options);
}

/**
 * Looks up one agent pool, by its ID or by organization and name. It fails when there is none.
 *
 * @example
 * import { getAgentPoolOutput } from "pulumi-agentpool-acl";
 *
 * const found = getAgentPoolOutput({
 *   name: "build",
 * });
 *
 * export const poolId = found.id;
 * export const agents = found.agentCount;
 */
export function getAgentPool(args: f.GetAgentPoolArgs = {}, options?: pulumi.InvokeOptions): Promise<f.GetAgentPoolResult> {
  return callFunction(agentPool.getAgentPool, args, options);
}

/** getAgentPool, with arguments that may be outputs. */
export function getAgentPoolOutput(
  args: f.GetAgentPoolOutputArgs = {},
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<f.GetAgentPoolResult> {
  return callFunctionOutput(agentPool.getAgentPool, args, options);
}

/**
 * Lists the agent pools of an organization, from all pages.
 *
 * @example
 * import { listAgentPoolsOutput } from "pulumi-agentpool-acl";
 *
 * const found = listAgentPoolsOutput({
 *   organization: "example-org",
 * });
 *
 * export const pools = found.agentPools;
 */
export function listAgentPools(args: f.ListAgentPoolsArgs = {}, options?: pulumi.InvokeOptions): Promise<f.ListAgentPoolsResult> {
  return callFunction(agentPool.listAgentPools, args, options);
}

/** listAgentPools, with arguments that may be outputs. */
export function listAgentPoolsOutput(
  args: f.ListAgentPoolsOutputArgs = {},
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<f.ListAgentPoolsResult> {
  return callFunctionOutput(agentPool.listAgentPools, args, options);
}

/**
 * Looks up one ACL auth method by its name. It fails when there is none. The API does not return secrets, so they are left out.
 *
 * @example
 * import { getAuthMethodOutput } from "pulumi-agentpool-acl";
 *
 * const found = getAuthMethodOutput({
 *   name: "sso",
 * });
 *
 * export const type = found.type;
 * export const lifetime = found.maxTokenTtl;
 */
export function getAuthMethod(args: f.GetAuthMethodArgs, options?: pulumi.InvokeOptions): Promise<f.GetAuthMethodResult> {
  return callFunction(aclAuthMethod.getAuthMethod, args, options);
}

/** getAuthMethod, with arguments that may be outputs. */
export function getAuthMethodOutput(
  args: f.GetAuthMethodOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<f.GetAuthMethodResult> {
  return callFunctionOutput(aclAuthMethod.getAuthMethod, args, options);
}

/**
 * Lists the ACL auth methods of the cluster, without their configurations.
 *
 * @example
 * import { listAuthMethodsOutput } from "pulumi-agentpool-acl";
 *
 * const found = listAuthMethodsOutput();
 *
 * export const methods = found.authMethods;
 */
export function listAuthMethods(options?: pulumi.InvokeOptions): Promise<f.ListAuthMethodsResult> {
  return callFunction(aclAuthMethod.listAuthMethods, {}, options);
}

/** listAuthMethods, as an output. */
export function listAuthMethodsOutput(options?: pulumi.InvokeOutputOptions): pulumi.Output<f.ListAuthMethodsResult> {
  return callFunctionOutput(aclAuthMethod.listAuthMethods, {}, options);
}

/**
 * Looks up one ACL policy by its name. It fails when there is none.
 *
 * @example
 * import { getPolicyOutput } from "pulumi-agentpool-acl";
 *
 * const found = getPolicyOutput({
 *   name: "read-jobs",
 * });
 *
 * export const rules = found.rules;
 */
export function getPolicy(args: f.GetPolicyArgs, options?: pulumi.InvokeOptions): Promise<f.GetPolicyResult> {
  return callFunction(aclPolicy.getPolicy, args, options);
}

/** getPolicy, with arguments that may be outputs. */
export function getPolicyOutput(args: f.GetPolicyOutputArgs, options?: pulumi.InvokeOutputOptions): pulumi.Output<f.GetPolicyResult> {
  return callFunctionOutput(aclPolicy.getPolicy, args, options);
}

/**
 * Lists the ACL policies of the cluster that the token may see, without their rules.
 *
 * @example
 * import { listPoliciesOutput } from "pulumi-agentpool-acl";
 *
 * const found = listPoliciesOutput();
 *
 * export const policies = found.policies;
 */
export function listPolicies(options?: pulumi.InvokeOptions): Promise<f.ListPoliciesResult> {
  return callFunction(aclPolicy.listPolicies, {}, options);
}

/** listPolicies, as an output. */
export function listPoliciesOutput(options?: pulumi.InvokeOutputOptions): pulumi.Output<f.ListPoliciesResult> {
  return callFunctionOutput(aclPolicy.listPolicies, {}, options);
}

/**
 * Looks up one ACL role by its ID or its name. It fails when there is none.
 *
 * @example
 * import { getRoleOutput } from "pulumi-agentpool-acl";
 *
 * const found = getRoleOutput({
 *   name: "developers",
 * });
 *
 * export const policies = found.policies;
 */
export function getRole(args: f.GetRoleArgs = {}, options?: pulumi.InvokeOptions): Promise<f.GetRoleResult> {
  return callFunction(aclRole.getRole, args, options);
}

/** getRole, with arguments that may be outputs. */
export function getRoleOutput(args: f.GetRoleOutputArgs = {}, options?: pulumi.InvokeOutputOptions): pulumi.Output<f.GetRoleResult> {
  return callFunctionOutput(aclRole.getRole, args, options);
}

/**
 * Lists the ACL roles of the cluster that the token may see.
 *
 * @example
 * import { listRolesOutput } from "pulumi-agentpool-acl";
 *
 * const found = listRolesOutput({
 *   prefix: "a1b2",
 * });
 *
 * export const roles = found.roles;
 */
export function listRoles(args: f.ListRolesArgs = {}, options?: pulumi.InvokeOptions): Promise<f.ListRolesResult> {
  return callFunction(aclRole.listRoles, args, options);
}

/** listRoles, with arguments that may be outputs. */
export function listRolesOutput(args: f.ListRolesOutputArgs = {}, options?: pulumi.InvokeOutputOptions): pulumi.Output<f.ListRolesResult> {
  return callFunctionOutput(aclRole.listRoles, args, options);
}

/**
 * Looks up one ACL binding rule by its ID, or by its method and its description or selector. It fails when there is none. It also fails when several match.
 *
 * @example
 * import { getBindingRuleOutput } from "pulumi-agentpool-acl";
 *
 * const found = getBindingRuleOutput({
 *   id: "1a2b3c4d-0000-4000-8000-000000000000",
 * });
 *
 * export const selector = found.selector;
 */
export function getBindingRule(args: f.GetBindingRuleArgs, options?: pulumi.InvokeOptions): Promise<f.GetBindingRuleResult> {
  return callFunction(aclBindingRule.getBindingRule, args, options);
}

/** getBindingRule, with arguments that may be outputs. */
export function getBindingRuleOutput(
  args: f.GetBindingRuleOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<f.GetBindingRuleResult> {
  return callFunctionOutput(aclBindingRule.getBindingRule, args, options);
}

/**
 * Lists the ACL binding rules of the cluster, without their selectors, bind types and bind names.
 *
 * @example
 * import { listBindingRulesOutput } from "pulumi-agentpool-acl";
 *
 * const found = listBindingRulesOutput();
 *
 * export const rules = found.bindingRules;
 */
export function listBindingRules(options?: pulumi.InvokeOptions): Promise<f.ListBindingRulesResult> {
  return callFunction(aclBindingRule.listBindingRules, {}, options);
}

/** listBindingRules, as an output. */
export function listBindingRulesOutput(options?: pulumi.InvokeOutputOptions): pulumi.Output<f.ListBindingRulesResult> {
  return callFunctionOutput(aclBindingRule.listBindingRules, {}, options);
}

/**
 * Looks up one ACL token by its accessor ID, without its secret. It fails when there is none.
 *
 * @example
 * import { getTokenOutput } from "pulumi-agentpool-acl";
 *
 * const found = getTokenOutput({
 *   accessorId: "6023284f-5bd8-4a3e-858a-12347cd3590d",
 * });
 *
 * export const policies = found.policies;
 * export const roles = found.roles;
 */
export function getToken(args: f.GetTokenArgs, options?: pulumi.InvokeOptions): Promise<f.GetTokenResult> {
  return callFunction(aclToken.getToken, args, options);
}

/** getToken, with arguments that may be outputs. */
export function getTokenOutput(args: f.GetTokenOutputArgs, options?: pulumi.InvokeOutputOptions): pulumi.Output<f.GetTokenResult> {
  return callFunctionOutput(aclToken.getToken, args, options);
}

/**
 * Lists the ACL tokens of the region that is read from, without their secrets.
 *
 * @example
 * import { listTokensOutput } from "pulumi-agentpool-acl";
 *
 * const found = listTokensOutput();
 *
 * export const tokens = found.tokens;
 */
export function listTokens(options?: pulumi.InvokeOptions): Promise<f.ListTokensResult> {
  return callFunction(aclToken.listTokens, {}, options);
}

/** listTokens, as an output. */
export function listTokensOutput(options?: pulumi.InvokeOutputOptions): pulumi.Output<f.ListTokensResult> {
  return callFunctionOutput(aclToken.listTokens, {}, options);
}

/**
 * Explains what a login with these claims gets from an ACL auth method, without logging in. It reads the method, its binding rules, the roles and the names of the policies, and decides as the server does. A failed login is a result, not an error. As an output, the result is a secret.
 *
 * @example
 * import { explainLoginOutput } from "pulumi-agentpool-acl";
 *
 * const found = explainLoginOutput({
 *   authMethod: "sso",
 *   claims: {
 *     groups: ["engineering"],
 *     sub: "alice",
 *   },
 * });
 *
 * export const isAllowed = found.ok;
 * export const grants = found.token;
 */
export function explainLogin(args: f.ExplainLoginArgs, options?: pulumi.InvokeOptions): Promise<f.ExplainLoginResult> {
  return callFunction(functions.explainLogin, args, options);
}

/** explainLogin, with arguments that may be outputs. */
export function explainLoginOutput(
  args: f.ExplainLoginOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<f.ExplainLoginResult> {
  return callFunctionOutput(functions.explainLogin, args, options);
}

/**
 * Reads the ACL auth methods, binding rules, roles and policies of the cluster, and the links between them. It sends at most one request for each method and each rule.
 *
 * @example
 * import { getAccessGraphOutput } from "pulumi-agentpool-acl";
 *
 * const found = getAccessGraphOutput();
 *
 * export const policies = found.policies;
 * export const edges = found.edges;
 */
export function getAccessGraph(options?: pulumi.InvokeOptions): Promise<f.GetAccessGraphResult> {
  return callFunction(functions.getAccessGraph, {}, options);
}

/** getAccessGraph, as an output. */
export function getAccessGraphOutput(options?: pulumi.InvokeOutputOptions): pulumi.Output<f.GetAccessGraphResult> {
  return callFunctionOutput(functions.getAccessGraph, {}, options);
}
