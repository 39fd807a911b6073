import { isRecord, unknown } from "../model/unknown";
import { unknownMarker } from "./markers";

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
