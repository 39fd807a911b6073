import type { ApiResponse } from "../http";
import type { PoolBody } from "./dialect";
import { documentResponse, errorResponse, paginate } from "./documents";
import type { PoolsContext, Route } from "./endpoint";
import { blocked, includedWorkspaces, inOrganization, sorted, withObject } from "./endpoint";
import type { Pool, PoolChange, PoolsStore } from "./store";

const poolOf = (store: PoolsStore, id: string) => store.get(id);

export const poolRoutes: Route[] = [
  ["GET", /^\/organizations\/([^/]+)\/agent-pools$/, inOrganization(listPools)],
  ["POST", /^\/organizations\/([^/]+)\/agent-pools$/, inOrganization(createPool)],
  ["GET", /^\/agent-pools\/([^/]+)$/, withObject(poolOf, showPool)],
  ["PATCH", /^\/agent-pools\/([^/]+)$/, withObject(poolOf, updatePool)],
  ["DELETE", /^\/agent-pools\/([^/]+)$/, withObject(poolOf, deletePool)],
];

function listPools(context: PoolsContext, organization: string): ApiResponse {
  const { request, store, dialect } = context;
  const all = store.list(organization);
  const search = request.query.get("q")?.toLowerCase() ?? "";
  const isIncluded = dialect.filter(request.query, store, organization);
  const matching = all.filter((pool) => pool.name.toLowerCase().includes(search) && isIncluded(pool));
  const [, minus, key] = /^(-?)(name|created-at)$/.exec(request.query.get("sort") ?? "") ?? [];
  const byKey = sorted(matching, (pool) => (key === "name" ? pool.name : pool.createdAt), minus === "-");
  const { rows, envelope } = paginate(request, byKey);
  const data = rows.map((pool) => dialect.listedPool(pool, store.agents(pool.id)));
  const meta = { ...envelope.meta, "status-counts": { total: all.length, matching: matching.length } };
  return documentResponse(200, { data, ...includedWorkspaces(context, rows), links: envelope.links, meta });
}

function createPool({ request, store, dialect }: PoolsContext, organization: string): ApiResponse {
  const { name, ...body } = dialect.bodies.create(request.body);
  const pools = store.list(organization);
  if (pools.some((pool) => pool.name === name)) return nameTaken();
  if (pools.length >= store.poolsPerOrganization) {
    const detail = `The organization "${organization}" already has ${pools.length} agent pool(s), which is as many as it may have`;
    return errorResponse(422, { title: "limit reached", detail, source: { pointer: "/data" } });
  }
  return documentResponse(201, { data: dialect.shownPool(store.put({ organization, name, ...given(body) })) });
}

function showPool(context: PoolsContext, pool: Pool): ApiResponse {
  return documentResponse(200, { data: context.dialect.shownPool(pool), ...includedWorkspaces(context, [pool]) });
}

function updatePool({ request, store, dialect }: PoolsContext, pool: Pool): ApiResponse {
  const body = dialect.bodies.update(request.body);
  const { name = pool.name } = body;
  if (store.list(pool.organization).some((other) => other.name === name && other.id !== pool.id)) return nameTaken();
  const updated = store.update(pool.id, given(body));
  return documentResponse(200, { data: dialect.shownPool(updated) });
}

/** The changes that a body makes. */
function given(body: PoolBody): PoolChange {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

function deletePool({ store }: PoolsContext, pool: Pool): ApiResponse {
  const agents = store.agents(pool.id);
  if (agents.length > 0) return blocked(`The agent pool still has ${agents.length} agent(s)`);
  if (pool.workspaceIds.length > 0) return blocked(`The agent pool is still used by ${pool.workspaceIds.length} workspace(s)`);
  store.delete(pool.id);
  return { status: 204 };
}

function nameTaken(): ApiResponse {
  return errorResponse(422, {
    title: "invalid attribute",
    detail: "name: has already been taken",
    source: { pointer: "/data/attributes/name" },
  });
}
