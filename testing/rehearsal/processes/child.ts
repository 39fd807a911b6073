import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { types } from "node:util";
import { messageOf } from "../engine/operation";

/** The time between asking a process to end and killing it. */
const GRACE_MS = 5_000;

export interface ChildOptions {
  /** Default: the Node that runs this. */
  command?: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Called with every line that the process prints. */
  onLine: (line: string, stream: "stdout" | "stderr") => void;
}

/** A process in its own process group, so the processes that it starts end with it. */
export class Child {
  private readonly process: ChildProcess;
  /** Resolves with the exit code when the process has ended and its output was read; null when a signal ended it. */
  readonly exited: Promise<number | null>;
  private ended = false;
  private readonly killAtExit = (): void => this.signal("SIGKILL");

  constructor({ command = process.execPath, args, cwd, env, onLine }: ChildOptions) {
    this.process = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    for (const name of ["stdout", "stderr"] as const) {
      const stream = this.process[name];
      if (stream !== null) createInterface({ input: stream }).on("line", (line) => onLine(line, name));
    }
    this.exited = new Promise((resolve, reject) => {
      this.process.once("error", (error) => reject(new Error(`cannot start ${command}: ${messageOf(error)}`, { cause: error })));
      this.process.once("close", resolve);
    });
    // The caller may have stopped waiting: the error must not count as an unhandled rejection.
    this.exited.catch(() => {});
    const end = (): void => {
      this.ended = true;
      process.removeListener("exit", this.killAtExit);
    };
    this.process.once("close", end).once("error", end);
    process.once("exit", this.killAtExit);
  }

  /** Asks the whole group to end, and kills the processes that don't. */
  async stop(): Promise<void> {
    if (this.ended) return;
    this.signal("SIGINT");
    const timer = setTimeout(() => this.signal("SIGKILL"), GRACE_MS);
    await this.exited.catch(() => null);
    clearTimeout(timer);
  }

  private signal(signal: NodeJS.Signals): void {
    const { pid } = this.process;
    if (pid === undefined || this.ended) return;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      // The group has just ended.
      if (!(types.isNativeError(error) && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}
