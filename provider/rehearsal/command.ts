import { parseArgs } from "node:util";
import { messageOf } from "./engine/operation";
import { type RehearsalEvent, type RehearseCommand, type RehearseOptions, rehearse } from "./index";
import { renderResult, renderStep } from "./print";

const USAGE = `usage: rehearse preview|up|refresh|destroy --program DIR --state FILE
  --program DIR              the folder of the project (Pulumi.yaml)
  --state FILE               where the stack's state is kept
  --config KEY=VALUE         configuration, any number of times
  --secret-config KEY=VALUE  the same, encrypted in the state
  --stack NAME               the stack's name; "rehearsal" when left out
  --refresh                  reads all resources before preview and up
  --replace URN              replaces this resource, any number of times
  --parallel N               how many resources are worked on at a time; 4 x processors when left out
  --json                     prints the result as JSON
  --help                     prints this`;

class UsageError extends Error {}

interface Invocation {
  command: RehearseCommand;
  options: RehearseOptions;
  json: boolean;
}

function readArguments(args: string[]): Invocation | "help" {
  const { values, positionals } = parseStrictly(args);
  if (values.help) return "help";
  const command = (["preview", "up", "refresh", "destroy"] as const).find((name) => name === positionals[0]);
  if (command === undefined || positionals.length !== 1) throw new UsageError("give one of preview, up, refresh and destroy");
  const { program, state, json } = values;
  if (program === undefined || state === undefined) throw new UsageError("--program and --state are needed");
  const parallel = values.parallel === undefined ? undefined : Number(values.parallel);
  if (parallel !== undefined && !(Number.isInteger(parallel) && parallel > 0)) {
    throw new UsageError(`--parallel ${values.parallel}: give a whole number from 1`);
  }
  const options = {
    program,
    state,
    config: keyValues(values.config),
    secretConfig: keyValues(values["secret-config"]),
    replace: values.replace ?? [],
    refresh: values.refresh === true,
    ...(values.stack !== undefined && { stack: values.stack }),
    ...(parallel !== undefined && { parallel }),
  };
  return { command, options, json: json === true };
}

function parseStrictly(args: string[]) {
  const text = { type: "string" } as const;
  const many = { type: "string", multiple: true } as const;
  const flag = { type: "boolean" } as const;
  const lists = { config: many, "secret-config": many, replace: many };
  try {
    const options = { program: text, state: text, stack: text, parallel: text, ...lists, refresh: flag, json: flag, help: flag };
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

function keyValues(pairs: string[] = []): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf("=");
      // The value may be a secret: it is not repeated.
      if (equals < 1) throw new UsageError("write configuration as KEY=VALUE");
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}

export interface CommandIo {
  /** The answer, line by line. */
  print: (text: string) => void;
  /** What is wrong with the command itself. */
  complain: (text: string) => void;
  signal: AbortSignal;
}

/** Runs `rehearse` with these arguments. Answers the exit code: 0, 1 when something failed, 2 for wrong usage, 130 when it was cancelled. */
export async function runCommand(args: string[], { print, complain, signal }: CommandIo): Promise<number> {
  try {
    const invocation = readArguments(args);
    if (invocation === "help") {
      print(USAGE);
      return 0;
    }
    const { command, options, json } = invocation;
    const onEvent = (event: RehearsalEvent): void => {
      const line = event.kind === "finished" && !json ? renderStep(event.step, command) : undefined;
      if (line !== undefined) print(line);
    };
    const result = await rehearse(command, { ...options, onEvent, signal });
    print(json ? JSON.stringify(result, undefined, 2) : `\n${renderResult(command, result)}`);
    if (signal.aborted) return 130;
    return result.ok ? 0 : 1;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    complain(isUsage ? `${error.message}\n${USAGE}` : messageOf(error));
    return isUsage ? 2 : 1;
  }
}
