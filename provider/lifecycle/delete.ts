import { ownProperty } from "../../common/own-property";
import { UserError } from "../../common/user-error";
import { type ApiError, isBlocked, isNotFound } from "../apis/http/errors";
import { entryRemovedMessage, notReplacedMessage } from "../model/one-object";
import type { Properties } from "../model/remote";
import { parseState } from "../model/state";
import type { CallContext } from "../operation/call-context";
import { readPresent, requireSameServer } from "./gone";
import type { Defined } from "./kind";
import { objectOf, serverOf } from "./state";
import { isMadeAnew } from "./version";
import { warnOfLockout, warnOfNamesLeft } from "./warnings";

/**
 * Deletes an object, unless another resource of the program has it. The delete of a missing object succeeds. It fails if
 * the server refuses it because of the object's state.
 */
export async function remove(context: CallContext, kind: Defined, id: string, olds: Properties): Promise<void> {
  const { label, isIdName = false } = kind;
  const { objects } = context.operation;
  const object = objectOf(kind, id, olds);
  if (objects.isHeld(object)) {
    if (objects.isAdopted(object)) context.warn(notReplacedMessage(label, id));
    else context.progress(entryRemovedMessage(label, id));
    return;
  }
  const known = parseState(kind.state, olds);
  requireDeletable(kind, id, known);
  const whole = isIdName ? await readOurs(context, kind, id, known) : undefined;
  if (!isIdName || whole !== undefined) {
    try {
      await (kind.delete ? kind.delete(context, id, known, whole) : kind.requests(context, known).delete(id));
    } catch (error) {
      if (isBlocked(error)) throw blockedError(kind.labelOf(id, known), error);
      // A retry also gets a 404 if the first try deleted the object and its response was lost. For an id that is a name, a 404 needs no
      // further proof: the read just before has found the object on this server.
      const sought = { id, known: isIdName ? undefined : known, scope: known };
      if (!isNotFound(error) || (await readPresent(context, kind, sought)) !== undefined) throw error;
    }
    warnOfLockout(context, kind, id, known, "is deleted");
    await warnOfNamesLeft(context, kind, id, known);
  }
  objects.markDeleted(object);
}

/** Reads the object of the state; undefined if it is gone, or if others replaced it with another one of the same name. */
async function readOurs(context: CallContext, kind: Defined, id: string, known: Properties): Promise<object | undefined> {
  const server = serverOf(context, kind);
  const whole = await readPresent(context, kind, { id, known });
  if (whole === undefined || !isMadeAnew(whole, known, server)) return whole;
  requireSameServer(context, kind, { id, known });
  const createTime = ownProperty(kind.toRemote(whole, server, known).outputs, "createTime");
  const when = createTime === undefined ? "" : ` (${String(createTime)})`;
  context.warn(
    `${kind.labelOf(id, known)} was deleted and created again by others${when}. Theirs was not touched; the old one was removed from the state.`,
  );
  return undefined;
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

/** @throws for an object that every server has: the server would refuse its delete, and a replacement would end halfway */
export function requireDeletable(kind: Defined, id: string, known: Properties): void {
  if (!kind.builtIn?.includes(id)) return;
  throw new UserError(
    "built-in",
    `${kind.labelOf(id, known)} comes with every server, which refuses its delete: nothing was sent, and it stays in the state. ` +
      "To leave it to the server as it is, take it out of the state with `pulumi state delete`, or set retainOnDelete: true before it leaves the program.",
  );
}
