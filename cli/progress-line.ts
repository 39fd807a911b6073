import type { CommandIo } from "./command-line";

/** The part of a stream that a progress line needs. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Milliseconds between two updates of the line. */
const interval = 100;

/** Moves the cursor to the beginning of the line, and erases it. */
const wiping = "\r\x1b[K";

/**
 * Adds a progress line on standard error, if that is a terminal that can erase it, and AGENTPOOL_ACL_LOG is not set. Printed text replaces
 * the line.
 *
 * @returns the output, and a function that wipes the line at the end
 */
export function withProgressLine(
  io: Pick<CommandIo, "print" | "complain">,
  stderr: Terminal,
  env: NodeJS.ProcessEnv = process.env,
  now: () => number = () => performance.now(),
): { readonly io: CommandIo; readonly wipe: () => void } {
  // The log of requests goes to standard error, too.
  if (!stderr.isTTY || env.TERM === "dumb" || env.AGENTPOOL_ACL_LOG) return { io, wipe: () => undefined };
  let shownAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  const progress = (read: number, known: number) => {
    if (now() - shownAt < interval) return;
    [shownAt, isShown] = [now(), true];
    // A line as wide as the terminal would wrap, and could not be wiped. Some terminals report no columns.
    const text = `read ${read} of ${known} objects`.slice(0, (stderr.columns || 80) - 1);
    stderr.write(`${wiping}${text}`);
  };
  const wipe = () => {
    if (isShown) stderr.write(wiping);
    isShown = false;
  };
  const inItsPlace = (write: (text: string) => void) => (text: string) => {
    wipe();
    write(text);
  };
  return { io: { print: inItsPlace(io.print), complain: inItsPlace(io.complain), progress }, wipe };
}
