/** The meaning of a 404. No other file decides by a 404 that the object of a resource is gone. This file sends no writes. */

import { UserError } from "../../common/user-error";
import { type ApiError, isNotFound } from "../apis/http/errors";
import { howToAcceptMovedServer } from "../configuration/config";
import type { Properties } from "../model/remote";
import { relationOf } from "../model/servers";
import type { CallContext } from "../operation/call-context";
import type { Defined, KindRequests, Scope } from "./kind";
import { hasEnded, serverOf } from "./state";
import { versionIn } from "./version";

/** The value of a read; undefined if the API reports that there is no such object. */
export async function readOrMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** The object that a read looks for. */
export interface Sought {
  readonly id: string;
  readonly known: Properties | undefined;
  /** The values that its requests need. Default: the state. */
  readonly scope?: Scope | undefined;
}

/** Reads an object; undefined if it is gone. Without `known`, a 404 needs no further proof. */
export async function readPresent(context: CallContext, kind: Defined, sought: Sought): Promise<object | undefined> {
  const { id, known, scope = known } = sought;
  try {
    const whole = await kind.requests(context, scope).read(id);
    requireNotOlder(context, kind, sought, versionIn(whole).modifyIndex);
    requireSameObject(context, kind, sought);
    return whole;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return known && lookAgain(context, kind, sought, error);
  }
}

/**
 * Looks for an object again after a 404; undefined if it is gone. An expired object needs no proof of that. Any other is gone if the server
 * is the state's, the store is not older than the object, and the list of the kind lacks the object. With
 * `acceptMovedServer`, the list alone decides.
 *
 * @throws without this proof, or if the object is in the list and can't be read
 */
export async function lookAgain(context: CallContext, kind: Defined, sought: Sought, notFound: ApiError): Promise<object | undefined> {
  const { id, known, scope = known } = sought;
  if (known && hasEnded(context, kind, known)) return undefined;
  requireSameServer(context, kind, sought);
  requireNotOlder(context, kind, sought, notFound.storeIndex);
  const requests = kind.requests(context, scope);
  return readListed(context, () => kind.labelOf(id, known), requests, id);
}

/** Reads an object that was in a list just before; undefined if it is gone by now. */
export async function readNamed<Whole>(context: CallContext, label: () => string, requests: KindRequests<Whole, object>, id: string) {
  return (await readOrMissing(() => requests.read(id))) ?? readListed(context, label, requests, id);
}

/**
 * Reads an object after a 404, if a list has it. An existing object that counted as missing would be created a second time, or overwritten.
 */
async function readListed<Whole>(context: CallContext, label: () => string, requests: KindRequests<Whole, object>, id: string) {
  if (!(await requests.isListed(id))) return undefined;
  const whole = await later(context, momentMs, () => readOrMissing(() => requests.read(id)));
  if (whole !== undefined) return whole;
  throw new UserError(
    "listed-not-read",
    `${label()}: the server lists it, and returns a 404 for it. Nothing is concluded from that: try again, and check what the token may do.`,
  );
}

const momentMs = 1_000;

/** Does the work after a wait, unless the call ends before. */
export async function later<T>(context: CallContext, waitMs: number, work: () => Promise<T>): Promise<T> {
  await context.clock.sleep(waitMs, context.signal);
  return work();
}

/** @throws when the object of the state was on another server: its absence on this one proves nothing */
export function requireSameServer(context: CallContext, kind: Defined, { id, known }: Sought): void {
  const [server, before] = [serverOf(context, kind), known?.server];
  if (typeof before !== "string" || relationOf(before, server) === "same" || context.settings.acceptMovedServer) return;
  throw otherServerError(`${kind.labelOf(id, known)} is not on ${server}.`, before);
}

/**
 * @throws when nothing can prove that an object on another server is the state's: its id is a name, which many clusters have, and it has no
 * time of creation. Indexes prove nothing, because two new clusters count alike
 */
function requireSameObject(context: CallContext, kind: Defined, { id, known }: Sought): void {
  const [server, before] = [serverOf(context, kind), known?.server];
  if (!kind.isIdName || typeof before !== "string" || versionIn(known).createTime !== undefined) return;
  if (relationOf(before, server) !== "other server" || context.settings.acceptMovedServer) return;
  throw otherServerError(`Nothing proves that ${kind.labelOf(id, known)} on ${server} is the one of the state.`, before);
}

function otherServerError(problem: string, before: string): UserError {
  return new UserError(
    "other-server",
    `${problem} The state says that it was on ${before}, so nothing is concluded and the state keeps it. ` +
      `Correct the address or the region; or, if the server was moved or restored, ${howToAcceptMovedServer()}.`,
  );
}

/**
 * @param index the index of the object, or of the store that lacks it
 * @throws if that index is lower than the state's: then the server is another cluster at the address, or was restored from a backup
 */
export function requireNotOlder(context: CallContext, kind: Defined, { id, known }: Sought, index: number | undefined): void {
  const server = serverOf(context, kind);
  const [before, lastIndex] = [known?.server, known?.modifyIndex];
  if (context.settings.acceptMovedServer || index === undefined || typeof lastIndex !== "number" || index >= lastIndex) return;
  if (typeof before !== "string" || relationOf(before, server) !== "same") return;
  throw new UserError(
    "not-certain",
    `${kind.labelOf(id, known)}: ${server} has the index ${index}, and the state knows the object's change of index ${lastIndex}. ` +
      "Nothing is concluded from it, and the state keeps the object. If this is another cluster, correct the address or the region; " +
      `or, if the server was restored from a backup, ${howToAcceptMovedServer()}.`,
  );
}

/** The error for an update of an object that is gone. */
export function goneError(context: CallContext, kind: Defined, { id, known }: Sought, cause?: ApiError): UserError {
  // The variable for a moved server applies to one run only, so the message names it again for the refresh.
  const [otherwise, remedy] = context.settings.acceptMovedServer
    ? [", or it is of another server", howToAcceptMovedServer()]
    : ["", "run `pulumi refresh`, or `pulumi up --refresh`,"];
  return new UserError(
    "gone",
    `${kind.labelOf(id, known)} no longer exists on ${serverOf(context, kind)}, so it can't be updated. Someone removed it outside of this program${otherwise}: ${remedy} to make it anew.`,
    { cause },
  );
}
