import { posix } from "node:path";
import type { ApiHandler, ApiResponse } from "../http";
import type { ClusterDialect } from "./dialect";
import type { ClusterContext, Endpoint } from "./endpoint";
import { byMethod, json, TEXT } from "./endpoint";
import * as kinds from "./kinds";
import { login } from "./login";
import { Refusal } from "./refusal";
import type { ClusterStore } from "./store";
import type { ClusterTokens } from "./tokens";

const ENDPOINTS: [path: string, endpoint: Endpoint][] = [
  ...Object.values(kinds).flat(),
  ["/v1/acl/login", byMethod({ POST: login })],
  ["/v1/regions", byMethod({ GET: regions })],
];

/** The names of the regions. Like the list of auth methods, they need no token. */
function regions({ store, dialect }: ClusterContext): ApiResponse {
  return dialect.hasRegions ? json(store.regionNames.sort()) : { status: 404 };
}

/** The cluster's API, under /v1. */
export function clusterApi(store: ClusterStore, tokens: ClusterTokens, dialect: ClusterDialect): ApiHandler {
  return (request) => {
    try {
      store.collectExpiredTokens();
      return route({ request, store, tokens, dialect, region: request.query.get("region") || undefined });
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, contentType: TEXT, body: error.message };
      throw error;
    }
  };
}

function route(context: ClusterContext): ApiResponse {
  const clean = posix.normalize(context.request.path);
  if (clean !== context.request.path) return { status: 307, headers: { location: clean } };
  const path = decodedPath(clean);
  const found = ENDPOINTS.find(([base]) => (base.endsWith("/") ? path.startsWith(base) : path === base));
  // The 404 for a wrong path has an empty body, unlike the 404 for a missing object.
  return found ? found[1](context, path.slice(found[0].length)) : { status: 404 };
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new Refusal(400, "400 Bad Request");
  }
}
