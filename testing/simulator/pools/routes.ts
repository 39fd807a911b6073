import type { ApiHandler, ApiRequest, ApiResponse } from "../http";
import { createBody, parseBody, updateBody } from "./bodies";
import type { PoolsDialect } from "./documents";
import { agentResource, documentResponse, errorResponse, includedWorkspaces, notFound, paginate, poolResource } from "./documents";
import type { Agent, AgentStatus, Pool, PoolsStore } from "./store";
import type { PoolsToken, PoolsTokens } from "./tokens";
import { mayUse } from "./tokens";

interface PoolsContext {
  request: ApiRequest;
  store: PoolsStore;
  token: PoolsToken;
  dialect: PoolsDialect;
}

type Endpoint = (context: PoolsContext, id: string) => ApiResponse;

/** Every endpoint of the document, with the one part of its path that varies. */
const ENDPOINTS: [method: string, path: RegExp, endpoint: Endpoint][] = [
  ["GET", /^\/organizations\/([^/]+)\/agent-pools$/, listPools],
  ["POST", /^\/organizations\/([^/]+)\/agent-pools$/, createPool],
  ["GET", /^\/agent-pools\/([^/]+)$/, withPool(showPool)],
  ["PATCH", /^\/agent-pools\/([^/]+)$/, withPool(updatePool)],
  ["DELETE", /^\/agent-pools\/([^/]+)$/, withPool(deletePool)],
  ["GET", /^\/agent-pools\/([^/]+)\/agents$/, withPool(listAgents)],
  ["GET", /^\/agents\/([^/]+)$/, withAgent(showAgent)],
  ["DELETE", /^\/agents\/([^/]+)$/, withAgent(deleteAgent)],
];

/** The agent pool API, under /api/v2. */
export function poolsApi(store: PoolsStore, tokens: PoolsTokens, dialect: PoolsDialect): ApiHandler {
  return (request) => {
    // Outside the prefix there is no JSON:API: a client with a wrong base address gets an HTML page.
    if (!request.path.startsWith("/api/v2/")) return { status: 404, contentType: "text/html", body: "<h1>Not Found</h1>" };
    const token = tokens.authenticate(request.headers.authorization);
    if (token === undefined) return errorResponse(401, { title: "unauthorized", detail: "The token is missing or not valid" });
    const path = request.path.slice("/api/v2".length);
    for (const [method, pattern, endpoint] of ENDPOINTS) {
      const id = method === request.method ? pattern.exec(path)?.[1] : undefined;
      if (id !== undefined) return endpoint({ request, store, token, dialect }, decoded(id));
    }
    return notFound();
  };
}

/** A name with invalid percent-encoding matches no organization. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function withPool(endpoint: (context: PoolsContext, pool: Pool) => ApiResponse): Endpoint {
  return (context, id) => {
    const pool = context.store.get(id);
    return pool && mayUse(context.token, pool.organization) ? endpoint(context, pool) : notFound();
  };
}

function withAgent(endpoint: (context: PoolsContext, agent: Agent) => ApiResponse): Endpoint {
  return (context, id) => {
    const agent = context.store.agent(id);
    const pool = agent && context.store.get(agent.poolId);
    return pool && mayUse(context.token, pool.organization) ? endpoint(context, agent) : notFound();
  };
}

function listPools({ request, store, token, dialect }: PoolsContext, organization: string): ApiResponse {
  if (!store.hasOrganization(organization) || !mayUse(token, organization)) return notFound();
  const all = store.list(organization);
  const matching = sorted(all.filter(poolFilter(request, store, organization)), request.query.get("sort"));
  const { rows, envelope } = paginate(request, matching);
  const data = rows.map((pool) => dialect.listedPool(pool, store.agents(pool.id).length));
  const meta = { ...envelope.meta, "status-counts": { total: all.length, matching: matching.length } };
  return documentResponse(200, { data, ...includedWorkspaces(request, store, rows), links: envelope.links, meta });
}

function poolFilter(request: ApiRequest, store: PoolsStore, organization: string): (pool: Pool) => boolean {
  const search = request.query.get("q")?.toLowerCase() ?? "";
  const workspaceName = request.query.get("filter[allowed_workspaces][name]");
  const workspace = store.workspaces(organization).find(({ name }) => name === workspaceName);
  return (pool) => {
    if (!pool.name.toLowerCase().includes(search)) return false;
    if (workspaceName === null) return true;
    return workspace !== undefined && (pool.organizationScoped || pool.allowedWorkspaceIds.includes(workspace.id));
  };
}

function sorted(pools: Pool[], sort: string | null): Pool[] {
  const key = (pool: Pool): string => (sort?.endsWith("name") ? pool.name : pool.createdAt);
  const direction = sort?.startsWith("-") ? -1 : 1;
  // The list is sorted oldest first, and sorting is stable: equal times keep that order.
  return pools.sort((a, b) => direction * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

function createPool({ request, store, token }: PoolsContext, organization: string): ApiResponse {
  if (!store.hasOrganization(organization) || !mayUse(token, organization)) return notFound();
  const parsed = parseBody(createBody, request.body);
  if (!parsed.ok) return errorResponse(422, ...parsed.errors);
  const { attributes, relationships } = parsed.body.data;
  const pools = store.list(organization);
  if (pools.some((pool) => pool.name === attributes.name)) return nameTaken();
  if (pools.length >= store.poolsPerOrganization) {
    const detail = `The organization "${organization}" already has ${pools.length} agent pool(s), which is as many as it may have`;
    return errorResponse(422, { title: "limit reached", detail, source: { pointer: "/data" } });
  }
  const pool = store.put({
    organization,
    name: attributes.name,
    organizationScoped: attributes["organization-scoped"],
    allowedWorkspaceIds: workspaceIds(relationships["allowed-workspaces"].data),
  });
  return documentResponse(201, { data: poolResource(pool) });
}

function showPool({ request, store }: PoolsContext, pool: Pool): ApiResponse {
  return documentResponse(200, { data: poolResource(pool), ...includedWorkspaces(request, store, [pool]) });
}

function updatePool({ request, store }: PoolsContext, pool: Pool): ApiResponse {
  const parsed = parseBody(updateBody, request.body);
  if (!parsed.ok) return errorResponse(422, ...parsed.errors);
  const { attributes, relationships } = parsed.body.data;
  const name = attributes.name ?? pool.name;
  if (store.list(pool.organization).some((other) => other.name === name && other.id !== pool.id)) return nameTaken();
  const updated = store.update(pool.id, {
    name,
    organizationScoped: attributes["organization-scoped"],
    allowedWorkspaceIds: workspaceIds(relationships["allowed-workspaces"].data),
  });
  return documentResponse(200, { data: poolResource(updated) });
}

function nameTaken(): ApiResponse {
  return errorResponse(422, {
    title: "invalid attribute",
    detail: "name: has already been taken",
    source: { pointer: "/data/attributes/name" },
  });
}

function workspaceIds(links: { id: string }[]): string[] {
  return [...new Set(links.map((link) => link.id))];
}

function deletePool({ store }: PoolsContext, pool: Pool): ApiResponse {
  const agents = store.agents(pool.id);
  if (agents.length > 0) return blocked(`The agent pool still has ${agents.length} agent(s)`);
  if (pool.workspaceIds.length > 0) return blocked(`The agent pool is still used by ${pool.workspaceIds.length} workspace(s)`);
  store.delete(pool.id);
  return { status: 204 };
}

function listAgents({ request, store }: PoolsContext, pool: Pool): ApiResponse {
  const since = request.query.get("filter[last-ping-since]");
  const from = since === null ? Number.NEGATIVE_INFINITY : Date.parse(since);
  if (Number.isNaN(from))
    return errorResponse(422, { title: "invalid filter", detail: "filter[last-ping-since] must be an ISO 8601 time" });
  const { rows, envelope } = paginate(
    request,
    store.agents(pool.id).filter((agent) => Date.parse(agent.lastPingAt) >= from),
  );
  return documentResponse(200, { data: rows.map(agentResource), ...envelope });
}

function showAgent(_: PoolsContext, agent: Agent): ApiResponse {
  return documentResponse(200, { data: agentResource(agent) });
}

const DELETABLE: readonly AgentStatus[] = ["unknown", "errored", "exited"];

function deleteAgent({ store }: PoolsContext, agent: Agent): ApiResponse {
  if (!DELETABLE.includes(agent.status)) return blocked(`The agent is ${agent.status}; only ${DELETABLE.join(", ")} agents can be deleted`);
  store.removeAgent(agent.id);
  return { status: 204 };
}

function blocked(detail: string): ApiResponse {
  return errorResponse(412, { title: "precondition failed", detail });
}
