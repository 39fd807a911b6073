import { appendFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Environment } from "../../common/environment";
import { ConfigurationError } from "../../common/user-error";
import type { RequestLog } from "../apis/http/request";

const levelVariable = "AGENTPOOL_ACL_LOG";
const fileVariable = "AGENTPOOL_ACL_LOG_FILE";

/** The verbosity of the CLI (`-v`) from which requests are logged. */
const verboseFrom = 9;

/**
 * The log of requests: on if `AGENTPOOL_ACL_LOG` is `debug`, or if only `AGENTPOOL_ACL_LOG_FILE` is set. Its lines go to that file, or else
 * to the engine's log, and for a command to standard error.
 *
 * @throws ConfigurationError for another level, or for a file that can't be written
 */
export function requestLog(env: Environment): RequestLog | undefined {
  const file = env[fileVariable];
  // A file's name alone turns the log on.
  const level = env[levelVariable] || (file ? "debug" : "off");
  if (level === "off") return undefined;
  if (level !== "debug")
    throw new ConfigurationError("log-level-unknown", `The environment variable ${levelVariable} must be debug or off.`);
  return file ? fileLog(resolve(file)) : (line, report) => (report ?? console.error)(line);
}

/**
 * Several processes of an operation write to the same file: each line is one write, and names its process. Addresses have the names of
 * objects, so a new file is for its owner alone.
 */
function fileLog(path: string): RequestLog {
  const append = (text: string) => appendFileSync(path, text, { mode: 0o600 });
  try {
    append("");
  } catch (error) {
    throw new ConfigurationError(
      "log-unusable",
      `The file that comes from ${fileVariable}, ${path}, can't be written: ${reasonOf(error)}.`,
    );
  }
  return (line, report) => {
    try {
      append(`${new Date().toISOString()} ${process.pid} ${line}\n`);
    } catch (error) {
      // A request must not fail because of its log: the request may be a write that took effect.
      report?.(`${path} lacks a request (${reasonOf(error)}): ${line}`);
    }
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The environment of a process that the engine started with these arguments. With `--logflow` the CLI passes its `-v` on, and `-v=9` then
 * means `AGENTPOOL_ACL_LOG=debug`; the variable takes precedence.
 */
export function withVerbosity(env: Environment, args: readonly string[]): Environment {
  const verbosity = args.map((argument) => Number(/^-v=(\d+)$/.exec(argument)?.[1] ?? 0));
  const isVerbose = verbosity.some((level) => level >= verboseFrom);
  return isVerbose ? { ...env, [levelVariable]: env[levelVariable] || "debug" } : env;
}
