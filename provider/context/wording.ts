import { listOf } from "../model/text";
import { UserError } from "../model/user-error";

/** The form of a role's or rule's identifier. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has at most so many characters, as a reader counts them: not in UTF-16 units. */
export function characters(most: number): (text: string) => boolean {
  return (text) => text.length <= most || [...text].length <= most;
}

/** The warning of a description that servers refuse which count its bytes, where the document counts characters or sets no limit. */
export function longInBytes(label: string, description: unknown): string[] {
  const bytes = typeof description === "string" ? Buffer.byteLength(description) : 0;
  if (bytes <= 256) return [];
  return [
    `${label}: its description has ${bytes} bytes, and some servers take 256 at most: there a letter beyond ASCII, like ü, counts as two or more.`,
  ];
}

/** The error for an update of an object that someone removed meanwhile. */
export function gone(label: string, server: string, cause?: unknown): UserError {
  return new UserError(
    `${label} no longer exists on ${server}, so it can't be updated. Someone removed it outside of this program: run \`pulumi refresh\`, or \`pulumi up --refresh\`, to make it anew.`,
    { cause },
  );
}

/** The error for a look-up of an object that is not there, by an import or by `get`. */
export function nothingThere(label: string, id: string): UserError {
  return new UserError(`There is no ${label} ${JSON.stringify(id)}. Check the ID that was given, and the server that is configured.`);
}

/** Ids for a message, which stays short when there are many. */
export function someOf(ids: readonly string[], most = 20): string {
  return listOf(ids.length <= most ? ids : [...ids.slice(0, most), `${ids.length - most} more`]);
}

/** A text that is short enough to stand within a sentence. */
export function shortened(text: string, most = 120): string {
  return text.length <= most ? text : `${text.slice(0, most)}...`;
}
