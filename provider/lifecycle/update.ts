import { ownProperty } from "../../common/own-property";
import type { Path } from "../model/check";
import { Ignored } from "../model/ignored";
import { differences } from "../model/inputs";
import { merged } from "../model/merge";
import type { Properties, Remote } from "../model/remote";
import { pick } from "../model/state";
import { InitError, UserError } from "../model/user-error";
import type { CallContext } from "../operation/call-context";
import { isMadeAnew, isOfUnknownAge, madeAt, withWroteOver } from "./age";
import { isWritten } from "./diff";
import { goneError } from "./gone";
import type { Kind, Types } from "./kind";
import { presenceOf, readWhole } from "./read";
import type { Revision } from "./resource";
import { objectOnServer, serverOf } from "./server";
import { withKept, writtenState } from "./state";
import { lockOfWrites, readBack, withPropertyName, writeFresh } from "./write";

/** Writes an update. @returns the outputs @throws when the object is gone, with the likely reason */
export async function update<T extends Types>(context: CallContext, kind: Kind<T>, id: string, revision: Revision): Promise<Properties> {
  const { olds, news } = revision;
  const known = kind.toKnown(olds);
  if (!isWritten(kind, revision)) {
    context.operation.objects.claim(objectOnServer(context, kind, id, olds));
    return { ...news, ...(await outputsOf(context, kind, id, known, olds)) };
  }
  context.operation.objects.requireSiblings();
  // A single read, and not from a list.
  const read = async () => {
    const whole = await readWhole(context, kind, id, known);
    if (whole === undefined) throw goneError(context, { label: kind.labelOf(id, known), server: serverOf(context, kind) });
    return whole;
  };
  const { sent, remote, unsent } = await context.operation.withLock(lockOfWrites(kind.kind, id), () =>
    writeFresh(context, read, (within, whole) => write(within, kind, id, { revision, known, whole })),
  );
  const { outputs } = writtenState(context, kind, { news, sent, remote, unsent, verb: "updated" });
  // With the server's hash, a list would show the object as unchanged, although it differs from the state. An older hash does not.
  const isEchoed = differences(kind.inputFields, news, remote.inputs).length === 0;
  const { hash, ...rest } = outputs;
  return isEchoed || hash === ownProperty(olds, "hash") ? outputs : rest;
}

/** The outputs of the state. What a create could not read after its write is read now. */
async function outputsOf<T extends Types>(context: CallContext, kind: Kind<T>, id: string, known: T["Known"], olds: Properties) {
  const outputs = pick(olds, kind.outputFields.keys());
  if (!kind.isIdName || ownProperty(olds, "modifyIndex") !== undefined) return outputs;
  const whole = await readWhole(context, kind, id, known);
  if (whole === undefined) throw goneError(context, { label: kind.labelOf(id, known), server: serverOf(context, kind) });
  return withKept(kind, olds, kind.toRemote(whole, serverOf(context, kind), known).outputs);
}

interface Writing<T extends Types> {
  readonly revision: Revision;
  readonly known: T["Known"];
  /** The object, by a read just before. */
  readonly whole: T["Whole"];
}

/** Writes the program's values where it changes them, and the server's for the rest. */
async function write<T extends Types>(context: CallContext, kind: Kind<T>, id: string, { revision, known, whole }: Writing<T>) {
  const { olds, news, ignored = Ignored.nothing } = revision;
  const { inputFields: fields } = kind;
  const server = serverOf(context, kind);
  const before = kind.toRemote(whole, server, known);
  const sent = kind.toSent(merged(fields, { olds, news, remote: before.inputs }, ignored, !isOfUnknownAge(whole, known)));
  const ignores = (path: Path) => ignored.coversPath(fields, path);
  const presence = presenceOf(context, kind, id, known);
  const { update } = kind;
  if (!update) throw new Error(`${kind.label} ${id} has no update: every change makes a new one`);
  const send = () => presence.update(() => update(context, id, { known, sent, whole, remote: before, ignores }));
  const { whole: response, unsent = [], toOutputs } = await withPropertyName(kind, send);
  const written = response ?? (await readBack(context, kind, { id, sent }));
  const after = kind.toRemote(written, server, sent);
  // Without times, what a read shows can be compared with another read alone: the response to a write is of another region.
  const isComparable = response === undefined || ownProperty(before.outputs, "createTime") !== undefined;
  if (kind.isIdName && isComparable && isMadeAnew(written, before.outputs, server))
    throw madeAnewError(kind.labelOf(id, known), sent, after);
  const isChanged = differences(fields, before.inputs, after.inputs).length > 0;
  const remote = withWroteOver(before, after, isChanged, known);
  const outputs = withKept(kind, known, toOutputs ? toOutputs(remote.outputs) : remote.outputs);
  return { sent, unsent, remote: { ...remote, outputs } };
}

/** The error for an object that others deleted between the read and the write. A server whose updates create objects has made one. */
function madeAnewError(label: string, sent: Properties, { id, outputs }: Remote<Properties>): Error {
  const [made, changed, server] = ["createIndex", "modifyIndex", "server"].map((name) => String(ownProperty(outputs, name)));
  const deleted = `${label} on ${server} was deleted by others between the read and the write of this update`;
  if (made !== changed) {
    return new UserError(
      "made-anew",
      `${deleted}, and they made another of the same name ${madeAt(outputs)}. It has this program's values now, and the state keeps the old one. ` +
        "Agree with them whose it is, and run `pulumi refresh`, which says how to go on.",
    );
  }
  const message =
    `${deleted}, which made a new one ${madeAt(outputs)}: what names it applies to the new one. The state has it. ` +
    "Run `pulumi refresh`; to have it gone, remove it from the program.";
  return new InitError("made-anew", message, id, { ...sent, ...outputs });
}
