import type { JsonValue } from "./go-text";
import { integerIn, integerText, isArray, json, plain, wellFormed } from "./go-text";

/** The claims of a login: the members of the identity token. */
export type Claims = { readonly [name: string]: JsonValue };

/** The mapped claims of a login, as selectors and bind names see them. */
export interface Identity {
  /** Text claims, by the name after `value.`. */
  readonly value: ReadonlyMap<string, string>;
  /** List claims, by the name after `list.`. */
  readonly list: ReadonlyMap<string, readonly string[]>;
}

/** The claim mappings of an auth method: from a claim, or a JSON pointer to one, to its name in rules. */
export interface ClaimMappings {
  readonly claimMappings?: Readonly<Record<string, string>> | undefined;
  readonly listClaimMappings?: Readonly<Record<string, string>> | undefined;
}

/** The error for a failed login, with the server's message. */
export class LoginError extends Error {
  override readonly name = "LoginError";
}

/**
 * Maps a login's claims to the names that the rules of its auth method use.
 *
 * @throws LoginError if a mapped claim can't be a text or a list of texts; of several such claims, a server reports any one
 */
export function toIdentity({ claimMappings = {}, listClaimMappings = {} }: ClaimMappings, claims: Claims): Identity {
  const value = new Map<string, string>();
  for (const [claim, name] of Object.entries(claimMappings)) {
    const given = claimAt(claims, claim);
    if (given === undefined || given === null) continue;
    const text = textOf(given);
    if (text === undefined) {
      throw new LoginError(`error converting claim '${claim}' to string from unknown type map[string]interface {}`);
    }
    value.set(name, text);
  }
  const list = new Map<string, readonly string[]>();
  for (const [claim, name] of Object.entries(listClaimMappings)) {
    const given = claimAt(claims, claim);
    if (given !== undefined && given !== null) list.set(name, textsOf(claim, given));
  }
  return { value, list };
}

/** A claim by its name, or by a JSON pointer (RFC 6901) if the name begins with a slash. */
function claimAt(claims: Claims, claim: string): JsonValue | undefined {
  if (!claim.startsWith("/")) return member(claims, claim);
  let given: JsonValue | undefined = claims;
  for (const step of claim.slice(1).split("/")) {
    if (given === undefined || given === null || typeof given !== "object") return undefined;
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    given = isArray(given) ? itemAt(given, name) : member(given, name);
  }
  return given;
}

/** A member of an object, by the name that a server reads. */
function member(object: { readonly [key: string]: JsonValue }, name: string): JsonValue | undefined {
  const key = Object.keys(object).findLast((one) => wellFormed(one) === name);
  return key === undefined ? undefined : object[key];
}

/** An item of a list by its index; an empty index means 0. */
export function itemAt<T>(list: readonly T[], index: string): T | undefined {
  return list[Number(index === "" ? 0 : (integerIn(index) ?? -1))];
}

/** A claim as one text; undefined for an object or null. */
function textOf(value: JsonValue): string | undefined {
  if (value === null) return undefined;
  if (typeof value === "number") return integerText(value);
  if (isArray(value)) return json(value);
  return typeof value === "object" ? undefined : wellFormed(String(value));
}

/** A claim as a list of texts. A single value becomes a list with one item; empty texts are dropped. */
function textsOf(claim: string, value: JsonValue): string[] {
  if (typeof value === "object" && !isArray(value))
    throw new LoginError(`${JSON.stringify(claim)} list claim could not be converted to string list`);
  const texts = (isArray(value) ? value : [value]).map((entry) => {
    const text = textOf(entry);
    if (text === undefined)
      throw new LoginError(`value ${plain(entry)} in ${JSON.stringify(claim)} list claim could not be parsed as string`);
    return text;
  });
  return texts.filter((text) => text !== "");
}
