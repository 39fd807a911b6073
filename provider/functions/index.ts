import { explainLogin, getAccessGraph } from "../../access-functions";
import { getAgent, getAgentPool, getProject, getWorkspace, listAgentPools, listAgents } from "./agent-pools";
import {
  getAuthMethod,
  getBindingRule,
  getPolicy,
  getRole,
  listAuthMethods,
  listBindingRules,
  listPolicies,
  listRoles,
} from "./cluster-acl";
import { getToken, listTokens } from "./cluster-tokens";
import type { ProviderFunction } from "./definition";

/** Every function of the provider. */
export const functions: readonly ProviderFunction[] = [
  getAgentPool,
  listAgentPools,
  getAgent,
  listAgents,
  getWorkspace,
  getProject,
  getAuthMethod,
  listAuthMethods,
  getPolicy,
  listPolicies,
  getRole,
  listRoles,
  getBindingRule,
  listBindingRules,
  getToken,
  listTokens,
  explainLogin,
  getAccessGraph,
];

export * from "../../access-functions";
export * from "./agent-pools";
export * from "./cluster-acl";
export * from "./cluster-tokens";
