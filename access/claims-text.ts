import type { Claims } from "./claims";
import type { JsonValue } from "./go-text";
import { wellFormed } from "./go-text";

/** A text that holds no claims. The message says why, and nothing of the text: claims are personal. */
export class ClaimsError extends Error {
  constructor(
    message: string,
    readonly isJson = true,
  ) {
    super(message);
  }
}

/** Servers read more levels, and identity providers write a few. */
const MAX_DEPTH = 1_000;

/** Claims, and whether they are all claims of a token. */
export interface ReadClaims {
  readonly claims: Claims;
  readonly isToken: boolean;
}

/**
 * The claims in a text: a JSON object, or a token (JWT), which is decoded without being trusted.
 *
 * @param source what the text is from, in the words of an error
 * @throws ClaimsError which says where the mistake is
 */
export function parseClaims(text: string, source: string): ReadClaims {
  const parts = text.split(".");
  const isToken = /^[\w-]+(\.[\w-]*)+$/.test(text);
  if (isToken && parts.length === 5) {
    throw new ClaimsError(`${source} holds an encrypted token, which only its addressee can read: give its claims as JSON.`);
  }
  if (isToken && parts.length === 3) {
    return { claims: objectIn(decoded(parts[1] ?? ""), `The second part of the token in ${source}`), isToken: true };
  }
  return { claims: objectIn(text, source), isToken: false };
}

/** The text of a part of a token; empty if it is none. */
function decoded(part: string): string {
  // A rest of one letter can't be a byte.
  if (part.length % 4 === 1) return "";
  const bytes = atob(part.replaceAll("-", "+").replaceAll("_", "/"));
  // To servers, a mark of the byte order is no JSON.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

function objectIn(text: string, source: string): Claims {
  const value = jsonIn(text, source);
  if (!isClaims(value)) throw new ClaimsError(`${source} is JSON, but no object of claims such as {"groups": ["engineering"]}.`);
  const reason = refusal(value, MAX_DEPTH);
  if (reason !== undefined) throw new ClaimsError(`${source} has a claim that ${reason}.`);
  if (hasNameTwice(text)) {
    throw new ClaimsError(
      `${source} has an object with one name twice: servers refuse such a token, or take the last value, by where their keys are from.`,
    );
  }
  return value;
}

/** Whether an object in the JSON has two members of one name. JSON.parse takes the last one. */
function hasNameTwice(json: string): boolean {
  const open: Set<string>[] = [];
  for (const [part, text] of json.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")\s*:|"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/g)) {
    if (part === "{" || part === "[") open.push(new Set());
    else if (part === "}" || part === "]") open.pop();
    else if (text !== undefined) {
      const name = wellFormed(String(JSON.parse(text)));
      if (open.at(-1)?.has(name)) return true;
      open.at(-1)?.add(name);
    }
  }
  return false;
}

/** What is in an object is JSON, as it comes from JSON. */
function isClaims(value: unknown): value is Claims {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
    throw new ClaimsError(
      `${source} is neither a JSON object of claims nor a token (JWT): what stands in line ${line} at column ${column} is not JSON.`,
      false,
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
