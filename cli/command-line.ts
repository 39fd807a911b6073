import { inspect, type ParseArgsConfig, parseArgs } from "node:util";
import { exitStatus } from "./exit-status";

/** The arguments of a command are wrong. */
export class UsageError extends Error {}

/** A command failed, and the message is complete: what happened, to which object, why, and what to do next. */
export class CommandError extends Error {}

/** A sub-command of `pulumi-agentpool-acl`. */
export interface Command {
  /** The command's line in the list of commands. */
  readonly summary: string;
  /** The text that `--help` prints. */
  readonly usage: string;
  /** @param signal aborts when the user stops the command @returns the exit status @throws UsageError */
  readonly run: (args: string[], io: CommandIo, signal: AbortSignal) => Promise<number> | number;
}

/** The output of a command. */
export interface CommandIo {
  /** Standard output. */
  readonly print: (text: string) => void;
  /** Standard error. */
  readonly complain: (text: string) => void;
  /** Shows how many of the objects found so far have been read; undefined if standard error is no terminal. */
  readonly progress?: ((read: number, known: number) => void) | undefined;
}

/** The message for the user, and the exit status. */
export interface Failure {
  readonly message: string;
  readonly status: number;
}

/** Runs with the arguments. @returns the exit code @throws UsageError */
type Run = (args: string[]) => Promise<number> | number;

/**
 * Runs a command, or prints its usage for `--help`.
 *
 * @param failureOf gives the message and status for errors that are not about the arguments. Default: the error with its stack, and the
 * status `failed`
 * @returns the command's exit status, or the one of {@link exitStatus} for `--help`, wrong arguments and failures
 */
export async function runCommand(usage: string, args: string[], run: Run, io: CommandIo, failureOf = asItIs): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    io.print(usage);
    return exitStatus.done;
  }
  try {
    return await run(args);
  } catch (error) {
    const { message, status } =
      error instanceof UsageError ? { message: `${error.message}\n${synopsisOf(usage)}`, status: exitStatus.usage } : failureOf(error);
    io.complain(message);
    return status;
  }
}

/** The forms of a call. The whole usage would hide the error. */
function synopsisOf(usage: string): string {
  const [forms = ""] = /^usage: .*(\n {7}npx .*)*/.exec(usage) ?? [];
  return `${forms}\n--help prints the options.`;
}

function asItIs(error: unknown): Failure {
  return { message: inspect(error), status: exitStatus.failed };
}

/** Runs a command with the arguments of the process, and sets the exit code. */
export function main(usage: string, run: Run): void {
  runCommand(usage, process.argv.slice(2), run, { print: console.log, complain: console.error }).then((code) => {
    process.exitCode = code;
  });
}

/** Reads options like Node's `parseArgs`. @throws UsageError for an unknown option, for a missing or empty value, and for a second value */
export function readArguments<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  const parsed = parsedArguments(config);
  const twice = optionTwiceIn(config);
  // Node's parser would silently ignore all values except the last one.
  if (twice !== undefined) throw new UsageError(`--${twice} is given twice: give it once`);
  // An unset shell variable expands to an empty text.
  const empty = Object.entries(parsed.values).find(([, value]) => [value].flat().includes(""));
  if (empty) throw new UsageError(`--${empty[0]} is empty: give a value, or leave the option out`);
  const reading = Object.entries(parsed.values).flatMap(([name, value]) =>
    inputs.includes(name) ? [value].flat().flatMap((given) => (given === "-" ? [`--${name}`] : [])) : [],
  );
  if (reading.length > 1) throw new UsageError(`standard input can be read only once: give - to one of ${reading.join(" and ")}`);
  return parsed;
}

/** The forms of options, for {@link readArguments}. */
export const text = { type: "string" } as const;
export const texts = { type: "string", multiple: true } as const;
export const flag = { type: "boolean" } as const;

/** All options that take a file, or - for standard input. */
const inputs = ["after", "before", "claims-file", "config-file", "export", "from-state", "from-terraform", "preview", "state"];

function parsedArguments<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** An option that has two values, and takes one. */
function optionTwiceIn(config: ParseArgsConfig): string | undefined {
  const given = parseArgs({ ...config, tokens: true }).tokens.flatMap((token) => (token.kind === "option" ? [token.name] : []));
  return given.find((name, index) => {
    const option = config.options?.[name];
    return option?.type === "string" && option.multiple !== true && given.indexOf(name) !== index;
  });
}

/** Checks the value of an option that takes one of these words. @throws UsageError for another word */
export function oneOf<Word extends string>(words: readonly Word[], option: string, given: string | undefined): Word | undefined {
  const known = words.find((word) => word === given);
  if (given !== undefined && known === undefined) throw new UsageError(`--${option} ${given}: give ${words.join(" or ")}`);
  return known;
}

/** The pairs of an option that takes KEY=VALUE. @throws UsageError without the text, which may contain a secret */
export function keyValues(option: string, given: readonly string[] = []): [key: string, value: string][] {
  return given.map((pair) => {
    const equals = pair.indexOf("=");
    if (equals < 1) throw new UsageError(`--${option}: write KEY=VALUE`);
    return [pair.slice(0, equals), pair.slice(equals + 1)];
  });
}

/** The value of an option that takes a whole number. @throws UsageError for anything else, and out of range */
export function wholeNumber(option: string, given: string | undefined, least = 0, most = Number.MAX_SAFE_INTEGER): number | undefined {
  if (given === undefined) return undefined;
  const number = Number(given);
  if (!/^\d+$/.test(given) || number < least || number > most) {
    const upTo = most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`;
    throw new UsageError(`--${option} ${given}: give a whole number from ${least}${upTo}`);
  }
  return number;
}
