import * as z from "zod";
import { record } from "../../../common/record";
import { isRecord } from "../../../common/unknown";
import type { Refusal } from "../http/errors";

/**
 * Converts the API's keys to the document's spelling: servers may write them in any letter case. If an object has a key twice, the
 * document's spelling wins. Keys inside maps (claims, headers) are the user's and stay unchanged.
 */
function spell(keys: readonly string[]): (value: unknown) => unknown {
  const known = new Set(keys);
  const spelling = new Map(keys.map((key) => [key.toLowerCase(), key]));
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    if (Object.keys(value).every((key) => known.has(key))) return value;
    const entries = Object.entries(value);
    const respelled = entries.map(([key, item]): [string, unknown] => [spelling.get(key.toLowerCase()) ?? key, item]);
    return Object.fromEntries([...respelled, ...entries.filter(([key]) => spelling.get(key.toLowerCase()) === key)]);
  };
}

export const object = <S extends z.ZodRawShape>(shape: S) => z.preprocess(spell(Object.keys(shape)), z.object(shape));
/** Keeps the keys that this provider does not know, so a change can send them back. */
export const openObject = <S extends z.ZodRawShape>(shape: S) => z.preprocess(spell(Object.keys(shape)), z.looseObject(shape));

/** An object of a kind that can be updated. */
export interface Kept {
  /** The fields that this provider does not know: an update sends them back. Undefined if there are none. */
  readonly rest: Readonly<Record<string, unknown>> | undefined;
}

/** An object, with the fields that this provider does not know in `rest`. */
export function keptObject<S extends z.ZodRawShape>(shape: S) {
  const known = new Set(Object.keys(shape));
  const spelled = spell([...known]);
  const apart = (value: unknown) => {
    const given = spelled(value);
    if (!isRecord(given)) return given;
    const others = Object.entries(given).filter(([key]) => !known.has(key));
    return { ...given, rest: others.length > 0 ? Object.fromEntries(others) : undefined };
  };
  return z.preprocess(apart, z.object({ ...shape, rest: record(z.unknown()).optional() }));
}

export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
export const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);
export const texts = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? []);
export const map = record(z.string())
  .nullish()
  .transform((value) => value ?? {});
const index = z.number().int().nonnegative();
export const key = z.string().min(1);
const hash = z
  .string()
  .nullish()
  .transform((value) => value || undefined);
/** Go's duration form, such as 1h0m0s. A number is nanoseconds, as in a request. */
export const duration = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (typeof value === "number" ? `${value}ns` : (value ?? "")));

/** The version of every object. */
export const versions = { Hash: hash, CreateIndex: index, ModifyIndex: index };
export const toVersion = (wire: { Hash: string | undefined; CreateIndex: number; ModifyIndex: number }) => ({
  hash: wire.Hash,
  createIndex: wire.CreateIndex,
  modifyIndex: wire.ModifyIndex,
});

/** A response may have null for an empty list. */
export const listOf = <T>(item: z.ZodType<T>) => z.preprocess((value) => (value === null ? [] : value), z.array(item));

/** The cluster's errors for a missing object: "ACL role not found" for a read or a delete, "cannot find role 0000..." for an update. */
export function missing(kind: string, cannotFind = new RegExp(`\\bcannot find ${kind}\\b`, "i")): Refusal[] {
  const notFound = new RegExp(`\\b${kind}\\b.*\\bnot found\\b`, "i");
  return [
    { says: notFound, means: "not-found", status: 404 },
    { says: notFound, means: "not-found", to: "delete" },
    { says: cannotFind, means: "not-found", to: "replace" },
  ];
}
