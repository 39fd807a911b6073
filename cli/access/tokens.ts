/** The added, removed and changed tokens. */
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { parseDuration } from "../../common/durations";
import { relationOf } from "../../provider/internal";
import { type InventoryObject, isUncertain } from "../inventory/inventory";
import { isReplaced, type Pair } from "./pairs";
import { certainText } from "./read-model";

/** A token of one side or both. Several tokens may have the same name. */
export interface Token {
  readonly key: string;
  readonly name: string;
  /** Whether another token has the same name, before or after the change. */
  readonly hasNamesake: boolean;
  /** The token before the change; undefined if the token is new. */
  readonly before: TokenFacts | undefined;
  /** The token after the change; undefined if the token is removed. */
  readonly after: TokenFacts | undefined;
  /** Whether the update leaves the token as it is, including its secret parts. */
  readonly isUntouched: boolean;
  /** Whether another token, with another secret, replaces it. */
  readonly isReplaced: boolean;
}

/** The properties that decide a token's permissions, regions and lifetime. */
export interface TokenFacts {
  readonly type: string;
  readonly policies: readonly string[];
  readonly roles: readonly string[];
  /** The parts that are secret, or unknown before an update. */
  readonly hidden?: readonly string[];
  readonly global: boolean;
  /** The lifetime from the token's creation on. */
  readonly ttl?: string;
  /** The expiration time, if known. */
  readonly time?: string;
  /** The address of the token's cluster, with the region if one is configured; undefined if the address is unknown. */
  readonly server?: string;
}

const names = z.array(z.unknown()).nullish().catch(undefined);
const facts = z.object({
  type: z.string().catch("client"),
  policies: names,
  roles: names,
  global: z.boolean().nullish().catch(undefined),
  expirationTtl: z.string().nullish().catch(undefined),
  expirationTime: z.string().nullish().catch(undefined),
});

/** The properties that `hidden` can list. */
const properties = ["type", "policies", "roles", "global", "expirationTtl", "expirationTime"] as const;
const texts = z.array(z.string());
/** Malformed values count as hidden. */
const forms = new Map<string, z.ZodType>([
  ["type", z.enum(["client", "management"])],
  ["policies", texts.nullish()],
  ["roles", texts.nullish()],
  ["global", z.boolean().nullish()],
  ["expirationTtl", z.string().nullish()],
  ["expirationTime", z.string().nullish()],
]);

export function factsOf({ outputs, server = certainText(outputs.server) }: InventoryObject): TokenFacts {
  const { type, policies, roles, global, expirationTtl, expirationTime } = facts.parse(outputs);
  const known = (all: readonly unknown[] | null | undefined) => (all ?? []).flatMap((one) => certainText(one) ?? []);
  const isOdd = (name: string) => forms.get(name)?.safeParse(outputs[name]).success === false;
  const areLinksHidden = isUncertain(outputs.linkedRoles);
  const hidden = properties.filter((name) => isUncertain(outputs[name]) || isOdd(name) || (name === "roles" && areLinksHidden));
  return {
    type,
    policies: known(policies),
    roles: known(roles),
    ...(hidden.length > 0 && { hidden }),
    global: global === true,
    ...(expirationTtl && { ttl: expirationTtl }),
    ...(expirationTime && { time: expirationTime }),
    ...(server !== undefined && { server }),
  };
}

export function tokensOf(pairs: readonly Pair[]): Map<string, Token> {
  const ofTokens = pairs.filter(({ kind }) => kind === "AclToken");
  const counts = [new Map<string, number>(), new Map<string, number>()] as const;
  for (const { before, after } of ofTokens) {
    for (const [side, object] of [before, after].entries()) {
      if (object) counts[side]?.set(object.name, (counts[side]?.get(object.name) ?? 0) + 1);
    }
  }
  return new Map(
    ofTokens.map((pair) => {
      const { before, after, isUntouched } = pair;
      const one = after ?? before;
      const name = one?.name ?? "";
      const hasNamesake = counts.some((of) => (of.get(name) ?? 0) > 1);
      const sides = { before: before && factsOf(before), after: after && factsOf(after) };
      const key = keyOfToken(one);
      return [key, { key, name, hasNamesake, ...sides, isUntouched, isReplaced: isReplaced(pair) }];
    }),
  );
}

const keys = new WeakMap<InventoryObject, string>();
let count = 0;

/** The key of a token, because several tokens may have the same name. */
export function keyOfToken(object: InventoryObject | undefined): string {
  if (!object) return "";
  // A remaining object and its replacement have the same URN.
  const known = [object.urn, object.id].filter((one) => one !== undefined);
  const key = keys.get(object) ?? (known.join(" ") || `${object.name} ${count++}`);
  keys.set(object, key);
  return key;
}

/** A token that is added or removed, or whose type, policies, roles, regions or lifetime change, or may change. */
export type TokenChange = Omit<Token, "isUntouched">;

export function tokenChanges(tokens: ReadonlyMap<string, Token>): TokenChange[] {
  return [...tokens.values()].flatMap(({ isUntouched, ...token }): TokenChange[] => {
    const { before, after } = token;
    if (isUntouched) return [];
    const isSame = !before?.hidden && !after?.hidden && isDeepStrictEqual(meaningOf(before), meaningOf(after));
    return isSame && endChange(token) === "same" && !isMoved(token) ? [] : [token];
  });
}

function meaningOf(one: TokenFacts | undefined): unknown {
  if (!one) return undefined;
  const { ttl, time, server, policies, roles, ...rest } = one;
  return { ...rest, policies: new Set(policies), roles: new Set(roles) };
}

/** Whether a token that is valid in one region is replaced in another region. */
export function isMoved({ before, after, isReplaced: isNew }: TokenChange): boolean {
  if (!isNew || !before?.server || !after?.server || before.global || after.global) return false;
  return relationOf(before.server, after.server) === "other region";
}

/**
 * Whether a token of both sides is valid for longer or for shorter; undefined if unknown. The lifetime of a replaced token begins again.
 */
export function endChange({ before, after, isReplaced: isNew }: TokenChange): "longer" | "shorter" | "same" | undefined {
  if (!before || !after) return "same";
  const [times, ttls] = [[before.time, after.time].map(timeOf), [before.ttl, after.ttl].map((ttl) => parseDuration(ttl ?? ""))] as const;
  const [early, late] = times;
  if (early !== undefined && late !== undefined) return late === early ? "same" : late > early ? "longer" : "shorter";
  // Without its expiration time, an updated object expires as before, unless its inputs change that.
  if (isNew && after.ttl === undefined) return before.time === undefined && before.ttl === undefined ? "same" : "longer";
  if (before.ttl === after.ttl) return isNew && after.ttl !== undefined ? "longer" : "same";
  if (after.ttl === undefined) return "longer";
  if (before.ttl === undefined) return before.time === undefined ? "shorter" : undefined;
  const [was, is] = ttls;
  if (was === undefined || is === undefined) return undefined;
  if (is >= was) return is > was || isNew ? "longer" : "same";
  // The lifetime of a new token begins with the update, so a shorter one may end later.
  return isNew ? undefined : "shorter";
}

function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? undefined : time;
}
