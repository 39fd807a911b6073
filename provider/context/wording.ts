import type { ApiError } from "../apis/http/errors";
import { listOf } from "../model/text";
import { UserError } from "../model/user-error";

/** The form of a role's or rule's identifier. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has at most so many characters (code points, not UTF-16 units). */
export function characters(most: number): (text: string) => boolean {
  return (text) => text.length <= most || [...text].length <= most;
}

/** The warning for a description that is too long for servers that count bytes, while the document counts characters or has no limit. */
export function longInBytes(label: string, description: unknown): string[] {
  const bytes = typeof description === "string" ? Buffer.byteLength(description) : 0;
  if (bytes <= 256) return [];
  return [
    `${label}: its description has ${bytes} bytes, and some servers take 256 at most: there a letter beyond ASCII, like ü, counts as two or more.`,
  ];
}

/** The error for an update of an object that was removed meanwhile. */
export function gone(label: string, server: string, cause?: unknown): UserError {
  return new UserError(
    "gone",
    `${label} no longer exists on ${server}, so it can't be updated. Someone removed it outside of this program: run \`pulumi refresh\`, or \`pulumi up --refresh\`, to make it anew.`,
    { cause },
  );
}

/** The error for a delete that the server refuses because of the object's state. */
export function blocked(label: string, refusal: ApiError): UserError {
  return new UserError(
    "delete-blocked",
    `${label} can't be deleted now, and stays in the state. The server returned ${refusal.status}: ${refusal.detail.replace(/[\s.]+$/, "")}. ` +
      "Remove what still uses it, then run the update again.",
    { cause: refusal },
  );
}

/** The error for an import or a `get` of an object that does not exist. */
export function nothingThere(label: string, id: string): UserError {
  return new UserError(
    "nothing-there",
    `There is no ${label} ${JSON.stringify(id)}. Check the ID that was given, and the server that is configured.`,
  );
}

/** Ids for a message, which stays short when there are many. */
export function someOf(ids: readonly string[], most = 20): string {
  return listOf(ids.length <= most ? ids : [...ids.slice(0, most), `${ids.length - most} more`]);
}

/** A text, shortened for use within a sentence. */
export function shortened(text: string, most = 120): string {
  return text.length <= most ? text : `${text.slice(0, most)}...`;
}
