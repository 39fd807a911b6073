import { createHash } from "node:crypto";

/**
 * The hash of an object's content. Like the server, it joins the values without separators: "ab" + "c" and "a" + "bc" have the same hash.
 */
export function contentHash(...parts: (string | readonly string[] | null)[]): string {
  return createHash("sha256").update(parts.flat().join("")).digest("base64");
}

let turn = 0;

/**
 * The entries of a map for its hash. The server iterates over a map in random order, so identical content sometimes has another hash.
 * Here every iteration starts one entry later: the hash changes too, but in the same way in every run.
 */
export function unorderedEntries(map: Record<string, string> | null): string[] {
  const entries = Object.entries(map ?? {});
  if (entries.length < 2) return entries.flat();
  turn++;
  const start = turn % entries.length;
  return [...entries.slice(start), ...entries.slice(0, start)].flat();
}
