import * as z from "zod";
import type { Claims } from "../../provider/access/claims";
import type { JsonValue } from "../../provider/access/go-text";
import { record } from "../../provider/model/record";
import { CommandError } from "../command-line";
import { textOf } from "../input";

/** What is in it is JSON, as it comes from JSON. */
const claims = record(z.custom<JsonValue>());

/** Servers read more levels, and identity providers write a few. */
const MAX_DEPTH = 1_000;

/**
 * The claims in a file, or of standard input for "-": a JSON object, or a token (JWT), which is decoded without being trusted.
 *
 * @throws CommandError which says where the mistake is, and nothing of the text: claims are personal
 */
export async function readClaims(path: string): Promise<Claims> {
  const source = path === "-" ? "Standard input" : path;
  return parseClaims((await textOf(path)).trim(), source);
}

export function parseClaims(text: string, source: string): Claims {
  const parts = text.split(".");
  const isToken = /^[\w-]+(\.[\w-]*)+$/.test(text);
  if (isToken && parts.length === 5) {
    throw new CommandError(`${source} holds an encrypted token, which only its addressee can read: give its claims as JSON.`);
  }
  if (isToken && parts.length === 3) {
    return objectIn(Buffer.from(parts[1] ?? "", "base64url").toString("utf8"), `The second part of the token in ${source}`);
  }
  return objectIn(text, source);
}

function objectIn(text: string, source: string): Claims {
  const parsed = claims.safeParse(jsonIn(text, source));
  if (!parsed.success) throw new CommandError(`${source} is JSON, but no object of claims such as {"groups": ["engineering"]}.`);
  const reason = refusal(parsed.data, MAX_DEPTH);
  if (reason !== undefined) throw new CommandError(`${source} has a claim that ${reason}.`);
  return parsed.data;
}

/** Why a value can't be that of a claim. */
function refusal(value: JsonValue, depth: number): string | undefined {
  if (depth === 0) return `has more than ${MAX_DEPTH} levels of lists and objects: leave it out`;
  // What JSON.parse makes of 1e400.
  if (typeof value === "number" && !Number.isFinite(value)) return "is a number beyond 64 bits, for which a server refuses the whole token";
  if (typeof value !== "object" || value === null) return undefined;
  for (const item of Object.values(value)) {
    const reason = refusal(item, depth - 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function jsonIn(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const before = text.slice(0, firstWrong(text));
    const line = before.split("\n").length;
    const column = before.length - before.lastIndexOf("\n");
    throw new CommandError(
      `${source} is neither a JSON object of claims nor a token (JWT): what stands in line ${line} at column ${column} is not JSON.`,
    );
  }
}

/** The index of the first character with which a text is no longer the beginning of JSON. The errors of JSON.parse quote the text. */
function firstWrong(text: string): number {
  let [right, wrong] = [0, text.length + 1];
  while (wrong - right > 1) {
    const middle = Math.floor((right + wrong) / 2);
    if (mayContinue(text.slice(0, middle))) right = middle;
    else wrong = middle;
  }
  return right;
}

function mayContinue(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    return /^(Unexpected end|Unterminated)/.test(message) || Number(position) >= text.length;
  }
}
