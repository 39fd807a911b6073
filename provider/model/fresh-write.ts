import { isOutdated } from "../apis/http/errors";
import type { CallContext } from "../context/call-context";

/** What was read longer ago than this, in milliseconds, may have been changed by others meanwhile. */
const freshMs = 2_000;
/** A server that makes every request wait gets the last write however old it is. */
const mostReads = 3;

/**
 * Reads an object and writes what is made of it. Where the write has to wait for its turn or for its next try, so that others may have changed the object
 * since, both are done again: what they did would be taken back otherwise.
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

/** The key under which the writes of one object queue up, so that none comes between the read and the write of an update. */
export function writesOf(kind: string, id: string): string {
  return `${kind} ${id}`;
}
