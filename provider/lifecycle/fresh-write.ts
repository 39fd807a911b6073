import { isOutdated } from "../apis/http/errors";
import type { CallContext } from "../context/call-context";

/** The age, in milliseconds, at which a value that was read counts as possibly changed by others. */
const freshMs = 2_000;
/** The limit of repeated reads: with a server that makes every request wait, the last write is sent at any age. */
const mostReads = 3;

/**
 * Reads an object and writes a value made from it. Where the write has to wait for its turn or its next try, others may have changed the
 * object since. Then it reads and writes again, so that the write does not undo their change.
 */
export async function writeFresh<Current, Written>(
  context: CallContext,
  read: () => Promise<Current>,
  write: (context: CallContext, current: Current) => Promise<Written>,
): Promise<Written> {
  for (let reads = 1; ; reads += 1) {
    const current = await read();
    const readAt = context.clock.now();
    const isOld = () => reads < mostReads && context.clock.now() - readAt > freshMs;
    try {
      return await write(context.sendingUnless(isOld), current);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      context.progress(error.message);
    }
  }
}

/** The key of the lock for writes of one object, so that no other write comes between the read and the write of an update. */
export function writesOf(kind: string, id: string): string {
  return `${kind} ${id}`;
}
