/** What creates and updates have in common. */
import { isConflict, isOutdated, isRejected } from "../apis/http/errors";
import { differences } from "../model/inputs";
import { defined } from "../model/state";
import { InitError, UserError } from "../model/user-error";
import type { CallContext } from "../operation/call-context";
import { lookUntilCertain, readOrMissing, staleError } from "./gone";
import type { Kind, Types } from "./kind";
import { objectOnServer, serverOf } from "./server";

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
export async function withPropertyName<T extends Types, R>({ errorProperties }: Kind<T>, write: () => Promise<R>): Promise<R> {
  try {
    return await write();
  } catch (error) {
    if (!isRejected(error) && !isConflict(error)) throw error;
    const hint = errorProperties.find(([pattern]) => error.says(pattern));
    throw hint ? new UserError("property-refused", `${hint[1]}: ${error.message}`, { cause: error }) : error;
  }
}

/** What was written, of which the response says nothing. */
interface Unread<T extends Types> {
  readonly id: string;
  readonly sent: T["News"];
  /** Whether what a read shows may be what was written, and not a deleted object that a region still shows. */
  readonly mayBe?: (whole: T["Whole"]) => boolean;
}

/**
 * What was written, if the response to the write is empty. The region that is read from may lag: it is read until it shows what was sent,
 * for as long as a region may lag.
 *
 * @throws when it does not show the object at all
 */
export function readBack<T extends Types>(context: CallContext, kind: Kind<T>, { id, sent, mayBe }: Unread<T>): Promise<T["Whole"]> {
  const [server, label] = [serverOf(context, kind), kind.labelOf(id, sent)];
  const look = async () => {
    const whole = await readOrMissing(() => kind.requests(context, sent).read(id));
    return whole !== undefined && (mayBe?.(whole) ?? true) ? whole : undefined;
  };
  const doubtIn = (whole: T["Whole"] | undefined) => {
    if (whole === undefined) return "does not show it yet";
    const isShown = differences(kind.inputFields, sent, kind.toRemote(whole, server, sent).inputs).length === 0;
    return isShown ? undefined : "does not show yet what was written";
  };
  const failure = (doubt: string, whole: T["Whole"] | undefined) => (whole === undefined ? staleError(label, server, doubt) : undefined);
  return lookUntilCertain<T["Whole"]>(context, { label, server, look, doubtIn, failure });
}

/** The same after a create. If it fails, the object is on the server nevertheless, and the state must have it. */
export async function readBackCreated<T extends Types>(context: CallContext, kind: Kind<T>, unread: Unread<T>): Promise<T["Whole"]> {
  try {
    return await readBack(context, kind, unread);
  } catch (error) {
    const { id, sent } = unread;
    if (!(error instanceof Error)) throw error;
    const message =
      `${kind.labelOf(id, sent)} was written, but could not be read after that, so the state lacks what the server has added: ${error.message} ` +
      "Run `pulumi refresh`, or the update again.";
    context.operation.objects.claim(objectOnServer(context, kind, id, {}));
    throw new InitError("written-not-read", message, id, defined({ ...sent, server: serverOf(context, kind) }));
  }
}
