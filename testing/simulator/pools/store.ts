import { randomInt } from "node:crypto";

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
}

export interface Workspace {
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
  private readonly workspacesById = new Map<string, Workspace>();

  /** How many pools an organization may have. Only a create over HTTP checks it. */
  constructor(readonly poolsPerOrganization: number) {}

  get organizations(): string[] {
    return [...this.organizationNames];
  }

  addOrganization(name: string): void {
    this.organizationNames.add(name);
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
  put(values: { organization: string; name: string } & PoolChange): Pool {
    if (!this.hasOrganization(values.organization)) throw new Error(`no organization "${values.organization}" in the simulator`);
    const pool: Pool = {
      id: newId("apool"),
      createdAt: new Date().toISOString(),
      organizationScoped: true,
      allowedWorkspaceIds: [],
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

  /** Removes a pool and its agents. */
  delete(id: string): void {
    this.known(this.poolsById, id);
    for (const agent of this.agents(id)) this.agentsById.delete(agent.id);
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

  addWorkspace(organization: string, values: { id?: string; name: string }): Workspace {
    const workspace: Workspace = { id: values.id ?? newId("ws"), organization, name: values.name };
    this.workspacesById.set(workspace.id, workspace);
    return workspace;
  }

  workspace(id: string): Workspace | undefined {
    return this.workspacesById.get(id);
  }

  workspaces(organization: string): Workspace[] {
    return [...this.workspacesById.values()].filter((workspace) => workspace.organization === organization);
  }

  /** Attaches the workspace to the pool. */
  attachWorkspace(poolId: string, workspaceId: string): void {
    this.known(this.workspacesById, workspaceId);
    const { workspaceIds } = this.known(this.poolsById, poolId);
    this.update(poolId, { workspaceIds: [...new Set([...workspaceIds, workspaceId])] });
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
