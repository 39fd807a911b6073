import type { CommandIo } from "./command-line";

/** What a progress line needs of a stream. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Milliseconds between two pictures of the line. */
const interval = 100;

/** Back to the beginning of the line, and all of it away. */
const wiping = "\r\x1b[K";

/**
 * The output of a command with a progress line on standard error, if that is a terminal. What the command prints takes the line's place.
 *
 * @returns the output, and what wipes the line in the end
 */
export function withProgressLine(
  io: Pick<CommandIo, "print" | "complain">,
  stderr: Terminal,
  env: NodeJS.ProcessEnv = process.env,
  now: () => number = () => performance.now(),
): { readonly io: CommandIo; readonly wipe: () => void } {
  // The log of requests goes there as well.
  if (!stderr.isTTY || env.TERM === "dumb" || env.AGENTPOOL_ACL_LOG) return { io, wipe: () => undefined };
  let shownAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  const progress = (read: number, known: number) => {
    if (now() - shownAt < interval) return;
    [shownAt, isShown] = [now(), true];
    // A line that is as wide as the terminal would wrap, and could not be wiped. Some terminals say that they have no columns.
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
