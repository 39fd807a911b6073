import { inspect } from "node:util";
import * as z from "zod";
import { UserError } from "../common/user-error";
import { isApiError } from "../provider/internal";
import { CommandError, type Failure } from "./command-line";
import { type ExitStatus, exitStatus } from "./exit-status";

const statuses = { SIGINT: exitStatus.interrupted, SIGTERM: exitStatus.terminated } as const;

export type Signal = keyof typeof statuses;

/** The reason why a command stops: the reason of its `AbortSignal`. */
export class Interruption extends Error {
  constructor(readonly by: Signal) {
    super(`Interrupted by ${by}.`);
  }
}

/** The exit status of a command that a signal has ended. */
export function statusAfter(signal: AbortSignal): ExitStatus {
  return statuses[interruptionOf(signal).by];
}

function interruptionOf({ reason }: AbortSignal): Interruption {
  return reason instanceof Interruption ? reason : new Interruption("SIGINT");
}

/**
 * Turns an error of a command into a message and an exit status. A defect of this package, or an error of the operating system, shows its
 * stack, but only with AGENTPOOL_ACL_LOG=debug.
 */
export function failureOf(error: unknown, signal: AbortSignal, env: NodeJS.ProcessEnv = process.env): Failure {
  // After a signal, every failure is a consequence of it.
  if (signal.aborted) return { message: interruptionOf(signal).message, status: statusAfter(signal) };
  return { message: messageOf(error, env.AGENTPOOL_ACL_LOG === "debug"), status: exitStatus.failed };
}

function messageOf(error: unknown, isDebug: boolean): string {
  if (error instanceof CommandError || error instanceof UserError || isApiError(error)) return error.message;
  if (isDebug) return inspect(error);
  const { data } = systemError.safeParse(error);
  if (data) return `${data.path} can't be used: ${causes[data.code] ?? data.message.split(", ")[0]}.`;
  const [summary] = String(error).split("\n");
  return `Unexpected error, a defect of this package: ${summary}. Report it with the stack that AGENTPOOL_ACL_LOG=debug shows.`;
}

/** An error of the operating system about a file. */
const systemError = z.object({ code: z.string(), path: z.string(), message: z.string() });

const causes: Readonly<Record<string, string>> = {
  EACCES: "this user may not: change its permissions, or name another",
  EEXIST: "that name exists already: name another, or remove it",
  EISDIR: "it is a folder: name a file",
  ENOENT: "its folder does not exist: create it first, or name another",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of the path is a file, not a folder: name another",
  EPERM: "this user may not: change its permissions, or name another",
  EROFS: "it is on a file system that can only be read: name another",
};
