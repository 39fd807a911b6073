import type { ApiResponse } from "../http";
import { documentResponse, errorResponse, paginate } from "./documents";
import type { Endpoint, PoolsContext, Route } from "./endpoint";
import { blocked, sorted, withObject, withPool } from "./endpoint";
import type { Agent, AgentStatus, Pool } from "./store";

export const agentRoutes: Route[] = [
  ["GET", /^\/agent-pools\/([^/]+)\/agents$/, withPool(listAgents)],
  ["GET", /^\/agents\/([^/]+)$/, withAgent(showAgent)],
  ["DELETE", /^\/agents\/([^/]+)$/, withAgent(deleteAgent)],
];

function withAgent(endpoint: (context: PoolsContext, agent: Agent) => ApiResponse): Endpoint {
  return withObject(
    (store, id) => store.agent(id),
    (agent, store) => store.get(agent.poolId)?.organization,
    endpoint,
  );
}

function listAgents({ request, store, dialect }: PoolsContext, pool: Pool): ApiResponse {
  const since = request.query.get("filter[last-ping-since]");
  const from = since === null ? Number.NEGATIVE_INFINITY : Date.parse(since);
  if (Number.isNaN(from))
    return errorResponse(422, { title: "invalid filter", detail: "filter[last-ping-since] must be an ISO 8601 time" });
  const status = request.query.get("filter[status]");
  const recent = store.agents(pool.id).filter((agent) => Date.parse(agent.lastPingAt) >= from && (status ?? agent.status) === agent.status);
  const { rows, envelope } = paginate(
    request,
    sorted(recent, (agent) => agent.createdAt, request.query.get("sort") === "-created-at"),
  );
  return documentResponse(200, { data: rows.map(dialect.shownAgent), ...envelope });
}

function showAgent({ dialect }: PoolsContext, agent: Agent): ApiResponse {
  return documentResponse(200, { data: dialect.shownAgent(agent) });
}

const DELETABLE: readonly AgentStatus[] = ["unknown", "errored", "exited"];

function deleteAgent({ store }: PoolsContext, agent: Agent): ApiResponse {
  if (!DELETABLE.includes(agent.status)) return blocked(`The agent is ${agent.status}; only ${DELETABLE.join(", ")} agents can be deleted`);
  store.removeAgent(agent.id);
  return { status: 204 };
}
