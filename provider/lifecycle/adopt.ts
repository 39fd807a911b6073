/** Adoption: how the create of a resource treats an existing object. */
import * as z from "zod";
import { ownProperty } from "../../common/own-property";
import { isRecord } from "../../common/unknown";
import { UserError } from "../../common/user-error";
import type { UserErrorCode } from "../../common/user-errors";
import { formatPath } from "../model/check";
import { sentChanges } from "../model/diff";
import { type Fields, field } from "../model/fields";
import { identityOf } from "../model/identities";
import type { Properties } from "../model/remote";
import { listOf, shortened, someOf } from "../model/text";
import type { CallContext } from "../operation/call-context";
import type { Defined } from "./kind";
import { objectOf, serverOf } from "./state";
import { overwrite } from "./update";
import { madeAt } from "./version";

/** The input that decides how a create treats an existing object. Tokens lack it. */
export const adopt = field(
  z.union([z.boolean(), z.literal("overwrite")], 'must be true, false or "overwrite"').default(false),
  "Behaviour of a create if the object exists already. `false`: fail, and name the object. `true`: take it over if it equals the inputs, otherwise fail with the differences. " +
    '`"overwrite"`: take it over and write the inputs over it. This input only affects creates, and is never sent to the API.',
  { local: true },
);

/**
 * Adopts the existing object that has the identity of the new one. The object was read just before.
 *
 * @param wholes the objects with that identity: more than one only if the identity is not unique
 * @throws if the object must not be taken over; the error names the possible remedies
 */
export async function adoptExisting(context: CallContext, kind: Defined, news: Properties, wholes: readonly object[]) {
  const server = serverOf(context, kind);
  const remotes = wholes.map((whole) => ({ whole, ...kind.toRemote(whole, server, news) }));
  const { objects, identities } = context.operation;
  const identity = kind.identity?.isUnique ? identityOf(kind, news) : undefined;
  const isManaged =
    (identity !== undefined && identities.isOfTwo(identity)) ||
    remotes.some(({ id, outputs }) => objects.isManaged(objectOf(kind, id, outputs)));
  const differing = remotes.flatMap(({ inputs }) => differencesFrom(kind.inputFields, news, inputs));
  const mode = wholes.length > 1 ? false : adopt.parse(ownProperty(news, "adopt"));
  const unreadable = wholes.flatMap((whole) => kind.unreadable?.(news, whole) ?? []);
  const refusal = refusalOf(mode, { isManaged, differing, unreadable });
  if (refusal) {
    const ids = remotes.map(({ id, outputs }) => (kind.isIdName ? `${id}, made ${madeAt(outputs)}` : id));
    const [code, why] = refusal;
    throw new UserError(code, `${kind.labelOfExisting(news)} exists already: ${someOf(ids)}. It was not touched. ${why}`);
  }
  const [found] = remotes;
  if (!found) throw new Error(`${kind.label}: nothing to adopt`);
  const { whole, ...remote } = found;
  objects.adopt(objectOf(kind, remote.id, remote.outputs));
  // If the API does not return some inputs, objects that look equal may differ, so "overwrite" always writes.
  const isSame = kind.unreadable === undefined && differing.length === 0;
  return mode === true || isSame ? remote : overwrite(context, kind, remote.id, news, whole);
}

interface Existing {
  /** Whether another resource of the program manages the object. If so, no value of `adopt` allows the adoption. */
  readonly isManaged: boolean;
  /** The inputs in which the object differs from the program, each with the object's value. */
  readonly differing: readonly string[];
  /** Inputs that can't be compared, because the API does not return them. */
  readonly unreadable: readonly string[];
}

/** The reason why an existing object must not be taken over, with the possible remedies. */
function refusalOf(
  mode: z.output<typeof adopt>,
  { isManaged, differing, unreadable }: Existing,
): readonly [code: UserErrorCode, why: string] | undefined {
  if (isManaged) {
    return [
      "managed-by-another",
      "Another resource of this program manages it, and one object can't have two resources. Give this one another name, or content; " +
        "or, if the other one gives it up in this update, run the update again.",
    ];
  }
  if (mode === "overwrite") return undefined;
  if (!mode) {
    const overwrite = 'adopt: "overwrite" (writes the inputs over it)';
    const adopting = unreadable.length > 0 ? overwrite : `adopt: true (takes it over if it equals the inputs) or ${overwrite}`;
    return [
      "exists-already",
      "If a replacement was forced, set deleteBeforeReplace: true. If the resource was renamed in the program, give it an alias to its old " +
        "name. Otherwise, others made the object, or an earlier update that was interrupted. To manage it here, set " +
        `${adopting}, or import it (with the plugin's resources).`,
    ];
  }
  if (differing.length > 0) {
    return [
      "adoption-differs",
      `adopt: true takes over only what equals the inputs, and it differs in ${listOf(differing)}. ` +
        'Change the inputs to what is there, or set adopt: "overwrite" to write the inputs over it.',
    ];
  }
  if (unreadable.length === 0) return undefined;
  return [
    "adoption-not-comparable",
    `adopt: true takes over only what equals the inputs, and the API does not return ${listOf(unreadable)}, so nobody can compare it. ` +
      'Leave it out of the program to keep what the server has, or set adopt: "overwrite" to write it.',
  ];
}

/**
 * The inputs in which an existing object differs from the program, each with the object's value. Inputs that only this provider reads do
 * not count. The program's value is left out, because it may be a secret. The object's value is no secret, because the API never returns
 * one.
 */
function differencesFrom(properties: Fields, news: Properties, remote: Properties): string[] {
  const paths = sentChanges(properties, news, remote).map(({ path }) => {
    const firstItem = path.findIndex((step) => typeof step === "number");
    const whole = firstItem < 0 ? path : path.slice(0, firstItem);
    const value = whole.reduce<unknown>((within, step) => (isRecord(within) ? ownProperty(within, String(step)) : undefined), remote);
    return `${formatPath(whole)} (${value === undefined ? "not set" : shortened(JSON.stringify(value))} there)`;
  });
  return [...new Set(paths)];
}
