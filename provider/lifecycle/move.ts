/** What happens when the configuration names another server than the state. */
import { ownProperty } from "../../common/own-property";
import { contentOf } from "../model/inputs";
import type { Properties } from "../model/remote";
import { otherThan } from "../model/servers";
import { capitalized, labelOfObject } from "../model/text";
import type { CallContext } from "../operation/call-context";
import type { Move } from "../operation/moved-server";
import type { Kind, Types } from "./kind";
import { serverOf } from "./server";

/** Whether the resource had another provider until now, with the object on its server. */
export function hasOtherProvider<T extends Types>(context: CallContext, kind: Kind<T>, olds: Properties): boolean {
  return context.operation.expectsMoves && otherThan(serverOf(context, kind), ownProperty(olds, "server")) !== undefined;
}

/** @param news the inputs of an update; undefined for a delete */
export function recordMove<T extends Types>(context: CallContext, kind: Kind<T>, olds: Properties, news?: Properties): void {
  const move = moveOf(context, kind, olds);
  if (move) context.operation.movedServer.record(move, news && contentKey(kind, news));
}

export function warnOfMove<T extends Types>(context: CallContext, kind: Kind<T>, id: string, olds: Properties): void {
  const move = moveOf(context, kind, olds);
  if (move) context.warn(context.operation.movedServer.replacementMessage(labelOfObject(kind.label, id), move));
}

/** Warns of a create on another server than that of the state. If the new object is that of a replacement, its diff has warned. */
export function warnOfCreateElsewhere<T extends Types>(context: CallContext, kind: Kind<T>, news: Properties): void {
  const { movedServer } = context.operation;
  const move = movedServer.moveTo(serverOf(context, kind));
  if (move && !movedServer.isReplacement(contentKey(kind, news))) context.warn(movedServer.createMessage(move));
}

/** @throws when the new object takes the place of one on another server */
export function refuseReplacementElsewhere<T extends Types>(context: CallContext, kind: Kind<T>, news: Properties): void {
  const { movedServer } = context.operation;
  const move = movedServer.moveTo(serverOf(context, kind));
  if (move && movedServer.isReplacement(contentKey(kind, news))) throw movedServer.replacementError(capitalized(kind.label), move);
}

/** The move of the object to another server, if the user has not accepted it. */
function moveOf<T extends Types>(context: CallContext, kind: Kind<T>, olds: Properties): Move | undefined {
  const configured = serverOf(context, kind);
  const before = otherThan(configured, ownProperty(olds, "server"));
  if (before === undefined || context.operation.expectsMoves || context.settings.acceptMovedServer) return undefined;
  return { before, configured };
}

/** One text for the object that these inputs ask for, also if a check without the old inputs fills other defaults. */
function contentKey<T extends Types>({ kind, inputFields }: Kind<T>, news: Properties): string {
  const name = ownProperty(news, "name");
  return JSON.stringify(name === undefined ? [kind, contentOf(inputFields, news)] : [kind, ownProperty(news, "organization"), name]);
}
