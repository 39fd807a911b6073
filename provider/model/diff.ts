import { isDeepStrictEqual } from "node:util";
import { parseDuration } from "../../common/durations";
import { ownProperty } from "../../common/own-property";
import { holdsUnknown, isRecord, unknown } from "../../common/unknown";
import { formatPath, type Path } from "./check";
import type { Field, Fields, Traits } from "./fields";
import type { Properties } from "./remote";

/** A difference of one property, at its deepest path. */
export interface Change {
  readonly path: Path;
  readonly kind: "add" | "delete" | "update";
  readonly replaces: boolean;
}

/**
 * The meaning of a value, independent of its spelling: 60m and 1h0m0s are one number, sets have one order and no repeats, null is absent,
 * and absent is the default. An empty optional text, list or map is absent, too, because the APIs make no difference, unless the field
 * has the trait `emptyMatters`.
 */
export function meaning(field: Field, value: unknown): unknown {
  if (value === unknown) return unknown;
  if (value === undefined || value === null) return field.defaultValue === undefined ? undefined : readMeaning(field, field.defaultValue);
  const read = readMeaning(field, value);
  return field.optional && field.defaultValue === undefined && !field.traits.emptyMatters && isEmpty(read, field) ? undefined : read;
}

function readMeaning(field: Field, value: unknown): unknown {
  const { shape, traits } = field;
  if (shape.kind === "object" && isRecord(value)) {
    return sorted([...shape.properties].map(([name, child]) => [name, meaning(child, ownProperty(value, name))]));
  }
  if (shape.kind === "map" && isRecord(value))
    return sorted(Object.entries(value).map(([key, item]) => [key, meaning(shape.values, item)]));
  if (shape.kind === "list" && Array.isArray(value)) {
    const items = value.map((item) => meaning(shape.items, item));
    return traits.set && !holdsUnknown(items)
      ? [...new Map(items.map((item) => [JSON.stringify(item), item])).entries()].sort(byKey).map(([, item]) => item)
      : items;
  }
  if (traits.meaning && typeof value === "string") return traits.meaning(value) ?? value;
  const nanoseconds = traits.duration && typeof value === "string" ? parseDuration(value) : undefined;
  return nanoseconds === undefined ? value : `${nanoseconds}ns`;
}

/** Whether two values of a field have the same meaning. An unknown value equals no other. */
export function sameMeaning(field: Field, a: unknown, b: unknown): boolean {
  // A fast path, because most values have the same spelling.
  if (isDeepStrictEqual(a, b) && !holdsUnknown(a)) return true;
  const [x, y] = [meaning(field, a), meaning(field, b)];
  return !holdsUnknown(x) && !holdsUnknown(y) && isDeepStrictEqual(x, y);
}

/** The properties that differ between two objects, by their deepest paths. */
export function changesOf(properties: Fields, olds: Record<string, unknown>, news: Record<string, unknown>): Change[] {
  return [...properties].flatMap(([name, field]) =>
    compare(field, { path: [name], replaces: false }, ownProperty(olds, name), ownProperty(news, name)),
  );
}

/** The path of two values, and whether a change of their parent replaces the object. */
type Place = Pick<Change, "path" | "replaces">;

function compare(field: Field, place: Place, old: unknown, now: unknown): Change[] {
  if (sameMeaning(field, old, now)) return [];
  const replaces = place.replaces || field.traits.replaces === true || isReplacedFor(field.traits, old, now);
  const at = (step: string): Place => ({ path: [...place.path, step], replaces });
  const { shape } = field;
  if (shape.kind === "object" && isRecord(old) && isRecord(now)) {
    return [...shape.properties].flatMap(([name, child]) => compare(child, at(name), ownProperty(old, name), ownProperty(now, name)));
  }
  if (shape.kind === "map" && isRecord(old) && isRecord(now)) {
    const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
    return [...keys].flatMap((key) => compare(shape.values, at(key), ownProperty(old, key), ownProperty(now, key)));
  }
  if (shape.kind === "list" && Array.isArray(old) && Array.isArray(now)) {
    const within = { path: place.path, replaces };
    return field.traits.set ? compareSets(shape.items, within, old, now) : compareLists(shape.items, within, old, now);
  }
  const kind = meaning(field, old) === undefined ? "add" : meaning(field, now) === undefined ? "delete" : "update";
  return [{ path: place.path, kind, replaces }];
}

/** Whether a change to `replacesTo` needs a new object. An unknown value of a preview may become that value. */
function isReplacedFor({ replacesTo }: Traits, old: unknown, now: unknown): boolean {
  return replacesTo !== undefined && old !== replacesTo && (now === replacesTo || now === unknown);
}

function compareLists(items: Field, { path, replaces }: Place, old: unknown[], now: unknown[]): Change[] {
  return Array.from({ length: Math.max(old.length, now.length) }, (_, index) => index).flatMap((index): Change[] => {
    if (index >= old.length) return [{ path: [...path, index], kind: "add", replaces }];
    if (index >= now.length) return [{ path: [...path, index], kind: "delete", replaces }];
    return compare(items, { path: [...path, index], replaces }, old[index], now[index]);
  });
}

function compareSets(items: Field, { path, replaces }: Place, old: unknown[], now: unknown[]): Change[] {
  const [oldTexts, nowTexts] = [textsOf(items, old), textsOf(items, now)];
  const missing = (from: Texts, other: Texts, kind: Change["kind"]) => {
    const others = new Set(other);
    return from.flatMap((text, index): Change[] =>
      text !== undefined && others.has(text) ? [] : [{ path: [...path, index], kind, replaces }],
    );
  };
  return [...missing(oldTexts, nowTexts, "delete"), ...missing(nowTexts, oldTexts, "add")];
}

/** One text for all spellings of an item; undefined for an unknown one, which equals no other. */
type Texts = readonly (string | undefined)[];

function textsOf(items: Field, values: readonly unknown[]): Texts {
  return values.map((value) => {
    const read = meaning(items, value) ?? null;
    return holdsUnknown(read) ? undefined : JSON.stringify(read);
  });
}

/**
 * The server's value in the old spelling if both mean the same, so a refresh of an unchanged object changes no byte of the state,
 * and drift shows as the smallest difference.
 */
export function reconcile(field: Field, old: unknown, server: unknown): unknown {
  if (field.traits.local || sameMeaning(field, old, server)) return old;
  const { shape } = field;
  if ((shape.kind === "object" || shape.kind === "map") && isRecord(old) && isRecord(server)) {
    const child = (key: string) => (shape.kind === "map" ? shape.values : shape.properties.get(key));
    const keys = new Set([...Object.keys(old), ...Object.keys(server)]);
    return Object.fromEntries(
      [...keys].flatMap((key): [string, unknown][] => {
        const known = child(key);
        const value = known && reconcile(known, ownProperty(old, key), ownProperty(server, key));
        return value === undefined ? [] : [[key, value]];
      }),
    );
  }
  return server ?? undefined;
}

function isEmpty(value: unknown, { traits }: Field): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (traits.duration) return value === "0ns" || value === "";
  return value === "" || (isRecord(value) && Object.keys(value).length === 0);
}

function sorted(entries: [string, unknown][]): Record<string, unknown> {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined).sort(byKey));
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The changes for the API, without inputs that only this provider reads. */
export function sentChanges(properties: Fields, olds: Properties, news: Properties): Change[] {
  return changesOf(properties, olds, news).filter((change) => isSent(properties, change));
}

/** The paths of the inputs whose values differ in meaning between server and program, without inputs that only this provider reads. */
export function differences(properties: Fields, news: Properties, remote: Properties): string[] {
  return [...new Set(sentChanges(properties, news, remote).map(({ path }) => formatPath(path)))];
}

/** Whether the inputs for the server have the same meaning in both. */
export function sameInputs(properties: Fields, a: Properties, b: Properties): boolean {
  return [...properties].every(([name, field]) => field.traits.local || sameMeaning(field, ownProperty(a, name), ownProperty(b, name)));
}

/** One text for all spellings of the same inputs. */
export function contentOf(properties: Fields, values: Properties): string {
  return JSON.stringify([...properties].map(([name, field]) => meaning(field, ownProperty(values, name)) ?? null));
}

/** Whether the API knows the property of a change. */
export function isSent(properties: Fields, change: Change): boolean {
  return !properties.get(topLevel(change))?.traits.local;
}

export function topLevel(change: Change): string {
  return String(change.path[0]);
}
