import type { ProviderFunction } from "../model/function";
import { getAgent, getAgentPool, listAgentPools, listAgents } from "./agent-pools";
import { getAuthMethod, getBindingRule, getRole, listAuthMethods, listBindingRules, listRoles } from "./cluster-acl";

/** Every function of the provider. */
export const functions: readonly ProviderFunction[] = [
  getAgentPool,
  listAgentPools,
  getAgent,
  listAgents,
  getAuthMethod,
  listAuthMethods,
  getRole,
  listRoles,
  getBindingRule,
  listBindingRules,
];

export {
  getAgent,
  getAgentPool,
  getAuthMethod,
  getBindingRule,
  getRole,
  listAgentPools,
  listAgents,
  listAuthMethods,
  listBindingRules,
  listRoles,
};
