import type { ProviderFunction } from "../../provider/functions/definition";
import type { Properties } from "../../provider/model/remote";
import { resources } from "../../provider/resources";
import type { Simulator } from "../../testing/simulator";
import { sampleOf } from "../kinds";

/**
 * Makes an object for each function to find. The secrets of these objects are `their-secret`. @returns the objects' names and IDs: every
 * result holds at least one of them
 */
export function fill(simulator: Simulator): string[] {
  const { organization, pools, cluster } = simulator;
  const agent = pools.addAgent(pools.put({ organization, name: "build" }).id);
  pools.addWorkspace(organization, { name: "website" });
  pools.addProject(organization, { name: "shop" });
  cluster.methods.put({ Name: "sso", Config: { OIDCClientSecret: "their-secret" } });
  cluster.tokens.put({ Name: "ci", Type: "client", Policies: ["read"], SecretID: "their-secret" });
  const samples = lookedUp().map(({ kind }) => sampleOf(kind));
  for (const { objects, twin } of samples) if (objects(simulator).length === 0) twin?.(simulator);
  return ["build", "website", "shop", agent.id, ...samples.flatMap(({ objects }) => objects(simulator).map(({ id }) => id))];
}

/** The arguments by which a function finds an object that {@link fill} has made. */
export function argumentsOf({ name, inputs }: ProviderFunction, simulator: Simulator): Properties {
  const [pool] = simulator.pools.list();
  const [agent] = simulator.pools.agents(pool?.id ?? "");
  const given: Record<string, Properties> = {
    getAgentPool: { name: pool?.name },
    getAgent: { id: agent?.id },
    listAgents: { agentPoolId: pool?.id },
    getWorkspace: { name: "website" },
    getProject: { name: "shop" },
    explainLogin: { authMethod: "sso", claims: {} },
  };
  const known = given[name];
  const owner = lookedUp().find(({ lookUps }) => lookUps.some((one) => one.name === name));
  if (known || !owner || name.startsWith("list")) return known ?? {};
  const [argument = ""] = inputs.keys();
  return { [argument]: sampleOf(owner.kind).objects(simulator)[0]?.id };
}

function lookedUp() {
  return resources.filter(({ lookUps }) => lookUps.length > 0);
}
