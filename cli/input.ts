import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import * as z from "zod";
import { CommandError } from "./command-line";

/** The name of an input in messages: the path of a file, or standard input for "-". */
export function sourceName(path: string): string {
  return path === "-" ? "standard input" : path;
}

/** The text of a file, or of standard input for "-". @throws CommandError when it can't be read */
export function textOf(path: string): string {
  try {
    // Some editors begin a file with a mark of its byte order.
    return readFileSync(path === "-" ? 0 : path, "utf8").replace(/^\ufeff/, "");
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

/** Runs the Pulumi CLI. @returns its standard output @throws CommandError with what it says */
export async function pulumi(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  try {
    return (await promisify(execFile)("pulumi", [...args, "--non-interactive"], { cwd, env, maxBuffer: 2 ** 30 })).stdout;
  } catch (error) {
    const { code, stderr } = z.object({ code: z.unknown(), stderr: z.string().optional() }).parse(error);
    if (code === "ENOENT") {
      throw new CommandError(
        "The Pulumi CLI is not on PATH. Put it there, or give the state as a file that `pulumi stack export` wrote (--state FILE).",
      );
    }
    throw new CommandError(`\`pulumi ${args.join(" ")}\` failed: ${(stderr ?? String(error)).trim()}`);
  }
}
