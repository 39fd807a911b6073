import { ownProperty } from "../../common/own-property";
import { holdsUnknown } from "../../common/unknown";
import { UserError } from "../../common/user-error";
import { howToAcceptMovedServer } from "../configuration/config";
import { type Change, changesOf, contentOf, isSent, sameMeaning, topLevel } from "../model/diff";
import { Ignored } from "../model/ignored";
import { adoptedByAnotherError } from "../model/one-object";
import type { Properties } from "../model/remote";
import { otherThan } from "../model/servers";
import { labelOfObject } from "../model/text";
import type { CallContext } from "../operation/call-context";
import { requireDeletable } from "./delete";
import type { Defined, Difference } from "./kind";
import type { Revision } from "./resource";
import { endTime, hasEnded, objectOf, serverOf } from "./state";
import { warnOfLockout } from "./warnings";

/**
 * The changes of an update, recorded for other calls of the operation.
 *
 * @throws UserError if the update or the replacement would fail, or would do harm
 */
export function diff(context: CallContext, kind: Defined, id: string, revision: Revision): Difference {
  const difference = differenceBetween(context, kind, id, revision);
  recordDiff(context, kind, id, revision, difference);
  return difference;
}

/** Whether an update writes to the server. If not, it changes only the state. */
export function isWritten(kind: Defined, revision: Revision): boolean {
  return changesBetween(kind, revision).some((change) => isSent(kind.inputFields, change));
}

/** The program's changes, without ignored ones. */
function changesBetween({ inputFields }: Defined, { olds, news, ignored = Ignored.nothing }: Revision): Change[] {
  return changesOf(inputFields, olds, news).filter(({ path }) => !ignored.coversPath(inputFields, path));
}

function differenceBetween(context: CallContext, kind: Defined, id: string, revision: Revision): Difference {
  const { olds, news } = revision;
  // A resource that moves here from another provider of the program gets a new object here, and the other provider deletes the old one.
  const isElsewhere = context.operation.expectsMoves && otherServer(context, kind, olds) !== undefined;
  // If a dependency is deleted before its replacement, the engine deletes a dependent resource that has a new URN (by an alias) before it
  // asks for that resource's diff.
  const isReleased = context.operation.objects.isReleased(objectOf(kind, id, olds));
  const changed = changesBetween(kind, revision);
  const changes = [
    ...changed,
    ...(isElsewhere || isReleased ? [replacementBy("server")] : []),
    ...(isMadeAfterEnd(context, kind, revision, changed) ? [replacementBy(endTime)] : []),
  ];
  const replaces = [...new Set(changes.filter((change) => change.replaces).map(topLevel))];
  return {
    changes: changes.map((change) => (replaces.includes(topLevel(change)) ? { ...change, replaces: true } : change)),
    replaces,
    // Also set without a replacement: with --replace, for example, the engine uses the result of the last diff.
    deleteBeforeReplace: !isElsewhere && hasSameIdentity(kind, olds, news),
  };
}

function replacementBy(output: string): Change {
  return { path: [output], kind: "update", replaces: true };
}

/** Whether a new object replaces an expired one. The program may keep an expired object, but a change of it needs a new object. */
function isMadeAfterEnd(context: CallContext, kind: Defined, { olds, news }: Revision, changed: readonly Change[]): boolean {
  if (!hasEnded(context, kind, olds)) return false;
  return !kind.keepsEnded?.(news) || changed.some((change) => isSent(kind.inputFields, change));
}

/** Whether the old object must be deleted before an object with the new inputs can exist. */
function hasSameIdentity({ identity, inputFields }: Defined, olds: Properties, news: Properties): boolean {
  if (!identity) return false;
  return identity.names.every((name) => {
    const field = inputFields.get(name);
    return !field || sameMeaning(field, ownProperty(olds, name), ownProperty(news, name));
  });
}

/**
 * Records for other calls of the operation whether the program keeps or changes the object, or whether the engine deletes it because
 * another object is replaced. The diff of a refresh is not recorded.
 *
 * @throws when the update or the replacement will fail, or would do harm
 */
function recordDiff(context: CallContext, kind: Defined, id: string, revision: Revision, difference: Difference): void {
  const { olds, news } = revision;
  const { checks, objects } = context.operation;
  const { changes, replaces } = difference;
  const object = objectOf(kind, id, olds);
  const isPartlyUnknown = holdsUnknown(news);
  if (!checks.isOfUpdate(kind.kind, id, contentOf(kind.inputFields, news), isPartlyUnknown)) {
    if (!isPartlyUnknown || replaces.length === 0) return;
    refuseToReplace(context, kind, id, revision, difference);
    objects.release(object);
    return;
  }
  if (changes.length === 0) objects.hold(object);
  if (!objects.isReleased(object) && objects.compare(object)) throw adoptedByAnotherError(kind.label, id);
  const name = ownProperty(olds, "name");
  if (typeof name === "string" && name !== news.name) checks.recordRenaming(kind.kind, name);
  if (replaces.length > 0) warnOfLockout(context, kind, id, olds, "is replaced");
  else if (changes.some((change) => isSent(kind.inputFields, change))) warnOfLockout(context, kind, id, olds, "changes");
  refuseToReplace(context, kind, id, revision, difference);
  // The reason for this replacement is an output, and the engine shows no differences of outputs.
  if (replaces.includes(endTime)) context.progress(`${kind.labelOf(id)} ended at ${String(olds[endTime])}: a new one takes its place.`);
}

/** @throws if the change or the replacement is impossible, or if the replacement would be on a server other than the state's */
function refuseToReplace(context: CallContext, kind: Defined, id: string, revision: Revision, difference: Difference): void {
  const obstacle = kind.obstacle?.(context, revision, difference);
  if (obstacle) throw obstacle;
  if (difference.replaces.length > 0) requireDeletable(kind, id, revision.olds);
  const before = otherServer(context, kind, revision.olds);
  if (difference.replaces.length === 0 || before === undefined || context.operation.expectsMoves || context.settings.acceptMovedServer)
    return;
  const server = serverOf(context, kind);
  throw new UserError(
    "replacement-elsewhere",
    `${labelOfObject(kind.label, id)} is on ${before} in the state, but ${server} is configured, where its replacement would be made. Nothing was changed. ` +
      `Configure ${before} again; or, if ${server} is the same service under a new address, or takes its place, ${howToAcceptMovedServer()}.`,
  );
}

/** The server of the state, if it differs from the configured one. */
function otherServer(context: CallContext, kind: Defined, olds: Properties): string | undefined {
  return otherThan(serverOf(context, kind), ownProperty(olds, "server"));
}
