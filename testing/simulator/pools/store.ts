import { randomBytes, randomInt } from "node:crypto";

/** The statuses that the document mentions; it has no complete list. */
export type AgentStatus = "idle" | "busy" | "exited" | "errored" | "unknown";

export interface Pool {
  readonly id: string;
  readonly organization: string;
  readonly name: string;
  /** ISO 8601 with milliseconds, UTC. */
  readonly createdAt: string;
  readonly organizationScoped: boolean;
  /** Workspaces that may use the pool. */
  readonly allowedWorkspaceIds: readonly string[];
  /** Projects whose workspaces may use the pool. */
  readonly allowedProjectIds: readonly string[];
  /** Workspaces that may not use it, although a project of theirs may. */
  readonly excludedWorkspaceIds: readonly string[];
  /** Workspaces that are attached to the pool. */
  readonly workspaceIds: readonly string[];
}

export interface Agent {
  readonly id: string;
  readonly poolId: string;
  readonly name: string | null;
  readonly status: AgentStatus;
  readonly ipAddress: string;
  /** ISO 8601 with milliseconds, UTC. */
  readonly lastPingAt: string;
  readonly createdAt: string;
}

/** What an agent joins its pool with. */
export interface AgentToken {
  readonly id: string;
  readonly poolId: string;
  readonly description: string;
  /** The secret: only the response of the create has it. */
  readonly token: string;
  /** ISO 8601 with milliseconds, UTC. */
  readonly createdAt: string;
  /** Null until an agent has used it. */
  readonly lastUsedAt: string | null;
  readonly createdById: string;
}

export interface Workspace {
  readonly id: string;
  readonly organization: string;
  readonly name: string;
  readonly projectId: string;
}

export interface Project {
  readonly id: string;
  readonly organization: string;
  readonly name: string;
}

/** The fields of a pool that can change. */
export type PoolChange = Partial<Omit<Pool, "id" | "organization" | "createdAt">>;

/**
 * The content of the agent pool service. The methods are for tests: they read and change it outside of the API and without its rules (the
 * limit of pools, unique names). An unknown id is an error.
 */
export class PoolsStore {
  private readonly organizationNames = new Set<string>();
  private readonly poolsById = new Map<string, Pool>();
  private readonly agentsById = new Map<string, Agent>();
  private readonly agentTokensById = new Map<string, AgentToken>();
  private readonly workspacesById = new Map<string, Workspace>();
  private readonly projectsById = new Map<string, Project>();
  /** Who makes the agents' tokens. */
  private readonly userId = newId("user");

  /** How many pools an organization may have. Only a create over HTTP checks it. */
  constructor(readonly poolsPerOrganization: number) {}

  get organizations(): string[] {
    return [...this.organizationNames];
  }

  /** With its first project, which the workspaces belong to that name no other. */
  addOrganization(name: string): void {
    if (this.hasOrganization(name)) return;
    this.organizationNames.add(name);
    this.addProject(name, { name: "Default Project" });
  }

  hasOrganization(name: string): boolean {
    return this.organizationNames.has(name);
  }

  /** The pools of an organization, or all, oldest first. */
  list(organization?: string): Pool[] {
    return [...this.poolsById.values()].filter((pool) => organization === undefined || pool.organization === organization);
  }

  get(id: string): Pool | undefined {
    return this.poolsById.get(id);
  }

  /** Makes a pool. Default: organization-scoped, without workspaces. */
  put(values: { id?: string; organization: string; name: string } & PoolChange): Pool {
    if (!this.hasOrganization(values.organization)) throw new Error(`no organization "${values.organization}" in the simulator`);
    const pool: Pool = {
      id: newId("apool"),
      createdAt: new Date().toISOString(),
      organizationScoped: true,
      allowedWorkspaceIds: [],
      allowedProjectIds: [],
      excludedWorkspaceIds: [],
      workspaceIds: [],
      ...values,
    };
    this.poolsById.set(pool.id, pool);
    return pool;
  }

  update(id: string, change: PoolChange): Pool {
    const pool = { ...this.known(this.poolsById, id), ...change };
    this.poolsById.set(id, pool);
    return pool;
  }

  /** Removes a pool with its agents and their tokens. */
  delete(id: string): void {
    this.known(this.poolsById, id);
    for (const agent of this.agents(id)) this.agentsById.delete(agent.id);
    for (const token of this.agentTokens(id)) this.agentTokensById.delete(token.id);
    this.poolsById.delete(id);
  }

  /** The agents of a pool, oldest first. */
  agents(poolId: string): Agent[] {
    return [...this.agentsById.values()].filter((agent) => agent.poolId === poolId);
  }

  agent(id: string): Agent | undefined {
    return this.agentsById.get(id);
  }

  /** Adds an agent. Default: idle, without a name, last ping now. */
  addAgent(poolId: string, values: { name?: string; status?: AgentStatus; ip?: string; lastPingAt?: string | Date } = {}): Agent {
    this.known(this.poolsById, poolId);
    const agent: Agent = {
      id: newId("agent"),
      poolId,
      name: values.name ?? null,
      status: values.status ?? "idle",
      ipAddress: values.ip ?? "127.0.0.1",
      lastPingAt: new Date(values.lastPingAt ?? Date.now()).toISOString(),
      createdAt: new Date().toISOString(),
    };
    this.agentsById.set(agent.id, agent);
    return agent;
  }

  setStatus(agentId: string, status: AgentStatus): Agent {
    const agent = { ...this.known(this.agentsById, agentId), status };
    this.agentsById.set(agentId, agent);
    return agent;
  }

  removeAgent(id: string): void {
    this.known(this.agentsById, id);
    this.agentsById.delete(id);
  }

  /** The tokens of a pool's agents, oldest first. */
  agentTokens(poolId: string): AgentToken[] {
    return [...this.agentTokensById.values()].filter((token) => token.poolId === poolId);
  }

  agentToken(id: string): AgentToken | undefined {
    return this.agentTokensById.get(id);
  }

  /** Makes a token for the agents of a pool. */
  addAgentToken(poolId: string, description: string, id = newId("at")): AgentToken {
    this.known(this.poolsById, poolId);
    const token: AgentToken = {
      id,
      poolId,
      description,
      token: `${randomBytes(10).toString("hex")}.atlasv1.${randomBytes(32).toString("hex")}`,
      createdAt: new Date().toISOString(),
      lastUsedAt: null,
      createdById: this.userId,
    };
    this.agentTokensById.set(token.id, token);
    return token;
  }

  /** As if an agent had joined its pool with the token. */
  useAgentToken(id: string, at: string | Date = new Date()): AgentToken {
    const token = { ...this.known(this.agentTokensById, id), lastUsedAt: new Date(at).toISOString() };
    this.agentTokensById.set(id, token);
    return token;
  }

  removeAgentToken(id: string): void {
    this.known(this.agentTokensById, id);
    this.agentTokensById.delete(id);
  }

  addProject(organization: string, values: { id?: string; name: string }): Project {
    const project: Project = { id: values.id ?? newId("prj"), organization, name: values.name };
    this.projectsById.set(project.id, project);
    return project;
  }

  project(id: string): Project | undefined {
    return this.projectsById.get(id);
  }

  projects(organization: string): Project[] {
    return [...this.projectsById.values()].filter((project) => project.organization === organization);
  }

  /** Adds a workspace. Default: in the organization's first project. */
  addWorkspace(organization: string, values: { id?: string; name: string; projectId?: string }): Workspace {
    const projectId = values.projectId ?? this.projects(organization)[0]?.id ?? "";
    const workspace: Workspace = { id: values.id ?? newId("ws"), organization, name: values.name, projectId };
    this.workspacesById.set(workspace.id, workspace);
    return workspace;
  }

  workspace(id: string): Workspace | undefined {
    return this.workspacesById.get(id);
  }

  workspaces(organization: string): Workspace[] {
    return [...this.workspacesById.values()].filter((workspace) => workspace.organization === organization);
  }

  /** The pool that a workspace is attached to. */
  poolOf(workspaceId: string): Pool | undefined {
    return this.list().find((pool) => pool.workspaceIds.includes(workspaceId));
  }

  /** Attaches the workspace to the pool, and to no other. */
  attachWorkspace(poolId: string, workspaceId: string): void {
    this.known(this.workspacesById, workspaceId);
    const { workspaceIds } = this.known(this.poolsById, poolId);
    const before = this.poolOf(workspaceId);
    if (before?.id === poolId) return;
    if (before) this.detachWorkspace(before.id, workspaceId);
    this.update(poolId, { workspaceIds: [...workspaceIds, workspaceId] });
  }

  detachWorkspace(poolId: string, workspaceId: string): void {
    const { workspaceIds } = this.known(this.poolsById, poolId);
    this.update(poolId, { workspaceIds: workspaceIds.filter((id) => id !== workspaceId) });
  }

  private known<Row>(rows: Map<string, Row>, id: string): Row {
    const row = rows.get(id);
    if (row === undefined) throw new Error(`nothing with the id "${id}" in the simulator`);
    return row;
  }
}

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function newId(prefix: string): string {
  return `${prefix}-${Array.from({ length: 16 }, () => ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]).join("")}`;
}
