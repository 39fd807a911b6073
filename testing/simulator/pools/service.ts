import { serviceBodies } from "./bodies";
import type { PoolsDialect } from "./dialect";
import { agentResource, links, poolResource, workspaceResource } from "./resources";
import type { Pool, PoolsStore, Workspace } from "./store";

/** The service as its clients know it. DIFFERENCES.md has the evidence for each statement. */
export const servicePools: PoolsDialect = {
  poolsPerOrganization: Number.POSITIVE_INFINITY,
  hasNeighbours: true,
  bodies: serviceBodies,
  filter(query, store, organization) {
    const workspaceName = query.get("filter[allowed_workspaces][name]") ?? query.get("filter[allowed-workspaces][name]");
    const projectName = query.get("filter[allowed_projects][name]") ?? query.get("filter[allowed-projects][name]");
    const workspace = store.workspaces(organization).find(({ name }) => name === workspaceName);
    const project = store.projects(organization).find(({ name }) => name === projectName);
    return (pool) =>
      pool.organizationScoped ||
      ((workspaceName === null || (workspace !== undefined && mayBeUsedBy(pool, workspace))) &&
        (projectName === null || (project !== undefined && pool.allowedProjectIds.includes(project.id))));
  },
  shownPool,
  listedPool(pool, agents) {
    const { attributes, ...resource } = shownPool(pool);
    const alive = agents.filter(({ status }) => status !== "exited" && status !== "errored");
    return { ...resource, attributes: { ...attributes, "agent-count": alive.length } };
  },
  shownAgent(agent) {
    const { attributes, ...resource } = agentResource(agent);
    return { ...resource, attributes: { ...attributes, "created-at": agent.createdAt } };
  },
  shownWorkspace,
};

/** Whether a workspace may be attached to the pool. */
export function mayBeUsedBy(pool: Pool, workspace: Workspace): boolean {
  if (pool.organizationScoped) return true;
  if (pool.excludedWorkspaceIds.includes(workspace.id)) return false;
  return pool.allowedWorkspaceIds.includes(workspace.id) || pool.allowedProjectIds.includes(workspace.projectId);
}

function shownPool(pool: Pool) {
  const { relationships, ...resource } = poolResource(pool);
  return {
    ...resource,
    relationships: {
      ...relationships,
      organization: { data: { id: pool.organization, type: "organizations" } },
      "allowed-projects": links("projects", pool.allowedProjectIds),
      "excluded-workspaces": links("workspaces", pool.excludedWorkspaceIds),
    },
  };
}

function shownWorkspace(workspace: Workspace, store: PoolsStore): object {
  const { attributes, ...resource } = workspaceResource(workspace);
  const pool = store.poolOf(workspace.id);
  return {
    ...resource,
    attributes: { ...attributes, "execution-mode": pool ? "agent" : "remote" },
    relationships: {
      organization: { data: { id: workspace.organization, type: "organizations" } },
      project: { data: { id: workspace.projectId, type: "projects" } },
      "agent-pool": { data: pool ? { id: pool.id, type: "agent-pools" } : null },
    },
    links: { self: `/api/v2/organizations/${workspace.organization}/workspaces/${workspace.name}` },
  };
}
