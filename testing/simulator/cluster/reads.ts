import { InvalidDuration, readDuration } from "../../../common/durations";
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
 * A read in the region that the request names. With ?index=N it waits until the index of the result is above N, at most for the time of
 * ?wait.
 *
 * @throws Refusal 400 for an invalid parameter, 500 for an unknown region, and whatever `find` throws.
 */
export async function read(context: ClusterContext, authorize: () => void, find: (tables: Tables) => ReadResult): Promise<ApiResponse> {
  const { request, store } = context;
  const { passed, waitMs } = readParameters(request.query);
  const region = request.query.get("region") || undefined;
  const tables = (): Tables => {
    const visible = store.visible(region);
    if (visible === undefined) throw new Refusal(500, "No path to region");
    return visible;
  };
  // An unknown region is reported before a missing permission.
  tables();
  authorize();
  let found = find(tables());
  if (passed > 0) {
    await untilGone(request.gone, waitMs, async (end) => {
      while (found.index <= passed && !end.aborted) {
        await store.changed(end);
        found = find(tables());
      }
    });
  }
  const headers = { "x-nomad-index": String(found.index), "x-nomad-lastcontact": "0", "x-nomad-knownleader": "true" };
  if ("missing" in found) return { status: 404, headers, contentType: TEXT, body: found.missing };
  return { status: 200, headers, contentType: "application/json", body: JSON.stringify(found.body) };
}

/**
 * Waits with a signal that aborts when the client has disconnected or the time is over. Without AbortSignal.any, which Node 20 may collect
 * as garbage before it aborts.
 */
async function untilGone(gone: AbortSignal, waitMs: number, wait: (end: AbortSignal) => Promise<void>): Promise<void> {
  const end = new AbortController();
  const stop = () => end.abort();
  const timer = setTimeout(stop, waitMs);
  if (gone.aborted) stop();
  gone.addEventListener("abort", stop, { once: true });
  try {
    await wait(end.signal);
  } finally {
    clearTimeout(timer);
    gone.removeEventListener("abort", stop);
  }
}

const DEFAULT_WAIT_MS = 300_000;
const MAXIMUM_WAIT_MS = 600_000;

function readParameters(query: URLSearchParams): { passed: number; waitMs: number } {
  const stale = query.get("stale") ?? "";
  if (!["", "1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False"].includes(stale)) {
    throw new Refusal(400, "Expect `true` or `false` for `stale` query string parameter");
  }
  if (!/^([+-]?\d+)?$/.test(query.get("per_page") ?? "")) {
    throw new Refusal(400, "Expect a number for `per_page` query string parameter");
  }
  const waitMs = waitMilliseconds(query.get("wait") ?? "");
  const index = query.get("index") ?? "";
  if (!/^\d*$/.test(index)) throw new Refusal(400, "Invalid index");
  return { passed: Number(index), waitMs };
}

function waitMilliseconds(wait: string): number {
  if (wait === "") return DEFAULT_WAIT_MS;
  try {
    const milliseconds = Number(readDuration(wait) / 1_000_000n);
    return milliseconds <= 0 ? DEFAULT_WAIT_MS : Math.min(milliseconds, MAXIMUM_WAIT_MS);
  } catch (error) {
    if (error instanceof InvalidDuration) throw new Refusal(400, "Invalid wait time");
    throw error;
  }
}
