import type * as z from "zod";
import type { ApiRequest, ApiResponse } from "../http";
import { decodeBody } from "./body";
import { fromTime } from "./clock";
import type { ClusterDialect } from "./dialect";
import type { Role, Stored } from "./objects";
import { Refusal } from "./refusal";
import type { ClusterStore } from "./store";
import { withSecret } from "./stored-tokens";
import type { StoredKind, Tables } from "./table";
import type { ClusterToken, ClusterTokens } from "./tokens";
import { secretOf } from "./tokens";

/** The input of every endpoint. */
export interface ClusterContext {
  readonly request: ApiRequest;
  readonly store: ClusterStore;
  readonly tokens: ClusterTokens;
  readonly dialect: ClusterDialect;
  /** The region that the request names. */
  readonly region: string | undefined;
}

/** `key` is the path below an endpoint that ends with a slash. */
export type Endpoint = (context: ClusterContext, key: string) => ApiResponse;

export const TEXT = "text/plain; charset=utf-8";

/**
 * An endpoint for each method; PUT is handled like POST. @param missingKey the text of the refusal of an empty key; if undefined, an empty
 * key is accepted
 */
export function byMethod(endpoints: Readonly<Record<string, Endpoint>>, missingKey?: string): Endpoint {
  return (context, key) => {
    if (missingKey !== undefined && key === "") throw new Refusal(400, missingKey);
    const { method } = context.request;
    const endpoint = endpoints[method === "PUT" ? "POST" : method];
    if (endpoint === undefined) throw new Refusal(405, "Invalid method");
    return endpoint(context, key);
  };
}

/**
 * The token of a request: one that a test has added, one that the region has issued, or the anonymous one of a request without a token.
 * Undefined for an unknown one.
 */
export function tokenOf(context: ClusterContext): ClusterToken | undefined {
  const secret = secretOf(context.request.headers, context.dialect.tokenHeaders);
  return context.tokens.authenticate(secret) ?? issuedToken(context, secret);
}

/** The permissions of a token in the region that issued it. */
function issuedToken({ store, region }: ClusterContext, secret: string): ClusterToken | undefined {
  const tables = store.tablesOf(region);
  const token = tables && withSecret(tables, secret);
  if (!token) return undefined;
  const { Name, Type, Policies, Roles, ExpirationTime } = token;
  return {
    token: secret,
    type: Type === "management" ? "management" : "client",
    name: Name,
    ...(Policies && { policies: Policies }),
    ...(Roles && { roles: Roles.map(({ ID }) => ID) }),
    isExpired: ExpirationTime !== null && fromTime(ExpirationTime) < store.now(),
  };
}

/** @throws Refusal 403 for an unknown or expired token */
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

/** A client token may read only its own roles. */
export function mayRead(token: ClusterToken, role: Role): boolean {
  return token.type === "management" || [role.ID, role.Name].some((key) => token.roles?.includes(key));
}

/** A role, a rule or a policy in a response. */
export function shown<Row extends { Hash: string }>(row: Row, { dialect }: ClusterContext): Omit<Row, "Hash"> {
  return dialect.shown(row);
}

/**
 * Creates or changes an object. The checks come in this order: the form of the body, the path, the token, the content of the body.
 *
 * @param keyOf returns the key that the path must have, if it has one
 * @param keyName the name of the key in the refusal of another one
 * @param apply returns the object of the response, if it has one
 */
export function write<Body>(
  form: z.ZodType<Body>,
  keyOf: (body: Body, key: string) => string,
  keyName: string,
  apply: (context: ClusterContext, body: Body, key: string) => object | undefined,
): Endpoint {
  return (context, key) => {
    const body = decodeBody(form, context.request.body);
    if (key !== "" && keyOf(body, key) !== key) throw new Refusal(400, `${keyName} does not match request path`);
    requireManagement(context);
    // The response carries the index of the write, so it is made after the write.
    const { store, request } = context;
    const stored = store.withNewerFields(request.body, () => apply(context, body, key));
    return written(context, stored);
  };
}

/** The response to a write: the object, or nothing. */
export function written({ store }: ClusterContext, body?: object): ApiResponse {
  const headers = { "x-nomad-index": String(store.index) };
  return body === undefined ? { status: 200, headers } : json(body, headers);
}

/**
 * Deletes an object. A missing one is 500 and not 404, because the server notices it only when it applies the write.
 *
 * @param missing the text of that refusal; if undefined, the delete of a missing object succeeds
 */
export function remove<Row extends Stored>(kind: StoredKind<Row>, missing: string | undefined): Endpoint {
  return (context, key) => {
    requireManagement(context);
    if (!context.store.remove(kind, key) && missing !== undefined) throw new Refusal(500, missing);
    return written(context);
  };
}

interface Listing<Row> {
  /** By default a management token is required. */
  readonly authorize?: (context: ClusterContext) => void;
  /** Chooses the rows of the list. */
  readonly choose?: (rows: Row[], context: ClusterContext, tables: Tables) => Row[];
}

/** Lists the objects of a kind. */
export function listOf<Row extends Stored>(
  kind: StoredKind<Row>,
  stub: (row: Row, context: ClusterContext) => object,
  { authorize = requireManagement, choose = (rows) => rows }: Listing<Row> = {},
): Endpoint {
  return (context) => {
    const tables = readable(context);
    authorize(context);
    const table = tables.of(kind);
    const body = choose(table.list(), context, tables).map((row) => stub(row, context));
    // At least 1, because a client can't wait with the index 0.
    return json(body, readHeaders(Math.max(1, table.index)));
  };
}

interface Reading<Row> {
  /** By default a management token is required. */
  readonly authorize?: (context: ClusterContext, key: string) => void;
  readonly find?: (tables: Tables, key: string) => Row | undefined;
}

/** Reads one object. */
export function readOf<Row extends Stored>(
  kind: StoredKind<Row>,
  missing: string,
  shown: (row: Row, context: ClusterContext, tables: Tables) => object,
  { authorize = requireManagement, find = (tables, key) => tables.of(kind).get(key) }: Reading<Row> = {},
): Endpoint {
  return (context, key) => {
    const tables = readable(context);
    authorize(context, key);
    const row = find(tables, key);
    if (row === undefined) return { status: 404, headers: readHeaders(tables.of(kind).index), contentType: TEXT, body: missing };
    return json(shown(row, context, tables), readHeaders(row.ModifyIndex));
  };
}

/** The objects for reads of the request's region. @throws Refusal 500 for an unknown region, even without permission */
function readable({ store, region }: ClusterContext): Tables {
  const tables = store.tablesOf(region);
  if (tables === undefined) throw new Refusal(500, "No path to region");
  return tables;
}

function readHeaders(index: number): Record<string, string> {
  return { "x-nomad-index": String(index), "x-nomad-lastcontact": "0", "x-nomad-knownleader": "true" };
}

export function json(body: object, headers: Record<string, string> = {}): ApiResponse {
  return { status: 200, headers, contentType: "application/json", body: JSON.stringify(body) };
}
