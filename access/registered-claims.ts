import type { Claims } from "./claims";
import type { JsonValue } from "./go-text";
import { compareBytes, integerText, isArray, wellFormed } from "./go-text";

/** The claims that servers check themselves, whatever a method maps. Undefined: the token lacks the claim. */
export interface RegisteredClaims {
  readonly iss: string | undefined;
  readonly sub: string | undefined;
  readonly audiences: readonly string[] | undefined;
  /** `expiry`, `notBefore` and `issuedAt` are in seconds since 1970. A time of 0 counts as missing. */
  readonly expiry: bigint;
  readonly notBefore: bigint;
  readonly issuedAt: bigint;
}

/** The error for a registered claim in a form that servers can't read. Servers refuse the whole token. */
export class FormError extends Error {}

const texts = ["iss", "jti", "sub"];
const times = ["exp", "iat", "nbf"];

/** @throws FormError in the server's words */
export function registeredClaims(claims: Claims): RegisteredClaims {
  // Servers ignore the case of names, and read a long s as an s, so several members can be the same claim. The last one counts.
  const members = Object.entries(claims).sort(([a], [b]) => compareBytes(a, b));
  const named = members.map(([key, value]) => [key.toLowerCase().replaceAll("\u017f", "s"), value] as const);
  let audiences: readonly string[] | undefined;
  const seconds: Record<string, bigint> = {};
  const read: Record<string, string> = {};
  for (const [name, value] of named) {
    if (name === "aud") audiences = audiencesIn(value);
    else if (times.includes(name)) seconds[name] = secondsIn(value);
    else if (typeof value === "string") read[name] = wellFormed(value);
  }
  const [wrong] = named.filter(([name, value]) => texts.includes(name) && typeof value !== "string" && value !== null);
  if (wrong) throw new FormError(`json: cannot unmarshal ${kindOf(wrong[1])} into Go struct field Claims.${wrong[0]} of type string`);
  return { iss: read.iss, sub: read.sub, audiences, expiry: seconds.exp ?? 0n, notBefore: seconds.nbf ?? 0n, issuedAt: seconds.iat ?? 0n };
}

function audiencesIn(value: JsonValue): string[] {
  const list = isArray(value) ? value : [value];
  return list.map((one) => {
    if (typeof one !== "string") throw new FormError("go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience");
    return wellFormed(one);
  });
}

function secondsIn(value: JsonValue): bigint {
  if (value === null) return 0n;
  if (typeof value !== "number") throw new FormError("go-jose/go-jose/jwt: expected number value to unmarshal NumericDate");
  return BigInt(integerText(value));
}

function kindOf(value: JsonValue): string {
  if (isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

/** Nanoseconds per second. */
export const SECOND = 1_000_000_000n;

/** A time in seconds since 1970, as nanoseconds. */
export function instant(seconds: bigint): bigint {
  return seconds * SECOND;
}

/** A time in seconds since 1970 with a fraction, as nanoseconds. */
export function momentOf(seconds: number): bigint {
  const whole = Math.floor(seconds);
  return BigInt(whole) * SECOND + BigInt(Math.round((seconds - whole) * Number(SECOND)));
}

/** A claim and its value, for a message. */
export function claimInWords(claim: string, value: unknown): string {
  return value === undefined ? `it has no ${claim}` : `its ${claim} is ${JSON.stringify(value)}`;
}

/** A time for a message. */
export function timeInWords(seconds: bigint): string {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? `${seconds} s after 1970` : date.toISOString().replace(/\.000Z$/, "Z");
}
