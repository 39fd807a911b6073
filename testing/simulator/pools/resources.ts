import type { Agent, AgentToken, Pool, Project, Workspace } from "./store";

/** "Agent pool" in the document's section "Resources and their fields". */
export function poolResource(pool: Pool) {
  const path = `/api/v2/agent-pools/${pool.id}`;
  return {
    id: pool.id,
    type: "agent-pools",
    attributes: { name: pool.name, "created-at": pool.createdAt, "organization-scoped": pool.organizationScoped },
    relationships: {
      agents: { links: { related: `${path}/agents` } },
      "authentication-tokens": { links: { related: `${path}/authentication-tokens` } },
      workspaces: links("workspaces", pool.workspaceIds),
      "allowed-workspaces": links("workspaces", pool.allowedWorkspaceIds),
    },
    links: { self: path },
  };
}

/** A relationship to many objects of a type. */
export function links(type: string, ids: readonly string[]) {
  return { data: ids.map((id) => ({ id, type })) };
}

/** "Agent" in the document's section "Resources and their fields". */
export function agentResource(agent: Agent) {
  return {
    id: agent.id,
    type: "agents",
    attributes: { name: agent.name, status: agent.status, "ip-address": agent.ipAddress, "last-ping-at": agent.lastPingAt },
    links: { self: `/api/v2/agents/${agent.id}` },
  };
}

export function workspaceResource(workspace: Workspace) {
  return { id: workspace.id, type: "workspaces", attributes: { name: workspace.name } };
}

export function projectResource(project: Project): object {
  return {
    id: project.id,
    type: "projects",
    attributes: { name: project.name },
    relationships: { organization: { data: { id: project.organization, type: "organizations" } } },
    links: { self: `/api/v2/projects/${project.id}` },
  };
}

/** An agent's token, without its secret. */
export function agentTokenResource(token: AgentToken) {
  return {
    id: token.id,
    type: "authentication-tokens",
    attributes: { "created-at": token.createdAt, "last-used-at": token.lastUsedAt, description: token.description, token: null },
    relationships: { "created-by": { data: { id: token.createdById, type: "users" } } },
  };
}
