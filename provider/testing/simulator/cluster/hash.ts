import { createHash } from "node:crypto";

/**
 * The hash of an object's content, one after the other and without separators, as the server has it: "ab" + "c" and
 * "a" + "bc" hash alike.
 */
export function contentHash(...parts: (string | readonly string[] | null)[]): string {
  return createHash("sha256").update(parts.flat().join("")).digest("base64");
}

let turn = 0;

/**
 * The entries of a map for its hash. The server walks a map in an order that it does not fix, so that identical content
 * has another hash now and then. Here every walk starts one entry later: as unstable, but the same in every run.
 */
export function unorderedEntries(map: Record<string, string> | null): string[] {
  const entries = Object.entries(map ?? {});
  if (entries.length < 2) return entries.flat();
  turn++;
  const start = turn % entries.length;
  return [...entries.slice(start), ...entries.slice(0, start)].flat();
}
