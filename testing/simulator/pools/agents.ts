import type { ApiResponse } from "../http";
import { documentResponse, errorResponse, paginate } from "./documents";
import type { PoolsContext, Route } from "./endpoint";
import { blocked, includedWorkspaces, sorted, withObject } from "./endpoint";
import type { Agent, AgentStatus, Pool, PoolsStore } from "./store";

const poolOf = (store: PoolsStore, id: string) => store.get(id);
const agentOf = (store: PoolsStore, id: string) => store.agent(id);

export const agentRoutes: Route[] = [
  ["GET", /^\/agent-pools\/([^/]+)\/agents$/, withObject(poolOf, listAgents)],
  ["GET", /^\/agents\/([^/]+)$/, withObject(agentOf, showAgent)],
  ["DELETE", /^\/agents\/([^/]+)$/, withObject(agentOf, deleteAgent)],
];

function showAgent(context: PoolsContext, agent: Agent): ApiResponse {
  const pool = context.store.get(agent.poolId);
  return documentResponse(200, { data: context.dialect.shownAgent(agent), ...includedWorkspaces(context, pool ? [pool] : []) });
}

function listAgents(context: PoolsContext, pool: Pool): ApiResponse {
  const { request, store, dialect } = context;
  const since = request.query.get("filter[last-ping-since]");
  const from = since === null ? Number.NEGATIVE_INFINITY : Date.parse(since);
  if (Number.isNaN(from))
    return errorResponse(422, { title: "invalid filter", detail: "filter[last-ping-since] must be an ISO 8601 time" });
  const status = request.query.get("filter[status]");
  const recent = store.agents(pool.id).filter((agent) => Date.parse(agent.lastPingAt) >= from && (status ?? agent.status) === agent.status);
  const inOrder = sorted(recent, (agent) => agent.createdAt, request.query.get("sort") === "-created-at");
  const { rows, envelope } = paginate(request, inOrder);
  return documentResponse(200, { data: rows.map(dialect.shownAgent), ...includedWorkspaces(context, [pool]), ...envelope });
}

const DELETABLE: readonly AgentStatus[] = ["unknown", "errored", "exited"];

function deleteAgent({ store }: PoolsContext, agent: Agent): ApiResponse {
  if (!DELETABLE.includes(agent.status)) return blocked(`The agent is ${agent.status}; only ${DELETABLE.join(", ")} agents can be deleted`);
  store.removeAgent(agent.id);
  return { status: 204 };
}
