// Generated from the descriptions in resources/ by `npm run generate`. Edit those.
import type * as pulumi from "@pulumi/pulumi";

/** The arguments of an AgentPool. */
export interface AgentPoolArgs {
  /** Name of the pool, unique in the organization: letters, digits, `-` and `_`. Default: the resource's name in the program. */
  name?: pulumi.Input<string>;
  /** Organization that the pool belongs to. Default: that of the configuration; for an existing pool, its own. */
  organization?: pulumi.Input<string>;
  /** Whether all workspaces of the organization may use the pool. Default: true for a new pool, or false when allowedWorkspaceIds or allowedProjectIds is given, an empty list included. A limited pool stays limited until the program sets true. */
  organizationScoped?: pulumi.Input<boolean>;
  /** Identifiers of the workspaces that may use the pool. Left out, they are not managed here: an update leaves them, and fails if a service that follows the API document does not return them. */
  allowedWorkspaceIds?: pulumi.Input<pulumi.Input<string>[]>;
  /** Identifiers of the projects whose workspaces may use the pool, except the workspaces of excludedWorkspaceIds. Left out, they are not managed here. Not in the API document: a service that follows it refuses or ignores them, which is an error. */
  allowedProjectIds?: pulumi.Input<pulumi.Input<string>[]>;
  /** Identifiers of the workspaces that may not use the pool, although their project may. Left out, they are not managed here. Not in the API document, like allowedProjectIds. */
  excludedWorkspaceIds?: pulumi.Input<pulumi.Input<string>[]>;
  /** Whether a delete that agents block removes the agents with the status `unknown`, `errored` or `exited`, and tries again. It removes none while workspaces are attached. Default: `false`. */
  forceDestroy?: pulumi.Input<boolean>;
  /** With forceDestroy: how many seconds a delete waits for agents that are `idle` or `busy` to exit, 0 or more. Default: `0`. */
  drainTimeoutSeconds?: pulumi.Input<number>;
  /** Behaviour of a create if the object exists already. `false`: fail, and name the object. `true`: take it over if it equals the inputs, otherwise fail with the differences. `"overwrite"`: take it over and write the inputs over it. This input only affects creates, and is never sent to the API. Default: `false`. */
  adopt?: pulumi.Input<boolean | "overwrite">;
}

/** The outputs of an AgentPool: its inputs, and the server's fields. */
export interface AgentPoolOutputs {
  /** Name of the pool, unique in the organization: letters, digits, `-` and `_`. Default: the resource's name in the program. */
  readonly name: pulumi.Output<string>;
  /** Organization that the pool belongs to. Default: that of the configuration; for an existing pool, its own. */
  readonly organization: pulumi.Output<string>;
  /** Whether all workspaces of the organization may use the pool. Default: true for a new pool, or false when allowedWorkspaceIds or allowedProjectIds is given, an empty list included. A limited pool stays limited until the program sets true. */
  readonly organizationScoped: pulumi.Output<boolean>;
  /** Identifiers of the workspaces that may use the pool. Left out, they are not managed here: an update leaves them, and fails if a service that follows the API document does not return them. */
  readonly allowedWorkspaceIds: pulumi.Output<string[] | undefined>;
  /** Identifiers of the projects whose workspaces may use the pool, except the workspaces of excludedWorkspaceIds. Left out, they are not managed here. Not in the API document: a service that follows it refuses or ignores them, which is an error. */
  readonly allowedProjectIds: pulumi.Output<string[] | undefined>;
  /** Identifiers of the workspaces that may not use the pool, although their project may. Left out, they are not managed here. Not in the API document, like allowedProjectIds. */
  readonly excludedWorkspaceIds: pulumi.Output<string[] | undefined>;
  /** Whether a delete that agents block removes the agents with the status `unknown`, `errored` or `exited`, and tries again. It removes none while workspaces are attached. Default: `false`. */
  readonly forceDestroy: pulumi.Output<boolean | undefined>;
  /** With forceDestroy: how many seconds a delete waits for agents that are `idle` or `busy` to exit, 0 or more. Default: `0`. */
  readonly drainTimeoutSeconds: pulumi.Output<number | undefined>;
  /** Behaviour of a create if the object exists already. `false`: fail, and name the object. `true`: take it over if it equals the inputs, otherwise fail with the differences. `"overwrite"`: take it over and write the inputs over it. This input only affects creates, and is never sent to the API. Default: `false`. */
  readonly adopt: pulumi.Output<boolean | "overwrite" | undefined>;
  /** Time of the pool's creation (ISO 8601 with milliseconds, UTC). */
  readonly createdAt: pulumi.Output<string>;
  /** Address of the pool's service. */
  readonly server: pulumi.Output<string>;
  /** Identifiers of the workspaces that are attached to the pool, in alphabetical order, at the last read or write of the pool. Undefined if the service has never returned them. */
  readonly workspaceIds: pulumi.Output<string[] | undefined>;
}

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
export interface AgentPool extends pulumi.CustomResource, AgentPoolOutputs {}

/** The class of an AgentPool. */
export interface AgentPoolClass extends Pick<typeof pulumi.CustomResource, "isInstance"> {
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
  new (name: string, args?: AgentPoolArgs, options?: pulumi.CustomResourceOptions): AgentPool;
  /** With an ID among the options, the object is read, and nothing is declared. */
  new (name: string, args: undefined, options: pulumi.CustomResourceOptions & { readonly id: pulumi.Input<pulumi.ID> }): AgentPool;
  /** Reads an object that exists, and never changes it. Its `id` is the pool's ID, or ORGANIZATION/POOL-NAME. */
  get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): AgentPool;
  readonly prototype: AgentPool;
}

/** The signing key, for `private_key`. Not every version of the server has it. */
export interface AclAuthMethodConfigOidcClientAssertionPrivateKeyArgs {
  /** The private key, in PEM form. A secret: it is kept encrypted and never returned by the API. Not every version of the server has it. */
  pemKey?: pulumi.Input<string>;
  /** Path, on the servers, of a file with the private key in PEM form. Not every version of the server has it. */
  pemKeyFile?: pulumi.Input<string>;
  /** The certificate that belongs to the key, in PEM form. Not every version of the server has it. */
  pemCert?: pulumi.Input<string>;
  /** Path, on the servers, of a file with the certificate in PEM form. Not every version of the server has it. */
  pemCertFile?: pulumi.Input<string>;
  /** Header of the assertion that names the key. Default: `kid` with keyId, `x5t#S256` with a certificate. Not every version of the server has it. */
  keyIdHeader?: pulumi.Input<string>;
  /** Identifier of the key at the identity provider. Not every version of the server has it. */
  keyId?: pulumi.Input<string>;
}

/** Authenticates the client by a signed assertion in place of the secret. Not every version of the server has it. */
export interface AclAuthMethodConfigOidcClientAssertionArgs {
  /** Source of the signing key: `nomad`, the key of the servers; `private_key`, the one of privateKey; `client_secret`, oidcClientSecret. Not every version of the server has it. */
  keySource?: pulumi.Input<"nomad" | "private_key" | "client_secret">;
  /** Signing algorithm: `HS256`, `HS384` or `HS512` with `client_secret`, otherwise `RS256`, `RS384` or `RS512`. Default: `HS256` for `client_secret`, otherwise `RS256`. Not every version of the server has it. */
  keyAlgorithm?: pulumi.Input<string>;
  /** Values of the assertion's `aud` claim. Default: the discovery URL. Not every version of the server has it. */
  audience?: pulumi.Input<pulumi.Input<string>[]>;
  /** The signing key, for `private_key`. Not every version of the server has it. */
  privateKey?: pulumi.Input<AclAuthMethodConfigOidcClientAssertionPrivateKeyArgs>;
  /** Further headers of the assertion. Not every version of the server has it. */
  extraHeaders?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** Configuration of the identity provider. */
export interface AclAuthMethodConfigArgs {
  /** Discovery URL of the identity provider, without the `.well-known` part. Required for `OIDC`; for `JWT` this, jwksUrl or jwtValidationPubKeys is required. */
  oidcDiscoveryUrl?: pulumi.Input<string>;
  /** OAuth client ID at the identity provider. Required for `OIDC`. */
  oidcClientId?: pulumi.Input<string>;
  /** OAuth client secret at the identity provider. A secret: it is kept encrypted and never returned by the API; a change by others shows as drift of this property, if the server has hashes of auth methods. Leave it out for PKCE, or for a client assertion that another key signs. */
  oidcClientSecret?: pulumi.Input<string>;
  /** Authenticates the client by a signed assertion in place of the secret. Not every version of the server has it. */
  oidcClientAssertion?: pulumi.Input<AclAuthMethodConfigOidcClientAssertionArgs>;
  /** Whether the login uses a PKCE challenge. Not every version of the server has it. Default: `false`. */
  oidcEnablePkce?: pulumi.Input<boolean>;
  /** When true, UserInfo is not requested from the identity provider. Default: `false`. */
  oidcDisableUserInfo?: pulumi.Input<boolean>;
  /** OIDC scopes. */
  oidcScopes?: pulumi.Input<pulumi.Input<string>[]>;
  /** PEM-encoded public keys, or certificates with them, that signatures are checked with, for `JWT`. */
  jwtValidationPubKeys?: pulumi.Input<pulumi.Input<string>[]>;
  /** Address of the JSON Web Key Set that signatures are checked with, for `JWT`. */
  jwksUrl?: pulumi.Input<string>;
  /** PEM text of the CA certificate that the key set server's certificate is checked with. Default: the system's certificates. */
  jwksCaCert?: pulumi.Input<string>;
  /** Values of the `aud` claim that are valid for a login; any match suffices. */
  boundAudiences?: pulumi.Input<pulumi.Input<string>[]>;
  /** Values of the `iss` claim that are valid for a login, for `JWT`; any match suffices. Not every version of the server has it. */
  boundIssuer?: pulumi.Input<pulumi.Input<string>[]>;
  /** Allowed values of redirect_uri, at least one for `OIDC`. */
  allowedRedirectUris?: pulumi.Input<pulumi.Input<string>[]>;
  /** PEM texts of the CA certificates that the discovery address's certificate is checked with. Default: the system's certificates. */
  discoveryCaPem?: pulumi.Input<pulumi.Input<string>[]>;
  /** Supported signing algorithms. Default of the server: `RS256`. */
  signingAlgs?: pulumi.Input<pulumi.Input<string>[]>;
  /** Lifetime of a token without `exp`, counted from the later of `iat` and `nbf`, for `JWT`. Without effect on other tokens. It is a duration like "60s", "5m" or "1h0m0s". Default of the server: `150s`, also for `0s`. A negative duration means none. */
  expirationLeeway?: pulumi.Input<string>;
  /** Time before `exp` from which a token without `nbf` and `iat` is valid, for `JWT`. Without effect on other tokens. It is a duration like "60s", "5m" or "1h0m0s". Default of the server: `150s`, also for `0s`. A negative duration means none. */
  notBeforeLeeway?: pulumi.Input<string>;
  /** Tolerance for all times of a token, for `JWT`, as a duration like "60s", "5m" or "1h0m0s". Default of the server: `60s`, also for `0s`. A negative duration switches it off. */
  clockSkewLeeway?: pulumi.Input<string>;
  /** Claim (key) that is copied to a metadata field (value); numbers and booleans become texts. Rules refer to the field as `value.FIELD`. */
  claimMappings?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Claim (key) that is copied to a metadata field (value), for claims that are lists, such as groups. Rules refer to the field as `list.FIELD`. */
  listClaimMappings?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** When true, the servers log claims and the evaluation of binding rules. Not recommended in production. Default: `false`. */
  verboseLogging?: pulumi.Input<boolean>;
}

/** The arguments of an AclAuthMethod. */
export interface AclAuthMethodArgs {
  /** Name of the method, unique in the cluster, and its ID: 1 to 128 letters, digits or dashes. */
  name: pulumi.Input<string>;
  /** Kind of login. */
  type: pulumi.Input<"OIDC" | "JWT">;
  /** Whether the tokens of logins are valid in one region (`local`) or in all regions (`global`). */
  tokenLocality: pulumi.Input<"local" | "global">;
  /** Maximal lifetime of the tokens of logins, as a duration like "60s", "5m" or "1h0m0s". The server sets the limits, 1m to 24h unless configured. */
  maxTokenTtl: pulumi.Input<string>;
  /** Template for the names of the tokens of logins; `${name}` is interpolated. Default: `"${auth_method_type}-${auth_method_name}"`. */
  tokenNameFormat?: pulumi.Input<string>;
  /** Whether logins that name no method use this one. A cluster has one default. Default: `false`. */
  default?: pulumi.Input<boolean>;
  /** Configuration of the identity provider. */
  config: pulumi.Input<AclAuthMethodConfigArgs>;
  /** Behaviour of a create if the object exists already. `false`: fail, and name the object. `true`: take it over if it equals the inputs, otherwise fail with the differences. `"overwrite"`: take it over and write the inputs over it. This input only affects creates, and is never sent to the API. Default: `false`. */
  adopt?: pulumi.Input<boolean | "overwrite">;
}

/** The signing key, for `private_key`. Not every version of the server has it. */
export interface AclAuthMethodConfigOidcClientAssertionPrivateKey {
  /** The private key, in PEM form. A secret: it is kept encrypted and never returned by the API. Not every version of the server has it. */
  readonly pemKey?: string;
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
export interface AclAuthMethodConfigOidcClientAssertion {
  /** Source of the signing key: `nomad`, the key of the servers; `private_key`, the one of privateKey; `client_secret`, oidcClientSecret. Not every version of the server has it. */
  readonly keySource?: "nomad" | "private_key" | "client_secret";
  /** Signing algorithm: `HS256`, `HS384` or `HS512` with `client_secret`, otherwise `RS256`, `RS384` or `RS512`. Default: `HS256` for `client_secret`, otherwise `RS256`. Not every version of the server has it. */
  readonly keyAlgorithm?: string;
  /** Values of the assertion's `aud` claim. Default: the discovery URL. Not every version of the server has it. */
  readonly audience?: string[];
  /** The signing key, for `private_key`. Not every version of the server has it. */
  readonly privateKey?: AclAuthMethodConfigOidcClientAssertionPrivateKey;
  /** Further headers of the assertion. Not every version of the server has it. */
  readonly extraHeaders?: Record<string, string>;
}

/** Configuration of the identity provider. */
export interface AclAuthMethodConfig {
  /** Discovery URL of the identity provider, without the `.well-known` part. Required for `OIDC`; for `JWT` this, jwksUrl or jwtValidationPubKeys is required. */
  readonly oidcDiscoveryUrl?: string;
  /** OAuth client ID at the identity provider. Required for `OIDC`. */
  readonly oidcClientId?: string;
  /** OAuth client secret at the identity provider. A secret: it is kept encrypted and never returned by the API; a change by others shows as drift of this property, if the server has hashes of auth methods. Leave it out for PKCE, or for a client assertion that another key signs. */
  readonly oidcClientSecret?: string;
  /** Authenticates the client by a signed assertion in place of the secret. Not every version of the server has it. */
  readonly oidcClientAssertion?: AclAuthMethodConfigOidcClientAssertion;
  /** Whether the login uses a PKCE challenge. Not every version of the server has it. Default: `false`. */
  readonly oidcEnablePkce?: boolean;
  /** When true, UserInfo is not requested from the identity provider. Default: `false`. */
  readonly oidcDisableUserInfo?: boolean;
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

/** The outputs of an AclAuthMethod: its inputs, and the server's fields. */
export interface AclAuthMethodOutputs {
  /** Name of the method, unique in the cluster, and its ID: 1 to 128 letters, digits or dashes. */
  readonly name: pulumi.Output<string>;
  /** Kind of login. */
  readonly type: pulumi.Output<"OIDC" | "JWT">;
  /** Whether the tokens of logins are valid in one region (`local`) or in all regions (`global`). */
  readonly tokenLocality: pulumi.Output<"local" | "global">;
  /** Maximal lifetime of the tokens of logins, as a duration like "60s", "5m" or "1h0m0s". The server sets the limits, 1m to 24h unless configured. */
  readonly maxTokenTtl: pulumi.Output<string>;
  /** Template for the names of the tokens of logins; `${name}` is interpolated. Default: `"${auth_method_type}-${auth_method_name}"`. */
  readonly tokenNameFormat: pulumi.Output<string>;
  /** Whether logins that name no method use this one. A cluster has one default. Default: `false`. */
  readonly default: pulumi.Output<boolean>;
  /** Configuration of the identity provider. */
  readonly config: pulumi.Output<AclAuthMethodConfig>;
  /** Behaviour of a create if the object exists already. `false`: fail, and name the object. `true`: take it over if it equals the inputs, otherwise fail with the differences. `"overwrite"`: take it over and write the inputs over it. This input only affects creates, and is never sent to the API. Default: `false`. */
  readonly adopt: pulumi.Output<boolean | "overwrite" | undefined>;
  /** Index of the cluster's store at the method's creation. */
  readonly createIndex: pulumi.Output<number>;
  /** Index of the cluster's store at the method's last change. */
  readonly modifyIndex: pulumi.Output<number>;
  /** Hash of the method's content, including the secrets, if the server returns one. */
  readonly hash: pulumi.Output<string | undefined>;
  /** Time of the method's creation (ISO 8601, UTC). */
  readonly createTime: pulumi.Output<string>;
  /** Time of the method's last change (ISO 8601, UTC). */
  readonly modifyTime: pulumi.Output<string>;
  /** Paths of the cluster's secrets that the program does not set, such as `config.oidcClientSecret`: set them before config changes. Absent if there are none. */
  readonly unmanagedSecrets: pulumi.Output<string[] | undefined>;
  /** Address, and region if one is configured, of the method's cluster. */
  readonly server: pulumi.Output<string>;
}

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
export interface AclAuthMethod extends pulumi.CustomResource, AclAuthMethodOutputs {}

/** The class of an AclAuthMethod. */
export interface AclAuthMethodClass extends Pick<typeof pulumi.CustomResource, "isInstance"> {
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
  new (name: string, args: AclAuthMethodArgs, options?: pulumi.CustomResourceOptions): AclAuthMethod;
  /** With an ID among the options, the object is read, and nothing is declared. */
  new (name: string, args: undefined, options: pulumi.CustomResourceOptions & { readonly id: pulumi.Input<pulumi.ID> }): AclAuthMethod;
  /** Reads an object that exists, and never changes it. Its `id` is the method's name. The API does not return the client secret: give it in the program before config changes. */
  get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): AclAuthMethod;
  readonly prototype: AclAuthMethod;
}

/** Job whose tasks have the policy by their own identities, without a token: a namespace, a job, a group or a single task. */
export interface AclPolicyJobAclArgs {
  /** Namespace of the job. */
  namespace?: pulumi.Input<string>;
  /** Identifier of the job. It needs `namespace`. */
  jobId?: pulumi.Input<string>;
  /** Group of the job. It needs `jobId`. */
  group?: pulumi.Input<string>;
  /** Task of the group. It needs `group`. */
  task?: pulumi.Input<string>;
}

/** The arguments of an AclPolicy. */
export interface AclPolicyArgs {
  /** Name of the policy, unique in the cluster, and its ID: 1 to 128 letters, digits or dashes, but not `self`. */
  name: pulumi.Input<string>;
  /** Free text, at most 256 bytes: a letter beyond ASCII, like ü, counts as two or more. Default: `""`. */
  description?: pulumi.Input<string>;
  /** Permissions of the policy, in the cluster's policy language (HCL or JSON). Comments, white space and irrelevant order make no difference. Default: `""`. */
  rules?: pulumi.Input<string>;
  /** Job whose tasks have the policy by their own identities, without a token: a namespace, a job, a group or a single task. */
  jobAcl?: pulumi.Input<AclPolicyJobAclArgs>;
  /** Behaviour of a create if the object exists already. `false`: fail, and name the object. `true`: take it over if it equals the inputs, otherwise fail with the differences. `"overwrite"`: take it over and write the inputs over it. This input only affects creates, and is never sent to the API. Default: `false`. */
  adopt?: pulumi.Input<boolean | "overwrite">;
}

/** Job whose tasks have the policy by their own identities, without a token: a namespace, a job, a group or a single task. */
export interface AclPolicyJobAcl {
  /** Namespace of the job. */
  readonly namespace?: string;
  /** Identifier of the job. It needs `namespace`. */
  readonly jobId?: string;
  /** Group of the job. It needs `jobId`. */
  readonly group?: string;
  /** Task of the group. It needs `group`. */
  readonly task?: string;
}

/** The outputs of an AclPolicy: its inputs, and the server's fields. */
export interface AclPolicyOutputs {
  /** Name of the policy, unique in the cluster, and its ID: 1 to 128 letters, digits or dashes, but not `self`. */
  readonly name: pulumi.Output<string>;
  /** Free text, at most 256 bytes: a letter beyond ASCII, like ü, counts as two or more. Default: `""`. */
  readonly description: pulumi.Output<string>;
  /** Permissions of the policy, in the cluster's policy language (HCL or JSON). Comments, white space and irrelevant order make no difference. Default: `""`. */
  readonly rules: pulumi.Output<string>;
  /** Job whose tasks have the policy by their own identities, without a token: a namespace, a job, a group or a single task. */
  readonly jobAcl: pulumi.Output<AclPolicyJobAcl | undefined>;
  /** Behaviour of a create if the object exists already. `false`: fail, and name the object. `true`: take it over if it equals the inputs, otherwise fail with the differences. `"overwrite"`: take it over and write the inputs over it. This input only affects creates, and is never sent to the API. Default: `false`. */
  readonly adopt: pulumi.Output<boolean | "overwrite" | undefined>;
  /** Index of the cluster's store at the policy's creation. */
  readonly createIndex: pulumi.Output<number>;
  /** Index of the cluster's store at the policy's last change. */
  readonly modifyIndex: pulumi.Output<number>;
  /** Hash of the policy's content, if the server gives one. */
  readonly hash: pulumi.Output<string | undefined>;
  /** Address, and region if one is configured, of the policy's cluster. */
  readonly server: pulumi.Output<string>;
}

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
export interface AclPolicy extends pulumi.CustomResource, AclPolicyOutputs {}

/** The class of an AclPolicy. */
export interface AclPolicyClass extends Pick<typeof pulumi.CustomResource, "isInstance"> {
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
  new (name: string, args: AclPolicyArgs, options?: pulumi.CustomResourceOptions): AclPolicy;
  /** With an ID among the options, the object is read, and nothing is declared. */
  new (name: string, args: undefined, options: pulumi.CustomResourceOptions & { readonly id: pulumi.Input<pulumi.ID> }): AclPolicy;
  /** Reads an object that exists, and never changes it. Its `id` is the policy's name. */
  get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): AclPolicy;
  readonly prototype: AclPolicy;
}

/** The arguments of an AclRole. */
export interface AclRoleArgs {
  /** Name of the role, unique in the cluster: 1 to 128 letters, digits, dashes or underscores. Some servers refuse underscores. */
  name: pulumi.Input<string>;
  /** Free text, at most 256 characters. Some servers accept at most 256 bytes. Default: `""`. */
  description?: pulumi.Input<string>;
  /** Names of the ACL policies that the role groups. Each must exist. A role without policies grants nothing, and some servers refuse it. Order and repeats mean nothing. Default: `[]`. */
  policies?: pulumi.Input<pulumi.Input<string>[]>;
  /** Behaviour of a create if the object exists already. `false`: fail, and name the object. `true`: take it over if it equals the inputs, otherwise fail with the differences. `"overwrite"`: take it over and write the inputs over it. This input only affects creates, and is never sent to the API. Default: `false`. */
  adopt?: pulumi.Input<boolean | "overwrite">;
}

/** The outputs of an AclRole: its inputs, and the server's fields. */
export interface AclRoleOutputs {
  /** Name of the role, unique in the cluster: 1 to 128 letters, digits, dashes or underscores. Some servers refuse underscores. */
  readonly name: pulumi.Output<string>;
  /** Free text, at most 256 characters. Some servers accept at most 256 bytes. Default: `""`. */
  readonly description: pulumi.Output<string>;
  /** Names of the ACL policies that the role groups. Each must exist. A role without policies grants nothing, and some servers refuse it. Order and repeats mean nothing. Default: `[]`. */
  readonly policies: pulumi.Output<string[]>;
  /** Behaviour of a create if the object exists already. `false`: fail, and name the object. `true`: take it over if it equals the inputs, otherwise fail with the differences. `"overwrite"`: take it over and write the inputs over it. This input only affects creates, and is never sent to the API. Default: `false`. */
  readonly adopt: pulumi.Output<boolean | "overwrite" | undefined>;
  /** Index of the cluster's store at the role's creation. */
  readonly createIndex: pulumi.Output<number>;
  /** Index of the cluster's store at the role's last change. */
  readonly modifyIndex: pulumi.Output<number>;
  /** Hash of the role's content, if the server gives one. */
  readonly hash: pulumi.Output<string | undefined>;
  /** Address, and region if one is configured, of the role's cluster. */
  readonly server: pulumi.Output<string>;
}

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
export interface AclRole extends pulumi.CustomResource, AclRoleOutputs {}

/** The class of an AclRole. */
export interface AclRoleClass extends Pick<typeof pulumi.CustomResource, "isInstance"> {
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
  new (name: string, args: AclRoleArgs, options?: pulumi.CustomResourceOptions): AclRole;
  /** With an ID among the options, the object is read, and nothing is declared. */
  new (name: string, args: undefined, options: pulumi.CustomResourceOptions & { readonly id: pulumi.Input<pulumi.ID> }): AclRole;
  /** Reads an object that exists, and never changes it. Its `id` is the role's ID or its name. */
  get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): AclRole;
  readonly prototype: AclRole;
}

/** The arguments of an AclBindingRule. */
export interface AclBindingRuleArgs {
  /** Name of the auth method whose logins the rule applies to. It must exist before the rule, and can't change. */
  authMethod: pulumi.Input<string>;
  /** Free text. Some servers accept at most 256 bytes. Default: `""`. */
  description?: pulumi.Input<string>;
  /** Boolean expression over the claims of a login, like `engineering in list.groups` or `value.team == "ops"`. The empty selector matches every login of the method, and must be written out if bindType is `management`. Put a claim's name with a dash in double quotes, as in `value["my-claim"]`. Default: `""`. */
  selector?: pulumi.Input<string>;
  /** Grant of a matching login: a role, a policy, or management. A change to `management` replaces the rule. */
  bindType: pulumi.Input<"role" | "policy" | "management">;
  /** Name of the role or policy; values of claims are interpolated, like `team-${value.team}`. Required unless bindType is `management`, and not allowed then. */
  bindName?: pulumi.Input<string>;
  /** Behaviour of a create if the object exists already. `false`: fail, and name the object. `true`: take it over if it equals the inputs, otherwise fail with the differences. `"overwrite"`: take it over and write the inputs over it. This input only affects creates, and is never sent to the API. Default: `false`. */
  adopt?: pulumi.Input<boolean | "overwrite">;
}

/** The outputs of an AclBindingRule: its inputs, and the server's fields. */
export interface AclBindingRuleOutputs {
  /** Name of the auth method whose logins the rule applies to. It must exist before the rule, and can't change. */
  readonly authMethod: pulumi.Output<string>;
  /** Free text. Some servers accept at most 256 bytes. Default: `""`. */
  readonly description: pulumi.Output<string>;
  /** Boolean expression over the claims of a login, like `engineering in list.groups` or `value.team == "ops"`. The empty selector matches every login of the method, and must be written out if bindType is `management`. Put a claim's name with a dash in double quotes, as in `value["my-claim"]`. Default: `""`. */
  readonly selector: pulumi.Output<string>;
  /** Grant of a matching login: a role, a policy, or management. A change to `management` replaces the rule. */
  readonly bindType: pulumi.Output<"role" | "policy" | "management">;
  /** Name of the role or policy; values of claims are interpolated, like `team-${value.team}`. Required unless bindType is `management`, and not allowed then. */
  readonly bindName: pulumi.Output<string | undefined>;
  /** Behaviour of a create if the object exists already. `false`: fail, and name the object. `true`: take it over if it equals the inputs, otherwise fail with the differences. `"overwrite"`: take it over and write the inputs over it. This input only affects creates, and is never sent to the API. Default: `false`. */
  readonly adopt: pulumi.Output<boolean | "overwrite" | undefined>;
  /** Index of the cluster's store at the rule's creation. */
  readonly createIndex: pulumi.Output<number>;
  /** Index of the cluster's store at the rule's last change. */
  readonly modifyIndex: pulumi.Output<number>;
  /** Hash of the rule's content, if the server gives one. */
  readonly hash: pulumi.Output<string | undefined>;
  /** Time of the rule's creation (ISO 8601, UTC). */
  readonly createTime: pulumi.Output<string>;
  /** Time of the rule's last change (ISO 8601, UTC). */
  readonly modifyTime: pulumi.Output<string>;
  /** Address, and region if one is configured, of the rule's cluster. */
  readonly server: pulumi.Output<string>;
}

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
export interface AclBindingRule extends pulumi.CustomResource, AclBindingRuleOutputs {}

/** The class of an AclBindingRule. */
export interface AclBindingRuleClass extends Pick<typeof pulumi.CustomResource, "isInstance"> {
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
  new (name: string, args: AclBindingRuleArgs, options?: pulumi.CustomResourceOptions): AclBindingRule;
  /** With an ID among the options, the object is read, and nothing is declared. */
  new (name: string, args: undefined, options: pulumi.CustomResourceOptions & { readonly id: pulumi.Input<pulumi.ID> }): AclBindingRule;
  /** Reads an object that exists, and never changes it. Its `id` is the rule's ID, METHOD/DESCRIPTION, or METHOD/SELECTOR. METHOD/ is the rule without a description, or, if all have one, the one with the empty selector. */
  get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): AclBindingRule;
  readonly prototype: AclBindingRule;
}

/** The arguments of an AgentToken. */
export interface AgentTokenArgs {
  /** Identifier of the pool that agents join with the token. */
  agentPoolId: pulumi.Input<string>;
  /** Purpose of the token. It need not be unique. */
  description: pulumi.Input<string>;
  /** Values that the program chooses: if one changes, a new token is made. So a rotation can follow a date, or the version of an image. */
  keepers?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** The outputs of an AgentToken: its inputs, and the server's fields. */
export interface AgentTokenOutputs {
  /** Identifier of the pool that agents join with the token. */
  readonly agentPoolId: pulumi.Output<string>;
  /** Purpose of the token. It need not be unique. */
  readonly description: pulumi.Output<string>;
  /** Values that the program chooses: if one changes, a new token is made. So a rotation can follow a date, or the version of an image. */
  readonly keepers: pulumi.Output<Record<string, string> | undefined>;
  /** The token, for an agent's `TFC_AGENT_TOKEN`. Only the create returns it, so an imported or looked-up token has none, and its type in TypeScript is `Output<string | undefined>`. A token that the program creates always has it. */
  readonly token: pulumi.Output<string | undefined>;
  /** Time of the token's creation (ISO 8601 with milliseconds, UTC). */
  readonly createdAt: pulumi.Output<string>;
  /** Time of the token's last use by an agent, at the last read. Undefined if none has used it. */
  readonly lastUsedAt: pulumi.Output<string | undefined>;
  /** Organization of the pool. Undefined if neither the service nor the configuration names it. */
  readonly organization: pulumi.Output<string | undefined>;
  /** Address of the pool's service. */
  readonly server: pulumi.Output<string>;
}

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
export interface AgentToken extends pulumi.CustomResource, AgentTokenOutputs {}

/** The class of an AgentToken. */
export interface AgentTokenClass extends Pick<typeof pulumi.CustomResource, "isInstance"> {
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
  new (name: string, args: AgentTokenArgs, options?: pulumi.CustomResourceOptions): AgentToken;
  /** With an ID among the options, the object is read, and nothing is declared. */
  new (name: string, args: undefined, options: pulumi.CustomResourceOptions & { readonly id: pulumi.Input<pulumi.ID> }): AgentToken;
  /** Reads an object that exists, and never changes it. Its `id` is POOL-ID/TOKEN-ID, or the token's ID if the organization is configured. It reads everything except the secret; the next change makes a new token. */
  get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): AgentToken;
  readonly prototype: AgentToken;
}

/** The arguments of an AclToken. */
export interface AclTokenArgs {
  /** Name for people, at most 256 bytes. It need not be unique. Default: `""`. */
  name?: pulumi.Input<string>;
  /** `client`: may do what its policies and roles allow. `management`: may do everything. */
  type: pulumi.Input<"client" | "management">;
  /** Names of the ACL policies of a client token. Servers also take names of missing policies. Order and repeats mean nothing. Default: `[]`. */
  policies?: pulumi.Input<pulumi.Input<string>[]>;
  /** Names or IDs of the ACL roles of a client token. Each must exist. Name and ID of one role mean the same; order and repeats mean nothing. Default: `[]`. */
  roles?: pulumi.Input<pulumi.Input<string>[]>;
  /** Whether the token is valid in all regions. Otherwise it is only valid in the region that creates it. Default: `false`. */
  global?: pulumi.Input<boolean>;
  /** Lifetime of the token from its creation on, as a duration like "60s", "5m" or "1h0m0s". The server sets the limits, 1m to 24h unless configured. Left out: unlimited. */
  expirationTtl?: pulumi.Input<string>;
  /** Whether an expired token stays in the state, until another input changes. Otherwise the next update makes a new one, with a new secret. Default: `false`. */
  keepExpired?: pulumi.Input<boolean>;
}

/** A role. */
export interface AclTokenLinkedRole {
  /** Identifier of the role. */
  readonly id: string;
  /** Name of the role. */
  readonly name: string;
}

/** The outputs of an AclToken: its inputs, and the server's fields. */
export interface AclTokenOutputs {
  /** Name for people, at most 256 bytes. It need not be unique. Default: `""`. */
  readonly name: pulumi.Output<string>;
  /** `client`: may do what its policies and roles allow. `management`: may do everything. */
  readonly type: pulumi.Output<"client" | "management">;
  /** Names of the ACL policies of a client token. Servers also take names of missing policies. Order and repeats mean nothing. Default: `[]`. */
  readonly policies: pulumi.Output<string[]>;
  /** Names or IDs of the ACL roles of a client token. Each must exist. Name and ID of one role mean the same; order and repeats mean nothing. Default: `[]`. */
  readonly roles: pulumi.Output<string[]>;
  /** Whether the token is valid in all regions. Otherwise it is only valid in the region that creates it. Default: `false`. */
  readonly global: pulumi.Output<boolean>;
  /** Lifetime of the token from its creation on, as a duration like "60s", "5m" or "1h0m0s". The server sets the limits, 1m to 24h unless configured. Left out: unlimited. */
  readonly expirationTtl: pulumi.Output<string | undefined>;
  /** Whether an expired token stays in the state, until another input changes. Otherwise the next update makes a new one, with a new secret. Default: `false`. */
  readonly keepExpired: pulumi.Output<boolean | undefined>;
  /** Index of the cluster's store at the token's creation. */
  readonly createIndex: pulumi.Output<number>;
  /** Index of the cluster's store at the token's last change. */
  readonly modifyIndex: pulumi.Output<number>;
  /** Hash of the token's content, if the server gives one. */
  readonly hash: pulumi.Output<string | undefined>;
  /** The token's public identifier, a UUID. It is also the resource's ID. */
  readonly accessorId: pulumi.Output<string>;
  /** The token itself, which requests carry. */
  readonly secretId: pulumi.Output<string>;
  /** Time of the token's creation (ISO 8601, UTC). */
  readonly createTime: pulumi.Output<string>;
  /** Time at which the token ends (ISO 8601, UTC). Absent if it does not end. */
  readonly expirationTime: pulumi.Output<string | undefined>;
  /** The token's roles at the last read or write of the token, each with its ID and its name. After a rename, a refresh shows the role's new name. */
  readonly linkedRoles: pulumi.Output<AclTokenLinkedRole[]>;
  /** Address, and region if one is configured, of the token's cluster. */
  readonly server: pulumi.Output<string>;
}

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
export interface AclToken extends pulumi.CustomResource, AclTokenOutputs {}

/** The class of an AclToken. */
export interface AclTokenClass extends Pick<typeof pulumi.CustomResource, "isInstance"> {
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
  new (name: string, args: AclTokenArgs, options?: pulumi.CustomResourceOptions): AclToken;
  /** With an ID among the options, the object is read, and nothing is declared. */
  new (name: string, args: undefined, options: pulumi.CustomResourceOptions & { readonly id: pulumi.Input<pulumi.ID> }): AclToken;
  /** Reads an object that exists, and never changes it. Its `id` is the token's accessor ID. It reads the secret. A token with an absolute expiration time is imported with its whole lifetime as `expirationTtl`. */
  get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): AclToken;
  readonly prototype: AclToken;
}

/** Login for a short-lived token of the cluster, instead of `clusterToken`: by an auth method, with the identity token that a pipeline gets from its vendor. */
export interface ProviderClusterLoginArgs {
  /** Name of an auth method of type JWT. */
  authMethod: pulumi.Input<string>;
  /** Environment variable that holds the identity token, a JWT. */
  jwtVariable?: pulumi.Input<string>;
  /** Path of a file that holds the identity token, relative to the program's folder. The file is read anew at each login. */
  jwtFile?: pulumi.Input<string>;
}

/** The arguments of an explicit provider. */
export interface ProviderArgs {
  /** Address of the service that holds the agent pools, with or without `/api/v2`. Default: `TFE_ADDRESS`, or `https://` and `TFE_HOSTNAME`. */
  poolsAddress?: pulumi.Input<string>;
  /** Token for the agent pools. No `AGENTPOOL_ACL_` variable applies. Default: `TFE_TOKEN` (unless the provider names the address of the service). */
  poolsToken?: pulumi.Input<string>;
  /** Organization of agent pools that name none. Default: `TFE_ORGANIZATION` (unless the provider names the address of the service). */
  organization?: pulumi.Input<string>;
  /** Address of the cluster's HTTP API, with or without `/v1`. Default: `NOMAD_ADDR`. */
  clusterAddress?: pulumi.Input<string>;
  /** Secret identifier of a management token of the cluster. No `AGENTPOOL_ACL_` variable applies. Default: `NOMAD_TOKEN` (unless the provider names the address of the service). */
  clusterToken?: pulumi.Input<string>;
  /** Login for a short-lived token of the cluster, instead of `clusterToken`: by an auth method, with the identity token that a pipeline gets from its vendor. */
  clusterLogin?: pulumi.Input<ProviderClusterLoginArgs>;
  /** Region that requests are sent to: the authoritative one. Required if the cluster has several. Default: `NOMAD_REGION` (unless the provider names the address of the service), or the only region. */
  clusterRegion?: pulumi.Input<string>;
  /** The only header that carries the cluster's token. Default: `X-Cluster-Token` and `X-Nomad-Token`, both in each request. */
  clusterAuthHeader?: pulumi.Input<string>;
  /** PEM text, or path, of the CA certificates that the cluster's certificate is checked with. Default: `NOMAD_CACERT` (unless the provider names the address of the service). */
  clusterCaCert?: pulumi.Input<string>;
  /** PEM text, or path, of the client certificate for the cluster. Default: `NOMAD_CLIENT_CERT` (unless the provider names the address of the service). */
  clusterClientCert?: pulumi.Input<string>;
  /** PEM text, or path, of the client certificate's key. No `AGENTPOOL_ACL_` variable applies. Default: `NOMAD_CLIENT_KEY` (unless the provider names the address of the service). */
  clusterClientKey?: pulumi.Input<string>;
  /** Name that the cluster's certificate must have, if it is not the host of the address. Default: `NOMAD_TLS_SERVER_NAME` (unless the provider names the address of the service). */
  clusterTlsServerName?: pulumi.Input<string>;
  /** PEM text, or path, of the CA certificates that the agent pool service's certificate is checked with. */
  poolsCaCert?: pulumi.Input<string>;
  /** Seconds that one try of a request may take, including its response: more than 0. Default: `30`. */
  requestTimeoutSeconds?: pulumi.Input<number>;
  /** Maximal number of repetitions of a request after transient faults, if they are safe: 0 or more. Default: `4`. */
  maxRetries?: pulumi.Input<number>;
  /** Maximal number of requests, and so of connections, that are open to one address: 1 or more. Default: `32`. */
  maxConcurrentRequests?: pulumi.Input<number>;
  /** Seconds for which one list of a kind of objects serves the reads of an operation, such as a refresh: 0 or more; 0 reads every object singly. Default: `10`. */
  readSnapshotSeconds?: pulumi.Input<number>;
  /** Whether a token may be sent over plain http to an address that is not this machine's own. Default: `false`. */
  allowInsecureHttp?: pulumi.Input<boolean>;
  /** Whether an object of another server that is missing on the configured server counts as gone, and may be replaced there. For one run after a server was moved or restored: `AGENTPOOL_ACL_ACCEPT_MOVED_SERVER=true` takes precedence, and also applies to a destroy or refresh. Default: `false`. */
  acceptMovedServer?: pulumi.Input<boolean>;
}
