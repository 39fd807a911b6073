/** Which tokens are new, go, or get something else. */
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { InventoryObject } from "../inventory/inventory";

/** A token that is new, goes, or has another type, other policies or other roles. */
export interface TokenChange {
  readonly key: string;
  readonly name: string;
  /** Another token has its name, before or after the change. */
  readonly hasNamesake: boolean;
  /** Undefined on the side that does not have it. */
  readonly before: TokenFacts | undefined;
  readonly after: TokenFacts | undefined;
}

/** What decides what a token may do. */
export interface TokenFacts {
  readonly type: string;
  readonly policies: readonly string[];
  readonly roles: readonly string[];
  /** A part is a secret, or not known before an update. */
  readonly isUnknown?: true;
}

const tokenFacts = z.object({
  type: z.string(),
  policies: z.array(z.string()).default([]),
  roles: z.array(z.string()).default([]),
});

export interface Token {
  readonly name: string;
  readonly facts: TokenFacts;
  readonly hasNamesake: boolean;
}

export type Tokens = ReadonlyMap<string, Token>;

/**
 * The tokens of both sides by URN, ID or name, with a number: names are not unique. Those of one name that get the same on both sides are one
 * token, and the others are compared in order.
 */
export function tokensOf(before: readonly InventoryObject[], after: readonly InventoryObject[]): Record<"old" | "now", Tokens> {
  const [old, now] = [readTokens(before), readTokens(after)];
  const several = new Set([old, now].flatMap((side) => side.flatMap(({ name, number }) => (number > 1 ? [name] : []))));
  const places = new Map(old.map(({ text }, index) => [text, index]));
  const texts = new Set(now.map(({ text }) => text));
  const keyed = (side: readonly ReadToken[]) => {
    const count = counter();
    return new Map(
      side.map(({ identity, name, facts }) => [`${count(identity)} ${identity}`, { name, facts, hasNamesake: several.has(name) }] as const),
    );
  };
  const placeOf = ({ text }: ReadToken) => places.get(text) ?? old.length;
  return {
    old: keyed(old.toSorted((a, b) => Number(texts.has(b.text)) - Number(texts.has(a.text)))),
    now: keyed(now.toSorted((a, b) => placeOf(a) - placeOf(b))),
  };
}

interface ReadToken extends Omit<Token, "hasNamesake"> {
  readonly identity: string;
  /** Among those of its name. */
  readonly number: number;
  /** What it gets. Of several of one identity that get the same, each has a number. */
  readonly text: string;
}

function readTokens(objects: readonly InventoryObject[]): ReadToken[] {
  const [count, countName] = [counter(), counter()];
  return objects.flatMap(({ kind, urn, id, name, outputs }) => {
    if (kind !== "AclToken") return [];
    const { data } = tokenFacts.safeParse(outputs);
    const facts: TokenFacts = data ?? { type: String(outputs.type), policies: [], roles: [], isUnknown: true };
    const identity = urn ?? id ?? name;
    const text = JSON.stringify([identity, facts]);
    return [{ identity, name, facts, number: countName(name), text: `${count(text)} ${text}` }];
  });
}

/** Says how often it has been asked for a text. */
function counter(): (text: string) => number {
  const counts = new Map<string, number>();
  return (text) => {
    const next = (counts.get(text) ?? 0) + 1;
    counts.set(text, next);
    return next;
  };
}

export function tokenChanges({ old, now }: Record<"old" | "now", Tokens>): TokenChange[] {
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((key): TokenChange[] => {
    const [was, is] = [old.get(key), now.get(key)];
    const one = is ?? was;
    if (!one || isDeepStrictEqual(was?.facts, is?.facts)) return [];
    return [{ key, name: one.name, hasNamesake: one.hasNamesake, before: was?.facts, after: is?.facts }];
  });
}
