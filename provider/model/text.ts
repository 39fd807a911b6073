/** Texts: their lengths, and parts of messages. */
import { capitalized, withArticle } from "../../common/label";
import { startOf } from "../../common/start-of";

/** Items as a part of a sentence: "name, policies[1] and description". */
export function listOf(items: readonly string[]): string {
  return new Intl.ListFormat("en-GB", { type: "conjunction" }).format(items);
}

/** Whether a text has at most this number of characters (code points, not UTF-16 units). */
export function characters(most: number): (text: string) => boolean {
  return (text) => text.length <= most || [...text].length <= most;
}

/** Whether a text has at most this number of UTF-8 bytes, which is how servers count. */
export function bytes(most: number): (text: string) => boolean {
  return (text) => Buffer.byteLength(text) <= most;
}

/**
 * The warning for a description that is too long for some servers: they count bytes, while the document counts characters or has no limit.
 */
export function longInBytes(label: string, description: unknown): string[] {
  const bytes = typeof description === "string" ? Buffer.byteLength(description) : 0;
  if (bytes <= 256) return [];
  return [
    `${label}: its description has ${bytes} bytes, and some servers take 256 at most: there a letter beyond ASCII, like ü, counts as two or more.`,
  ];
}

/** Ids for a message, which stays short when there are many. */
export function someOf(ids: readonly string[]): string {
  const most = 20;
  return listOf(ids.length <= most ? ids : [...ids.slice(0, most), `${ids.length - most} more`]);
}

/** A text, shortened for use within a sentence. */
export function shortened(text: string): string {
  return text.length <= 120 ? text : `${startOf(text, 120)}...`;
}

/** The label of an object of a server in messages: `ACL role "dev" (5e0c...)`. */
export function labelOfObject(label: string, id: string, name?: string): string {
  return `${capitalized(label)} ${name ? `${JSON.stringify(name)} (${id})` : id}`;
}

/** The label of an object of the program in messages, as far as its name is known: `ACL role "dev"`, or `An ACL role`, `A namespace`. */
export function labelInProgram(label: string, name: unknown): string {
  return typeof name === "string" && name !== "" ? `${capitalized(label)} ${JSON.stringify(name)}` : capitalized(withArticle(label));
}
