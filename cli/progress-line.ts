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

/** The line at the cursor of a terminal that says how far a command is. */
export class ProgressLine {
  private shownAt = Number.NEGATIVE_INFINITY;
  private isShown = false;

  constructor(
    private readonly terminal: Terminal,
    private readonly now: () => number = () => performance.now(),
  ) {}

  show(read: number, known: number): void {
    if (this.now() - this.shownAt < interval) return;
    this.shownAt = this.now();
    this.isShown = true;
    // A line that is as wide as the terminal would wrap, and could not be wiped. Some terminals say that they have no columns.
    const text = `read ${read} of ${known} objects`.slice(0, (this.terminal.columns || 80) - 1);
    this.terminal.write(`${wiping}${text}`);
  }

  wipe(): void {
    if (this.isShown) this.terminal.write(wiping);
    this.isShown = false;
  }
}

/**
 * The output of a command with a progress line on standard error, if that is a terminal. What the command prints takes the line's place.
 *
 * @returns the output, and what wipes the line in the end
 */
export function withProgressLine(
  io: Pick<CommandIo, "print" | "complain">,
  stderr: Terminal,
  env: NodeJS.ProcessEnv = process.env,
): { readonly io: CommandIo; readonly wipe: () => void } {
  // The log of requests goes there as well.
  if (!stderr.isTTY || env.TERM === "dumb" || env.AGENTPOOL_ACL_LOG) return { io, wipe: () => undefined };
  const line = new ProgressLine(stderr);
  const inItsPlace = (write: (text: string) => void) => (text: string) => {
    line.wipe();
    write(text);
  };
  return {
    io: { print: inItsPlace(io.print), complain: inItsPlace(io.complain), progress: (read, known) => line.show(read, known) },
    wipe: () => line.wipe(),
  };
}
