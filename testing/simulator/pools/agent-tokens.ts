import type { ApiResponse } from "../http";
import { agentTokenBody, parseBody } from "./bodies";
import { documentResponse, errorResponse, paginate } from "./documents";
import type { Endpoint, PoolsContext, Route } from "./endpoint";
import { sorted, withObject, withPool } from "./endpoint";
import { agentTokenResource } from "./resources";
import type { AgentToken, Pool } from "./store";

/** The tokens that agents join a pool with. */
export const agentTokenRoutes: Route[] = [
  ["GET", /^\/agent-pools\/([^/]+)\/authentication-tokens$/, withPool(listTokens)],
  ["POST", /^\/agent-pools\/([^/]+)\/authentication-tokens$/, withPool(createToken)],
  ["GET", /^\/authentication-tokens\/([^/]+)$/, withToken(showToken)],
  ["DELETE", /^\/authentication-tokens\/([^/]+)$/, withToken(deleteToken)],
];

function withToken(endpoint: (context: PoolsContext, token: AgentToken) => ApiResponse): Endpoint {
  return withObject(
    (store, id) => store.agentToken(id),
    (token, store) => store.get(token.poolId)?.organization,
    endpoint,
  );
}

function listTokens({ request, store }: PoolsContext, pool: Pool): ApiResponse {
  const sort = request.query.get("sort");
  if (sort !== null && !/^-?created-at$/.test(sort))
    return errorResponse(400, { title: "invalid sort", detail: "sort must be created-at or -created-at" });
  const tokens = store.agentTokens(pool.id);
  // Tokens of the same time are sorted by their IDs, in the same direction.
  const rowsInOrder = sort === null ? tokens : sorted(tokens, ({ createdAt, id }) => `${createdAt} ${id}`, sort.startsWith("-"));
  const { rows, envelope } = paginate(request, rowsInOrder);
  return documentResponse(200, { data: rows.map(agentTokenResource), ...envelope });
}

function createToken({ request, store }: PoolsContext, pool: Pool): ApiResponse {
  const parsed = parseBody(agentTokenBody, request.body);
  if (!parsed.ok) return errorResponse(422, ...parsed.errors);
  const token = store.addAgentToken(pool.id, parsed.body.description);
  const { attributes, ...resource } = agentTokenResource(token);
  return documentResponse(201, { data: { ...resource, attributes: { ...attributes, token: token.token } } });
}

function showToken(_: PoolsContext, token: AgentToken): ApiResponse {
  return documentResponse(200, { data: agentTokenResource(token) });
}

function deleteToken({ store }: PoolsContext, token: AgentToken): ApiResponse {
  store.removeAgentToken(token.id);
  return { status: 204 };
}
