import { own } from "../../common/own";
import type { CallContext } from "../context/call-context";
import { howToAcceptMovedServer } from "../context/config";
import { gone } from "../context/wording";
import type { Properties, Remote } from "../model/remote";
import { relationOf } from "../model/servers";
import { UserError } from "../model/user-error";
import { isMadeAnew, isOfUnknownAge, isOlderCopy, readUnchanged, versionOf } from "./age";
import type { Listed } from "./definition";
import { ClusterObject, readOrMissing } from "./gone";
import type { CurrentOf, Kind, Types } from "./kind";

/** The object of a state or an import; undefined when it is certainly gone. A list of the last seconds saves the single read. */
export async function read<T extends Types>(
  context: CallContext,
  kind: Kind<T>,
  name: string,
  known: T["Known"] | undefined,
): Promise<Remote<T["Outputs"]> | undefined> {
  const { server } = context.cluster();
  const id = known || !kind.toId ? name : await kind.toId(context, name);
  const recent = () => kind.requests(context).recent(id);
  if (kind.toWhole) {
    const item = await recent();
    const object = item && kind.toWhole(item);
    // A list may come from a replica that lags, too: for an older copy, the single read waits for a newer one.
    if (object && !isOlderCopy(object, known, server)) return kind.toRemote(object, server, known);
  } else {
    const unchanged = await readUnchanged(id, server, { inputs: kind.inputs, outputs: kind.outputs, known }, recent);
    if (unchanged) return unchanged;
  }
  const object = await readOwn(context, kind, id, known);
  if (object !== undefined) {
    const remote = kind.toRemote(object, server, known);
    return kind.afterRead ? kind.afterRead(context, object, remote, known) : remote;
  }
  const error = known ? undefined : kind.notNamedError?.(name);
  if (error) throw error;
  return undefined;
}

/** The object that an update will overwrite, by a single read and not from a list. @throws when it is gone */
export async function readCurrent<T extends Types>(
  context: CallContext,
  kind: Kind<T>,
  id: string,
  known: T["Known"],
): Promise<CurrentOf<T>> {
  const { server } = context.cluster();
  const object = await readOwn(context, kind, id, known);
  if (object === undefined) throw gone(kind.labelOf(id, known), server);
  return { ...kind.toRemote(object, server, known), object, isOfUnknownAge: isOfUnknownAge(object, known) };
}

/** Every object that the token may see. */
export async function list<T extends Types>(
  context: CallContext,
  kind: Kind<T>,
): Promise<readonly Listed<Remote<T["Outputs"]>, T["Known"]>[]> {
  const { server } = context.cluster();
  const requests = kind.requests(context);
  return (await requests.list()).map((item) => ({
    id: kind.idOf(item),
    name: kind.nameOf(item),
    version: versionOf(item),
    async read(known) {
      const object = kind.toWhole?.(item) ?? (await readOrMissing(() => requests.read(kind.idOf(item))));
      return object && kind.toRemote(object, server, known);
    },
  }));
}

/** The requests that decide whether an object is there. Without a state, a wrong "not found" has no consequence. */
export function objectOf<T extends Types>(
  context: CallContext,
  kind: Kind<T>,
  id: string,
  known: T["Known"] | undefined,
): ClusterObject<T["Object"]> {
  return new ClusterObject(context, {
    label: kind.labelOf(id, known),
    state: known,
    read: () => (kind.readOne ? kind.readOne(context, id) : kind.requests(context).read(id)),
    probe: kind.probe?.(context, id, known),
  });
}

/** Reads until the copy is as new as the state's. One of the same name that others made is another one. */
async function readOwn<T extends Types>(
  context: CallContext,
  kind: Kind<T>,
  id: string,
  known: T["Known"] | undefined,
): Promise<T["Object"] | undefined> {
  const { server } = context.cluster();
  const object = await objectOf(context, kind, id, known).read({ isOlder: (copy) => isOlderCopy(copy, known, server) });
  if (object === undefined || !kind.isIdName || !isMadeAnew(object, known)) return object;
  if (context.settings.acceptMovedServer) return undefined;
  throw replacedError(kind.labelOf(id), server, known ?? {}, kind.toRemote(object, server, known).outputs);
}

function replacedError(label: string, server: string, known: Properties, present: Properties): UserError {
  const before = own(known, "server");
  const reason =
    typeof before === "string" && relationOf(before, server) === "other server"
      ? `The state says that it was on ${before}: if this is another cluster, correct the address or the region.`
      : "Others deleted it and made another of the same name, or this is another cluster.";
  const [ours, theirs] = [own(known, "createTime"), own(present, "createTime")];
  return new UserError(
    "method-replaced",
    `${label} on ${server} is not the one of the state: that was made ${String(ours)}, this one ${String(theirs)}. ${reason} ` +
      "It was not touched, and the state keeps what it has. If this one is to take the place of the old one, remove the resource from the state with `pulumi state delete` and " +
      `run the update with adopt: "overwrite". If the state is to forget the old one, ${howToAcceptMovedServer}.`,
  );
}
