/** What creates and updates have in common. */

import { defined } from "../../common/own-property";
import { InitError, UserError } from "../../common/user-error";
import { isConflict, isOutdated, isRejected } from "../apis/http/errors";
import type { Properties } from "../model/remote";
import type { CallContext } from "../operation/call-context";
import type { Defined } from "./kind";
import { objectOf, serverOf } from "./state";

/** The age, in milliseconds, at which a value that was read counts as possibly changed by others. */
const freshMs = 2_000;
/** The limit of repeated reads: with a server that makes every request wait, the last write is sent at any age. */
const mostReads = 3;

/**
 * Reads an object and writes a value made from it. If the write has to wait for its turn or its next try, others may have changed the
 * object since. Then it reads and writes again, so the write does not undo their change.
 */
export async function writeFresh<Whole, Written>(
  context: CallContext,
  read: () => Promise<Whole>,
  write: (context: CallContext, whole: Whole) => Promise<Written>,
): Promise<Written> {
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
}

/** The key of the lock for writes of one object, so no other write comes between the read and the write of an update. */
export function lockOfWrites(kind: string, id: string): string {
  return `${kind} ${id}`;
}

/** Adds the name of the property to a server's error. */
export async function withPropertyName<R>({ errorProperties = [] }: Defined, write: () => Promise<R>): Promise<R> {
  try {
    return await write();
  } catch (error) {
    if (!isRejected(error) && !isConflict(error)) throw error;
    const hint = errorProperties.find(([pattern]) => error.says(pattern));
    throw hint ? new UserError("property-refused", `${hint[1]}: ${error.message}`, { cause: error }) : error;
  }
}

/** What was written, if the response to the write is empty. */
export function readBack(context: CallContext, kind: Defined, id: string, sent: Properties): Promise<object> {
  return kind.requests(context, sent).read(id);
}

/** The same after a create. If it fails, the object is on the server nevertheless, and the state must have it. */
export async function readBackCreated(context: CallContext, kind: Defined, id: string, sent: Properties): Promise<object> {
  try {
    return await readBack(context, kind, id, sent);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const message =
      `${kind.labelOf(id, sent)} was written, but could not be read after that, so the state lacks what the server has added: ${error.message} ` +
      "Run `pulumi refresh`, or the update again.";
    context.operation.objects.hold(objectOf(kind, id, {}));
    throw new InitError("written-not-read", message, id, defined({ ...sent, server: serverOf(context, kind) }));
  }
}
