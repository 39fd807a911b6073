/** What happens to an object that exists already when its resource is created. */
import * as z from "zod";
import { ownProperty } from "../../common/own-property";
import type { ApiError } from "../apis/http/errors";
import { namespace } from "../configuration/config";
import { formatPath } from "../model/check";
import { type Fields, field } from "../model/fields";
import { identityText } from "../model/identities";
import { differences, sentChanges } from "../model/inputs";
import type { Properties, Remote } from "../model/remote";
import { listOf, shortened, someOf } from "../model/text";
import { isRecord } from "../model/unknown";
import { UserError } from "../model/user-error";
import type { CallContext } from "../operation/call-context";
import { madeAt, withWroteOver } from "./age";
import { confirmedByProbe, confirmedByUpdate, lookUntilCertain, staleForMs, startingWith } from "./gone";
import type { Kind, Types } from "./kind";
import { objectOnServer, serverOf } from "./server";
import { readBackCreated } from "./write";

/** The input of every kind that decides what a create does with an object that exists already. */
export const adopt = field(
  z.union([z.boolean(), z.literal("overwrite")], 'must be true, false or "overwrite"').default(false),
  "What to do when the object exists already. `false`: fail, and say who holds it. `true`: take it over if it equals the inputs, and fail with the differences if not. " +
    '`"overwrite"`: take it over and write the inputs over it. Only a create asks; it is never sent to the API.',
  { local: true },
);

type Adopt = z.output<typeof adopt>;

/** What is known before a look for an object that exists. */
export interface SeenBefore<Whole> {
  /** The result of a look just before. */
  readonly first?: readonly Whole[] | undefined;
  /** The response to a create which says that there is one: the region that is read from may not show it yet. */
  readonly conflict?: ApiError | undefined;
  /** The response by which the authoritative region does not have what the other one shows. */
  readonly refusal?: ApiError | undefined;
}

/**
 * The objects with the identity of the one to create, without deleted ones. The region that is read from may show a deleted one for a while.
 * If the identity is unique, that is waited out: it can't be adopted, and nothing could be created beside it.
 *
 * @throws when after the time that a region may lag it still shows a deleted object, or does not show the one that has the name
 */
export async function findExisting<T extends Types>(
  context: CallContext,
  kind: Kind<T>,
  news: T["News"],
  { first, conflict, refusal }: SeenBefore<T["Whole"]> = {},
): Promise<readonly T["Whole"][]> {
  const [server, label] = [serverOf(context, kind), kind.labelOfExisting(news)];
  const isUnique = kind.identity(news)?.isUnique === true;
  // A service with one store shows what it has, and a kind without a unique name has none that could be taken.
  const taken = kind.api === "cluster" && isUnique ? conflict : undefined;
  const isDeleted = (whole: T["Whole"]) => {
    const { id, outputs } = kind.toRemote(whole, server, news);
    return context.operation.objects.isDeleted(objectOnServer(context, kind, id, outputs));
  };
  const look = async () => {
    const all = await kind.find(context, news);
    const present = all.filter((whole) => !isDeleted(whole));
    return present.length === 0 && (isUnique || refusal !== undefined) ? all : present;
  };
  const doubtIn = (wholes: readonly T["Whole"][]) => {
    if (wholes.length === 0) return taken && "does not show it yet";
    return wholes.every(isDeleted) ? "still shows one that is deleted" : undefined;
  };
  const failure = (_: string, wholes: readonly T["Whole"][]) =>
    regionLagsError(`${label}: after ${staleForMs / 1000} s ${server}`, wholes.length === 0 ? { taken } : { refusal });
  return lookUntilCertain<readonly T["Whole"][]>(context, { label, server, look: startingWith(first, look), doubtIn, failure });
}

function regionLagsError(
  subject: string,
  { taken, refusal }: { readonly taken?: ApiError | undefined; readonly refusal?: ApiError | undefined },
): UserError {
  const of = (error: ApiError) => error.message.replace(/\.$/, "");
  const why = refusal ? `the authoritative region does not have (${of(refusal)})` : "this update has deleted";
  const shows = taken
    ? `does not show the existing one that the response to the create reports (${of(taken)})`
    : `still shows one that ${why}`;
  return new UserError(
    "region-lags",
    `${subject} ${shows}: it lags behind the authoritative region. Nothing was created. ` +
      `Run the update again when it has caught up, or read from the authoritative region (${namespace}:clusterRegion).`,
    { cause: taken ?? refusal },
  );
}

/**
 * Adopts the object that has the identity of the one to create. The authoritative region says whether it is there: another one may
 * show a deleted one.
 *
 * @returns undefined when there is none after all
 * @throws when it must not be changed, with the possible remedies
 */
export async function adoptExisting<T extends Types>(
  context: CallContext,
  kind: Kind<T>,
  news: T["News"],
  seen: SeenBefore<T["Whole"]>,
): Promise<Remote<T["Outputs"]> | undefined> {
  const server = serverOf(context, kind);
  for (let look = seen; ; ) {
    const wholes = await findExisting(context, kind, news, look);
    const [whole] = wholes;
    if (whole === undefined) return undefined;
    const remote = kind.toRemote(whole, server, news);
    const onServer = objectOnServer(context, kind, remote.id, remote.outputs);
    const decision = decideAdoption(
      wholes.length > 1 ? false : adopt.parse(ownProperty(news, "adopt")),
      toExisting(context, kind, news, wholes),
    );
    context.operation.objects.adopt(onServer);
    const write = decision === "overwrite" ? kind.overwrite(context, news, whole) : undefined;
    const overwrite = write && (async () => (await write()) ?? readBackCreated(context, kind, { id: remote.id, sent: news }));
    const probe = kind.probe?.(context, remote.id, whole);
    const confirmed = await (overwrite
      ? confirmedByUpdate(kind.isListed !== undefined, overwrite)
      : confirmedByProbe(kind.labelOfExisting(news), whole, probe));
    if ("whole" in confirmed) {
      const written = kind.toRemote(confirmed.whole, server, news);
      return withWroteOver(remote, written, differences(kind.inputFields, remote.inputs, written.inputs).length > 0);
    }
    context.operation.objects.markDeleted(onServer);
    look = { refusal: confirmed.refusal, conflict: seen.conflict };
  }
}

function toExisting<T extends Types>(context: CallContext, kind: Kind<T>, news: T["News"], wholes: readonly T["Whole"][]): Existing {
  const server = serverOf(context, kind);
  const remotes = wholes.map((whole) => kind.toRemote(whole, server, news));
  const identity = kind.identity(news);
  const isOfTwo = identity?.isUnique && context.operation.identities.isOfTwo(identityText(kind.kind, identity.values));
  const isManaged = ({ id, outputs }: Remote<T["Outputs"]>) =>
    context.operation.objects.isManaged(objectOnServer(context, kind, id, outputs));
  return {
    label: kind.labelOfExisting(news),
    id: someOf(remotes.map(({ id, outputs }) => (kind.isIdName ? `${id}, made ${madeAt(outputs)}` : id))),
    isManaged: isOfTwo || remotes.some(isManaged),
    differences: remotes.flatMap((remote) => differencesFrom(kind.inputFields, news, remote.inputs)),
    unreadable: wholes.flatMap((whole) => kind.unreadable?.(news, whole) ?? []),
  };
}

/** An existing object with the identity of the object to create. */
export interface Existing {
  /** In words: `An ACL role named "dev"`. */
  readonly label: string;
  readonly id: string;
  /** Another resource of the program manages it, so it can't be taken over, with any value of `adopt`. */
  readonly isManaged?: boolean;
  /** The inputs in which it differs from the program's, see {@link differencesFrom}. */
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
export function decideAdoption(mode: Adopt, existing: Existing): "take" | "overwrite" {
  const untouched = `${existing.label} exists already: ${existing.id}. It was not touched.`;
  if (existing.isManaged) {
    throw new UserError(
      "managed-by-another",
      `${untouched} Another resource of this program manages it, and one object can't have two resources. Give this one another name, or content; ` +
        "or, if the other one gives it up in this update, run the update again.",
    );
  }
  if (mode === "overwrite") return "overwrite";
  const isComparable = !existing.unreadable || existing.unreadable.length === 0;
  if (!mode) {
    const overwrite = 'adopt: "overwrite" (writes the inputs over it)';
    const adopting = isComparable ? `adopt: true (takes it over if it equals the inputs) or ${overwrite}` : overwrite;
    throw new UserError(
      "exists-already",
      `${untouched} Others made it, or an earlier update that was interrupted. To manage it here, set ${adopting}, or import it (with the plugin's resources). ` +
        "If the resource was renamed in the program, give it an alias to its old name. If a replacement was forced, set deleteBeforeReplace: true.",
    );
  }
  if (existing.differences.length > 0) {
    throw new UserError(
      "adoption-differs",
      `${untouched} adopt: true takes over only what equals the inputs, and it differs in ${listOf(existing.differences)}. ` +
        'Change the inputs to what is there, or set adopt: "overwrite" to write the inputs over it.',
    );
  }
  if (!isComparable) {
    throw new UserError(
      "adoption-not-comparable",
      `${untouched} adopt: true takes over only what equals the inputs, and the API does not return ${listOf(existing.unreadable ?? [])}, so nobody can compare it. ` +
        'Leave it out of the program to keep what the server has, or set adopt: "overwrite" to write it.',
    );
  }
  return "take";
}

/**
 * The inputs in which an object that exists differs from the program's, each with the object's value; settings of this provider's own do not
 * count. The program's value is not repeated: the program may hold it for a secret, and the API never returns secrets of the object.
 */
export function differencesFrom(properties: Fields, news: Properties, remote: Properties): string[] {
  const paths = sentChanges(properties, news, remote).map(({ path }) => {
    const firstItem = path.findIndex((step) => typeof step === "number");
    const whole = firstItem < 0 ? path : path.slice(0, firstItem);
    const value = whole.reduce<unknown>((within, step) => (isRecord(within) ? ownProperty(within, String(step)) : undefined), remote);
    return `${formatPath(whole)} (${value === undefined ? "not set" : shortened(JSON.stringify(value))} there)`;
  });
  return [...new Set(paths)];
}
