import { inspect, type ParseArgsConfig, parseArgs } from "node:util";

/** A command can't be run as it was called. */
export class UsageError extends Error {}

/** Where a command prints. */
export interface CommandIo {
  /** What was asked for. */
  readonly print: (text: string) => void;
  /** What is wrong. */
  readonly complain: (text: string) => void;
}

/** What a command does with its arguments. @returns its exit code. @throws UsageError */
type Run = (args: string[]) => Promise<number> | number;

/**
 * Runs a command, and prints its usage when it is asked with `--help`.
 *
 * @returns the exit code: that of the command, 0 for `--help`, 2 for wrong usage, 1 when it failed
 */
export async function runCommand(usage: string, args: string[], run: Run, io: CommandIo): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    io.print(usage);
    return 0;
  }
  try {
    return await run(args);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    io.complain(isUsage ? `${error.message}\n${usage}` : inspect(error));
    return isUsage ? 2 : 1;
  }
}

/** The main module of a command: runs it with the arguments of the process, which ends with its exit code. */
export function main(usage: string, run: Run): void {
  runCommand(usage, process.argv.slice(2), run, { print: console.log, complain: console.error }).then((code) => {
    process.exitCode = code;
  });
}

/** Reads options as `parseArgs` of Node does. @throws UsageError for one that there is not, or that lacks its value */
export function readArguments<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** An option that takes one of a few words. @throws UsageError when it is another */
export function oneOf<Word extends string>(words: readonly Word[], option: string, given: string | undefined): Word | undefined {
  const known = words.find((word) => word === given);
  if (given !== undefined && known === undefined) throw new UsageError(`--${option} ${given}: give ${words.join(" or ")}`);
  return known;
}

/** An option that takes a whole number. @throws UsageError when it is none, or too small */
export function wholeNumber(option: string, given: string | undefined, least = 0): number | undefined {
  if (given === undefined) return undefined;
  const number = Number(given);
  if (!/^\d+$/.test(given) || !Number.isSafeInteger(number) || number < least) {
    throw new UsageError(`--${option} ${given}: give a whole number from ${least}`);
  }
  return number;
}
