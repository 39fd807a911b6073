import { explainLogin, getAccessGraph } from "./access";
import { getAgent, getAgentPool, getProject, getWorkspace, listAgentPools, listAgents } from "./agent-pools";
import { getAuthMethod, getBindingRule, getRole, listAuthMethods, listBindingRules, listRoles } from "./cluster-acl";
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
  getRole,
  listRoles,
  getBindingRule,
  listBindingRules,
  explainLogin,
  getAccessGraph,
];

export {
  explainLogin,
  getAccessGraph,
  getAgent,
  getAgentPool,
  getAuthMethod,
  getBindingRule,
  getProject,
  getRole,
  getWorkspace,
  listAgentPools,
  listAgents,
  listAuthMethods,
  listBindingRules,
  listRoles,
};
