import { createHash } from "node:crypto";

/**
 * The hash of an object's content. Like the server, it joins the values without separators: "ab" + "c" and "a" + "bc" have the same hash.
 */
export function contentHash(...parts: unknown[]): string {
  return createHash("sha256").update(valuesIn(parts).join("")).digest("base64");
}

/** The values of an object come in the order of their names. */
function valuesIn(part: unknown): string[] {
  if (typeof part !== "object" || part === null) return [String(part ?? "")];
  if (Array.isArray(part)) return part.flatMap(valuesIn);
  const fields = Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1));
  return fields.flatMap(([, value]) => valuesIn(value));
}

/**
 * The entries of a map for its hash. The server iterates over a map in random order, so identical content sometimes has another hash.
 * Here every write of an object starts one entry later: the hash changes too, but in the same way in every run.
 *
 * @param write the number of the object's write
 */
export function unorderedEntries(map: Record<string, string> | null, write: number): string[] {
  const entries = Object.entries(map ?? {});
  const start = entries.length > 0 ? write % entries.length : 0;
  return [...entries.slice(start), ...entries.slice(0, start)].flat();
}
