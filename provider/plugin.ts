/**
 * The same resources and functions as the package's main module, served by the plugin instead of dynamic resources: with import, property-level
 * diffs, explicit providers, and for every Pulumi language. Moving a stack is a change of the import line.
 */
import * as pulumi from "@pulumi/pulumi";
import type * as f from "./generated/functions";
import type * as r from "./generated/resources";
import { invokePlugin, invokePluginOutput, pluginProvider, pluginResource } from "./program/plugin";
import { shortStacks } from "./program/stack-traces";
import * as resources from "./resources";

export * from "./generated/functions";
export * from "./generated/resources";

/** Values of inputs that take one of a few, by the names that `pulumi import` writes into the code that it makes. */
export const AclAuthMethodType = { OIDC: "OIDC", JWT: "JWT" } as const;
export const AclAuthMethodTokenLocality = { Local: "local", Global: "global" } as const;
export const AclAuthMethodConfigOidcClientAssertionKeySource = {
  Nomad: "nomad",
  PrivateKey: "private_key",
  ClientSecret: "client_secret",
} as const;
export const AclBindingRuleBindType = { Role: "role", Policy: "policy", Management: "management" } as const;

type Options = pulumi.CustomResourceOptions;
/** With an ID among the options nothing is declared: the object is read. */
type Lookup = Options & { readonly id: pulumi.Input<pulumi.ID> };

/**
 * An explicit provider: another address, organization or token than the stack's configuration has, for some of a program's resources.
 *
 * @example
 * const staging = new Provider("staging", { clusterAddress: "https://staging.example.com:4646" });
 * new AclRole("developers", { name: "developers", policies: ["read-jobs"] }, { provider: staging });
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: r.ProviderArgs = {}, options?: pulumi.ResourceOptions) {
    super(...pluginProvider(name, { ...args }, options));
  }
}

export interface AgentPool extends r.AgentPoolOutputs {}

/**
 * An agent pool of an organization: a group of self-hosted agents that run remote operations on private infrastructure.
 *
 * @example
 * const pool = new AgentPool("build", { allowedWorkspaceIds: ["ws-abc123"] });
 */
export class AgentPool extends pulumi.CustomResource {
  /** A pool that exists, by its ID (or ORGANIZATION/POOL-NAME): read, never changed. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: Options): AgentPool {
    return new AgentPool(name, {}, { ...options, id });
  }

  constructor(name: string, args: r.AgentPoolArgs = {}, options?: Options) {
    const stacks = shortStacks();
    try {
      super(...pluginResource(resources.agentPool, name, options?.id ? { ...args } : { ...args, name: args.name ?? name }, options));
    } catch (error) {
      throw stacks.completed(error);
    } finally {
      stacks.end();
    }
  }
}

export interface AclAuthMethod extends r.AclAuthMethodOutputs {}

/**
 * An ACL auth method of the cluster: how an identity provider is used for logins, and what kind of token a login makes.
 *
 * @example
 * const sso = new AclAuthMethod("sso", {
 *     name: "sso",
 *     type: "OIDC",
 *     tokenLocality: "global",
 *     maxTokenTtl: "1h",
 *     config: {
 *         oidcDiscoveryUrl: "https://idp.example.com",
 *         oidcClientId: "cluster",
 *         oidcClientSecret: config.requireSecret("clientSecret"),
 *         boundAudiences: ["cluster"],
 *         allowedRedirectUris: ["http://localhost:4649/oidc/callback"],
 *         listClaimMappings: { groups: "groups" },
 *     },
 * });
 */
export class AclAuthMethod extends pulumi.CustomResource {
  /** A method that exists, by its name: read, never changed. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: Options): AclAuthMethod {
    return new AclAuthMethod(name, undefined, { ...options, id });
  }

  constructor(name: string, args: r.AclAuthMethodArgs, options?: Options);
  constructor(name: string, args: undefined, options: Lookup);
  constructor(name: string, args: r.AclAuthMethodArgs | undefined, options?: Options) {
    const stacks = shortStacks();
    try {
      super(...pluginResource(resources.aclAuthMethod, name, { ...args }, options));
    } catch (error) {
      throw stacks.completed(error);
    } finally {
      stacks.end();
    }
  }
}

export interface AclRole extends r.AclRoleOutputs {}

/**
 * An ACL role of the cluster: a name for a group of policies, which tokens and binding rules refer to.
 *
 * @example
 * const developers = new AclRole("developers", { name: "developers", policies: ["read-jobs", "submit-jobs"] });
 */
export class AclRole extends pulumi.CustomResource {
  /** A role that exists, by its ID or its name: read, never changed. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: Options): AclRole {
    return new AclRole(name, undefined, { ...options, id });
  }

  constructor(name: string, args: r.AclRoleArgs, options?: Options);
  constructor(name: string, args: undefined, options: Lookup);
  constructor(name: string, args: r.AclRoleArgs | undefined, options?: Options) {
    const stacks = shortStacks();
    try {
      super(...pluginResource(resources.aclRole, name, { ...args }, options));
    } catch (error) {
      throw stacks.completed(error);
    } finally {
      stacks.end();
    }
  }
}

export interface AclBindingRule extends r.AclBindingRuleOutputs {}

/**
 * An ACL binding rule of the cluster: what a login of an auth method is given, by the claims that it brings.
 *
 * @example
 * const engineers = new AclBindingRule("engineers", {
 *     authMethod: sso.name,
 *     selector: "engineering in list.groups",
 *     bindType: "role",
 *     bindName: developers.name,
 * });
 */
export class AclBindingRule extends pulumi.CustomResource {
  /** A rule that exists, by its ID: read, never changed. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: Options): AclBindingRule {
    return new AclBindingRule(name, undefined, { ...options, id });
  }

  constructor(name: string, args: r.AclBindingRuleArgs, options?: Options);
  constructor(name: string, args: undefined, options: Lookup);
  constructor(name: string, args: r.AclBindingRuleArgs | undefined, options?: Options) {
    const stacks = shortStacks();
    try {
      super(...pluginResource(resources.aclBindingRule, name, { ...args }, options));
    } catch (error) {
      throw stacks.completed(error);
    } finally {
      stacks.end();
    }
  }
}

// The look-ups. The Output form waits for its arguments.

/** An agent pool, by its ID, or by organization and name. Rejects when there is none. */
export function getAgentPool(args: f.GetAgentPoolArgs, options?: pulumi.InvokeOptions): Promise<f.GetAgentPoolResult> {
  return invokePlugin("getAgentPool", { ...args }, options);
}

/** getAgentPool, with arguments that may be outputs. */
export function getAgentPoolOutput(
  args: f.GetAgentPoolOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<f.GetAgentPoolResult> {
  return invokePluginOutput("getAgentPool", { ...args }, options);
}

/** The agent pools of an organization, all pages of them. */
export function listAgentPools(args: f.ListAgentPoolsArgs = {}, options?: pulumi.InvokeOptions): Promise<f.ListAgentPoolsResult> {
  return invokePlugin("listAgentPools", { ...args }, options);
}

/** listAgentPools, with arguments that may be outputs. */
export function listAgentPoolsOutput(
  args: f.ListAgentPoolsOutputArgs = {},
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<f.ListAgentPoolsResult> {
  return invokePluginOutput("listAgentPools", { ...args }, options);
}

/** An agent, by its ID. Rejects when there is none. */
export function getAgent(args: f.GetAgentArgs, options?: pulumi.InvokeOptions): Promise<f.GetAgentResult> {
  return invokePlugin("getAgent", { ...args }, options);
}

/** getAgent, with arguments that may be outputs. */
export function getAgentOutput(args: f.GetAgentOutputArgs, options?: pulumi.InvokeOutputOptions): pulumi.Output<f.GetAgentResult> {
  return invokePluginOutput("getAgent", { ...args }, options);
}

/** The agents of a pool, all pages of them. */
export function listAgents(args: f.ListAgentsArgs, options?: pulumi.InvokeOptions): Promise<f.ListAgentsResult> {
  return invokePlugin("listAgents", { ...args }, options);
}

/** listAgents, with arguments that may be outputs. */
export function listAgentsOutput(args: f.ListAgentsOutputArgs, options?: pulumi.InvokeOutputOptions): pulumi.Output<f.ListAgentsResult> {
  return invokePluginOutput("listAgents", { ...args }, options);
}

/** An ACL auth method, by its name, without its secrets. Rejects when there is none. */
export function getAuthMethod(args: f.GetAuthMethodArgs, options?: pulumi.InvokeOptions): Promise<f.GetAuthMethodResult> {
  return invokePlugin("getAuthMethod", { ...args }, options);
}

/** getAuthMethod, with arguments that may be outputs. */
export function getAuthMethodOutput(
  args: f.GetAuthMethodOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<f.GetAuthMethodResult> {
  return invokePluginOutput("getAuthMethod", { ...args }, options);
}

/** The ACL auth methods of the cluster, in short. */
export function listAuthMethods(options?: pulumi.InvokeOptions): Promise<f.ListAuthMethodsResult> {
  return invokePlugin("listAuthMethods", {}, options);
}

/** listAuthMethods, as an output. */
export function listAuthMethodsOutput(options?: pulumi.InvokeOutputOptions): pulumi.Output<f.ListAuthMethodsResult> {
  return invokePluginOutput("listAuthMethods", {}, options);
}

/** An ACL role, by its ID or its name. Rejects when there is none. */
export function getRole(args: f.GetRoleArgs, options?: pulumi.InvokeOptions): Promise<f.GetRoleResult> {
  return invokePlugin("getRole", { ...args }, options);
}

/** getRole, with arguments that may be outputs. */
export function getRoleOutput(args: f.GetRoleOutputArgs, options?: pulumi.InvokeOutputOptions): pulumi.Output<f.GetRoleResult> {
  return invokePluginOutput("getRole", { ...args }, options);
}

/** The ACL roles of the cluster that the token may see; with `prefix`, an even number of hexadecimal characters, those whose IDs begin with it. */
export function listRoles(args: f.ListRolesArgs = {}, options?: pulumi.InvokeOptions): Promise<f.ListRolesResult> {
  return invokePlugin("listRoles", { ...args }, options);
}

/** listRoles, with arguments that may be outputs. */
export function listRolesOutput(args: f.ListRolesOutputArgs = {}, options?: pulumi.InvokeOutputOptions): pulumi.Output<f.ListRolesResult> {
  return invokePluginOutput("listRoles", { ...args }, options);
}

/** An ACL binding rule, by its ID. Rejects when there is none. */
export function getBindingRule(args: f.GetBindingRuleArgs, options?: pulumi.InvokeOptions): Promise<f.GetBindingRuleResult> {
  return invokePlugin("getBindingRule", { ...args }, options);
}

/** getBindingRule, with arguments that may be outputs. */
export function getBindingRuleOutput(
  args: f.GetBindingRuleOutputArgs,
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<f.GetBindingRuleResult> {
  return invokePluginOutput("getBindingRule", { ...args }, options);
}

/** The ACL binding rules of the cluster, in short. */
export function listBindingRules(options?: pulumi.InvokeOptions): Promise<f.ListBindingRulesResult> {
  return invokePlugin("listBindingRules", {}, options);
}

/** listBindingRules, as an output. */
export function listBindingRulesOutput(options?: pulumi.InvokeOutputOptions): pulumi.Output<f.ListBindingRulesResult> {
  return invokePluginOutput("listBindingRules", {}, options);
}
