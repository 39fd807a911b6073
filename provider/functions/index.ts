import { explainLogin, getAccessGraph } from "../../access-functions";
import { resources } from "../resources";
import { getAgent, getProject, getWorkspace, listAgents } from "./agent-pools";
import type { ProviderFunction } from "./definition";

/** Every function of the provider: the look-ups of the kinds, the functions for objects of no kind, and those about access. */
export const functions: readonly ProviderFunction[] = [
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
