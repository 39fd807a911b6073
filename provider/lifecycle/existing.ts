/** An object that has the name of one to create already. */
import type { ApiError } from "../apis/http/errors";
import { namespace } from "../configuration/config";
import { UserError } from "../model/user-error";
import type { CallContext } from "../operation/call-context";
import { lookUntilCertain, staleForMs } from "./look";

/** An object that has the name of a create, and how to see that it is deleted. */
interface ExistingLook<T> {
  /** In words: `ACL role "dev"`. */
  readonly label: string;
  readonly server: string;
  readonly look: () => Promise<T | undefined>;
  readonly isDeleted: (whole: T) => boolean;
  /** Why it counts as deleted, if this operation has not deleted it. */
  readonly refusal?: ApiError | undefined;
  /** The response to a create which says that the name is taken: then there is an object, which the region may not show yet. */
  readonly conflict?: ApiError | undefined;
}

/**
 * Looks for an object with the identity of the one to create. The region that is read from may show a deleted object for a while: it can't
 * be adopted, and if this operation has deleted it, it is not an object of others.
 *
 * @throws when after the time that a region may lag it still shows a deleted object, or does not show the one that has the name
 */
export function lookPastDeleted<T>(context: CallContext, existing: ExistingLook<T>): Promise<T | undefined> {
  const { label, server, look, isDeleted, refusal, conflict } = existing;
  const notShown = "does not show it yet";
  const doubtIn = (seen: T | undefined) => {
    if (seen && isDeleted(seen)) return "still shows one that is deleted";
    return conflict && seen === undefined ? notShown : undefined;
  };
  const of = (error?: ApiError) => error?.message.replace(/\.$/, "");
  const why = refusal ? `the authoritative region does not have (${of(refusal)})` : "this update has deleted";
  const failure = (doubt: string) => {
    const shows =
      doubt === notShown
        ? `does not show the existing one that the response to the create reports (${of(conflict)})`
        : `still shows one that ${why}`;
    return new UserError(
      "region-lags",
      `${label}: after ${staleForMs / 1000} s ${server} ${shows}: it lags behind the authoritative region. Nothing was created. ` +
        `Run the update again when it has caught up, or read from the authoritative region (${namespace}:clusterRegion).`,
      { cause: doubt === notShown ? conflict : refusal },
    );
  };
  return lookUntilCertain(context, { label, server, look, doubtIn, failure });
}
