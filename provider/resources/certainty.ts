import { isApiError, isNotFound } from "../apis/errors";
import { howToAcceptMovedServer, namespace } from "../config";
import type { Operation } from "../operation";
import { Problem } from "../problem";

/** An object of the state, as far as it matters for finding it again. */
export interface Known {
  /** In words for a message: `ACL role "dev" (5e0c...)`. */
  readonly label: string;
  /** The server that answered for it last; undefined when there is no state yet. */
  readonly server: string | undefined;
}

/** A replica that lags has caught up after this, or is not a replica that lags. */
const confirmationMs = 1_000;
const staleForMs = 30_000;

/**
 * Reads an object of the cluster until the answer can be believed. "Not found" is asked a second time, because replicas lag, and counts only
 * on the server that answered for the object before. A copy that is older than the state is read again for a while: it is never drift.
 *
 * @returns undefined when the object is known to be gone
 * @throws when the object can't be told from another server's, or only an older copy is to be had
 */
export async function readSurely<T>(
  operation: Operation,
  known: Known,
  server: string,
  read: () => Promise<T>,
  isOlder: (object: T) => boolean,
): Promise<T | undefined> {
  const look = async () => (await readOrMissing(read)) ?? (await later(operation, confirmationMs, () => readOrMissing(read)));
  let object = await look();
  let waitedMs = 0;
  for (let waitMs = 500; object !== undefined && isOlder(object); waitMs = Math.min(waitMs * 2, 8_000)) {
    if (operation.settings.acceptMovedServer) return object;
    if (waitedMs >= staleForMs) throw stale(known, server);
    operation.progress(`${known.label}: ${server} answers with an older copy than the state has; reading it again`);
    waitedMs += waitMs;
    object = await later(operation, waitMs, look);
  }
  if (object === undefined) missingHere(operation, known, server);
  return object;
}

/** An object that is not found counts as gone only where it was before. */
export function missingHere(operation: Operation, known: Known, server: string): void {
  if (!known.server || known.server === server || operation.settings.acceptMovedServer) return;
  throw new Problem(
    `${known.label} is not on ${server}. The state says that it was on ${known.server}, so nothing is concluded and the state keeps it. ` +
      `Correct the address or the region; or, if the server was moved or restored without it, ${howToAcceptMovedServer}.`,
  );
}

/** The value of a read, or undefined when the API itself says that there is no such object. */
export async function readOrMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/**
 * Looks for an object whose create was sent but not answered, a few times, because the region that answers reads may lag behind the one that wrote.
 *
 * @throws when it can't look: the error of the look alone would not tell that there may be an object now
 */
export async function lookForLost<T>(operation: Operation, find: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    let found = await find();
    for (let waitMs = 500; found === undefined && waitMs <= 4_000; waitMs *= 2) found = await later(operation, waitMs, find);
    return found;
  } catch (error) {
    const reason = isApiError(error) || error instanceof Problem ? error.message : String(error);
    throw new Problem(
      `The create was not answered, and looking for what it made failed: ${reason} Nobody knows whether the write took place. ` +
        "Run the update again: if the object is there, it says so, and how to take it over.",
      { cause: error },
    );
  }
}

function stale(known: Known, server: string): Problem {
  return new Problem(
    `${known.label}: ${server} answers with an older copy than the state has, still after ${staleForMs / 1000} s. Nothing is concluded from it. ` +
      `Read from the authoritative region (${namespace}:clusterRegion); or, if the server was restored from a backup, ${howToAcceptMovedServer}.`,
  );
}

async function later<T>(operation: Operation, waitMs: number, work: () => Promise<T>): Promise<T> {
  await operation.clock.sleep(waitMs, operation.signal);
  return work();
}
