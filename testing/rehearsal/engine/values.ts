/**
 * Property values in the engine's wire form: plain JSON, in which an object with the marker key represents a value that JSON lacks (a
 * secret, a resource), and one text represents an unknown value of a preview.
 */

export type PropertyValue = null | boolean | number | string | PropertyValue[] | PropertyMap;
export interface PropertyMap {
  [key: string]: PropertyValue;
}

/** Represents a value that only an update will know. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const MARKER = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e";

export function isObject(value: PropertyValue | undefined): value is PropertyMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Throws, like the wire format, for a value that is not JSON, also `undefined`. */
export function toPropertyMap(map: object): PropertyMap {
  return Object.fromEntries(Object.entries(map).map(([name, item]) => [name, toPropertyValue(name, item)]));
}

function toPropertyValue(name: string, value: unknown): PropertyValue {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map((item) => toPropertyValue(name, item));
  if (typeof value === "object") return toPropertyMap(value);
  throw new Error(`Unexpected struct type: the property ${name} is ${typeof value}; leave it out instead`);
}

export function secret(value: PropertyValue): PropertyValue {
  return isSecret(value) ? value : { [MARKER]: SECRET, value };
}

export function isSecret(value: PropertyValue | undefined): value is PropertyMap {
  return isObject(value) && value[MARKER] === SECRET;
}

/** Rebuilds a value from the inside out: `change` gets every part after the parts within it. */
export function rewrite(value: PropertyValue, change: (part: PropertyValue) => PropertyValue): PropertyValue {
  if (Array.isArray(value)) return change(value.map((item) => rewrite(item, change)));
  return isObject(value) ? change(rewriteMap(value, change)) : change(value);
}

export function rewriteMap(map: PropertyMap, change: (part: PropertyValue) => PropertyValue): PropertyMap {
  return Object.fromEntries(Object.entries(map).map(([key, item]) => [key, rewrite(item, change)]));
}

function containsSecret(value: PropertyValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isSecret(value) || Object.values(value).some(containsSecret);
}

/** Whether both are the same JSON; the order of keys does not matter, and undefined is like no key. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a, b].map((one) => new Map<string, unknown>(Object.entries(one)));
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => equal(left?.get(key), right?.get(key)));
}

/** The values without their secret marks, for comparison and for providers that don't know the mark. Never print them. */
export function reveal(map: PropertyMap): PropertyMap {
  return rewriteMap(map, (part) => (isSecret(part) ? (part.value ?? null) : part));
}

/** For printing: secrets as "[secret]", unknown values as "[unknown]". */
export function redact(map: PropertyMap): PropertyMap {
  return rewriteMap(map, (part) => (isSecret(part) ? "[secret]" : part === UNKNOWN ? "[unknown]" : part));
}

/**
 * The values for a provider without support for secrets and resources: plain values, and a resource as its id (or its URN, when it has
 * none).
 */
export function plain(map: PropertyMap): PropertyMap {
  return rewriteMap(reveal(map), (part) => (isObject(part) && part[MARKER] === RESOURCE ? (part.id ?? part.urn ?? null) : part));
}

/**
 * Marks the results of a provider without support for secrets: a property is secret if the property of that name was, including properties
 * of objects. An array is marked as a whole, because a provider may change its order.
 */
export function markLike(values: PropertyMap, model: PropertyMap): PropertyMap {
  const marked = { ...values };
  for (const [key, like] of Object.entries(model)) {
    const value = values[key];
    if (value === undefined || isSecret(value)) continue;
    if (isObject(value) && isObject(like) && !isSecret(like)) marked[key] = markLike(value, like);
    else if (containsSecret(like)) marked[key] = secret(value);
  }
  return marked;
}
