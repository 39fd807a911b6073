import { ownProperty, pick } from "../../common/own-property";
import { InitError, UserError } from "../../common/user-error";
import { isNotFound, isOutdated } from "../apis/http/errors";
import { differences } from "../model/diff";
import { Ignored } from "../model/ignored";
import { merged } from "../model/merge";
import type { Properties, Remote } from "../model/remote";
import { parseState } from "../model/state";
import type { CallContext } from "../operation/call-context";
import { isWritten } from "./diff";
import { goneError, lookAgain } from "./gone";
import type { Defined } from "./kind";
import { readWhole } from "./read";
import type { Revision } from "./resource";
import { objectOf, readBackCreated, serverOf, withKept, writtenState } from "./state";
import { isMadeAnew, madeAt } from "./version";

/**
 * Writes an update.
 *
 * @returns the outputs
 * @throws if the object is gone, with the likely reason
 */
export async function update(context: CallContext, kind: Defined, id: string, revision: Revision): Promise<Properties> {
  const { olds, news, ignored = Ignored.nothing } = revision;
  const { inputFields: fields, outputFields } = kind;
  const known = parseState(kind.state, olds);
  const readToUpdate = async () => {
    const whole = await readWhole(context, kind, { id, known });
    if (whole === undefined) throw goneError(context, kind, { id, known });
    return whole;
  };
  if (!isWritten(kind, revision)) {
    context.operation.objects.hold(objectOf(kind, id, olds));
    if (!kind.isIdName || known.modifyIndex !== undefined) return { ...news, ...pick(olds, outputFields.keys()) };
    // Reads the outputs that a create could not read after its write.
    return { ...news, ...withKept(kind, known, kind.toRemote(await readToUpdate(), serverOf(context, kind), known).outputs) };
  }
  const { sent, remote, unsent } = await writeLocked(context, kind, id, readToUpdate, (within, whole) => {
    const before = kind.toRemote(whole, serverOf(context, kind), known);
    const sent = kind.sendable.parse(merged(fields, { olds, news, remote: before.inputs }, ignored));
    return write(within, kind, id, { known, sent, whole, remote: before, ignores: (path) => ignored.coversPath(fields, path) });
  });
  const { outputs } = writtenState(context, kind, { news, sent, remote, unsent, verb: "updated" });
  // If the server's values differ from the program's, the state must not get the new hash: with it, a list would show the object as
  // unchanged, and a refresh would miss the difference. The state's old hash may stay, because the list has another one.
  const isEchoed = differences(fields, news, remote.inputs).length === 0;
  const { hash, ...rest } = outputs;
  return isEchoed || hash === ownProperty(olds, "hash") ? outputs : rest;
}

/** Writes the program's values over an object that a create adopts: an update without a state. */
export async function overwrite(context: CallContext, kind: Defined, id: string, news: Properties, found: object) {
  const present = [found];
  const read = async () => present.pop() ?? kind.requests(context, news).read(id);
  const { remote } = await writeLocked(context, kind, id, read, (within, whole) => {
    const remote = kind.toRemote(whole, serverOf(context, kind), news);
    return write(within, kind, id, { known: undefined, sent: news, whole, remote, ignores: () => false });
  });
  return remote;
}

/** The milliseconds after a read for which a write may rely on it. After that, others may have changed the object. */
const freshMs = 2_000;
/** The maximal number of reads for one write. A server may make every request wait, so the last write is sent however old its read is. */
const mostReads = 3;

/**
 * Reads an object and writes a value made from it, while no other call of the operation writes the object. If the write has to wait for its
 * turn or its next try, others may have changed the object since. In that case this function reads and writes again, so the write does not
 * undo their change.
 */
function writeLocked<R>(
  context: CallContext,
  { kind }: Defined,
  id: string,
  read: () => Promise<object>,
  write: (context: CallContext, whole: object) => Promise<R>,
): Promise<R> {
  return context.operation.withLock(`${kind} ${id}`, async () => {
    for (let reads = 1; ; reads += 1) {
      const whole = await read();
      const readAt = context.clock.now();
      const isOld = () => reads < mostReads && context.clock.now() - readAt > freshMs;
      try {
        return await write(context.sendingUnless(isOld), whole);
      } catch (error) {
        if (!isOutdated(error)) throw error;
        context.progress(error.message);
      }
    }
  });
}

async function write(context: CallContext, kind: Defined, id: string, given: Parameters<NonNullable<Defined["update"]>>[2]) {
  const { known, sent, remote: before } = given;
  const server = serverOf(context, kind);
  const { update, afterWrite } = kind;
  if (!update) throw new Error(`${kind.label} ${id} has no update: every change makes a new one`);
  const { whole, unsent = [], toOutputs } = await unlessGone(context, kind, id, known ?? sent, update(context, id, given));
  const written = whole ?? (await (known ? kind.requests(context, sent).read(id) : readBackCreated(context, kind, id, sent)));
  const after = kind.toRemote(written, server, sent);
  if (kind.isIdName && isMadeAnew(written, before.outputs, server)) throw madeAnewError(kind.labelOf(id, sent), sent, after);
  await afterWrite?.(context, kind.labelOf(id, known ?? sent), sent, undefined);
  const outputs = toOutputs ? toOutputs(after.outputs) : after.outputs;
  return { sent, unsent, remote: { ...after, outputs: known ? withKept(kind, known, outputs) : outputs } };
}

/** @throws if the object was removed since its read. A token that may see but not change an object also gets a 404 */
async function unlessGone<R>(context: CallContext, kind: Defined, id: string, known: Properties, update: Promise<R>): Promise<R> {
  try {
    return await update;
  } catch (error) {
    if (!isNotFound(error) || (await lookAgain(context, kind, { id, known: undefined, scope: known }, error)) !== undefined) throw error;
    throw goneError(context, kind, { id, known }, error);
  }
}

/**
 * The error for an object that others deleted between the read and the write. The update has changed another object that they made under
 * the name, or has created one: some servers create an object by an update.
 */
function madeAnewError(label: string, sent: Properties, { id, outputs }: Remote<Properties>): Error {
  const [made, changed, server] = ["createIndex", "modifyIndex", "server"].map((name) => String(ownProperty(outputs, name)));
  const deleted = `${label} on ${server} was deleted by others between the read and the write of this update`;
  if (made !== changed) {
    return new UserError(
      "made-anew",
      `${deleted}, and they made another of the same name ${madeAt(outputs)}. It has this program's values now, and the state keeps the old one. ` +
        "Agree with its owner on who manages it, and run `pulumi refresh`, which says how to go on.",
    );
  }
  const message =
    `${deleted}, which made a new one ${madeAt(outputs)}: what names it applies to the new one. The state has it. ` +
    "Run `pulumi refresh`; to have it gone, remove it from the program.";
  return new InitError("made-anew", message, id, { ...sent, ...outputs });
}
