import type { ApiResponse } from "../http";
import { agentTokenBody, parseBody } from "./bodies";
import { documentResponse, errorResponse, pageResponse } from "./documents";
import type { PoolsContext, Route } from "./endpoint";
import { sorted, withObject } from "./endpoint";
import { agentTokenResource } from "./resources";
import type { AgentToken, Pool, PoolsStore } from "./store";

const poolOf = (store: PoolsStore, id: string) => store.get(id);
const tokenOf = (store: PoolsStore, id: string) => store.agentToken(id);

/** The tokens that agents join a pool with. */
export const agentTokenRoutes: Route[] = [
  ["GET", /^\/agent-pools\/([^/]+)\/authentication-tokens$/, withObject(poolOf, listTokens)],
  ["POST", /^\/agent-pools\/([^/]+)\/authentication-tokens$/, withObject(poolOf, createToken)],
  [
    "GET",
    /^\/authentication-tokens\/([^/]+)$/,
    withObject(tokenOf, (_, token) => documentResponse(200, { data: agentTokenResource(token) })),
  ],
  ["DELETE", /^\/authentication-tokens\/([^/]+)$/, withObject(tokenOf, deleteToken)],
];

function listTokens({ request, store }: PoolsContext, pool: Pool): ApiResponse {
  const sort = request.query.get("sort");
  if (sort !== null && !/^-?created-at$/.test(sort))
    return errorResponse(400, { title: "invalid sort", detail: "sort must be created-at or -created-at" });
  const tokens = store.agentTokens(pool.id);
  // Tokens of the same time are sorted by their IDs, in the same direction.
  const rowsInOrder = sort === null ? tokens : sorted(tokens, ({ createdAt, id }) => `${createdAt} ${id}`, sort.startsWith("-"));
  return pageResponse(request, rowsInOrder, agentTokenResource);
}

function createToken({ request, store }: PoolsContext, pool: Pool): ApiResponse {
  const token = store.addAgentToken(pool.id, parseBody(agentTokenBody, request.body).description);
  const { attributes, ...resource } = agentTokenResource(token);
  return documentResponse(201, { data: { ...resource, attributes: { ...attributes, token: token.token } } });
}

function deleteToken({ store }: PoolsContext, token: AgentToken): ApiResponse {
  store.removeAgentToken(token.id);
  return { status: 204 };
}
