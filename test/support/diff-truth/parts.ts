/** Objects, and parts of them by their paths. */
import { isDeepStrictEqual } from "node:util";

export const kinds = ["AclAuthMethod", "AclRole", "AclBindingRule", "AclPolicy", "AclToken"] as const;
export type Kind = (typeof kinds)[number];
export type Properties = Readonly<Record<string, unknown>>;

/** An object: its place in the program, its ID on the server, and all its inputs that differ from their defaults. */
export interface Thing {
  readonly kind: Kind;
  readonly urn: string;
  readonly id: string;
  readonly properties: Properties;
  /** For a token: whether it has expired. */
  readonly hasEnded?: boolean;
}

/** A copy with another value at a path, which need not exist. */
export function withPart(object: Properties, [first, ...rest]: readonly string[], value: unknown): Properties {
  if (first === undefined) return object;
  const inner = object[first];
  if (rest.length === 0) return { ...object, [first]: value };
  if (Array.isArray(inner)) return { ...object, [first]: inner.map((item, index) => (String(index) === rest[0] ? value : item)) };
  return { ...object, [first]: withPart(typeof inner === "object" && inner !== null ? { ...inner } : {}, rest, value) };
}

/** The value at a path; undefined if there is none. */
export function partAt(object: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return object;
  return typeof object === "object" && object !== null && Object.hasOwn(object, first)
    ? partAt(Object.entries(object).find(([key]) => key === first)?.[1], rest)
    : undefined;
}

export const isSame = isDeepStrictEqual;
export const textsIn = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
/** The name in the program, which is the end of a URN. */
export const placeOf = (urn: string) => urn.split("::").at(-1) ?? "";
