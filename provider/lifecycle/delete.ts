import { ownProperty } from "../../common/own-property";
import { contentOf } from "../model/inputs";
import { entryRemovedMessage, lookedUpMessage, notReplacedMessage } from "../model/one-object";
import type { Properties } from "../model/remote";
import type { CallContext } from "../operation/call-context";
import { isMadeAnew, isOlderThanKnown } from "./age";
import type { Kind, Types } from "./kind";
import { recordMove } from "./move";
import { presenceOf } from "./read";
import { objectOnServer, serverOf } from "./server";

/**
 * Deletes an object, unless another resource of the operation needs it. One that is gone already is a success; one that others need is an
 * error.
 */
export async function remove<T extends Types>(context: CallContext, kind: Kind<T>, id: string, olds: Properties): Promise<void> {
  const { label } = kind;
  const { objects, checks } = context.operation;
  recordMove(context, kind, olds);
  const object = objectOnServer(context, kind, id, olds);
  const reason = objects.reasonToKeep(object, checks.isDeclared(kind.kind, contentOf(kind.inputFields, olds)));
  if (reason === "claimed") {
    if (objects.isAdopted(object)) context.warn(notReplacedMessage(label, id));
    else context.progress(entryRemovedMessage(label, id));
    return;
  }
  if (reason === "looked up") {
    context.warn(lookedUpMessage(label, id));
    return;
  }
  const known = kind.toKnown(olds);
  const readsFirst = kind.isIdName || kind.deleteOfGoneSucceeds;
  if (!readsFirst || (await isToDelete(context, kind, id, known))) {
    // What has just been read was there, on this server.
    const presence = presenceOf(context, kind, id, readsFirst ? undefined : known);
    await presence.delete(() => (kind.delete ? kind.delete(context, id, known) : kind.requests(context, known).delete(id)));
    await kind.afterDelete?.(context, kind.labelOf(id, known), known, id);
  }
  objects.markDeleted(object);
}

/** Reads the object: it may be gone, or another one of that name. @throws when its delete would do harm */
async function isToDelete<T extends Types>(context: CallContext, kind: Kind<T>, id: string, known: T["Known"]): Promise<boolean> {
  const server = serverOf(context, kind);
  // An older copy may be one of an object that this program has replaced since: it does not show who has created the present one.
  const isOlder = (whole: T["Whole"]) => isMadeAnew(whole, known, server) && isOlderThanKnown(whole, known, server);
  const presence = presenceOf(context, kind, id, known);
  const whole = await presence.read({ isOlder, mustBeCertain: true });
  if (whole === undefined) return false;
  const label = kind.labelOf(id, known);
  if (kind.isIdName && isMadeAnew(whole, known, server)) {
    presence.requireSameServer();
    const createTime = ownProperty(kind.toRemote(whole, server, known).outputs, "createTime");
    const when = createTime === undefined ? "" : ` (${String(createTime)})`;
    context.warn(
      `${label} was deleted and created again by others${when}. Theirs was not touched; the old one was removed from the state.`,
    );
    return false;
  }
  const obstacle = kind.deleteObstacle?.(context, whole, known);
  if (obstacle) throw obstacle;
  return true;
}
