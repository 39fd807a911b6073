import { isRecord, unknown } from "../../common/unknown";
import type { Field, Fields } from "../model/fields";
import type { Properties } from "../model/remote";
import { outputSignature, resourceSignature, secretSignature, signatureKey, unknownMarker } from "./markers";
import type { Struct, Value } from "./plugin/struct";

/** The property in which the engine keeps the text that loads a dynamic resource's provider. */
export const providerKey = "__provider";

/**
 * The key under which a resource passes its `ignoreChanges`, which the engine does not send to dynamic providers. Like the provider's text,
 * it is stored with the inputs and outputs, and is not a property of the object.
 */
export const ignoredKey = "__ignoreChanges";

/** Values in the core's form, and the paths of the values that were marked as secrets. */
export interface Decoded {
  readonly properties: Properties;
  readonly secrets: ReadonlySet<string>;
}

/**
 * Reads the engine's values: secrets become plain and are remembered, resources become their IDs, and unknown values become the symbol. The
 * additional properties of dynamic resources, which a stack may have after a move to the plugin, are left out.
 */
export function decode({ [providerKey]: _, [ignoredKey]: __, ...properties }: Properties = {}): Decoded {
  const secrets = new Set<string>();
  return { properties: decodeRecord(properties, "", secrets), secrets };
}

function decodeValue(value: unknown, path: string, secrets: Set<string>): unknown {
  if (value === unknownMarker) return unknown;
  if (Array.isArray(value)) {
    const within = new Set<string>();
    const items = value.map((item) => decodeValue(item, path, within));
    // A response may have the items in another order: the whole list is a secret.
    if (within.size > 0) secrets.add(path);
    return items;
  }
  if (!isRecord(value)) return value;
  switch (value[signatureKey]) {
    case secretSignature:
      secrets.add(path);
      return decodeValue(value.value, path, secrets);
    case outputSignature:
      if (value.secret === true) secrets.add(path);
      return value.value === undefined ? unknown : decodeValue(value.value, path, secrets);
    case resourceSignature:
      // A resource that is not created yet has an empty id.
      return value.id === "" ? unknown : decodeValue(value.id ?? value.urn, path, secrets);
    default:
      return decodeRecord(value, path, secrets);
  }
}

function decodeRecord(record: Properties, path: string, secrets: Set<string>): Properties {
  return Object.fromEntries(Object.entries(record).map(([name, item]) => [name, decodeValue(item, keyOf(path, name), secrets)]));
}

/** The paths of whole properties, to mark these as secrets. */
export function pathsOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => keyOf("", name)));
}

/**
 * Writes the core's values for the engine: a value is a secret if it came as one, or if its field is always one. The host of dynamic
 * resources takes no secrets, so its adapter gives neither fields nor secrets.
 */
export function encode(properties: Properties, fields: Fields = new Map(), secrets: ReadonlySet<string> = new Set()): Struct {
  return encodeRecord(properties, "", (name) => fields.get(name), secrets);
}

function encodeRecord(record: Properties, path: string, fieldOf: (name: string) => Field | undefined, secrets: ReadonlySet<string>) {
  const given = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, encodeValue(value, keyOf(path, name), fieldOf(name), secrets)]));
}

function encodeValue(value: unknown, path: string, field: Field | undefined, secrets: ReadonlySet<string>): Value {
  const isSecret = (field?.traits.secret || secrets.has(path)) && value !== unknown;
  // Nothing within a secret is marked once more: SDKs can't read a secret within a secret.
  return isSecret
    ? { [signatureKey]: secretSignature, value: encodePlain(value, path, undefined, new Set()) }
    : encodePlain(value, path, field, secrets);
}

function encodePlain(value: unknown, path: string, field: Field | undefined, secrets: ReadonlySet<string>): Value {
  if (value === unknown) return unknownMarker;
  // A list item that check refuses keeps its place in the list.
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : encodePlain(item, path, undefined, secrets)));
  if (isRecord(value)) {
    const shape = field?.shape;
    return encodeRecord(value, path, (name) => (shape?.kind === "object" ? shape.properties.get(name) : undefined), secrets);
  }
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null) return value;
  throw new TypeError(`a ${typeof value} can't be sent to the engine`);
}

/** The text of a path. Names are encoded, so no name can look like a longer path. */
function keyOf(path: string, name: string): string {
  return `${path}/${encodeURIComponent(name)}`;
}
