// Generated from the descriptions in functions/, resources/ and access-functions/ by `npm run generate`. Edit those.
import type * as pulumi from "@pulumi/pulumi";

/** The arguments of getAgent. */
export interface GetAgentArgs {
  /** Identifier of the agent. */
  readonly id: string;
  /** `workspaces`: the result also has the workspaces that are attached to the pool of the agents. */
  readonly include?: "workspaces";
}

/** The arguments of getAgentOutput. */
export interface GetAgentOutputArgs {
  /** Identifier of the agent. */
  id: pulumi.Input<string>;
  /** `workspaces`: the result also has the workspaces that are attached to the pool of the agents. */
  include?: pulumi.Input<"workspaces">;
}

/** A workspace that is attached to the agent's pool. */
export interface GetAgentWorkspace {
  /** Identifier of the workspace. */
  readonly id: string;
  /** Name of the workspace. Left out if the service does not return it. */
  readonly name?: string;
}

/** Link to the agent: a path or an address, as the service returns it. */
export interface GetAgentLinks {
  /** The agent itself. */
  readonly self?: string;
}

/** The result of getAgent. */
export interface GetAgentResult {
  /** Identifier of the agent, with the prefix `agent-`. */
  readonly id: string;
  /** Name of the agent; left out when it has none. */
  readonly name?: string;
  /** Status of the agent: `idle`, `busy`, `exited`, `errored`, `unknown`, or another one of the service. */
  readonly status: string;
  /** IP address of the agent. */
  readonly ipAddress: string;
  /** Time of the agent's last ping (ISO 8601 with milliseconds, UTC). */
  readonly lastPingAt: string;
  /** The workspaces that are attached to the agent's pool, with their names. Only with `include`, if the service returns them. */
  readonly workspaces?: GetAgentWorkspace[];
  /** Link to the agent: a path or an address, as the service returns it. */
  readonly links: GetAgentLinks;
}

/** The arguments of listAgents. */
export interface ListAgentsArgs {
  /** Identifier of the pool. */
  readonly agentPoolId: string;
  /** Only agents that have pinged since this time: an ISO 8601 timestamp like "2026-01-15T00:00:00Z". Default: all agents. */
  readonly lastPingSince?: string;
  /** `workspaces`: the result also has the workspaces that are attached to the pool of the agents. */
  readonly include?: "workspaces";
}

/** The arguments of listAgentsOutput. */
export interface ListAgentsOutputArgs {
  /** Identifier of the pool. */
  agentPoolId: pulumi.Input<string>;
  /** Only agents that have pinged since this time: an ISO 8601 timestamp like "2026-01-15T00:00:00Z". Default: all agents. */
  lastPingSince?: pulumi.Input<string>;
  /** `workspaces`: the result also has the workspaces that are attached to the pool of the agents. */
  include?: pulumi.Input<"workspaces">;
}

/** A workspace that is attached to the agent's pool. */
export interface ListAgentsAgentWorkspace {
  /** Identifier of the workspace. */
  readonly id: string;
  /** Name of the workspace. Left out if the service does not return it. */
  readonly name?: string;
}

/** Link to the agent: a path or an address, as the service returns it. */
export interface ListAgentsAgentLinks {
  /** The agent itself. */
  readonly self?: string;
}

/** An agent. */
export interface ListAgentsAgent {
  /** Identifier of the agent, with the prefix `agent-`. */
  readonly id: string;
  /** Name of the agent; left out when it has none. */
  readonly name?: string;
  /** Status of the agent: `idle`, `busy`, `exited`, `errored`, `unknown`, or another one of the service. */
  readonly status: string;
  /** IP address of the agent. */
  readonly ipAddress: string;
  /** Time of the agent's last ping (ISO 8601 with milliseconds, UTC). */
  readonly lastPingAt: string;
  /** The workspaces that are attached to the agent's pool, with their names. Only with `include`, if the service returns them. */
  readonly workspaces?: ListAgentsAgentWorkspace[];
  /** Link to the agent: a path or an address, as the service returns it. */
  readonly links: ListAgentsAgentLinks;
}

/** The result of listAgents. */
export interface ListAgentsResult {
  /** The agents. */
  readonly agents: ListAgentsAgent[];
}

/** The arguments of getWorkspace. */
export interface GetWorkspaceArgs {
  /** Name of the organization. Default: the one of the configuration. */
  readonly organization?: string;
  /** Name of the workspace. */
  readonly name: string;
}

/** The arguments of getWorkspaceOutput. */
export interface GetWorkspaceOutputArgs {
  /** Name of the organization. Default: the one of the configuration. */
  organization?: pulumi.Input<string>;
  /** Name of the workspace. */
  name: pulumi.Input<string>;
}

/** The result of getWorkspace. */
export interface GetWorkspaceResult {
  /** Identifier of the workspace, with the prefix `ws-`. */
  readonly id: string;
  /** Name of the workspace. */
  readonly name: string;
}

/** The arguments of getProject. */
export interface GetProjectArgs {
  /** Name of the organization. Default: the one of the configuration. */
  readonly organization?: string;
  /** Name of the project. */
  readonly name: string;
}

/** The arguments of getProjectOutput. */
export interface GetProjectOutputArgs {
  /** Name of the organization. Default: the one of the configuration. */
  organization?: pulumi.Input<string>;
  /** Name of the project. */
  name: pulumi.Input<string>;
}

/** The result of getProject. */
export interface GetProjectResult {
  /** Identifier of the project, with the prefix `prj-`. */
  readonly id: string;
  /** Name of the project. */
  readonly name: string;
}

/** The arguments of getAgentPool. */
export interface GetAgentPoolArgs {
  /** Identifier of the pool. Either this or `name`. */
  readonly id?: string;
  /** Name of the organization. Default: the one of the configuration. */
  readonly organization?: string;
  /** Name of the pool. Either this or `id`. */
  readonly name?: string;
  /** `workspaces`: the result also has the workspaces that are attached, with their names. Default: their identifiers only. */
  readonly include?: "workspaces";
}

/** The arguments of getAgentPoolOutput. */
export interface GetAgentPoolOutputArgs {
  /** Identifier of the pool. Either this or `name`. */
  id?: pulumi.Input<string>;
  /** Name of the organization. Default: the one of the configuration. */
  organization?: pulumi.Input<string>;
  /** Name of the pool. Either this or `id`. */
  name?: pulumi.Input<string>;
  /** `workspaces`: the result also has the workspaces that are attached, with their names. Default: their identifiers only. */
  include?: pulumi.Input<"workspaces">;
}

/** A workspace that is attached to the pool. */
export interface GetAgentPoolWorkspace {
  /** Identifier of the workspace. */
  readonly id: string;
  /** Name of the workspace. Left out if the service does not return it. */
  readonly name?: string;
}

/** Links to the pool and its related objects: paths or addresses, as the service returns them. Missing ones are left out. */
export interface GetAgentPoolLinks {
  /** The pool itself. */
  readonly self?: string;
  /** The list of the pool's agents. */
  readonly agents?: string;
  /** The list of the pool's authentication tokens. */
  readonly authenticationTokens?: string;
}

/** The result of getAgentPool. */
export interface GetAgentPoolResult {
  /** Identifier of the pool, with the prefix `apool-`. */
  readonly id: string;
  /** Name of the pool, unique in the organization. */
  readonly name: string;
  /** Time of the pool's creation (ISO 8601 with milliseconds, UTC). */
  readonly createdAt: string;
  /** Name of the organization. Left out if the service does not return it. */
  readonly organization?: string;
  /** Whether all workspaces of the organization may use the pool. */
  readonly organizationScoped: boolean;
  /** Identifiers of the workspaces that have permission to use the pool. Left out if the service does not return it. */
  readonly allowedWorkspaceIds?: string[];
  /** Identifiers of the projects whose workspaces have permission to use the pool. Left out if the service does not return it. */
  readonly allowedProjectIds?: string[];
  /** Identifiers of the workspaces that may not use the pool, although their project may. Left out if the service does not return it. */
  readonly excludedWorkspaceIds?: string[];
  /** Identifiers of the workspaces that are attached to the pool. Left out if the service does not return it. */
  readonly workspaceIds?: string[];
  /** Number of the pool's agents. Left out if the service does not return it; most return it in lists only. */
  readonly agentCount?: number;
  /** The workspaces that are attached to the pool, with their names. Only with `include`. */
  readonly workspaces?: GetAgentPoolWorkspace[];
  /** Links to the pool and its related objects: paths or addresses, as the service returns them. Missing ones are left out. */
  readonly links: GetAgentPoolLinks;
}

/** The arguments of listAgentPools. */
export interface ListAgentPoolsArgs {
  /** Name of the organization. Default: the one of the configuration. */
  readonly organization?: string;
  /** Only pools whose name contains this text. */
  readonly query?: string;
  /** Order of the pools; a leading hyphen reverses it. */
  readonly sort?: "name" | "-name" | "created-at" | "-created-at";
  /** Only pools that the workspace of this name has permission to use. */
  readonly allowedWorkspaceName?: string;
  /** Only pools that the project of this name has permission to use. This filter is not in the API document: a service that follows the document ignores it. */
  readonly allowedProjectName?: string;
  /** `workspaces`: the result also has the workspaces that are attached, with their names. Default: their identifiers only. */
  readonly include?: "workspaces";
}

/** The arguments of listAgentPoolsOutput. */
export interface ListAgentPoolsOutputArgs {
  /** Name of the organization. Default: the one of the configuration. */
  organization?: pulumi.Input<string>;
  /** Only pools whose name contains this text. */
  query?: pulumi.Input<string>;
  /** Order of the pools; a leading hyphen reverses it. */
  sort?: pulumi.Input<"name" | "-name" | "created-at" | "-created-at">;
  /** Only pools that the workspace of this name has permission to use. */
  allowedWorkspaceName?: pulumi.Input<string>;
  /** Only pools that the project of this name has permission to use. This filter is not in the API document: a service that follows the document ignores it. */
  allowedProjectName?: pulumi.Input<string>;
  /** `workspaces`: the result also has the workspaces that are attached, with their names. Default: their identifiers only. */
  include?: pulumi.Input<"workspaces">;
}

/** A workspace that is attached to the pool. */
export interface ListAgentPoolsAgentPoolWorkspace {
  /** Identifier of the workspace. */
  readonly id: string;
  /** Name of the workspace. Left out if the service does not return it. */
  readonly name?: string;
}

/** Links to the pool and its related objects: paths or addresses, as the service returns them. Missing ones are left out. */
export interface ListAgentPoolsAgentPoolLinks {
  /** The pool itself. */
  readonly self?: string;
  /** The list of the pool's agents. */
  readonly agents?: string;
  /** The list of the pool's authentication tokens. */
  readonly authenticationTokens?: string;
}

/** An agent pool. */
export interface ListAgentPoolsAgentPool {
  /** Identifier of the pool, with the prefix `apool-`. */
  readonly id: string;
  /** Name of the pool, unique in the organization. */
  readonly name: string;
  /** Time of the pool's creation (ISO 8601 with milliseconds, UTC). */
  readonly createdAt: string;
  /** Name of the organization. Left out if the service does not return it. */
  readonly organization?: string;
  /** Whether all workspaces of the organization may use the pool. */
  readonly organizationScoped: boolean;
  /** Identifiers of the workspaces that have permission to use the pool. Left out if the service does not return it. */
  readonly allowedWorkspaceIds?: string[];
  /** Identifiers of the projects whose workspaces have permission to use the pool. Left out if the service does not return it. */
  readonly allowedProjectIds?: string[];
  /** Identifiers of the workspaces that may not use the pool, although their project may. Left out if the service does not return it. */
  readonly excludedWorkspaceIds?: string[];
  /** Identifiers of the workspaces that are attached to the pool. Left out if the service does not return it. */
  readonly workspaceIds?: string[];
  /** Number of the pool's agents. Left out if the service does not return it; most return it in lists only. */
  readonly agentCount?: number;
  /** The workspaces that are attached to the pool, with their names. Only with `include`. */
  readonly workspaces?: ListAgentPoolsAgentPoolWorkspace[];
  /** Links to the pool and its related objects: paths or addresses, as the service returns them. Missing ones are left out. */
  readonly links: ListAgentPoolsAgentPoolLinks;
}

/** The result of listAgentPools. */
export interface ListAgentPoolsResult {
  /** The pools. */
  readonly agentPools: ListAgentPoolsAgentPool[];
}

/** The arguments of getAuthMethod. */
export interface GetAuthMethodArgs {
  /** Name of the method. */
  readonly name: string;
}

/** The arguments of getAuthMethodOutput. */
export interface GetAuthMethodOutputArgs {
  /** Name of the method. */
  name: pulumi.Input<string>;
}

/** The signing key, without its secret part. Not every version of the server has it. */
export interface GetAuthMethodConfigOidcClientAssertionPrivateKey {
  /** Path, on the servers, of a file with the private key in PEM form. Not every version of the server has it. */
  readonly pemKeyFile?: string;
  /** The certificate that belongs to the key, in PEM form. Not every version of the server has it. */
  readonly pemCert?: string;
  /** Path, on the servers, of a file with the certificate in PEM form. Not every version of the server has it. */
  readonly pemCertFile?: string;
  /** Header of the assertion that names the key. Default: `kid` with keyId, `x5t#S256` with a certificate. Not every version of the server has it. */
  readonly keyIdHeader?: string;
  /** Identifier of the key at the identity provider. Not every version of the server has it. */
  readonly keyId?: string;
}

/** Authenticates the client by a signed assertion in place of the secret. Not every version of the server has it. */
export interface GetAuthMethodConfigOidcClientAssertion {
  /** Source of the signing key: `nomad`, `private_key` or `client_secret`. Not every version of the server has it. */
  readonly keySource?: string;
  /** Signing algorithm: `HS256`, `HS384` or `HS512` with `client_secret`, otherwise `RS256`, `RS384` or `RS512`. Default: `HS256` for `client_secret`, otherwise `RS256`. Not every version of the server has it. */
  readonly keyAlgorithm?: string;
  /** Values of the assertion's `aud` claim. Default: the discovery URL. Not every version of the server has it. */
  readonly audience?: string[];
  /** The signing key, without its secret part. Not every version of the server has it. */
  readonly privateKey?: GetAuthMethodConfigOidcClientAssertionPrivateKey;
  /** Further headers of the assertion. Not every version of the server has it. */
  readonly extraHeaders?: Record<string, string>;
}

/** Configuration of the identity provider, without its secrets. */
export interface GetAuthMethodConfig {
  /** Discovery URL of the identity provider, without the `.well-known` part. Required for `OIDC`; for `JWT` this, jwksUrl or jwtValidationPubKeys is required. */
  readonly oidcDiscoveryUrl?: string;
  /** OAuth client ID at the identity provider. Required for `OIDC`. */
  readonly oidcClientId?: string;
  /** Authenticates the client by a signed assertion in place of the secret. Not every version of the server has it. */
  readonly oidcClientAssertion?: GetAuthMethodConfigOidcClientAssertion;
  /** Whether the login uses a PKCE challenge. Not every version of the server has it. Default: `false`. */
  readonly oidcEnablePkce: boolean;
  /** When true, UserInfo is not requested from the identity provider. Default: `false`. */
  readonly oidcDisableUserInfo: boolean;
  /** OIDC scopes. */
  readonly oidcScopes?: string[];
  /** PEM-encoded public keys, or certificates with them, that signatures are checked with, for `JWT`. */
  readonly jwtValidationPubKeys?: string[];
  /** Address of the JSON Web Key Set that signatures are checked with, for `JWT`. */
  readonly jwksUrl?: string;
  /** PEM text of the CA certificate that the key set server's certificate is checked with. Default: the system's certificates. */
  readonly jwksCaCert?: string;
  /** Values of the `aud` claim that are valid for a login; any match suffices. */
  readonly boundAudiences?: string[];
  /** Values of the `iss` claim that are valid for a login, for `JWT`; any match suffices. Not every version of the server has it. */
  readonly boundIssuer?: string[];
  /** Allowed values of redirect_uri, at least one for `OIDC`. */
  readonly allowedRedirectUris?: string[];
  /** PEM texts of the CA certificates that the discovery address's certificate is checked with. Default: the system's certificates. */
  readonly discoveryCaPem?: string[];
  /** Supported signing algorithms. Default of the server: `RS256`. */
  readonly signingAlgs?: string[];
  /** Lifetime of a token without `exp`, counted from the later of `iat` and `nbf`, for `JWT`. Without effect on other tokens. It is a duration like "60s", "5m" or "1h0m0s". Default of the server: `150s`, also for `0s`. A negative duration means none. */
  readonly expirationLeeway?: string;
  /** Time before `exp` from which a token without `nbf` and `iat` is valid, for `JWT`. Without effect on other tokens. It is a duration like "60s", "5m" or "1h0m0s". Default of the server: `150s`, also for `0s`. A negative duration means none. */
  readonly notBeforeLeeway?: string;
  /** Tolerance for all times of a token, for `JWT`, as a duration like "60s", "5m" or "1h0m0s". Default of the server: `60s`, also for `0s`. A negative duration switches it off. */
  readonly clockSkewLeeway?: string;
  /** Claim (key) that is copied to a metadata field (value); numbers and booleans become texts. Rules refer to the field as `value.FIELD`. */
  readonly claimMappings?: Record<string, string>;
  /** Claim (key) that is copied to a metadata field (value), for claims that are lists, such as groups. Rules refer to the field as `list.FIELD`. */
  readonly listClaimMappings?: Record<string, string>;
  /** When true, the servers log claims and the evaluation of binding rules. Not recommended in production. Default: `false`. */
  readonly verboseLogging: boolean;
}

/** The result of getAuthMethod. */
export interface GetAuthMethodResult {
  /** Name of the method. */
  readonly name: string;
  /** Kind of login: `OIDC` or `JWT`. */
  readonly type: string;
  /** Whether logins that name no method use this one. */
  readonly default: boolean;
  /** Index of the cluster's store at the method's creation. */
  readonly createIndex: number;
  /** Index of the cluster's store at the method's last change. */
  readonly modifyIndex: number;
  /** Hash of the method's content, including the secrets, if the server returns one. */
  readonly hash?: string;
  /** Where the tokens of logins are valid: in one region (`local`), or in all regions (`global`). */
  readonly tokenLocality: string;
  /** Maximal lifetime of the tokens of logins, as a duration like "1h0m0s". */
  readonly maxTokenTtl: string;
  /** Template for the names of the tokens of logins. */
  readonly tokenNameFormat: string;
  /** Configuration of the identity provider, without its secrets. */
  readonly config: GetAuthMethodConfig;
  /** Time of the method's creation (ISO 8601, UTC). */
  readonly createTime: string;
  /** Time of the method's last change (ISO 8601, UTC). */
  readonly modifyTime: string;
}

/** An auth method. */
export interface ListAuthMethodsAuthMethod {
  /** Name of the method. */
  readonly name: string;
  /** Kind of login: `OIDC` or `JWT`. */
  readonly type: string;
  /** Whether logins that name no method use this one. */
  readonly default: boolean;
  /** Index of the cluster's store at the method's creation. */
  readonly createIndex: number;
  /** Index of the cluster's store at the method's last change. */
  readonly modifyIndex: number;
  /** Hash of the method's content, including the secrets, if the server returns one. */
  readonly hash?: string;
}

/** The result of listAuthMethods. */
export interface ListAuthMethodsResult {
  /** The methods. */
  readonly authMethods: ListAuthMethodsAuthMethod[];
}

/** The arguments of getPolicy. */
export interface GetPolicyArgs {
  /** Name of the policy. */
  readonly name: string;
}

/** The arguments of getPolicyOutput. */
export interface GetPolicyOutputArgs {
  /** Name of the policy. */
  name: pulumi.Input<string>;
}

/** Job whose tasks have the policy by their own identities. Absent if there is none. */
export interface GetPolicyJobAcl {
  /** Namespace of the job. */
  readonly namespace?: string;
  /** Identifier of the job. It needs `namespace`. */
  readonly jobId?: string;
  /** Group of the job. It needs `jobId`. */
  readonly group?: string;
  /** Task of the group. It needs `group`. */
  readonly task?: string;
}

/** The result of getPolicy. */
export interface GetPolicyResult {
  /** Name of the policy. */
  readonly name: string;
  /** Free text. */
  readonly description: string;
  /** Index of the cluster's store at the policy's creation. */
  readonly createIndex: number;
  /** Index of the cluster's store at the policy's last change. */
  readonly modifyIndex: number;
  /** Hash of the policy's content, if the server gives one. */
  readonly hash?: string;
  /** Permissions of the policy, in the cluster's policy language. */
  readonly rules: string;
  /** Job whose tasks have the policy by their own identities. Absent if there is none. */
  readonly jobAcl?: GetPolicyJobAcl;
}

/** A policy. */
export interface ListPoliciesPolicy {
  /** Name of the policy. */
  readonly name: string;
  /** Free text. */
  readonly description: string;
  /** Index of the cluster's store at the policy's creation. */
  readonly createIndex: number;
  /** Index of the cluster's store at the policy's last change. */
  readonly modifyIndex: number;
  /** Hash of the policy's content, if the server gives one. */
  readonly hash?: string;
}

/** The result of listPolicies. */
export interface ListPoliciesResult {
  /** The policies. */
  readonly policies: ListPoliciesPolicy[];
}

/** The arguments of getRole. */
export interface GetRoleArgs {
  /** Identifier of the role. Either this or `name`. */
  readonly id?: string;
  /** Name of the role. Either this or `id`. */
  readonly name?: string;
}

/** The arguments of getRoleOutput. */
export interface GetRoleOutputArgs {
  /** Identifier of the role. Either this or `name`. */
  id?: pulumi.Input<string>;
  /** Name of the role. Either this or `id`. */
  name?: pulumi.Input<string>;
}

/** The result of getRole. */
export interface GetRoleResult {
  /** Identifier of the role. */
  readonly id: string;
  /** Name of the role. */
  readonly name: string;
  /** Free text. */
  readonly description: string;
  /** Names of the ACL policies that the role groups. */
  readonly policies: string[];
  /** Index of the cluster's store at the role's creation. */
  readonly createIndex: number;
  /** Index of the cluster's store at the role's last change. */
  readonly modifyIndex: number;
  /** Hash of the role's content, if the server gives one. */
  readonly hash?: string;
}

/** The arguments of listRoles. */
export interface ListRolesArgs {
  /** Beginning of the roles' IDs, not of their names: only roles whose ID begins with it, with or without dashes. */
  readonly prefix?: string;
}

/** The arguments of listRolesOutput. */
export interface ListRolesOutputArgs {
  /** Beginning of the roles' IDs, not of their names: only roles whose ID begins with it, with or without dashes. */
  prefix?: pulumi.Input<string>;
}

/** A role. */
export interface ListRolesRole {
  /** Identifier of the role. */
  readonly id: string;
  /** Name of the role. */
  readonly name: string;
  /** Free text. */
  readonly description: string;
  /** Names of the ACL policies that the role groups. */
  readonly policies: string[];
  /** Index of the cluster's store at the role's creation. */
  readonly createIndex: number;
  /** Index of the cluster's store at the role's last change. */
  readonly modifyIndex: number;
  /** Hash of the role's content, if the server gives one. */
  readonly hash?: string;
}

/** The result of listRoles. */
export interface ListRolesResult {
  /** The roles. */
  readonly roles: ListRolesRole[];
}

/** The arguments of getBindingRule. */
export interface GetBindingRuleArgs {
  /** Identifier of the rule, METHOD/DESCRIPTION, or METHOD/SELECTOR. */
  readonly id: string;
}

/** The arguments of getBindingRuleOutput. */
export interface GetBindingRuleOutputArgs {
  /** Identifier of the rule, METHOD/DESCRIPTION, or METHOD/SELECTOR. */
  id: pulumi.Input<string>;
}

/** The result of getBindingRule. */
export interface GetBindingRuleResult {
  /** Identifier of the rule. */
  readonly id: string;
  /** Name of the auth method whose logins the rule applies to. */
  readonly authMethod: string;
  /** Free text. */
  readonly description: string;
  /** Index of the cluster's store at the rule's creation. */
  readonly createIndex: number;
  /** Index of the cluster's store at the rule's last change. */
  readonly modifyIndex: number;
  /** Hash of the rule's content, if the server gives one. */
  readonly hash?: string;
  /** Boolean expression over the claims of a login; the empty one matches every login. */
  readonly selector: string;
  /** Grant of a matching login: `role`, `policy` or `management`. */
  readonly bindType: string;
  /** Name of the role or policy; empty for `management`. */
  readonly bindName: string;
  /** Time of the rule's creation (ISO 8601, UTC). */
  readonly createTime: string;
  /** Time of the rule's last change (ISO 8601, UTC). */
  readonly modifyTime: string;
}

/** A binding rule. */
export interface ListBindingRulesBindingRule {
  /** Identifier of the rule. */
  readonly id: string;
  /** Name of the auth method whose logins the rule applies to. */
  readonly authMethod: string;
  /** Free text. */
  readonly description: string;
  /** Index of the cluster's store at the rule's creation. */
  readonly createIndex: number;
  /** Index of the cluster's store at the rule's last change. */
  readonly modifyIndex: number;
  /** Hash of the rule's content, if the server gives one. */
  readonly hash?: string;
}

/** The result of listBindingRules. */
export interface ListBindingRulesResult {
  /** The rules. */
  readonly bindingRules: ListBindingRulesBindingRule[];
}

/** The arguments of getToken. */
export interface GetTokenArgs {
  /** Public identifier of the token. */
  readonly accessorId: string;
}

/** The arguments of getTokenOutput. */
export interface GetTokenOutputArgs {
  /** Public identifier of the token. */
  accessorId: pulumi.Input<string>;
}

/** A role. */
export interface GetTokenRole {
  /** Identifier of the role. */
  readonly id: string;
  /** Name of the role. */
  readonly name: string;
}

/** The result of getToken. */
export interface GetTokenResult {
  /** Public identifier of the token, a UUID. */
  readonly accessorId: string;
  /** Name of the token, which need not be unique. */
  readonly name: string;
  /** `client` or `management`. */
  readonly type: string;
  /** Names of the token's own policies. Its roles may give it more. */
  readonly policies: string[];
  /** Whether the token is valid in all regions. */
  readonly global: boolean;
  /** Index of the cluster's store at the token's creation. */
  readonly createIndex: number;
  /** Index of the cluster's store at the token's last change. */
  readonly modifyIndex: number;
  /** Hash of the token's content, if the server gives one. */
  readonly hash?: string;
  /** Time of the token's creation (ISO 8601, UTC). */
  readonly createTime: string;
  /** Time at which the token ends (ISO 8601, UTC). Absent if it does not end. */
  readonly expirationTime?: string;
  /** Roles of the token. */
  readonly roles: GetTokenRole[];
  /** Lifetime of the token from its creation on, like "1h0m0s". Left out if it does not expire. */
  readonly expirationTtl?: string;
}

/** A token. */
export interface ListTokensToken {
  /** Public identifier of the token, a UUID. */
  readonly accessorId: string;
  /** Name of the token, which need not be unique. */
  readonly name: string;
  /** `client` or `management`. */
  readonly type: string;
  /** Names of the token's own policies. Its roles may give it more. */
  readonly policies: string[];
  /** Whether the token is valid in all regions. */
  readonly global: boolean;
  /** Index of the cluster's store at the token's creation. */
  readonly createIndex: number;
  /** Index of the cluster's store at the token's last change. */
  readonly modifyIndex: number;
  /** Hash of the token's content, if the server gives one. */
  readonly hash?: string;
  /** Time of the token's creation (ISO 8601, UTC). */
  readonly createTime: string;
  /** Time at which the token ends (ISO 8601, UTC). Absent if it does not end. */
  readonly expirationTime?: string;
  /** Identifiers of the token's roles. */
  readonly roleIds: string[];
}

/** The result of listTokens. */
export interface ListTokensResult {
  /** The tokens. */
  readonly tokens: ListTokensToken[];
}

/** The arguments of explainLogin. */
export interface ExplainLoginArgs {
  /** Name of the auth method. */
  readonly authMethod: string;
  /** Claims of the login, as in the identity provider's token. Audience, issuer and times are checked if the claims have them. */
  readonly claims?: Record<string, unknown>;
  /** Token (JWT) in place of claims. It is decoded without a check of its signature; claims that it lacks count as missing. A secret. */
  readonly token?: string;
  /** Time of the login: a time like 2027-01-31T12:00:00Z. Default: now. */
  readonly at?: string;
}

/** The arguments of explainLoginOutput. */
export interface ExplainLoginOutputArgs {
  /** Name of the auth method. */
  authMethod: pulumi.Input<string>;
  /** Claims of the login, as in the identity provider's token. Audience, issuer and times are checked if the claims have them. */
  claims?: pulumi.Input<Record<string, pulumi.Input<unknown>>>;
  /** Token (JWT) in place of claims. It is decoded without a check of its signature; claims that it lacks count as missing. A secret. */
  token?: pulumi.Input<string>;
  /** Time of the login: a time like 2027-01-31T12:00:00Z. Default: now. */
  at?: pulumi.Input<string>;
}

/** Token that the login gets. Left out if the login fails. */
export interface ExplainLoginToken {
  /** Name of the token. */
  readonly name: string;
  /** Type of the token: `management` may do everything, `client` only what its policies and roles allow. */
  readonly type: "client" | "management";
  /** Names of the policies that rules grant directly. Policies of the roles are not included. */
  readonly policies: string[];
  /** Names of the roles. */
  readonly roles: string[];
  /** Whether the token is valid in all regions. */
  readonly global: boolean;
}

/** Part of the selector that does not hold, with the value of the login. */
export interface ExplainLoginRuleBecause {
  /** Part of the selector that does not hold. */
  readonly part: string;
  /** Value of the login at this place. */
  readonly found: string;
}

/** Binding rule, with its result for the login. */
export interface ExplainLoginRule {
  /** Identifier of the rule. */
  readonly id: string;
  /** Selector of the rule; the empty one matches every login. */
  readonly selector: string;
  /** Kind of the grant: `role`, `policy` or `management`. */
  readonly bindType: string;
  /** Name of the role or policy, as the rule has it; empty for `management`. */
  readonly bindName: string;
  /** Whether the selector matches the login. */
  readonly matches: boolean;
  /** Parts of the selector that do not hold. Empty if the rule matches. */
  readonly because: ExplainLoginRuleBecause[];
  /** Grant of a rule that matches: `nothing` if the role or policy does not exist, `error` if the rule fails the login, `unused` if an error or management has ended the login before. Left out if it does not match. */
  readonly gives?: "role" | "policy" | "management" | "nothing" | "error" | "unused";
  /** Name of the granted or missing role or policy, after the values of the claims are inserted. */
  readonly name?: string;
  /** Names of the policies of the granted role. */
  readonly policies?: string[];
  /** Error of the server, if the rule fails the login. */
  readonly error?: string;
}

/** The result of explainLogin. */
export interface ExplainLoginResult {
  /** Whether the login gets a token. */
  readonly ok: boolean;
  /** Token that the login gets. Left out if the login fails. */
  readonly token?: ExplainLoginToken;
  /** Status of the server's response to a failed login. */
  readonly status?: number;
  /** Error of the server for a failed login. */
  readonly error?: string;
  /** Reason why the server refuses the token itself: the audience, issuer or times of the token, and what the method requires. */
  readonly because?: string;
  /** Checks that were skipped, because the claims or the method lack the values. `UserInfo`: claims that the identity provider may add. */
  readonly notChecked: ("audience" | "issuer" | "times" | "UserInfo")[];
  /** The method's binding rules, in the order in which the server tries them. Empty if the token is refused, or the claims can't be converted. */
  readonly rules: ExplainLoginRule[];
}

/** An auth method. */
export interface GetAccessGraphAuthMethod {
  /** Name of the method. */
  readonly name: string;
  /** Kind of login: `OIDC` or `JWT`. */
  readonly type: string;
  /** Whether logins that name no method use this one. */
  readonly default: boolean;
  /** Where the tokens of logins are valid: in one region (`local`), or in all regions (`global`). */
  readonly tokenLocality: string;
  /** Claim (key), and its name after `value.` in selectors (value). */
  readonly claimMappings: Record<string, string>;
  /** Claim that is a list (key), and its name after `list.` in selectors (value). */
  readonly listClaimMappings: Record<string, string>;
}

/** A binding rule. */
export interface GetAccessGraphBindingRule {
  /** Identifier of the rule. */
  readonly id: string;
  /** Selector of the rule; the empty one matches every login. */
  readonly selector: string;
  /** Kind of the grant: `role`, `policy` or `management`. */
  readonly bindType: string;
  /** Name of the role or policy, as the rule has it; empty for `management`. */
  readonly bindName: string;
  /** Name of the auth method whose logins the rule applies to. */
  readonly authMethod: string;
}

/** A role. */
export interface GetAccessGraphRole {
  /** Name of the role. */
  readonly name: string;
  /** Names of its policies. */
  readonly policies: string[];
}

/** Link from one object to another. */
export interface GetAccessGraphEdge {
  /** Kind of the object where the link begins. */
  readonly fromKind: "authMethod" | "bindingRule" | "role";
  /** Name of the method or role, or identifier of the rule. */
  readonly from: string;
  /** Kind of the object where the link ends. */
  readonly toKind: "bindingRule" | "role" | "policy" | "management";
  /** Name of the role or policy, identifier of the rule, or `management`. */
  readonly to: string;
  /** Whether both objects exist. A missing method, role or policy gives nothing. */
  readonly exists: boolean;
  /** Whether the name of the role or policy depends on claims. */
  readonly computed: boolean;
}

/** The result of getAccessGraph. */
export interface GetAccessGraphResult {
  /** The auth methods. */
  readonly authMethods: GetAccessGraphAuthMethod[];
  /** The binding rules. */
  readonly bindingRules: GetAccessGraphBindingRule[];
  /** The roles. */
  readonly roles: GetAccessGraphRole[];
  /** Names of the policies. */
  readonly policies: string[];
  /** Links from methods to their rules, from rules to their grants, and from roles to their policies. */
  readonly edges: GetAccessGraphEdge[];
}
