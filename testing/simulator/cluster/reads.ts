import type { ApiRequest, ApiResponse } from "../http";
import type { ClusterDialect } from "./dialect";
import { Refusal } from "./refusal";
import type { ClusterStore } from "./store";
import { issuedToken } from "./stored-tokens";
import type { Tables } from "./table";
import type { ClusterToken, ClusterTokens } from "./tokens";
import { secretOf } from "./tokens";

/** The input of every endpoint. */
export interface ClusterContext {
  request: ApiRequest;
  store: ClusterStore;
  tokens: ClusterTokens;
  dialect: ClusterDialect;
}

/** The result of a read: the index of the objects it read, and the body of the response, or the text for a missing object. */
export type ReadResult = { index: number } & ({ body: unknown } | { missing: string });

export const TEXT = "text/plain; charset=utf-8";

/** The token of a request: one that a test has added, or that the region has issued. Undefined for an unknown one. */
export function tokenOf({ request, tokens, dialect, store }: ClusterContext): ClusterToken | undefined {
  const added = tokens.authenticate(request.headers, dialect.tokenHeaders);
  return added ?? issuedToken(store, request.query.get("region") || undefined, secretOf(request.headers, dialect.tokenHeaders));
}

/** @throws Refusal 403 when the token is unknown, or its time is over. */
export function caller(context: ClusterContext): ClusterToken {
  const token = tokenOf(context);
  if (token === undefined || token.isExpired) throw permissionDenied();
  return token;
}

/** @throws Refusal 403 unless the token is a management token. */
export function requireManagement(context: ClusterContext): void {
  if (caller(context).type !== "management") throw permissionDenied();
}

export function permissionDenied(): Refusal {
  return new Refusal(403, "Permission denied");
}

/** The response to a write: the object, or nothing after a delete. */
export function written(context: ClusterContext, body?: unknown): ApiResponse {
  const headers = { "x-nomad-index": String(context.store.index) };
  if (body === undefined) return { status: 200, headers };
  return { status: 200, headers, contentType: "application/json", body: JSON.stringify(body) };
}

/**
 * A read in the region that the request names.
 *
 * @throws Refusal 500 for an unknown region, and whatever `find` throws.
 */
export function read({ request, store }: ClusterContext, authorize: () => void, find: (tables: Tables) => ReadResult): ApiResponse {
  const tables = store.visible(request.query.get("region") || undefined);
  // An unknown region is reported before a missing permission.
  if (tables === undefined) throw new Refusal(500, "No path to region");
  authorize();
  const found = find(tables);
  const headers = { "x-nomad-index": String(found.index), "x-nomad-lastcontact": "0", "x-nomad-knownleader": "true" };
  if ("missing" in found) return { status: 404, headers, contentType: TEXT, body: found.missing };
  return { status: 200, headers, contentType: "application/json", body: JSON.stringify(found.body) };
}
