import { ownProperty } from "../../common/own-property";
import type { Path } from "../model/check";
import { type Change, changesOf, sameMeaning } from "../model/diff";
import { Ignored, leftAsWhole } from "../model/ignored";
import { contentOf, isSent, topLevel } from "../model/inputs";
import { adoptedByAnotherError, namesInCircleError, namesInCircleMessage } from "../model/one-object";
import type { Properties } from "../model/remote";
import { labelOfObject } from "../model/text";
import { holdsUnknown } from "../model/unknown";
import type { CallContext } from "../operation/call-context";
import type { Difference, Kind, Types } from "./kind";
import { hasOtherProvider, recordMove, warnOfMove } from "./move";
import type { Revision } from "./resource";
import { objectOnServer } from "./server";

/** What an update changes. It is recorded for other calls of the operation. @throws UserError when the update or the replacement will fail */
export function diff<T extends Types>(context: CallContext, kind: Kind<T>, id: string, revision: Revision): Difference {
  for (const { item, list } of revision.ignored?.itemsOfLists(kind.inputFields) ?? [])
    context.warn(leftAsWhole(labelOfObject(kind.label, id), item, list));
  const difference = differenceBetween(context, kind, id, revision);
  recordDiff(context, kind, id, revision, difference);
  return difference;
}

/** Whether an update sends something; otherwise only the state changes. */
export function isWritten<T extends Types>(kind: Kind<T>, revision: Revision): boolean {
  return changesBetween(kind, revision).some((change) => isSent(kind.inputFields, change));
}

/** The changes of the program, without ignored ones. */
function changesBetween<T extends Types>({ inputFields }: Kind<T>, { olds, news, ignored = Ignored.nothing }: Revision): Change[] {
  return changesOf(inputFields, olds, news).filter(({ path }) => !ignored.coversPath(inputFields, path));
}

function differenceBetween<T extends Types>(context: CallContext, kind: Kind<T>, id: string, revision: Revision): Difference {
  const { olds, news, ignored = Ignored.nothing } = revision;
  const isElsewhere = hasOtherProvider(context, kind, olds);
  // A new object on the other server, and a delete of the old one by the old provider.
  const moved: Change[] =
    isElsewhere || isAlreadyDeleted(context, kind, id, olds) ? [{ path: ["server"], kind: "update", replaces: true }] : [];
  const changed = changesBetween(kind, revision);
  const changes = [...changed, ...moved, ...(isMadeAfterEnd(context, kind, revision, changed) ? [endedChange] : [])];
  const forced = (kind.replaces?.(olds, news) ?? []).filter((property) => !ignored.coversPath(kind.inputFields, [property]));
  const replaces = [...new Set([...changes.filter((change) => change.replaces).map(topLevel), ...forced])];
  return {
    changes: changes.map((change) => (replaces.includes(topLevel(change)) ? { ...change, replaces: true } : change)),
    replaces,
    // Also if nothing is replaced: with --replace, for example, the engine uses the result of the last diff.
    deleteBeforeReplace: !isElsewhere && hasSameIdentity(kind, olds, news),
  };
}

/**
 * Whether this update has deleted the object before this diff: the engine does so with a resource that has a new URN (an alias) if what it
 * depends on is deleted before its replacement, and by another entry of the state that has the object, too.
 */
function isAlreadyDeleted<T extends Types>(context: CallContext, kind: Kind<T>, id: string, olds: Properties): boolean {
  return context.operation.objects.isDeleted(objectOnServer(context, kind, id, olds));
}

/** The output that says when an object ends. */
const ended = "expirationTime";
const endedChange: Change = { path: [ended], kind: "update", replaces: true };

/** Whether a new object takes the place of one that has ended. One that the program keeps can't be changed any more. */
function isMadeAfterEnd<T extends Types>(
  context: CallContext,
  kind: Kind<T>,
  { olds, news }: Revision,
  changed: readonly Change[],
): boolean {
  if (!kind.hasEnded?.(olds, context.clock.now())) return false;
  return !kind.keepsEnded?.(news) || changed.some((change) => isSent(kind.inputFields, change));
}

/** Whether an object with the new inputs can't exist beside the old one. */
function hasSameIdentity<T extends Types>({ identity, inputFields }: Kind<T>, olds: Properties, news: Properties): boolean {
  const identified = identity(news);
  if (!identified) return false;
  const names = Object.keys(identified.values);
  return [...inputFields].every(
    ([name, field]) => !names.includes(name) || sameMeaning(field, ownProperty(olds, name), ownProperty(news, name)),
  );
}

/**
 * Records the diff for other calls of the operation: whether the program keeps or changes the object, or a replacement of another one
 * deletes it.
 */
function recordDiff<T extends Types>(context: CallContext, kind: Kind<T>, id: string, revision: Revision, difference: Difference): void {
  const { inputFields: fields } = kind;
  const { olds, news, ignored = Ignored.nothing } = revision;
  const { checks, objects } = context.operation;
  const { changes, replaces } = difference;
  const object = objectOnServer(context, kind, id, olds);
  const isPartlyUnknown = holdsUnknown(news);
  recordMove(context, kind, olds, news);
  if (checks.isOfUpdate(kind.kind, id, contentOf(fields, news), isPartlyUnknown)) {
    if (changes.length === 0) objects.claim(object);
    else objects.expectChange(object);
    if (!objects.isDeleted(object) && (objects.recordEntry(object) || objects.isIdAdopted(object)))
      throw adoptedByAnotherError(kind.label, id);
    const ignores = (path: Path) => ignored.coversPath(fields, path);
    const sent = replaces.length > 0 ? [] : changes.filter((change) => isSent(fields, change)).map(({ path }) => path);
    const name = ownProperty(olds, "name");
    if (typeof name === "string" && name !== news.name) checks.recordRenaming(kind.kind, name);
    kind.onDiff?.(context, id, { olds, news, sent, replaces, ignores });
    refuseObstacle(context, kind, revision, difference);
    refuseCircleOfNames(context, kind, id, revision, difference);
    // The engine shows no difference of an output.
    if (replaces.includes(ended)) context.progress(`${kind.labelOf(id)} ended at ${String(olds[ended])}: a new one takes its place.`);
    if (replaces.length > 0) warnOfMove(context, kind, id, olds);
  } else if (isPartlyUnknown && replaces.length > 0) {
    refuseObstacle(context, kind, revision, difference);
    objects.release(object);
    warnOfMove(context, kind, id, olds);
  }
}

function refuseObstacle<T extends Types>(context: CallContext, kind: Kind<T>, revision: Revision, difference: Difference): void {
  const obstacle = kind.obstacle?.(context, revision, difference);
  if (obstacle) throw obstacle;
}

/** A preview fails if resources exchange their names by updates: each update would find its new name taken. */
function refuseCircleOfNames<T extends Types>(
  context: CallContext,
  kind: Kind<T>,
  id: string,
  { olds, news }: Revision,
  { changes, replaces }: Difference,
): void {
  if (!kind.identity(news)?.isUnique) return;
  const [from, to] = [ownProperty(olds, "name"), ownProperty(news, "name")];
  const isRenamed =
    changes.some((change) => topLevel(change) === "name") && ownProperty(olds, "organization") === ownProperty(news, "organization");
  if (!isRenamed || typeof from !== "string" || typeof to !== "string") return;
  const names = context.operation.renames.record(JSON.stringify([kind.kind, ownProperty(news, "organization")]), from, to);
  if (names === undefined) return;
  const label = labelOfObject(kind.label, id);
  if (!replaces.includes("name")) throw namesInCircleError(label, names);
  context.warn(namesInCircleMessage(label, names));
}
