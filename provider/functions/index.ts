import { explainLogin, getAccessGraph } from "../../access-functions";
import { resources } from "../resources";
import { getAgent, getAgentPool, getProject, getWorkspace, listAgentPools, listAgents } from "./agent-pools";
import type { ProviderFunction } from "./definition";

/** Every function of the provider: the look-ups that the records of kinds name, and the others. */
export const functions: readonly ProviderFunction[] = [
  getAgentPool,
  listAgentPools,
  getAgent,
  listAgents,
  getWorkspace,
  getProject,
  ...resources.flatMap(({ lookUps }) => lookUps),
  explainLogin,
  getAccessGraph,
];

export * from "../../access-functions";
export * from "./agent-pools";
