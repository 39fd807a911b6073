/** Reads that are repeated, because a region that is read from may lag behind the authoritative one. */
import { howToAcceptMovedServer, namespace } from "../configuration/config";
import { UserError } from "../model/user-error";
import type { CallContext } from "../operation/call-context";

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
