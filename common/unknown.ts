/**
 * A value that a preview does not know, such as an output of a resource that does not exist yet. The adapters convert the engine's marker
 * to this symbol and back; check and diff accept it anywhere.
 */
export const unknown: unique symbol = Symbol.for("pulumi-agentpool-acl/unknown");

/** Whether the value is unknown, or holds something unknown at any depth. */
export function holdsUnknown(value: unknown): boolean {
  if (value === unknown) return true;
  if (Array.isArray(value)) return value.some(holdsUnknown);
  return isRecord(value) && Object.values(value).some(holdsUnknown);
}

/** A plain object with string keys, the form of maps and objects on the wire. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is a record; an empty record for any other one. */
export function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** Whether a value is given and known: rules between properties are only checked for known values. */
export function isKnown(value: unknown): boolean {
  return value !== undefined && value !== null && !holdsUnknown(value);
}
