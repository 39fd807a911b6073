import type * as z from "zod";
import { type ApiError, isApiError, isConflict, isNotFound, isRejected } from "../apis/http/errors";
import type { Properties, Remote } from "../model/resource";
import { relationOf } from "../model/servers";
import { UserError } from "../model/user-error";
import type { CallContext } from "./call-context";
import { howToAcceptMovedServer, namespace } from "./config";

/** A region that lags is up to date after this, or does not lag but is another one. */
const staleForMs = 30_000;

/** @returns the response that says that the region that takes the writes has no such object; undefined where it has one */
export async function absenceBy(label: string, probe: () => Promise<void>): Promise<ApiError | undefined> {
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

/** A look that is repeated while its result leaves a doubt. */
interface CertainLook<T> {
  /** Which object, and on which server, for the progress messages. */
  readonly label: string;
  readonly server: string;
  readonly look: () => Promise<T>;
  /** Why the result is in doubt; undefined when it is certain. */
  readonly doubtIn: (seen: T) => string | undefined | Promise<string | undefined>;
  /** The error of a doubt that stays. */
  readonly failure: (doubt: string) => UserError;
}

/** Looks again, for as long as a region may lag, while the result leaves a doubt. */
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
  return lookUntilCertain(context, { label, server, look, doubtIn, failure });
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

/** What a read found: the object, or the index of the store that does not have it. */
export type Look<T> = { readonly object: T } | { readonly storeIndex: number | undefined };

export async function lookOnce<T>(read: () => Promise<T>): Promise<Look<T>> {
  try {
    return { object: await read() };
  } catch (error) {
    if (isNotFound(error)) return { storeIndex: error.storeIndex };
    throw error;
  }
}

/**
 * Whether a copy of an object that carries times is older than the state's. The time is that of the leader's clock, which may be set back: where the indexes come from
 * one region, which is certain only for the same CreateIndex, a higher one is newer whatever the time says.
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
 * The result of a read, without reading, when a list shows that the object is as the state has it. The indexes of two regions may be the same by chance,
 * and a hash may come back with an old content: only together, and from the server of the state, do they show that nothing has changed.
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

/** An object that is not found counts as gone only on the server that it was on before. */
export function assertSameServer(
  context: CallContext,
  label: string,
  { before, now }: { readonly before: string | undefined; readonly now: string },
): void {
  if (!before || relationOf(before, now) === "same" || context.settings.acceptMovedServer) return;
  throw new UserError(
    `${label} is not on ${now}. The state says that it was on ${before}, so nothing is concluded and the state keeps it. ` +
      `Correct the address or the region; or, if the server was moved or restored without it, ${howToAcceptMovedServer}.`,
  );
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
      `The create got no response, and looking for what it made failed: ${reason} It is not known whether the write took effect. ` +
        "Run the update again: if the object is there, it says so, and how to take it over.",
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
    `${label}: the response to its create was lost. It is taken for the one on ${server} that has exactly its content and was made since. Should another program have made ` +
      "that one at the same time, both manage it now: remove it from one of the two with `pulumi state delete`, or give one of them another name or content.",
  );
}

/** The error of an object that no server says enough of, in the time that a region may lag. */
export function staleError(label: string, server: string, doubt: string): UserError {
  return new UserError(
    `${label}: ${server} ${doubt}, still after ${staleForMs / 1000} s. Nothing is concluded from it, and the state keeps the object. ` +
      `Read from the authoritative region (${namespace}:clusterRegion); if this is another cluster, correct the address; ` +
      `or, if the server was restored from a backup, ${howToAcceptMovedServer}.`,
  );
}

export async function later<T>(context: CallContext, waitMs: number, work: () => Promise<T>): Promise<T> {
  await context.clock.sleep(waitMs, context.signal);
  return work();
}
