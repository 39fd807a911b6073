import type { ApiRequest, ApiResponse } from "../http";
import type { PoolsDialect } from "./dialect";
import { errorResponse, notFound } from "./documents";
import type { Pool, PoolsStore } from "./store";
import type { PoolsToken } from "./tokens";
import { mayUse } from "./tokens";

export interface PoolsContext {
  readonly request: ApiRequest;
  readonly store: PoolsStore;
  readonly token: PoolsToken;
  readonly dialect: PoolsDialect;
}

/** Gets the variable parts of its path, decoded. */
export type Endpoint = (context: PoolsContext, ...parts: [string, string]) => ApiResponse;

export type Route = [method: string, path: RegExp, endpoint: Endpoint];

/** An endpoint below an organization: 404 unless it exists and the token has rights there. */
export function inOrganization(endpoint: Endpoint): Endpoint {
  return (context, organization, name) => {
    const exists = context.store.hasOrganization(organization) && mayUse(context.token, organization);
    return exists ? endpoint(context, organization, name) : notFound();
  };
}

/** An endpoint of an object by its ID: 404 unless the object exists and the token has rights in its organization. */
export function withObject<Row extends Owned>(
  read: (store: PoolsStore, id: string) => Row | undefined,
  endpoint: (context: PoolsContext, row: Row) => ApiResponse,
): Endpoint {
  return (context, id) => {
    const { store, token } = context;
    const row = read(store, id);
    const owner = row && ownerOf(row, store);
    return row && owner !== undefined && mayUse(token, owner) ? endpoint(context, row) : notFound();
  };
}

type Owned = { readonly organization: string } | { readonly poolId: string };

function ownerOf(row: Owned, store: PoolsStore): string | undefined {
  return "organization" in row ? row.organization : store.get(row.poolId)?.organization;
}

export function blocked(detail: string): ApiResponse {
  return errorResponse(412, { title: "precondition failed", detail });
}

/** Sorts rows by a key. Rows with the same key keep their order; a descending sort reverses it. */
export function sorted<Row>(rows: readonly Row[], key: (row: Row) => string, isDescending: boolean): Row[] {
  const ascending = rows.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
  return isDescending ? ascending.toReversed() : ascending;
}

/** The addition of `include=workspaces` to a document: the workspaces that are attached to these pools. */
export function includedWorkspaces({ request, store, dialect }: PoolsContext, pools: readonly Pool[]): { included?: object[] } {
  if (!(request.query.get("include") ?? "").split(",").includes("workspaces")) return {};
  const ids = new Set(pools.flatMap((pool) => pool.workspaceIds));
  const workspaces = [...ids].map((id) => store.workspace(id)).filter((workspace) => workspace !== undefined);
  return { included: workspaces.map((workspace) => dialect.shownWorkspace(workspace, store)) };
}
