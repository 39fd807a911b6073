import type * as Provider from "../provider/internal";
import { type Command, type CommandIo, readArguments, runCommand, UsageError } from "./command-line";
import { exitStatus } from "./exit-status";
import type * as Failures from "./failures";
import type { Signal } from "./failures";
import { withoutControls } from "./output";
import { withProgressLine } from "./progress-line";

/** The sub-commands. A call loads only its own sub-command, because most need packages that the others do not. The usage loads all. */
const commands: Readonly<Record<string, () => { readonly command: Command }>> = {
  agents: () => require("./agents"),
  diff: () => require("./diff"),
  drift: () => require("./drift"),
  export: () => require("./export"),
  graph: () => require("./graph"),
  import: () => require("./import"),
  rehearse: () => require("./rehearse"),
  simulator: () => require("./simulator"),
  who: () => require("./who"),
};

/** Runs `pulumi-agentpool-acl` with these arguments. @returns the exit status */
export async function run(args: string[], output: CommandIo, signal: AbortSignal): Promise<number> {
  const io = withoutControls(output);
  const [name = "--help", ...rest] = args;
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load) {
    const { command } = load();
    const { failureOf }: typeof Failures = require("./failures");
    return runCommand(
      command.usage,
      rest,
      (given) => command.run(given, io, signal),
      io,
      (error) => failureOf(error, signal),
    );
  }
  if (name === "--version") {
    const { packageVersion }: typeof Provider = require("../provider/internal");
    io.print(packageVersion);
    return exitStatus.done;
  }
  return runCommand(usageOfAll(), [name], refuse, io);
}

function refuse(args: string[]): never {
  const [name] = readArguments({ args, allowPositionals: true }).positionals;
  throw new UsageError(`there is no command ${name}: give one of ${Object.keys(commands).join(", ")}`);
}

function usageOfAll(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, load]) => `  ${name.padEnd(width)}  ${load().command.summary}`);
  return `usage: npx --no-install pulumi-agentpool-acl COMMAND [options]
${lines.join("\n")}
exit statuses: ${Object.entries(exitStatus)
    .map(([meaning, status]) => `${status} ${meaning}`)
    .join(", ")}
  --version  prints the version
  --help     prints this; after a command, its options`;
}

/** Runs the command of this process. The first signal stops it in an orderly way, the second one at once. */
export function runProcess(): void {
  const interruption = new AbortController();
  const interrupt = (by: Signal): void => {
    const { Interruption, statusAfter }: typeof Failures = require("./failures");
    if (interruption.signal.aborted) process.exit(statusAfter(interruption.signal));
    interruption.abort(new Interruption(by));
    // Ends the wait for standard input.
    process.stdin.destroy();
  };
  process.on("SIGINT", () => interrupt("SIGINT")).on("SIGTERM", () => interrupt("SIGTERM"));
  const { io, wipe } = withProgressLine({ print: console.log, complain: console.error }, process.stderr);
  // Runs even if the second signal ends the process at once.
  process.on("exit", wipe);
  const isLost = watchOutput(process.stdout, io);
  run(process.argv.slice(2), io, interruption.signal).then((status) => {
    process.exitCode = isLost() ? exitStatus.failed : status;
  });
}

/**
 * @returns a function that tells whether a part of the output could not be written, as on a full disk. The exit status is then a failure's
 */
function watchOutput(stdout: NodeJS.WriteStream, { complain }: CommandIo): () => boolean {
  let isLost = false;
  stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    // EPIPE: the reader, such as `head`, stopped early.
    if (code === "EPIPE" || isLost) return;
    isLost = true;
    process.exitCode = exitStatus.failed;
    complain(`Standard output can't be written: ${message}.`);
  });
  return () => isLost;
}
