import * as z from "zod";
import type { Http } from "../http/http";
import type { ApiRequest, RequestOptions } from "../http/request";
import { SharedList, Writes } from "../lists/shared";
import { type Listing, Lists } from "./pages";
import {
  type Agent,
  type AgentPool,
  type AgentPoolInput,
  type AgentToken,
  agentDocument,
  agentPage,
  type OrganizationObject,
  poolBody,
  poolDocument,
  poolPage,
  projectPage,
  protocol,
  tokenBody,
  tokenDocument,
  tokenPage,
  workspaceDocument,
} from "./wire";

export type { Agent, AgentPool, AgentPoolInput, AgentToken, Workspace } from "./wire";

/** The options of a list of pools. */
export interface PoolFilter {
  /** Part of a pool's name. */
  readonly query?: string | undefined;
  readonly sort?: "name" | "-name" | "created-at" | "-created-at" | undefined;
  /** Only pools that the workspace of this name may use. */
  readonly allowedWorkspaceName?: string | undefined;
  /** Only pools that the workspaces of the project of this name may use. */
  readonly allowedProjectName?: string | undefined;
  /** Also return the names of the workspaces that use each pool. */
  readonly include?: "workspaces" | undefined;
}

export interface AgentFilter {
  /** Only agents whose last ping is after this time: ISO 8601. */
  readonly lastPingSince?: string | undefined;
  /** Also return the names of the workspaces that use the agents' pool. */
  readonly include?: "workspaces" | undefined;
}

/** The data that all views of one client share. */
interface Shared {
  /** The shared list of each organization's pools. */
  readonly lists: Map<string, SharedList<AgentPool>>;
  readonly writes: Writes;
}

/**
 * The requests for agent pools and agents ("Agent Pool Management Interface"), agent tokens, workspaces and projects. A failed request
 * rejects with an ApiError, or with the configuration's error if no request can be sent. isNotFound(e) may also mean that the token may not
 * see the object, because the API does not distinguish the two.
 */
export class AgentPoolsClient {
  /** @param snapshotMs the time in milliseconds for which `recentPool` may use a list; 0: never */
  constructor(
    private readonly http: Http,
    private readonly snapshotMs = 0,
    private readonly context: RequestOptions = {},
    private readonly shared: Shared = { lists: new Map(), writes: new Writes() },
  ) {}

  /** The same client with the options of another caller. */
  with(context: RequestOptions): AgentPoolsClient {
    return new AgentPoolsClient(this.http, this.snapshotMs, context, this.shared);
  }

  /** The address of the service. */
  get server(): string {
    return this.http.address;
  }

  /** Every pool of the organization, from all pages ("List agent pools"). */
  listPools(organization: string, filter: PoolFilter = {}): Promise<AgentPool[]> {
    return this.lists.all(poolsOf(organization, filter));
  }

  /** The pool with this name; undefined if the organization has none that the token may see. */
  findPool(organization: string, name: string, options: Pick<PoolFilter, "include"> = {}): Promise<AgentPool | undefined> {
    return this.lists.find(poolsOf(organization, { ...options, query: name }), (pool) => pool.name === name);
  }

  /** Whether the list of the organization has the pool. If a list of several pages lacks the pool, a second list is read as well. */
  async isListed(organization: string, id: string): Promise<boolean> {
    return (await this.lists.find(poolsOf(organization), (pool) => pool.id === id)) !== undefined;
  }

  /**
   * A pool from a list of the last seconds, if the list shows which workspaces may use the pool. Undefined proves nothing: see {@link
   * SharedList.recent}.
   */
  async recentPool(organization: string, id: string): Promise<AgentPool | undefined> {
    const pool = await this.listOf(organization).recent(id, this.context);
    return pool?.allowedWorkspaceIds && pool;
  }

  /** "Show an agent pool". */
  showPool(id: string, options: { readonly include?: "workspaces" | undefined } = {}): Promise<AgentPool> {
    return this.show(id, ["agent-pools", id], poolDocument, { include: options.include });
  }

  /** "Create an agent pool". isConflict(e): the name is taken. isAmbiguous(e): before another try, check whether the pool exists. */
  createPool(organization: string, input: AgentPoolInput): Promise<AgentPool> {
    return this.write({
      operation: "create",
      method: "POST",
      path: ["organizations", organization, "agent-pools"],
      body: poolBody(input),
      response: poolDocument,
    });
  }

  /** "Update an agent pool". The request is repeated after transient faults, because that has the same effect. */
  updatePool(id: string, input: AgentPoolInput): Promise<AgentPool> {
    return this.write({ operation: "replace", method: "PATCH", path: ["agent-pools", id], body: poolBody(input), response: poolDocument });
  }

  /**
   * "Delete an agent pool". If the first try took effect, a repeated delete rejects with isNotFound(e). isBlocked(e): something still
   * uses the pool.
   */
  async deletePool(id: string): Promise<void> {
    await this.write({ operation: "delete", method: "DELETE", path: ["agent-pools", id], response: z.void() });
  }

  /** Every agent of the pool, from all pages ("List agents"). */
  listAgents(poolId: string, filter: AgentFilter = {}): Promise<Agent[]> {
    return this.lists.all({
      path: ["agent-pools", poolId, "agents"],
      schema: agentPage,
      query: { "filter[last-ping-since]": filter.lastPingSince, include: filter.include },
      isFiltered: filter.lastPingSince !== undefined,
    });
  }

  /** "Show an agent". */
  showAgent(id: string, options: Pick<AgentFilter, "include"> = {}): Promise<Agent> {
    return this.show(id, ["agents", id], agentDocument, { include: options.include });
  }

  /** "Delete an agent". isBlocked(e): its status is not `unknown`, `errored` or `exited`. */
  async deleteAgent(id: string): Promise<void> {
    await this.send({ operation: "delete", method: "DELETE", path: ["agents", id], response: z.void() });
  }

  /** Every token of the pool, from all pages, without the secrets. */
  listTokens(poolId: string): Promise<AgentToken[]> {
    return this.lists.all({ path: ["agent-pools", poolId, "authentication-tokens"], schema: tokenPage, query: {}, isFiltered: false });
  }

  showToken(id: string): Promise<AgentToken> {
    return this.show(id, ["authentication-tokens", id], tokenDocument);
  }

  /** A token with its secret. isAmbiguous(e): the server may have made a token, whose secret is lost. */
  createToken(poolId: string, description: string): Promise<AgentToken> {
    const path = ["agent-pools", poolId, "authentication-tokens"];
    return this.send({ operation: "create", method: "POST", path, body: tokenBody(description), response: tokenDocument });
  }

  async deleteToken(id: string): Promise<void> {
    await this.send({ operation: "delete", method: "DELETE", path: ["authentication-tokens", id], response: z.void() });
  }

  /** The workspace with this name. */
  showWorkspace(organization: string, name: string): Promise<OrganizationObject> {
    const path = ["organizations", organization, "workspaces", name];
    return this.send({ operation: "read", method: "GET", path, query: {}, response: workspaceDocument });
  }

  /** The project with this name; undefined if the organization has none that the token may see. */
  findProject(organization: string, name: string): Promise<OrganizationObject | undefined> {
    const path = ["organizations", organization, "projects"];
    const listing = { path, schema: projectPage, query: { "filter[names]": name }, isFiltered: true };
    return this.lists.find(listing, (project) => project.name === name);
  }

  private get lists(): Lists {
    return new Lists(this.http, this.context);
  }

  private async send<T>(request: Omit<ApiRequest<T>, keyof typeof protocol>): Promise<T> {
    return this.http.request({ ...request, ...protocol }, this.context);
  }

  private write<T>(request: Omit<ApiRequest<T>, keyof typeof protocol>): Promise<T> {
    return this.shared.writes.during(() => this.send(request));
  }

  private listOf(organization: string): SharedList<AgentPool> {
    const known = this.shared.lists.get(organization);
    if (known) return known;
    const list = new SharedList({
      take: (context) => this.with(context).listPools(organization),
      keyOf: (pool) => pool.id,
      writes: this.shared.writes,
      progress: () => this.shared.writes.begun,
      keepMs: this.snapshotMs,
      clock: this.http.clock,
    });
    this.shared.lists.set(organization, list);
    return list;
  }

  private show<T extends { readonly id: string }>(
    id: string,
    path: readonly string[],
    document: z.ZodType<T>,
    query: ApiRequest<T>["query"] = {},
  ): Promise<T> {
    return this.send({ operation: "read", method: "GET", path, query, response: document, isAbout: (object) => object.id === id });
  }
}

function poolsOf(organization: string, filter: PoolFilter = {}): Listing<AgentPool> {
  const { query, sort, allowedWorkspaceName, allowedProjectName, include } = filter;
  return {
    path: ["organizations", organization, "agent-pools"],
    schema: poolPage,
    query: {
      q: query,
      sort,
      "filter[allowed_workspaces][name]": allowedWorkspaceName,
      "filter[allowed_projects][name]": allowedProjectName,
      include,
    },
    isFiltered: [query, allowedWorkspaceName, allowedProjectName].some((one) => one !== undefined),
  };
}
