import { ownProperty } from "../../common/own-property";
import { UserError } from "../../common/user-error";
import { howToAcceptMovedServer } from "../configuration/config";
import type { Properties, Remote } from "../model/remote";
import { relationOf } from "../model/servers";
import { parseState } from "../model/state";
import type { CallContext } from "../operation/call-context";
import { readOrMissing, readPresent, requireNotOlder, type Sought } from "./gone";
import type { Defined } from "./kind";
import type { Listed, ResourceState } from "./resource";
import { hasEnded, importedState, refreshedState, serverOf } from "./state";
import { isMadeAnew, isUnchanged, madeAt, versionIn, versionOf } from "./version";

/** The object of a state, an import or a `get`; undefined if it is certainly gone. */
export async function read(context: CallContext, kind: Defined, name: string, olds?: Properties): Promise<ResourceState | undefined> {
  const { id, ...scope } = olds || !kind.toId ? { id: name } : await kind.toId(context, name);
  const known = olds && parseState(kind.state, olds);
  const remote = await readRemote(context, kind, { id, known, scope: known ?? scope });
  if (!remote) return undefined;
  if (!olds) return importedState(kind, remote);
  context.operation.checks.recordRead(kind.kind, id);
  return refreshedState(kind, olds, remote);
}

/** Reads an object, or takes it from a list of the last seconds. */
async function readRemote(context: CallContext, kind: Defined, sought: Sought): Promise<Remote<Properties> | undefined> {
  const server = serverOf(context, kind);
  const { id, known, scope } = sought;
  // Without a hash, an incomplete item proves nothing.
  const item = kind.toWhole || known?.hash !== undefined ? await kind.requests(context, scope).recent(id) : undefined;
  const outputs = known && completeOutputs(kind, known);
  if (item !== undefined && !kind.toWhole && outputs && (kind.isVersionComplete?.(item) ?? true) && isUnchanged(item, outputs, server))
    return { id, inputs: known, outputs };
  const listed = item && kind.toWhole?.(item);
  if (listed) requireNotOlder(context, kind, sought, versionIn(listed).modifyIndex);
  const whole = listed ?? (await readWhole(context, kind, sought));
  if (whole === undefined) return outputs && isKeptAfterEnd(context, kind, known) ? { id, inputs: known, outputs } : undefined;
  const remote = kind.toRemote(whole, server, known);
  return listed === undefined && kind.afterRead ? kind.afterRead(context, whole, remote, known) : remote;
}

/** The outputs of a state; undefined if another version wrote it, or if it is incomplete. */
function completeOutputs({ inputs, outputs }: Defined, known: Properties): Properties | undefined {
  return inputs.safeParse(known).success ? outputs.safeParse(known).data : undefined;
}

/** Whether the object of a state has expired, and the program keeps it there. */
export function isKeptAfterEnd(context: CallContext, kind: Defined, olds: Properties): boolean {
  return hasEnded(context, kind, olds) && kind.keepsEnded?.(olds) === true;
}

/** Every object that the token may see. */
export async function list(context: CallContext, kind: Defined, organization?: string): Promise<readonly Listed[]> {
  const server = serverOf(context, kind);
  const requests = kind.requests(context, { organization });
  return (await requests.list()).map((item) => ({
    id: kind.idOf(item),
    name: kind.nameOf(item),
    isBuiltIn: kind.builtIn?.includes(kind.idOf(item)) ?? false,
    version: kind.isVersionComplete?.(item) === false ? undefined : versionOf(item),
    async read(olds) {
      const known = olds && parseState(kind.state, olds);
      const whole = kind.toWhole?.(item) ?? (await readOrMissing(() => requests.read(kind.idOf(item))));
      if (!whole) return undefined;
      const remote = kind.toRemote(whole, server, known);
      return olds ? refreshedState(kind, olds, remote) : importedState(kind, remote);
    },
  }));
}

/**
 * Reads a single object; undefined if it is gone.
 *
 * @throws if others have replaced it with another one of the same name. With `acceptMovedServer`, the object counts as gone instead
 */
export async function readWhole(context: CallContext, kind: Defined, sought: Sought): Promise<object | undefined> {
  const server = serverOf(context, kind);
  const { id, known } = sought;
  const whole = await readPresent(context, kind, sought);
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
      "It was not touched, and the state keeps what it has. To have the state forget the old one, " +
      `${howToAcceptMovedServer("refresh")}. If this one is to take its place, run the update with adopt: "overwrite" after that.`,
  );
}
