/** Messages about an object that several entries of a state, or several resources of a program, have in common. */

import { ownProperty } from "../../common/own-property";
import { UserError } from "../../common/user-error";
import type { Properties } from "./remote";
import { labelOfObject } from "./text";

/**
 * The error for an object that two entries have. Without it, two resources would write to the same object, each would see the other's
 * values at the next refresh, or one would delete the object of the other.
 */
export function adoptedByAnotherError(label: string, id: string): UserError {
  return new UserError(
    "taken-over-by-another",
    `${labelOfObject(label, id)}: another resource of this program has it, too, because one of them has taken it over (adopt). One object can't have two resources, so this one was not changed. ` +
      "Remove this one from the state with `pulumi state delete`, and run `pulumi up --refresh`: it creates a separate object for it, and for the other one if that has lost its own.",
  );
}

/**
 * The message for an adoption. It warns of other entries, because the engine does not tell a provider which resources `--target` leaves
 * out: one of them may have the object, too.
 */
export function adoptedMessage(label: string, id: string, inputs: Properties): string {
  const name = ownProperty(inputs, "name");
  return (
    `${labelOfObject(label, id, typeof name === "string" && name !== id ? name : undefined)} existed, and was taken over (adopt). If another resource of this stack still has it after this update, remove that one with \`pulumi state delete\`: ` +
    "its delete by an update with --target would delete the object."
  );
}

/**
 * The warning for a delete whose object another resource has adopted in this operation. The usual cause is a rename in the program without
 * an alias.
 */
export function notReplacedMessage(label: string, id: string): string {
  return (
    `${labelOfObject(label, id)} stays on the server, because this update has taken it over (adopt); only the old entry of the state is removed. ` +
    "If it was to be replaced, nothing was replaced: set deleteBeforeReplace: true, which deletes the object first."
  );
}

export function entryRemovedMessage(label: string, id: string): string {
  return `${labelOfObject(label, id)} belongs to another entry of the state; only the old entry is removed.`;
}
