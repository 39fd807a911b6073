import { type ExecFileOptions, execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Runs a program. @returns its standard output @throws with its output if it fails */
export async function run(command: string, args: readonly string[], options: ExecFileOptions = {}): Promise<string> {
  const { stdout } = await execute(command, [...args], { maxBuffer: 64 * 1024 * 1024, ...options, encoding: "utf8" }).catch((error) => {
    throw new Error(`${command} ${args.join(" ")} failed:\n${error.stdout}${error.stderr}`, { cause: error });
  });
  return stdout;
}
