import type { ApiResponse } from "../http";
import type { Stored } from "./objects";
import type { ClusterContext, ReadResult } from "./reads";
import { read, requireManagement, written } from "./reads";
import { Refusal } from "./refusal";
import type { StoredKind, Table } from "./table";

/** `rest` is the path below an endpoint that ends with a slash. */
export type Endpoint = (context: ClusterContext, rest: string) => ApiResponse;

export function byMethod(endpoints: Partial<Record<string, Endpoint>>): Endpoint {
  return (context, rest) => {
    const endpoint = endpoints[context.request.method];
    if (endpoint === undefined) throw new Refusal(405, "Invalid method");
    return endpoint(context, rest);
  };
}

/** PUT is handled like POST. */
export function writes(endpoint: Endpoint): Record<"POST" | "PUT", Endpoint> {
  return { POST: endpoint, PUT: endpoint };
}

export function withKey(missing: string, endpoint: Endpoint): Endpoint {
  return (context, key) => {
    if (key === "") throw new Refusal(400, missing);
    return endpoint(context, key);
  };
}

/** The checks come in this order: the form of the body, the path, the token, the content of the body. */
export function upsert<Body>(
  decode: (body: string) => Body,
  write: (context: ClusterContext, body: Body) => object,
  matchPath: (body: Body, key: string) => Body,
): Endpoint {
  return (context, key) => {
    const body = decode(context.request.body);
    const matched = key === "" ? body : matchPath(body, key);
    requireManagement(context);
    // In this order: the response carries the index of the write.
    const stored = write(context, matched);
    return written(context, stored);
  };
}

/** A missing object is 500 and not 404, because the server notices it only when it applies the write. */
export function remove<Row extends Stored>(kind: StoredKind<Row>, missing: string): Endpoint {
  return (context, key) => {
    requireManagement(context);
    if (!context.store.remove(kind, key)) throw new Refusal(500, missing);
    return written(context);
  };
}

/** A list's index is at least 1, because a client can't wait with the index 0. */
export function listed<Row extends Stored>(table: Table<Row>, body: unknown): ReadResult {
  return { index: Math.max(1, table.index), body };
}

export function single<Row extends Stored>(
  table: Table<Row>,
  row: Row | undefined,
  missing: string,
  shown: (row: Row) => object,
): ReadResult {
  return row === undefined ? { index: table.index, missing } : { index: row.ModifyIndex, body: shown(row) };
}

/** The list of a kind that takes a management token. */
export function listOf<Row extends Stored>(kind: StoredKind<Row>, stub: (row: Row) => object): Endpoint {
  return (context) =>
    read(
      context,
      () => requireManagement(context),
      (tables) => listed(tables.of(kind), tables.of(kind).list().map(stub)),
    );
}

/** One object of a kind that takes a management token. */
export function readOf<Row extends Stored>(
  kind: StoredKind<Row>,
  missing: string,
  shown: (row: Row, context: ClusterContext) => object,
): Endpoint {
  return (context, key) =>
    read(
      context,
      () => requireManagement(context),
      (tables) => single(tables.of(kind), tables.of(kind).get(key), missing, (row) => shown(row, context)),
    );
}
