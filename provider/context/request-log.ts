import { appendFileSync, closeSync, constants, fchmodSync, fstatSync, openSync } from "node:fs";
import { resolve } from "node:path";
import { types } from "node:util";
import type { RequestLog } from "../apis/http/request";
import { ConfigurationError } from "./configuration-error";
import type { Environment } from "./environment";

const levelVariable = "AGENTPOOL_ACL_LOG";
const fileVariable = "AGENTPOOL_ACL_LOG_FILE";

/** The verbosity of the CLI (`-v`) from which requests are logged. */
const verboseFrom = 9;

/**
 * The log of requests: off unless `AGENTPOOL_ACL_LOG` is `debug`, or unset beside `AGENTPOOL_ACL_LOG_FILE`. It goes to the file that the
 * latter names, or else to the engine's log.
 *
 * @throws ConfigurationError for another level, or for a file that can't be written
 */
export function requestLog(env: Environment): RequestLog | undefined {
  const file = env[fileVariable];
  // Whoever names a file wants it filled.
  const level = env[levelVariable] || (file ? "debug" : "off");
  if (level === "off") return undefined;
  if (level !== "debug")
    throw new ConfigurationError("log-level-unknown", `The environment variable ${levelVariable} must be debug or off.`);
  return file ? fileLog(resolve(file)) : (line, report) => (report ?? console.error)(line);
}

/**
 * Several processes of an operation write to the same file: each line is one write, and names its process. Addresses have the names of
 * objects, so that only the file's owner may read them, also where the file existed with other permissions.
 */
function fileLog(path: string): RequestLog {
  const append = (text: string) => {
    const file = openOwn(path);
    try {
      appendFileSync(file, text);
    } finally {
      closeSync(file);
    }
  };
  try {
    append("");
  } catch (error) {
    throw new ConfigurationError(
      "log-unusable",
      `The file that comes from ${fileVariable}, ${path}, can't be written by its owner alone: ${reasonOf(error)}.`,
    );
  }
  return (line, report) => {
    try {
      append(`${new Date().toISOString()} ${process.pid} ${line}\n`);
    } catch (error) {
      // A request must not fail by its log: it may be a write that took effect.
      report?.(`${path} lacks a request (${reasonOf(error)}): ${line}`);
    }
  };
}

/** The streams of this process, which are symbolic links to whatever they are redirected to. */
const ownStream = /^\/(dev|proc\/self)\/(stdout|stderr|fd\/\d+)$/;

/**
 * Opens the file to append to it, or makes it. In a folder for everyone, such as /tmp, others may have put a link or a file of theirs in
 * its place: neither is written to, nor gets another mode. What is checked is what is open, and not the path, which may change meanwhile.
 */
function openOwn(path: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  if (ownStream.test(path)) return openSync(path, O_WRONLY | O_APPEND);
  // Windows has no O_NOFOLLOW, and neither owners nor modes of this kind.
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | (process.platform === "win32" ? 0 : O_NOFOLLOW), 0o600);
  try {
    const found = fstatSync(file);
    // A device or a pipe is not this package's to change.
    if (process.platform === "win32" || !found.isFile()) return file;
    if (found.uid !== process.getuid?.()) throw new Error("it is another user's");
    if ((found.mode & 0o077) !== 0) fchmodSync(file, 0o600);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function reasonOf(error: unknown): string {
  if (!types.isNativeError(error)) return String(error);
  // What O_NOFOLLOW causes. The system's own words are of too many links.
  return "code" in error && error.code === "ELOOP" ? "it is a symbolic link" : error.message;
}

/**
 * The environment of a process that the engine started with these arguments. With `--logflow` the CLI passes its `-v` on, and `-v=9` then
 * stands for `AGENTPOOL_ACL_LOG=debug`; the variable takes precedence.
 */
export function withVerbosity(env: Environment, args: readonly string[]): Environment {
  const verbosity = args.map((argument) => Number(/^-v=(\d+)$/.exec(argument)?.[1] ?? 0));
  const isVerbose = verbosity.some((level) => level >= verboseFrom);
  return isVerbose ? { ...env, [levelVariable]: env[levelVariable] || "debug" } : env;
}
