/** What a 404 means: the only place that decides that an object is gone. A region that is read from may lag, so reads are repeated. */
import { type ApiError, isBlocked, isConflict, isDenied, isNotFound, isRejected } from "../apis/http/errors";
import { howToAcceptMovedServer, namespace } from "../configuration/config";
import { relationOf } from "../model/servers";
import { UserError } from "../model/user-error";
import type { CallContext } from "../operation/call-context";

/** After this time a replica that lags is usually up to date. */
const confirmationMs = 1_000;

/** The result of a read: the object, or the index of the store that does not have it. */
export type Look<T> = { readonly whole: T } | { readonly storeIndex: number | undefined };

export async function lookOnce<T>(read: () => Promise<T>): Promise<Look<T>> {
  try {
    return { whole: await read() };
  } catch (error) {
    if (isNotFound(error)) return { storeIndex: error.storeIndex };
    throw error;
  }
}

/** The value of a read, or undefined when the API reports that there is no such object. */
export async function readOrMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
  const seen = await lookOnce(read);
  return "whole" in seen ? seen.whole : undefined;
}

/**
 * An object that a list has just named. Undefined only when the list does not have it any more either: otherwise it would be created a second
 * time, or overwritten.
 */
export async function readListed<T>(
  context: CallContext,
  label: string,
  read: () => Promise<T>,
  isListed: () => Promise<boolean>,
): Promise<T | undefined> {
  const first = await readOrMissing(read);
  if (first !== undefined || !(await isListed())) return first;
  const second = await later(context, confirmationMs, () => readOrMissing(read));
  if (second !== undefined) return second;
  throw new UserError("listed-not-read", `The server lists ${label}, and returns a 404 for it. Nothing is concluded from that: try again.`);
}

/** The result of a look as a list. */
export function toList<T>(whole: T | undefined): readonly T[] {
  return whole === undefined ? [] : [whole];
}

/** @returns the response by which the authoritative region has no such object; undefined if it has one */
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

/** The state of an object, which another region shows, in the authoritative region. */
export type Confirmation<T> = { readonly whole: T } | { readonly refusal: ApiError };

/** By the update that takes the object over. If a list decides what a 404 means, the token may also be one that may not update the object. */
export async function confirmedByUpdate<T>(isListDeciding: boolean, update: () => Promise<T>): Promise<Confirmation<T>> {
  try {
    return { whole: await update() };
  } catch (error) {
    if (!isListDeciding && isNotFound(error)) return { refusal: error };
    throw error;
  }
}

/**
 * By an update that every server refuses, if the object is taken over unchanged: the region's copy may be older, so none of it is written.
 */
export async function confirmedByProbe<T>(label: string, whole: T, probe: (() => Promise<void>) | undefined): Promise<Confirmation<T>> {
  const refusal = probe && (await absenceError(label, probe));
  return refusal ? { refusal } : { whole };
}

/** An object, and the requests that decide whether it is there. */
export interface PresenceRequests<T> {
  /** In words for a message: `ACL role "dev" (5e0c...)`. */
  readonly label: string;
  /** The configured server. */
  readonly server: string;
  /** The server, and the index of the last change, from the state. Without a state a wrong "not found" has no consequence. */
  readonly known?: { readonly server?: string | undefined; readonly modifyIndex?: number | undefined } | undefined;
  readonly read: () => Promise<T>;
  /**
   * Checks in the authoritative region whether the object exists, by an update that every server refuses. Undefined if no update is
   * certain to be refused: then two reads a moment apart decide.
   */
  readonly probe?: (() => Promise<void>) | undefined;
  /** Asks a list of a service with one store, whose 404 may also mean that the token may not see the object. Then there is no probe. */
  readonly isListed?: (() => Promise<boolean>) | undefined;
  /** Whether the object has ended by itself: then its absence needs no proof. */
  readonly hasEnded?: boolean | undefined;
}

export interface ReadOptions<T> {
  /** Whether a copy is older than the state. Default: no copy is. */
  readonly isOlder?: (whole: T) => boolean;
  /** Fails if the token may not write, so the authoritative region can't be asked. */
  readonly mustBeCertain?: boolean;
}

/** Reads, updates and deletes an object, which counts as gone only when that is certain. */
export class Presence<T> {
  constructor(
    private readonly context: CallContext,
    private readonly object: PresenceRequests<T>,
  ) {}

  /**
   * Reads until the response is certain. A "not found" counts only on the server of the state.
   *
   * - If there is a list, it must not have the object.
   * - Otherwise a second read must confirm it, because replicas lag, and the authoritative region must not have the object either. A
   *   copy that is older than the state is read again for a while, and so is a "not found" of a store that is older than the object, or that
   *   the authoritative region denies: neither is drift.
   *
   * @returns undefined when the object is gone
   * @throws when the server is not that of the state, or returns only older copies
   */
  async read({ isOlder = () => false, mustBeCertain = false }: ReadOptions<T> = {}): Promise<T | undefined> {
    const { read, isListed } = this.object;
    const olderIn = (whole: T) => (isOlder(whole) ? "returns an older copy than the state has" : undefined);
    if (!isListed) return this.readUntilCertain(olderIn, () => this.isInAuthoritativeRegion(mustBeCertain));
    const whole = await readOrMissing(read);
    if (whole === undefined) await this.requireUnlisted(isListed);
    return whole;
  }

  /** @throws when the object is gone, with the likely reason */
  async update<R>(update: () => Promise<R>): Promise<R> {
    const { label, server, isListed } = this.object;
    try {
      return await update();
    } catch (error) {
      if (!isNotFound(error)) throw error;
      // The token may see the object, and not change it.
      if (await isListed?.()) throw error;
      this.requireSameServer();
      throw goneError(this.context, { label, server, cause: error });
    }
  }

  /**
   * A "not found" comes from the authoritative region, also in the response to a second try of a delete whose first response was lost: the
   * object is gone, unless both a read and the probe find it. Without a probe, it is read until it is not found any more.
   */
  async delete(remove: () => Promise<void>): Promise<void> {
    const { label, probe, isListed, hasEnded } = this.object;
    try {
      await remove();
    } catch (error) {
      if (isBlocked(error)) throw blockedError(label, error);
      if (!isNotFound(error)) throw error;
      if (hasEnded) return;
      if (isListed) return this.requireUnlisted(isListed);
      const whole = await this.readUntilCertain(
        () => (probe ? undefined : "shows it after its delete"),
        async () => false,
      );
      if (whole && (await this.isInAuthoritativeRegion(true))) throw error;
    }
  }

  private async requireUnlisted(isListed: () => Promise<boolean>): Promise<void> {
    const { label, hasEnded } = this.object;
    if (hasEnded) return;
    if (await isListed()) {
      throw new UserError(
        "pool-not-certain",
        `${label}: the service returns 404 for it, but lists it. Nothing is concluded; try again, and check what the token may do.`,
      );
    }
    this.requireSameServer();
  }

  /** @param doubtInWhole why an object that is read is not the last word; undefined if it is */
  private async readUntilCertain(
    doubtInWhole: (whole: T) => string | undefined,
    isInAuthoritativeRegion: () => Promise<boolean>,
  ): Promise<T | undefined> {
    const { context } = this;
    const { label, server, known, read, hasEnded } = this.object;
    const look = async (): Promise<Look<T>> => {
      const first = await lookOnce(read);
      return "whole" in first || hasEnded ? first : later(context, confirmationMs, () => lookOnce(read));
    };
    let isThere = false;
    const doubtIn = async (seen: Look<T>): Promise<string | undefined> => {
      if (context.settings.acceptMovedServer) return undefined;
      if ("whole" in seen) return doubtInWhole(seen.whole);
      if (hasEnded) return undefined;
      if (this.isBehind(seen.storeIndex)) return "does not have it, in a store that is older than the object";
      this.requireSameServer();
      isThere ||= known?.server !== undefined && (await isInAuthoritativeRegion());
      return isThere ? "does not have it, but the authoritative region has" : undefined;
    };
    const seen = await lookUntilCertain(context, { label, server, look, doubtIn, failure: (doubt) => staleError(label, server, doubt) });
    return "whole" in seen ? seen.whole : undefined;
  }

  /** An object that is not found counts as gone only on the server that it was on before. */
  requireSameServer(): void {
    const { label, server, known } = this.object;
    if (!known?.server || relationOf(known.server, server) === "same" || this.context.settings.acceptMovedServer) return;
    throw new UserError(
      "other-server",
      `${label} is not on ${server}. The state says that it was on ${known.server}, so nothing is concluded and the state keeps it. ` +
        `Correct the address or the region; or, if the server was moved or restored without it, ${howToAcceptMovedServer}.`,
    );
  }

  /** Whether the authoritative region has the object. Each region has its own indexes, so a read of another region does not show it. */
  private async isInAuthoritativeRegion(mustBeCertain: boolean): Promise<boolean> {
    const { label, probe } = this.object;
    if (!probe) return false;
    try {
      return (await absenceError(label, probe)) === undefined;
    } catch (error) {
      if (!isDenied(error) || mustBeCertain) throw error;
      this.context.warn(
        `${label} is not in the region that is read from. This token may not write (${error.status}), so the authoritative region could not be asked: ` +
          "if the first lags behind the second, the object still exists. Use a token that may write to make sure.",
      );
      return false;
    }
  }

  /** The store's index is at least that of the object's last change or delete. */
  private isBehind(storeIndex: number | undefined): boolean {
    const { server, modifyIndex } = this.object.known ?? {};
    if (storeIndex === undefined || modifyIndex === undefined || storeIndex >= modifyIndex) return false;
    return server !== undefined && relationOf(server, this.object.server) === "same";
  }
}

interface Gone {
  readonly label: string;
  readonly server: string;
  readonly cause?: unknown;
}

/** The error for an update of an object that was removed meanwhile. */
export function goneError({ settings }: CallContext, { label, server, cause }: Gone): UserError {
  // For one run only: the user may not think of it for the next one.
  const [otherwise, again] = settings.acceptMovedServer
    ? [", or it is of another server", ` For that refresh, too, ${howToAcceptMovedServer}.`]
    : ["", ""];
  return new UserError(
    "gone",
    `${label} no longer exists on ${server}, so it can't be updated. Someone removed it outside of this program${otherwise}: run \`pulumi refresh\`, or \`pulumi up --refresh\`, to make it anew.${again}`,
    { cause },
  );
}

/** The error for a delete that the server refuses because of the object's state. */
function blockedError(label: string, refusal: ApiError): UserError {
  return new UserError(
    "delete-blocked",
    `${label} can't be deleted now, and stays in the state. The server returned ${refusal.status}: ${refusal.detail.replace(/[\s.]+$/, "")}. ` +
      "Remove what still uses it, then run the update again.",
    { cause: refusal },
  );
}

/** After this time a region that lags should be up to date; otherwise it is another one. */
export const staleForMs = 30_000;

/** A read that is repeated while its result is in doubt. */
interface CertainLook<T> {
  /** The object and its server, for the progress messages. */
  readonly label: string;
  readonly server: string;
  readonly look: () => Promise<T>;
  /** Why the result is in doubt; undefined when it is certain. */
  readonly doubtIn: (seen: T) => string | undefined | Promise<string | undefined>;
  /** The error if the doubt stays; undefined if the last result counts nevertheless. */
  readonly failure: (doubt: string, seen: T) => UserError | undefined;
}

/** Reads again while the result is in doubt, for as long as a region may lag. */
export async function lookUntilCertain<T>(context: CallContext, { label, server, look, doubtIn, failure }: CertainLook<T>): Promise<T> {
  let seen = await look();
  let waitedMs = 0;
  for (let waitMs = 500; ; waitMs = Math.min(waitMs * 2, 8_000)) {
    const doubt = await doubtIn(seen);
    if (!doubt) return seen;
    if (waitedMs >= staleForMs) {
      const error = failure(doubt, seen);
      if (error) throw error;
      return seen;
    }
    context.progress(`${label}: ${server} ${doubt}; reading it again`);
    waitedMs += waitMs;
    seen = await later(context, waitMs, look);
  }
}

/** A read that first returns a given result, if there is one. */
export function startingWith<T>(first: T | undefined, read: () => Promise<T>): () => Promise<T> {
  let isFirst = true;
  return async () => {
    const isThere = isFirst && first !== undefined;
    isFirst = false;
    return isThere ? first : read();
  };
}

export async function later<T>(context: CallContext, waitMs: number, work: () => Promise<T>): Promise<T> {
  await context.clock.sleep(waitMs, context.signal);
  return work();
}

/** The error for an object that stays in doubt for the time that a region may lag. */
export function staleError(label: string, server: string, doubt: string): UserError {
  return new UserError(
    "not-certain",
    `${label}: ${server} ${doubt}, still after ${staleForMs / 1000} s. Nothing is concluded from it, and the state keeps the object. ` +
      `Read from the authoritative region (${namespace}:clusterRegion); if this is another cluster, correct the address; ` +
      `or, if the server was restored from a backup, ${howToAcceptMovedServer}.`,
  );
}
