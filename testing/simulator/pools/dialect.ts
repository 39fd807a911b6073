import type { ApiRequest } from "../http";
import type { Agent, Pool, PoolsStore, Workspace } from "./store";

/** The fields that the body of a write sets. Others are undefined. */
export interface PoolBody {
  readonly name?: string | undefined;
  readonly organizationScoped?: boolean | undefined;
  readonly allowedWorkspaceIds?: string[] | undefined;
  readonly allowedProjectIds?: string[] | undefined;
  readonly excludedWorkspaceIds?: string[] | undefined;
}

/** All differences between services of agent pools. */
export interface PoolsDialect {
  /** The maximal number of pools in an organization, unless an option sets another one. */
  readonly poolsPerOrganization: number;
  /** Whether the service has agent tokens, workspaces and projects, which the document lacks. */
  readonly hasNeighbours: boolean;
  /** The bodies of writes. An update keeps the fields that its body leaves undefined. */
  readonly bodies: {
    /** @throws InvalidBody */
    create(text: string): PoolBody & { name: string };
    /** @throws InvalidBody */
    update(text: string): PoolBody;
  };
  /** Whether a list includes a pool, by its filters for workspaces and projects. */
  filter(query: ApiRequest["query"], store: PoolsStore, organization: string): (pool: Pool) => boolean;
  shownPool(pool: Pool): object;
  /** A pool in a list: with `agent-count`. */
  listedPool(pool: Pool, agents: readonly Agent[]): object;
  shownAgent(agent: Agent): object;
  shownWorkspace(workspace: Workspace, store: PoolsStore): object;
}
