import { ownProperty } from "../../common/own-property";
import { howToAcceptMovedServer } from "../configuration/config";
import type { Properties, Remote } from "../model/remote";
import { relationOf } from "../model/servers";
import { UserError } from "../model/user-error";
import type { CallContext } from "../operation/call-context";
import { isMadeAnew, isOlderThanKnown, isUnchanged, madeAt, versionOf } from "./age";
import { Presence, readOrMissing } from "./gone";
import type { Kind, Scope, Types } from "./kind";
import type { Listed, ResourceState } from "./resource";
import { objectOnServer, serverOf } from "./server";
import { importedState, refreshedState } from "./state";

/** The object of a state, or without one that of an import or a look-up; undefined when it is certainly gone. */
export async function read<T extends Types>(
  context: CallContext,
  kind: Kind<T>,
  name: string,
  olds: Properties | undefined,
): Promise<ResourceState | undefined> {
  const known = olds && kind.toKnown(olds);
  const remote = await readRemote(context, kind, name, known);
  if (!remote) return undefined;
  const { objects, checks } = context.operation;
  if (!olds) {
    objects.lookUp(objectOnServer(context, kind, remote.id, remote.outputs));
    return importedState(kind, remote);
  }
  checks.recordRead(kind.kind, name);
  objects.recordInState(kind.kind, name);
  return refreshedState(kind, olds, remote);
}

/** A list of the last seconds saves the single read. */
async function readRemote<T extends Types>(
  context: CallContext,
  kind: Kind<T>,
  name: string,
  known: T["Known"] | undefined,
): Promise<Remote<T["Outputs"]> | undefined> {
  const server = serverOf(context, kind);
  const { id, ...named } = known || !kind.toId ? { id: name } : await kind.toId(context, name);
  const scope: Scope = known ?? named;
  const recent = () => kind.requests(context, scope).recent(id);
  const wholeVersion = async () => {
    const item = await recent();
    return item !== undefined && (kind.isVersionComplete?.(item) ?? true) ? item : undefined;
  };
  if (kind.toWhole) {
    const item = await recent();
    const whole = item && kind.toWhole(item);
    // A list may come from a replica that lags, too: for an older copy, the single read waits for a newer one.
    if (whole && !isOlderThanKnown(whole, known, server)) return kind.toRemote(whole, server, known);
  } else if (known) {
    const outputs = kind.completeOutputs(known);
    if (outputs && (await isUnchanged(outputs, server, wholeVersion))) return { id, inputs: known, outputs };
  }
  const whole = await readWhole(context, kind, id, known, scope);
  if (whole === undefined) return known && keptAfterEnd(context, kind, id, known);
  const remote = kind.toRemote(whole, server, known);
  return kind.afterRead ? kind.afterRead(context, whole, remote, known) : remote;
}

/** What the state has of an object that has ended, if the program keeps it. */
function keptAfterEnd<T extends Types>(
  context: CallContext,
  kind: Kind<T>,
  id: string,
  known: T["Known"],
): Remote<T["Outputs"]> | undefined {
  if (!isKeptAfterEnd(context, kind, known)) return undefined;
  const outputs = kind.completeOutputs(known);
  return outputs && { id, inputs: known, outputs };
}

export function isKeptAfterEnd<T extends Types>(context: CallContext, kind: Kind<T>, olds: Properties): boolean {
  return (kind.hasEnded?.(olds, context.clock.now()) && kind.keepsEnded?.(olds)) ?? false;
}

/** Every object that the token may see. */
export async function list<T extends Types>(context: CallContext, kind: Kind<T>, organization?: string): Promise<readonly Listed[]> {
  const server = serverOf(context, kind);
  const requests = kind.requests(context, { organization });
  return (await requests.list()).map((item) => ({
    id: kind.idOf(item),
    name: kind.nameOf(item),
    version: kind.isVersionComplete?.(item) === false ? undefined : versionOf(item),
    async read(olds) {
      const known = olds && kind.toKnown(olds);
      const whole = kind.toWhole?.(item) ?? (await readOrMissing(() => requests.read(kind.idOf(item))));
      if (!whole) return undefined;
      const remote = kind.toRemote(whole, server, known);
      return olds ? refreshedState(kind, olds, remote) : importedState(kind, remote);
    },
  }));
}

/** What decides whether an object is there. Without a state, a wrong "not found" has no consequence. */
export function presenceOf<T extends Types>(
  context: CallContext,
  kind: Kind<T>,
  id: string,
  known: T["Known"] | undefined,
  scope: Scope | undefined = known,
): Presence<T["Whole"]> {
  const { isListed, hasEnded } = kind;
  return new Presence(context, {
    label: kind.labelOf(id, known),
    server: serverOf(context, kind),
    known,
    read: () => kind.requests(context, scope).read(id),
    probe: kind.probe?.(context, id, known),
    isListed: isListed && (() => isListed(context, id, scope)),
    hasEnded: known !== undefined && hasEnded?.(known, context.clock.now()),
  });
}

/** Reads until the copy is as new as the state's. One of the same name that others made is another one. */
export async function readWhole<T extends Types>(
  context: CallContext,
  kind: Kind<T>,
  id: string,
  known: T["Known"] | undefined,
  scope: Scope | undefined = known,
): Promise<T["Whole"] | undefined> {
  const server = serverOf(context, kind);
  const whole = await presenceOf(context, kind, id, known, scope).read({ isOlder: (one) => isOlderThanKnown(one, known, server) });
  if (whole === undefined || !kind.isIdName || !isMadeAnew(whole, known, server)) return whole;
  if (context.settings.acceptMovedServer) return undefined;
  throw replacedError(kind.labelOf(id), server, known ?? {}, kind.toRemote(whole, server, known).outputs);
}

function replacedError(label: string, server: string, known: Properties, remote: Properties): UserError {
  const before = ownProperty(known, "server");
  const reason =
    typeof before === "string" && relationOf(before, server) === "other server"
      ? `The state says that it was on ${before}: if this is another cluster, correct the address or the region.`
      : "Others deleted it and made another of the same name, or this is another cluster.";
  return new UserError(
    "replaced-by-others",
    `${label} on ${server} is not the one of the state: that was made ${madeAt(known)}, this one ${madeAt(remote)}. ${reason} ` +
      "It was not touched, and the state keeps what it has. To have the state forget the old one, run `pulumi refresh`, and " +
      `${howToAcceptMovedServer}. If this one is to take its place, run the update with adopt: "overwrite" after that.`,
  );
}
