import { isBlocked, isDenied, isNotFound } from "../apis/http/errors";
import { relationOf } from "../model/servers";
import type { CallContext } from "./call-context";
import { absenceBy, assertSameServer, type Look, later, lookOnce, lookUntilCertain, staleError } from "./certainty";
import { blocked, gone } from "./wording";

/** After this time a replica that lags is usually up to date. */
const confirmationMs = 1_000;

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
      return (await absenceBy(label, probe)) === undefined;
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
