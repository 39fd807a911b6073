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
  /** Workspaces that may not use it, although their project may. */
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

/** The token that an agent joins its pool with. */
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
 * The content of the agent pool service. The methods do not apply the API's rules (the limit of pools, unique names), so a test can make
 * any content. A change of an object with an unknown id is an error.
 */
export class PoolsStore {
  private readonly organizationNames = new Set<string>();
  private readonly poolsById = new Rows<Pool>();
  private readonly agentsById = new Rows<Agent>();
  private readonly agentTokensById = new Rows<AgentToken>();
  private readonly workspacesById = new Rows<Workspace>();
  private readonly projectsById = new Rows<Project>();
  /** The user who creates agent tokens. */
  private readonly userId = newId("user");

  /** The maximal number of pools in an organization. Only a create over HTTP checks it. */
  constructor(readonly poolsPerOrganization: number) {}

  get organizations(): string[] {
    return [...this.organizationNames];
  }

  /** Adds an organization with its first project, the default for workspaces. */
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
    return this.poolsById.add({
      id: newId("apool"),
      createdAt: new Date().toISOString(),
      organizationScoped: true,
      allowedWorkspaceIds: [],
      allowedProjectIds: [],
      excludedWorkspaceIds: [],
      workspaceIds: [],
      ...values,
    });
  }

  update(id: string, change: PoolChange): Pool {
    return this.poolsById.add({ ...this.poolsById.known(id), ...change });
  }

  /** Removes a pool with its agents and their tokens. */
  delete(id: string): void {
    for (const agent of this.agents(id)) this.agentsById.delete(agent.id);
    for (const token of this.agentTokens(id)) this.agentTokensById.delete(token.id);
    this.poolsById.remove(id);
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
    this.poolsById.known(poolId);
    return this.agentsById.add({
      id: newId("agent"),
      poolId,
      name: values.name ?? null,
      status: values.status ?? "idle",
      ipAddress: values.ip ?? "127.0.0.1",
      lastPingAt: new Date(values.lastPingAt ?? Date.now()).toISOString(),
      createdAt: new Date().toISOString(),
    });
  }

  setStatus(agentId: string, status: AgentStatus): Agent {
    return this.agentsById.add({ ...this.agentsById.known(agentId), status });
  }

  removeAgent(id: string): void {
    this.agentsById.remove(id);
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
    this.poolsById.known(poolId);
    return this.agentTokensById.add({
      id,
      poolId,
      description,
      token: `${randomBytes(10).toString("hex")}.atlasv1.${randomBytes(32).toString("hex")}`,
      createdAt: new Date().toISOString(),
      lastUsedAt: null,
      createdById: this.userId,
    });
  }

  /** Marks the token as used, as if an agent had joined its pool with it. */
  useAgentToken(id: string, at: string | Date = new Date()): AgentToken {
    return this.agentTokensById.add({ ...this.agentTokensById.known(id), lastUsedAt: new Date(at).toISOString() });
  }

  removeAgentToken(id: string): void {
    this.agentTokensById.remove(id);
  }

  addProject(organization: string, values: { id?: string; name: string }): Project {
    return this.projectsById.add({ ...values, id: values.id ?? newId("prj"), organization });
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
    return this.workspacesById.add({ ...values, id: values.id ?? newId("ws"), organization, projectId });
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
    this.workspacesById.known(workspaceId);
    const { workspaceIds } = this.poolsById.known(poolId);
    const before = this.poolOf(workspaceId);
    if (before?.id === poolId) return;
    if (before) this.detachWorkspace(before.id, workspaceId);
    this.update(poolId, { workspaceIds: [...workspaceIds, workspaceId] });
  }

  detachWorkspace(poolId: string, workspaceId: string): void {
    const { workspaceIds } = this.poolsById.known(poolId);
    this.update(poolId, { workspaceIds: workspaceIds.filter((id) => id !== workspaceId) });
  }
}

class Rows<Row extends { id: string }> extends Map<string, Row> {
  /** Adds a row, or replaces the one with its id. */
  add(row: Row): Row {
    this.set(row.id, row);
    return row;
  }

  /** @throws for an unknown id */
  known(id: string): Row {
    const row = this.get(id);
    if (row === undefined) throw new Error(`nothing with the id "${id}" in the simulator`);
    return row;
  }

  /** @throws for an unknown id */
  remove(id: string): void {
    this.known(id);
    this.delete(id);
  }
}

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function newId(prefix: string): string {
  return `${prefix}-${Array.from({ length: 16 }, () => ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]).join("")}`;
}
