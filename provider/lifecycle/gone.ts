/** What a 404 means: the only place that decides that an object is gone. */
import { type ApiError, isBlocked, isConflict, isDenied, isNotFound, isRejected } from "../apis/http/errors";
import type { CallContext } from "../context/call-context";
import { howToAcceptMovedServer } from "../context/config";
import { blocked, gone } from "../context/wording";
import { relationOf } from "../model/servers";
import { UserError } from "../model/user-error";
import { later, lookUntilCertain, staleError } from "./look";

/** After this time a replica that lags is usually up to date. */
const confirmationMs = 1_000;

/** The result of a read: the object, or the index of the store that does not have it. */
export type Look<T> = { readonly object: T } | { readonly storeIndex: number | undefined };

export async function lookOnce<T>(read: () => Promise<T>): Promise<Look<T>> {
  try {
    return { object: await read() };
  } catch (error) {
    if (isNotFound(error)) return { storeIndex: error.storeIndex };
    throw error;
  }
}

/** The value of a read, or undefined when the API reports that there is no such object. */
export async function readOrMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
  const seen = await lookOnce(read);
  return "object" in seen ? seen.object : undefined;
}

/** What a look has found, as a list. */
export function toList<T>(found: T | undefined): readonly T[] {
  return found === undefined ? [] : [found];
}

/** An object that is not found counts as gone only on the server that it was on before. */
export function assertSameServer(
  context: CallContext,
  label: string,
  { before, now }: { readonly before: string | undefined; readonly now: string },
): void {
  if (!before || relationOf(before, now) === "same" || context.settings.acceptMovedServer) return;
  throw new UserError(
    "other-server",
    `${label} is not on ${now}. The state says that it was on ${before}, so nothing is concluded and the state keeps it. ` +
      `Correct the address or the region; or, if the server was moved or restored without it, ${howToAcceptMovedServer}.`,
  );
}

/** @returns the response by which the region that takes the writes has no such object; undefined where it has one */
export async function absenceError(label: string, probe: () => Promise<void>): Promise<ApiError | undefined> {
  try {
    await probe();
  } catch (error) {
    if (isNotFound(error)) return error;
    if (isRejected(error) || isConflict(error)) return undefined;
    throw error;
  }
  throw new UserError(
    "probe-accepted",
    `${label}: the server has accepted an update that every server should refuse, and that only checks whether the object exists. It may have changed the object (a role has a policy more then, whose name begins with _): ` +
      'run `pulumi up --refresh`, which writes the program\'s values, or take over with adopt: "overwrite"; and report the version of the server.',
  );
}

/** The state of an object, which another region shows, in the region that takes all writes. */
export type Confirmation<T> = { readonly object: T } | { readonly refusal: ApiError };

/** By the update that takes the object over. A 404 for a pool may also mean that the token may not update it. */
export async function confirmedBy<T>(api: "pools" | "cluster", update: () => Promise<T>): Promise<Confirmation<T>> {
  try {
    return { object: await update() };
  } catch (error) {
    if (api === "cluster" && isNotFound(error)) return { refusal: error };
    throw error;
  }
}

/**
 * By an update that every server refuses, where the object is taken over unchanged: the region's copy may be older, so that none of it is
 * written.
 */
export async function confirmedByProbe<T>(label: string, object: T, probe: (() => Promise<void>) | undefined): Promise<Confirmation<T>> {
  const refusal = probe && (await absenceError(label, probe));
  return refusal ? { refusal } : { object };
}

/** An object of the cluster, and the requests for it. */
export interface ClusterObjectRequests<T> {
  /** In words for a message: `ACL role "dev" (5e0c...)`. */
  readonly label: string;
  /** The server, and the index of the last change, from the state. Without a state a wrong "not found" has no consequence. */
  readonly state?: { readonly server?: string | undefined; readonly modifyIndex?: number | undefined } | undefined;
  readonly read: () => Promise<T>;
  /**
   * Checks in the region that takes the writes whether the object exists, by an update that every server refuses. Undefined where no update
   * is certain to be refused: then two reads a moment apart decide.
   */
  readonly probe: (() => Promise<void>) | undefined;
}

export interface ReadOptions<T> {
  /** Whether a copy is older than the state. Default: no copy is. */
  readonly isOlder?: (copy: T) => boolean;
  /** Fails where the token may not write, so that the region that takes the writes can't be asked. */
  readonly mustBeCertain?: boolean;
}

/** Reads, updates and deletes an object of the cluster, which counts as gone only when that is certain. */
export class ClusterObject<T> {
  private readonly server: string;

  constructor(
    private readonly context: CallContext,
    private readonly object: ClusterObjectRequests<T>,
  ) {
    this.server = context.cluster().server;
  }

  /**
   * Reads until the response is certain. A "not found" is confirmed by a second read, because replicas lag; it counts only on the server of the state, and when the
   * region that takes the writes has no such object either. A copy that is older than the state is read again for a while, and so is a "not found" of a store that is
   * older than the object, or that the region that takes the writes denies: neither is drift.
   *
   * @returns undefined when the object is gone
   * @throws when the server is not that of the state, or returns only older copies
   */
  read({ isOlder = () => false, mustBeCertain = false }: ReadOptions<T> = {}): Promise<T | undefined> {
    return this.readUntilCertain(isOlder, () => this.isThereForWrites(mustBeCertain));
  }

  /** @throws when the object is gone, with the likely reason */
  async update<R>(update: () => Promise<R>): Promise<R> {
    try {
      return await update();
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.assertSameServer();
      throw gone(this.object.label, this.server, error);
    }
  }

  /**
   * A "not found" comes from the region that takes the writes, also in the response to a second try of a delete whose first response was lost: the object is gone,
   * unless both a read and the probe find it. Without a probe, it is read until it is not found any more.
   */
  async delete(remove: () => Promise<void>): Promise<void> {
    try {
      await remove();
    } catch (error) {
      if (isBlocked(error)) throw blocked(this.object.label, error);
      if (!isNotFound(error)) throw error;
      const { probe } = this.object;
      const isInDoubt = () => probe === undefined;
      const copy = await this.readUntilCertain(isInDoubt, async () => false);
      if (copy && (await this.isThereForWrites(true))) throw error;
    }
  }

  private async readUntilCertain(isOlder: (copy: T) => boolean, isThereForWrites: () => Promise<boolean>): Promise<T | undefined> {
    const { context, server } = this;
    const { label, state, read } = this.object;
    const look = async (): Promise<Look<T>> => {
      const first = await lookOnce(read);
      return "object" in first ? first : later(context, confirmationMs, () => lookOnce(read));
    };
    let isThere = false;
    const doubtIn = async (seen: Look<T>): Promise<string | undefined> => {
      if (context.settings.acceptMovedServer) return undefined;
      if ("object" in seen) return isOlder(seen.object) ? "returns an older copy than the state has" : undefined;
      if (this.isBehind(seen.storeIndex)) return "does not have it, in a store that is older than the object";
      this.assertSameServer();
      isThere ||= state?.server !== undefined && (await isThereForWrites());
      return isThere ? "does not have it, but the region that takes the writes has" : undefined;
    };
    const seen = await lookUntilCertain(context, { label, server, look, doubtIn, failure: (doubt) => staleError(label, server, doubt) });
    return "object" in seen ? seen.object : undefined;
  }

  private assertSameServer(): void {
    assertSameServer(this.context, this.object.label, { before: this.object.state?.server, now: this.server });
  }

  /**
   * Whether the region that takes the writes has the object. Each region has its own indexes, so that a read of another region does not
   * show it.
   */
  private async isThereForWrites(mustBeCertain: boolean): Promise<boolean> {
    const { label, probe } = this.object;
    if (!probe) return false;
    try {
      return (await absenceError(label, probe)) === undefined;
    } catch (error) {
      if (!isDenied(error) || mustBeCertain) throw error;
      this.context.warn(
        `${label} is not in the region that is read from. This token may not write (${error.status}), so that the region that takes the writes could not be asked: ` +
          "if the first lags behind the second, the object still exists. Use a token that may write to make sure.",
      );
      return false;
    }
  }

  /** The store's index is at least that of the object's last change or delete. */
  private isBehind(storeIndex: number | undefined): boolean {
    const { server, modifyIndex } = this.object.state ?? {};
    if (storeIndex === undefined || modifyIndex === undefined || storeIndex >= modifyIndex) return false;
    return server !== undefined && relationOf(server, this.server) === "same";
  }
}
