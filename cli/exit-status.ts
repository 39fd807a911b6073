/** The exit statuses of all commands. docs/commands.md describes them, too. */
export const exitStatus = {
  /** The command has done all its work. */
  done: 0,
  /** The command failed, and standard error says why. */
  failed: 1,
  /** The arguments are wrong. */
  usage: 2,
  /** The command found what it looks for, such as drift or a change that is not allowed, even if something else could not be read. */
  found: 3,
  /** The command has done a part of its work: something could not be read, for example a kind without permission. */
  incomplete: 4,
  /** Ctrl-C ended it (SIGINT). */
  interrupted: 130,
  /** SIGTERM ended it. */
  terminated: 143,
} as const;

export type ExitStatus = (typeof exitStatus)[keyof typeof exitStatus];
