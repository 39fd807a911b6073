import type * as z from "zod";
import { type ApiError, isApiError, isConflict, isDenied, isNotFound, isRejected } from "../apis/http/errors";
import type { Properties, Remote } from "../model/resource";
import { relationOf } from "../model/servers";
import { UserError } from "../model/user-error";
import type { CallContext } from "./call-context";
import { howToAcceptMovedServer, namespace } from "./config";
import { gone } from "./wording";

/** An object of the state, as far as it matters for finding it again. */
export interface Known {
  /** In words for a message: `ACL role "dev" (5e0c...)`. */
  readonly label: string;
  /** The server that answered for it last; undefined when there is no state yet. */
  readonly server: string | undefined;
  /** The index of the store at its last change that the state knows of; undefined where there is none. */
  readonly modifyIndex: number | undefined;
}

/** An object of a state, under the label that messages use for it. Without a state nothing is known but that. */
export function identify(
  label: string,
  state?: { readonly server?: string | undefined; readonly modifyIndex?: number | undefined },
): Known {
  return { label, server: state?.server, modifyIndex: state?.modifyIndex };
}

/** A replica that lags has caught up after this, or is not a replica that lags. */
const confirmationMs = 1_000;
const staleForMs = 30_000;

/** How an object is looked for. */
export interface Look<T> {
  readonly read: () => Promise<T>;
  readonly isOlder: (object: T) => boolean;
  /** Asks the region that takes the writes for it, by an update that no server takes. Left out where no state is to lose the object. */
  readonly probe?: () => Promise<void>;
  /** Nobody else finds out whether there is one: a token that may not write is an error. */
  readonly mustBeCertain?: boolean;
}

/**
 * Reads an object of the cluster until the response can be believed. "Not found" is asked a second time, because replicas lag, and counts only
 * on the server that answered for the object before, and when the region that takes the writes has none either. A copy that is older than the state is read again
 * for a while, and so is the lack of one that the region that takes the writes has, or in a store that is older than the object: neither is drift.
 *
 * @returns undefined when the object is known to be gone
 * @throws when the object can't be told from another server's, or only an older response is to be had
 */
export async function readConsistent<T>(context: CallContext, known: Known, server: string, how: Look<T>): Promise<T | undefined> {
  const look = async (): Promise<Seen<T>> => {
    const first = await lookOnce(how.read);
    return "object" in first ? first : later(context, confirmationMs, () => lookOnce(how.read));
  };
  let isThere = false;
  const doubtIn = async (seen: Seen<T>): Promise<string | undefined> => {
    if (context.settings.acceptMovedServer) return undefined;
    if ("object" in seen) return how.isOlder(seen.object) ? olderCopy : undefined;
    if (isBehind(seen.storeIndex, known, server)) return olderStore;
    assertSameServer(context, known, server);
    isThere ||= known.server !== undefined && (await isThereForWrites(context, known.label, how));
    return isThere ? notShownYet : undefined;
  };
  const seen = await lookWithoutDoubt(context, `${known.label}: ${server}`, look, doubtIn, (doubt) => stale(known, server, doubt));
  return "object" in seen ? seen.object : undefined;
}

/** Whether the region that takes the writes has an object that the region that is read from does not show. Each counts its own indexes, so that a read can't tell. */
async function isThereForWrites(
  context: CallContext,
  label: string,
  { probe, mustBeCertain }: Pick<Look<unknown>, "probe" | "mustBeCertain">,
): Promise<boolean> {
  if (!probe) return false;
  try {
    return (await absenceBy(label, probe)) === undefined;
  } catch (error) {
    if (!isDenied(error) || mustBeCertain) throw error;
    context.warn(
      `${label} is not there by what the region that is read from says. This token may not write (${error.status}), so that the region that takes the writes could not be asked: ` +
        "should the one lag behind the other, it is there still. A token that may write makes sure.",
    );
    return false;
  }
}

/** @returns the response that says that the region that takes the writes has no such object; undefined where it has one */
async function absenceBy(label: string, probe: () => Promise<void>): Promise<ApiError | undefined> {
  try {
    await probe();
  } catch (error) {
    if (isNotFound(error)) return error;
    if (isRejected(error) || isConflict(error)) return undefined;
    throw error;
  }
  throw new UserError(
    `${label}: the server has taken an update that every server is to refuse, and that only asks whether the object is there. It may have changed by that: run \`pulumi up --refresh\`, ` +
      "which writes what the program says, and report the version of the server.",
  );
}

/**
 * Looks again, for as long as a region may lag, while what is seen leaves a doubt.
 *
 * @param where begins what is said while it waits
 * @throws what `failure` makes of a doubt that stays
 */
async function lookWithoutDoubt<T>(
  context: CallContext,
  where: string,
  look: () => Promise<T>,
  doubtIn: (seen: T) => string | undefined | Promise<string | undefined>,
  failure: (doubt: string) => UserError,
): Promise<T> {
  let seen = await look();
  let waitedMs = 0;
  for (let waitMs = 500; ; waitMs = Math.min(waitMs * 2, 8_000)) {
    const doubt = await doubtIn(seen);
    if (!doubt) return seen;
    if (waitedMs >= staleForMs) throw failure(doubt);
    context.progress(`${where} ${doubt}; reading it again`);
    waitedMs += waitMs;
    seen = await later(context, waitMs, look);
  }
}

/** What stands where a create wants to be, and how to tell that it does not any more. */
interface Standing<T> {
  /** In words: `ACL role "dev"`. */
  readonly label: string;
  readonly server: string;
  readonly look: () => Promise<T | undefined>;
  readonly isDeleted: (object: T) => boolean;
  /** Why it counts as deleted, where this operation has not deleted it itself. */
  readonly refusal?: ApiError | undefined;
  /** The response to a create by which the name is taken: there is one then, which the region may not show yet. */
  readonly conflict?: ApiError | undefined;
}

/**
 * Looks for what stands where a create wants to be. The region that is read from may show an object for a while that is deleted: it is not there to be adopted, and if
 * this operation has deleted it, nobody else is to be blamed for it.
 *
 * @throws when the region still shows it, or not yet what has the name, after the time that a region may lag
 */
export function lookPastDeleted<T>(context: CallContext, standing: Standing<T>): Promise<T | undefined> {
  const { label, server, look, isDeleted, refusal, conflict } = standing;
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
        ? `does not show the one that there is by the response to the create (${of(conflict)})`
        : `still shows one that ${why}`;
    return new UserError(
      `${label}: after ${staleForMs / 1000} s ${server} ${shows}: it lags behind the region that takes the writes. Nothing was created. ` +
        `Run the update again when it has caught up, or read from the authoritative region (${namespace}:clusterRegion).`,
      { cause: doubt === notShown ? conflict : refusal },
    );
  };
  return lookWithoutDoubt(context, `${label}: ${server}`, look, doubtIn, failure);
}

/** What the region that takes all writes says of an object that another region shows. */
export type Confirmation<T> = { readonly object: T } | { readonly refusal: ApiError };

/** By the update that takes the object over. */
export async function confirmedBy<T>(update: () => Promise<T>): Promise<Confirmation<T>> {
  try {
    return { object: await update() };
  } catch (error) {
    if (isNotFound(error)) return { refusal: error };
    throw error;
  }
}

/** By an update that no server takes, where the object is taken over as the region shows it: that may be older, so that none of it is written. */
export async function confirmedByProbe<T>(label: string, object: T, probe: () => Promise<void>): Promise<Confirmation<T>> {
  const refusal = await absenceBy(label, probe);
  return refusal ? { refusal } : { object };
}

/** For a read that only asks whether the object is there. */
export const alwaysCurrent = () => false;

type Seen<T> = { readonly object: T } | { readonly storeIndex: number | undefined };

async function lookOnce<T>(read: () => Promise<T>): Promise<Seen<T>> {
  try {
    return { object: await read() };
  } catch (error) {
    if (isNotFound(error)) return { storeIndex: error.storeIndex };
    throw error;
  }
}

const olderCopy = "answers with an older copy than the state has";
const olderStore = "answers that there is none, out of a store that is older than the object";
const notShownYet = "answers that there is none, which the region that takes the writes has";

/** A store in which the object was ever changed, or deleted, has at least the index of that. */
function isBehind(storeIndex: number | undefined, known: Known, server: string): boolean {
  if (storeIndex === undefined || known.modifyIndex === undefined || storeIndex >= known.modifyIndex) return false;
  return known.server !== undefined && relationOf(known.server, server) === "same";
}

/**
 * Whether a copy of an object that carries times is older than the state's. The time is that of the leader's clock, which may be set back: where the indexes come from
 * one region, which only the same CreateIndex tells, a higher one is newer whatever the time says.
 */
export function isOlderCopy(
  copy: { readonly createIndex: number; readonly modifyIndex: number; readonly modifyTime: string },
  known: {
    readonly createIndex?: number | undefined;
    readonly modifyIndex?: number | undefined;
    readonly modifyTime?: string | undefined;
  } = {},
): boolean {
  const isLaterVersion = copy.createIndex === known.createIndex && known.modifyIndex !== undefined && copy.modifyIndex > known.modifyIndex;
  return !isLaterVersion && known.modifyTime !== undefined && Date.parse(copy.modifyTime) < Date.parse(known.modifyTime);
}

/** Which version of an object a list shows, or a state has. */
interface Version {
  readonly createIndex: number;
  readonly modifyIndex: number;
  readonly hash?: string | undefined;
}

/**
 * What a read answers, without reading, when a list shows that the object is as the state has it. The indexes of two regions may be the same by chance,
 * and a hash may come back with an old content: only together, and from the server that answered before, do they say that nothing has changed.
 *
 * @returns undefined when that can't be said, so that the object is to be read
 */
export async function readUnchanged<O extends Version & { readonly server: string }>(
  id: string,
  server: string,
  state: { readonly inputs: z.ZodType<Properties>; readonly outputs: z.ZodType<O>; readonly known: Properties | undefined },
  look: () => Promise<Version | undefined>,
): Promise<Remote<O> | undefined> {
  // A state that another version of this provider wrote may lack something.
  const outputs = state.outputs.safeParse(state.known);
  if (!state.known || !outputs.success || !state.inputs.safeParse(state.known).success) return undefined;
  if (!outputs.data.hash || relationOf(outputs.data.server, server) !== "same") return undefined;
  const listed = await look();
  const isSame = (["createIndex", "modifyIndex", "hash"] as const).every((field) => listed?.[field] === outputs.data[field]);
  return isSame ? { id, inputs: state.known, outputs: outputs.data } : undefined;
}

/** An object that is not found counts as gone only where it was before. */
export function assertSameServer(context: CallContext, known: Pick<Known, "label" | "server">, server: string): void {
  if (!known.server || relationOf(known.server, server) === "same" || context.settings.acceptMovedServer) return;
  throw new UserError(
    `${known.label} is not on ${server}. The state says that it was on ${known.server}, so nothing is concluded and the state keeps it. ` +
      `Correct the address or the region; or, if the server was moved or restored without it, ${howToAcceptMovedServer}.`,
  );
}

/** Updates an object by its ID. @throws when it is not there, with what may be the reason */
export async function updateConsistent<T>(context: CallContext, known: Known, server: string, update: () => Promise<T>): Promise<T> {
  try {
    return await update();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    assertSameServer(context, known, server);
    throw gone(known.label, server, error);
  }
}

/**
 * Deletes an object by its ID. That it is not found comes from the region that takes the writes, also in the response to a second try of a delete whose first response was lost: the object
 * is gone, unless both a read and the probe have it.
 */
export async function deleteConsistent(
  context: CallContext,
  known: Known,
  server: string,
  remove: () => Promise<void>,
  { read, probe }: Required<Pick<Look<unknown>, "read" | "probe">>,
): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const shown = await readConsistent(context, known, server, { read, isOlder: alwaysCurrent });
    if (shown && (await isThereForWrites(context, known.label, { probe, mustBeCertain: true }))) throw error;
  }
}

/** A read of which the first result is there already, where it is. */
export function startingWith<T>(first: T | undefined, read: () => Promise<T>): () => Promise<T> {
  let isFirst = true;
  return async () => {
    const isThere = isFirst && first !== undefined;
    isFirst = false;
    return isThere ? first : read();
  };
}

/** The value of a read, or undefined when the API itself says that there is no such object. */
export async function readOrMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
  const seen = await lookOnce(read);
  return "object" in seen ? seen.object : undefined;
}

/**
 * Looks for an object whose create was sent but not answered, a few times, because the region that answers reads may lag behind the one that wrote.
 *
 * @throws when it can't look: the error of the look alone would not tell that there may be an object now
 */
export async function lookForLost<T>(context: CallContext, find: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    let found = await find();
    for (let waitMs = 500; found === undefined && waitMs <= 4_000; waitMs *= 2) found = await later(context, waitMs, find);
    return found;
  } catch (error) {
    const reason = isApiError(error) || error instanceof UserError ? error.message : String(error);
    throw new UserError(
      `The create was not answered, and looking for what it made failed: ${reason} Nobody knows whether the write took place. ` +
        "Run the update again: if the object is there, it says so, and how to take it over.",
      { cause: error },
    );
  }
}

/**
 * The answer to a create was lost, and an object with its very content, which was not there before, is taken for the one that it made. Nobody can prove that others did
 * not make the same meanwhile, so that it is never taken without a word.
 */
export function warnOfLostAnswer(context: CallContext, label: string, server: string): void {
  context.warn(
    `${label}: the response to its create was lost. It is taken for the one on ${server} that has exactly its content and was made since. Should another program have made ` +
      "that one at the same time, both manage it now: remove it from one of the two with `pulumi state delete`, or give one of them another name or content.",
  );
}

function stale(known: Known, server: string, doubt: string): UserError {
  return new UserError(
    `${known.label}: ${server} ${doubt}, still after ${staleForMs / 1000} s. Nothing is concluded from it, and the state keeps the object. ` +
      `Read from the authoritative region (${namespace}:clusterRegion); if this is another cluster, correct the address; ` +
      `or, if the server was restored from a backup, ${howToAcceptMovedServer}.`,
  );
}

async function later<T>(context: CallContext, waitMs: number, work: () => Promise<T>): Promise<T> {
  await context.clock.sleep(waitMs, context.signal);
  return work();
}
