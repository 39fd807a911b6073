import type { ApiRequest } from "../http";
import type { Agent, Pool, PoolsStore, Workspace } from "./store";

/** What the body of a write sets; undefined: left out. */
export interface PoolBody {
  readonly name?: string | undefined;
  readonly organizationScoped?: boolean | undefined;
  readonly allowedWorkspaceIds?: string[] | undefined;
  readonly allowedProjectIds?: string[] | undefined;
  readonly excludedWorkspaceIds?: string[] | undefined;
}

/** Everything in which one service of agent pools differs from another. */
export interface PoolsDialect {
  /** How many pools an organization may have, unless an option says otherwise. */
  readonly poolsPerOrganization: number;
  /** Whether it has what the document lacks: the tokens of agents, workspaces and projects. */
  readonly hasNeighbours: boolean;
  /** What the body of an update leaves undefined stays. */
  readonly bodies: {
    /** @throws InvalidBody */
    create(text: string): PoolBody & { name: string };
    /** @throws InvalidBody */
    update(text: string): PoolBody;
  };
  /** Whether a list includes a pool, by its filters for workspaces and projects. */
  filter(query: ApiRequest["query"], store: PoolsStore, organization: string): (pool: Pool) => boolean;
  shownPool(pool: Pool): object;
  /** A pool in a list: with the number of its agents. */
  listedPool(pool: Pool, agents: readonly Agent[]): object;
  shownAgent(agent: Agent): object;
  shownWorkspace(workspace: Workspace, store: PoolsStore): object;
}
