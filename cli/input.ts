import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import * as z from "zod";
import { CommandError } from "./command-line";

/** Reads a file, or standard input for "-". @param parse gets the text, and the name of its source for messages */
export async function readInput<T>(path: string, parse: (text: string, source: string) => T): Promise<T> {
  return parse(await textOf(path), path === "-" ? "standard input" : path);
}

/** The text of a file, or of standard input for "-"; Ctrl-C ends the wait. @throws CommandError for an unreadable file */
export async function textOf(path: string): Promise<string> {
  try {
    const content = await (path === "-" ? text(process.stdin) : readFile(path, "utf8"));
    // Some editors begin a file with a byte order mark.
    return content.replace(/^\ufeff/, "");
  } catch (cause) {
    throw new CommandError(`${path} can't be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** @throws CommandError without the text, which may hold secrets */
export function jsonOf(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${source} is not JSON.`);
  }
}

/** Runs the Pulumi CLI. @returns its standard output @throws CommandError with its error output, or if the folder or the CLI is missing */
export async function pulumi(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  try {
    return (await promisify(execFile)("pulumi", [...args, "--non-interactive"], { cwd, env, maxBuffer: 2 ** 30 })).stdout;
  } catch (error) {
    const { code, stderr } = z.object({ code: z.unknown(), stderr: z.string().optional() }).parse(error);
    // A missing folder has the same error code as a missing program.
    if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
      throw new CommandError(`${cwd} does not exist, or is not a folder: give the folder of the stack's project (--cwd DIR).`);
    }
    if (code === "ENOENT") {
      throw new CommandError(
        "The Pulumi CLI is not on PATH. Put it there, or give the state as a file that `pulumi stack export` wrote (--state FILE).",
      );
    }
    throw new CommandError(`\`pulumi ${args.join(" ")}\` failed: ${(stderr ?? String(error)).trim()}`);
  }
}
