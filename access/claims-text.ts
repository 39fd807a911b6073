import type { Claims } from "./claims";
import type { JsonValue } from "./go-text";
import { wellFormed } from "./go-text";

/** The error for a text without valid claims. The message gives the reason and never quotes the text, since claims are personal data. */
export class ClaimsError extends Error {
  constructor(
    message: string,
    readonly isJson = true,
  ) {
    super(message);
  }
}

/** The maximal depth of claims. Servers read deeper levels, but identity providers write only a few. */
const MAX_DEPTH = 1_000;

/** Claims, and whether they are the complete claims of a token. */
export interface ReadClaims {
  readonly claims: Claims;
  readonly isToken: boolean;
}

/**
 * Parses a text of claims: a JSON object, or a token (JWT), which is decoded without being trusted.
 *
 * @param source the origin of the text, for error messages
 * @throws ClaimsError
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

/** The decoded part of a token; empty if it can't be decoded. */
function decoded(part: string): string {
  // A single leftover letter can't encode a byte.
  if (part.length % 4 === 1) return "";
  const bytes = atob(part.replaceAll("-", "+").replaceAll("_", "/"));
  // A server reads a byte order mark as invalid JSON.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

function objectIn(text: string, source: string): Claims {
  const value = jsonIn(text, source);
  if (!isClaims(value)) throw new ClaimsError(`${source} is JSON, but not an object of claims such as {"groups": ["engineering"]}.`);
  const reason = refusal(value, MAX_DEPTH);
  if (reason !== undefined) throw new ClaimsError(`${source} has a claim that ${reason}.`);
  if (hasNameTwice(text)) {
    throw new ClaimsError(
      `${source} has an object with a duplicate name. Depending on the source of their keys, servers refuse such a token or use the last value.`,
    );
  }
  return value;
}

/** Whether a JSON text has an object with a duplicate name. JSON.parse keeps only the last value. */
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

/** Whether a parsed JSON value is an object of claims. The members are JSON, since the value comes from JSON.parse. */
function isClaims(value: unknown): value is Claims {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The reason why a value can't be a claim. */
function refusal(value: JsonValue, depth: number): string | undefined {
  if (depth === 0) return `has more than ${MAX_DEPTH} levels of lists and objects: leave it out`;
  // JSON.parse turns 1e400 into infinity.
  if (typeof value === "number" && !Number.isFinite(value)) return "is a number beyond 64 bits: a server refuses the whole token";
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
    // The errors of JSON.parse quote the text.
    throw new ClaimsError(`${source} is neither a JSON object of claims nor a token (JWT).`, false);
  }
}
