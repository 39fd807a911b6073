import { isRecord, unknown } from "../model/unknown";

/** The engine's marker for a value that a preview does not know yet. */
export const unknownMarker = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The engine's values as the core takes them: its marker for the unknown becomes the symbol. */
export function fromEngine(value: unknown): unknown {
  if (value === unknownMarker) return unknown;
  if (Array.isArray(value)) return value.map(fromEngine);
  return isRecord(value) ? recordFromEngine(value) : value;
}

export function recordFromEngine(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, fromEngine(value)]));
}

/** The core's values as the engine takes them: without undefined, which its messages can't hold. */
export function toEngine(value: unknown): unknown {
  if (value === unknown) return unknownMarker;
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : toEngine(item)));
  return isRecord(value) ? recordToEngine(value) : value;
}

export function recordToEngine(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, toEngine(value)]),
  );
}
