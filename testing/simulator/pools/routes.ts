import type { ApiHandler, ApiResponse } from "../http";
import { agentTokenRoutes } from "./agent-tokens";
import { agentRoutes } from "./agents";
import { InvalidBody } from "./bodies";
import type { PoolsDialect } from "./dialect";
import { errorResponse, notFound } from "./documents";
import { poolRoutes } from "./pools";
import type { PoolsStore } from "./store";
import type { PoolsTokens } from "./tokens";
import { workspaceRoutes } from "./workspaces";

const documentedRoutes = [...poolRoutes, ...agentRoutes];
const allRoutes = [...documentedRoutes, ...agentTokenRoutes, ...workspaceRoutes];

/** The agent pool API, under /api/v2. */
export function poolsApi(store: PoolsStore, tokens: PoolsTokens, dialect: PoolsDialect): ApiHandler {
  const routes = dialect.hasNeighbours ? allRoutes : documentedRoutes;
  return (request) => {
    // Outside the prefix there is no JSON:API: a client with a wrong base address gets an HTML page.
    if (!request.path.startsWith("/api/v2/")) return { status: 404, contentType: "text/html", body: "<h1>Not Found</h1>" };
    const token = tokens.authenticate(request.headers.authorization);
    if (token === undefined) return errorResponse(401, { title: "unauthorized", detail: "The token is missing or not valid" });
    const path = request.path.slice("/api/v2".length);
    for (const [method, pattern, endpoint] of routes) {
      const match = method === request.method ? pattern.exec(path) : null;
      if (match) return checked(() => endpoint({ request, store, token, dialect }, decoded(match[1]), decoded(match[2])));
    }
    return notFound();
  };
}

function checked(respond: () => ApiResponse): ApiResponse {
  try {
    return respond();
  } catch (error) {
    if (error instanceof InvalidBody) return errorResponse(422, ...error.errors);
    throw error;
  }
}

/** A name with invalid percent-encoding matches no organization. */
function decoded(part = ""): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
