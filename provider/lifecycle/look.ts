import { type ApiError, isApiError } from "../apis/http/errors";
import type { CallContext } from "../context/call-context";
import { howToAcceptMovedServer, namespace } from "../context/config";
import { UserError } from "../model/user-error";

/** After this time a region that lags should be up to date; otherwise it is another one. */
const staleForMs = 30_000;

/** A read that is repeated while its result is in doubt. */
interface CertainLook<T> {
  /** The object and its server, for the progress messages. */
  readonly label: string;
  readonly server: string;
  readonly look: () => Promise<T>;
  /** Why the result is in doubt; undefined when it is certain. */
  readonly doubtIn: (seen: T) => string | undefined | Promise<string | undefined>;
  /** The error where the doubt stays. */
  readonly failure: (doubt: string) => UserError;
}

/** Reads again while the result is in doubt, for as long as a region may lag. */
export async function lookUntilCertain<T>(context: CallContext, { label, server, look, doubtIn, failure }: CertainLook<T>): Promise<T> {
  let seen = await look();
  let waitedMs = 0;
  for (let waitMs = 500; ; waitMs = Math.min(waitMs * 2, 8_000)) {
    const doubt = await doubtIn(seen);
    if (!doubt) return seen;
    if (waitedMs >= staleForMs) throw failure(doubt);
    context.progress(`${label}: ${server} ${doubt}; reading it again`);
    waitedMs += waitMs;
    seen = await later(context, waitMs, look);
  }
}

/** An object that has the name of a create, and how to see that it is deleted. */
interface ExistingLook<T> {
  /** In words: `ACL role "dev"`. */
  readonly label: string;
  readonly server: string;
  readonly look: () => Promise<T | undefined>;
  readonly isDeleted: (object: T) => boolean;
  /** Why it counts as deleted, where this operation has not deleted it. */
  readonly refusal?: ApiError | undefined;
  /** The response to a create which says that the name is taken: then there is an object, which the region may not show yet. */
  readonly conflict?: ApiError | undefined;
}

/**
 * Looks for an object with the identity of the one to create. The region that is read from may show a deleted object for a while: it can't
 * be adopted, and if this operation has deleted it, it is not an object of others.
 *
 * @throws when after the time that a region may lag it still shows a deleted object, or does not show the one that has the name
 */
export function lookPastDeleted<T>(context: CallContext, existing: ExistingLook<T>): Promise<T | undefined> {
  const { label, server, look, isDeleted, refusal, conflict } = existing;
  const notShown = "does not show it yet";
  const doubtIn = (seen: T | undefined) => {
    if (seen && isDeleted(seen)) return "still shows one that is deleted";
    return conflict && seen === undefined ? notShown : undefined;
  };
  const of = (error?: ApiError) => error?.message.replace(/\.$/, "");
  const why = refusal ? `the region that takes the writes does not have (${of(refusal)})` : "this update has deleted";
  const failure = (doubt: string) => {
    const shows =
      doubt === notShown
        ? `does not show the existing one that the response to the create reports (${of(conflict)})`
        : `still shows one that ${why}`;
    return new UserError(
      "region-lags",
      `${label}: after ${staleForMs / 1000} s ${server} ${shows}: it lags behind the region that takes the writes. Nothing was created. ` +
        `Run the update again when it has caught up, or read from the authoritative region (${namespace}:clusterRegion).`,
      { cause: doubt === notShown ? conflict : refusal },
    );
  };
  return lookUntilCertain(context, { label, server, look, doubtIn, failure });
}

/** A read that first returns a given result, where there is one. */
export function startingWith<T>(first: T | undefined, read: () => Promise<T>): () => Promise<T> {
  let isFirst = true;
  return async () => {
    const isThere = isFirst && first !== undefined;
    isFirst = false;
    return isThere ? first : read();
  };
}

/**
 * Looks, a few times, for an object whose create was sent and got no response: the region that is read from may lag behind the one that wrote.
 *
 * @throws when it can't look: the error of the look alone would not say that there may be an object now
 */
export async function lookForLost<T>(context: CallContext, find: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    let found = await find();
    for (let waitMs = 500; found === undefined && waitMs <= 4_000; waitMs *= 2) found = await later(context, waitMs, find);
    return found;
  } catch (error) {
    const reason = isApiError(error) || error instanceof UserError ? error.message : String(error);
    throw new UserError(
      "create-unclear",
      `The create got no response, and looking for what it made failed: ${reason} It is not known whether the write took effect. ` +
        "Run the update again: if the object exists, the error says how to take it over.",
      { cause: error },
    );
  }
}

/**
 * Warns that the response to a create was lost, and that an object with exactly its content, which was not there before, is taken for the one that it made. Others may
 * have made the same at that time, so that this is never silent.
 */
export function warnOfLostResponse(context: CallContext, label: string, server: string): void {
  context.warn(
    `${label}: the response to its create was lost. The one on ${server} with exactly its content that was created since counts as it. Should another program have made ` +
      "that one at the same time, both manage it now: remove it from one of the two with `pulumi state delete`, or give one of them another name or content.",
  );
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

export async function later<T>(context: CallContext, waitMs: number, work: () => Promise<T>): Promise<T> {
  await context.clock.sleep(waitMs, context.signal);
  return work();
}
