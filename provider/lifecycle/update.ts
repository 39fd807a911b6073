import { ownProperty } from "../../common/own-property";
import { InitError, UserError } from "../../common/user-error";
import { isNotFound } from "../apis/http/errors";
import type { Path } from "../model/check";
import { Ignored } from "../model/ignored";
import { differences } from "../model/inputs";
import { merged } from "../model/merge";
import type { Properties, Remote } from "../model/remote";
import { pick } from "../model/state";
import type { CallContext } from "../operation/call-context";
import { isWritten } from "./diff";
import { goneError, lookAgain } from "./gone";
import type { Kind, Types, Written } from "./kind";
import { readWhole } from "./read";
import type { Revision } from "./resource";
import { objectOf, serverOf, withKept, writtenState } from "./state";
import { isMadeAnew, madeAt } from "./version";
import { lockOfWrites, readBack, withPropertyName, writeFresh } from "./write";

/** Writes an update. @returns the outputs @throws when the object is gone, with the likely reason */
export async function update<T extends Types>(context: CallContext, kind: Kind<T>, id: string, revision: Revision): Promise<Properties> {
  const { olds, news } = revision;
  const known = kind.toKnown(olds);
  if (!isWritten(kind, revision)) {
    context.operation.objects.hold(objectOf(kind, id, olds));
    return { ...news, ...(await outputsOf(context, kind, id, known, olds)) };
  }
  const { sent, remote, unsent } = await context.operation.withLock(lockOfWrites(kind.kind, id), () =>
    writeFresh(
      context,
      () => readToUpdate(context, kind, id, known),
      (within, whole) => write(within, kind, id, { revision, known, whole }),
    ),
  );
  const { outputs } = writtenState(context, kind, { news, sent, remote, unsent, verb: "updated" });
  // With the server's hash, a list would show the object as unchanged, although it differs from the state. An older hash does not.
  const isEchoed = differences(kind.inputFields, news, remote.inputs).length === 0;
  const { hash, ...rest } = outputs;
  return isEchoed || hash === ownProperty(olds, "hash") ? outputs : rest;
}

async function readToUpdate<T extends Types>(context: CallContext, kind: Kind<T>, id: string, known: T["Known"]): Promise<T["Whole"]> {
  const whole = await readWhole(context, kind, { id, known });
  if (whole === undefined) throw goneError(context, kind, { id, known });
  return whole;
}

/** The outputs of the state. What a create could not read after its write is read now. */
async function outputsOf<T extends Types>(
  context: CallContext,
  kind: Kind<T>,
  id: string,
  known: T["Known"],
  olds: Properties,
): Promise<Properties> {
  if (!kind.isIdName || known.modifyIndex !== undefined) return pick(olds, kind.outputFields.keys());
  const whole = await readToUpdate(context, kind, id, known);
  return withKept(kind, known, kind.toRemote(whole, serverOf(context, kind), known).outputs);
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
  const sent = kind.toSent(merged(fields, { olds, news, remote: before.inputs }, ignored));
  const ignores = (path: Path) => ignored.coversPath(fields, path);
  const { update } = kind;
  if (!update) throw new Error(`${kind.label} ${id} has no update: every change makes a new one`);
  const send = () => unlessGone(context, kind, id, known, update(context, id, { known, sent, whole, remote: before, ignores }));
  const { whole: response, unsent = [], toOutputs } = await withPropertyName(kind, send);
  const written = response ?? (await readBack(context, kind, id, sent));
  const after = kind.toRemote(written, server, sent);
  if (kind.isIdName && isMadeAnew(written, before.outputs, server)) throw madeAnewError(kind.labelOf(id, known), sent, after);
  return { sent, unsent, remote: { ...after, outputs: withKept(kind, known, toOutputs ? toOutputs(after.outputs) : after.outputs) } };
}

/** @throws when the object was removed since its read. What the token may only see is a 404, too */
async function unlessGone<T extends Types>(
  context: CallContext,
  kind: Kind<T>,
  id: string,
  known: T["Known"],
  update: Promise<Written<T>>,
): Promise<Written<T>> {
  try {
    return await update;
  } catch (error) {
    if (!isNotFound(error) || (await lookAgain(context, kind, { id, known: undefined, scope: known }, error)) !== undefined) throw error;
    throw goneError(context, kind, { id, known }, error);
  }
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
