import { posix } from "node:path";
import type { ApiHandler, ApiResponse } from "../http";
import type { ClusterDialect } from "./dialect";
import type { ClusterContext, Endpoint } from "./endpoint";
import { byMethod, json, listOf, readOf, remove, TEXT, write } from "./endpoint";
import { methodForm } from "./forms";
import { login } from "./login";
import { methods } from "./methods";
import type { AuthMethod } from "./objects";
import { policyEndpoints } from "./policy-endpoints";
import { Refusal } from "./refusal";
import { roleEndpoints } from "./role-endpoints";
import { ruleEndpoints } from "./rule-endpoints";
import type { ClusterStore } from "./store";
import { tokenEndpoints } from "./token-endpoints";
import type { ClusterTokens } from "./tokens";

const shownMethod = (method: AuthMethod, { dialect }: ClusterContext) => dialect.methods.shown(method);

const writeMethod = write(
  methodForm,
  ({ Name }) => Name,
  "auth-method name",
  ({ store, dialect: { methods } }, body, name) => methods.shown(methods.write(store, body, name !== "")),
);

/** Every endpoint of the document, those of the policies, which roles refer to, and those of tokens. */
const ENDPOINTS: [path: string, endpoint: Endpoint][] = [
  // The list alone ignores the token, also an invalid one.
  [
    "/v1/acl/auth-methods",
    byMethod({ GET: listOf(methods, (method, { dialect }) => dialect.methods.stub(method), { authorize: () => {} }) }),
  ],
  ["/v1/acl/auth-method", byMethod({ POST: writeMethod })],
  [
    "/v1/acl/auth-method/",
    byMethod(
      {
        GET: readOf(methods, "ACL auth-method not found", shownMethod),
        POST: writeMethod,
        DELETE: remove(methods, "ACL auth method not found"),
      },
      "missing ACL auth-method name",
    ),
  ],
  ...roleEndpoints,
  ...ruleEndpoints,
  ["/v1/acl/login", byMethod({ POST: login })],
  ...tokenEndpoints,
  ...policyEndpoints,
  ["/v1/regions", byMethod({ GET: regions })],
];

/** Like the list of auth methods, it needs no token. */
function regions({ store, dialect }: ClusterContext): ApiResponse {
  return dialect.hasRegions ? json(store.regionNames.sort()) : { status: 404 };
}

/** The cluster's ACL API, under /v1. */
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
  // The 404 for a wrong path has an empty body, unlike that for a missing object.
  return found ? found[1](context, path.slice(found[0].length)) : { status: 404 };
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new Refusal(400, "400 Bad Request");
  }
}
