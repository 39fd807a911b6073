import * as z from "zod";
import { own } from "../../common/own";
import { formatPath } from "../model/check";
import { type Field, field } from "../model/fields";
import { sentChanges } from "../model/inputs";
import type { Properties } from "../model/resource";
import { listOf } from "../model/text";
import { isRecord } from "../model/unknown";
import { UserError } from "../model/user-error";
import { shortened } from "./wording";

/** The input of every kind that decides what a create does with an object that exists already. */
export const adopt = field(
  z.union([z.boolean(), z.literal("overwrite")], 'must be true, false or "overwrite"').default(false),
  "What to do when the object exists already. `false`: fail, and say who holds it. `true`: take it over if it equals the inputs, and fail with the differences if not. " +
    '`"overwrite"`: take it over and write the inputs over it. Only a create asks; it is never sent to the API.',
  { local: true },
);

export type Adopt = z.output<typeof adopt>;

/** An existing object with the identity of the object to create. */
export interface Holder {
  /** In words: `An ACL role named "dev"`. */
  readonly label: string;
  readonly id: string;
  /** Another resource of the program manages it, so that it can't be taken over, with any value of `adopt`. */
  readonly isManaged?: boolean;
  /** The inputs in which it differs from the program's, see {@link differencesThere}. */
  readonly differences: readonly string[];
  /** Inputs that can't be compared, because the API does not return them. */
  readonly unreadable?: readonly string[];
}

/**
 * Decides what happens to an object that exists already.
 *
 * @returns "take" to hold it as it is, "overwrite" to write the inputs over it
 * @throws when it must not be changed, with the possible remedies
 */
export function decideAdoption(mode: Adopt, holder: Holder): "take" | "overwrite" {
  const untouched = `${holder.label} exists already: ${holder.id}. It was not touched.`;
  if (holder.isManaged) {
    throw new UserError(
      "managed-by-another",
      `${untouched} Another resource of this program manages it, and one object can't have two resources. Give this one another name, or content; ` +
        "or, where the other one gives it up in this update, run the update again.",
    );
  }
  if (mode === "overwrite") return "overwrite";
  const isComparable = !holder.unreadable || holder.unreadable.length === 0;
  if (!mode) {
    const overwrite = 'adopt: "overwrite" (writes the inputs over it)';
    const adopting = isComparable ? `adopt: true (takes it over if it equals the inputs) or ${overwrite}` : overwrite;
    throw new UserError(
      "exists-already",
      `${untouched} Others made it, or an earlier update that was interrupted. To manage it here, set ${adopting}, or import it (with the plugin's resources). ` +
        "If the resource was renamed in the program, give it an alias to its old name. If a replacement was forced, set deleteBeforeReplace: true.",
    );
  }
  if (holder.differences.length > 0) {
    throw new UserError(
      "adoption-differs",
      `${untouched} adopt: true takes over only what equals the inputs, and it differs in ${listOf(holder.differences)}. ` +
        'Change the inputs to what is there, or set adopt: "overwrite" to write the inputs over it.',
    );
  }
  if (!isComparable) {
    throw new UserError(
      "adoption-not-comparable",
      `${untouched} adopt: true takes over only what equals the inputs, and the API does not return ${listOf(holder.unreadable ?? [])}, so that nobody can compare it. ` +
        'Leave it out of the program to keep what the server has, or set adopt: "overwrite" to write it.',
    );
  }
  return "take";
}

/**
 * The inputs in which an object that exists says something else than was asked for, each with the object's value; settings of this provider's own do not
 * count. What was asked for is not repeated: the program may hold it for a secret, and the API never returns secrets of the object.
 */
export function differencesThere(properties: ReadonlyMap<string, Field>, asked: Properties, actual: Properties): string[] {
  const paths = sentChanges(properties, asked, actual).map(({ path }) => {
    const firstItem = path.findIndex((step) => typeof step === "number");
    const whole = firstItem < 0 ? path : path.slice(0, firstItem);
    const value = whole.reduce<unknown>((within, step) => (isRecord(within) ? own(within, String(step)) : undefined), actual);
    return `${formatPath(whole)} (${value === undefined ? "not set" : shortened(JSON.stringify(value))} there)`;
  });
  return [...new Set(paths)];
}
