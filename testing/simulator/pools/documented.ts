import { documentedBodies } from "./bodies";
import type { PoolsDialect } from "./dialect";
import { agentResource, poolResource, workspaceResource } from "./resources";

/** The document "Agent Pool Management Interface", to the letter. */
export const documentedPools: PoolsDialect = {
  poolsPerOrganization: 1,
  hasNeighbours: false,
  bodies: documentedBodies,
  filter(query, store, organization) {
    const name = query.get("filter[allowed_workspaces][name]");
    if (name === null) return () => true;
    const workspace = store.workspaces(organization).find((workspace) => workspace.name === name);
    return (pool) => workspace !== undefined && (pool.organizationScoped || pool.allowedWorkspaceIds.includes(workspace.id));
  },
  shownPool: poolResource,
  // "Returns the pools of the organization, each with its agents and tokens relationships": with these relationships only.
  listedPool(pool, agents) {
    const { relationships, attributes, ...resource } = poolResource(pool);
    const { workspaces: _, "allowed-workspaces": __, ...listed } = relationships;
    return { ...resource, attributes: { ...attributes, "agent-count": agents.length }, relationships: listed };
  },
  shownAgent: agentResource,
  shownWorkspace: workspaceResource,
};
