/** A create whose response was lost: looking for what it made, and what is said of that. The decision is in create.ts. */
import { isApiError } from "../apis/http/errors";
import { someOf } from "../model/text";
import { UserError } from "../model/user-error";
import type { CallContext } from "../operation/call-context";
import { later } from "./gone";

const runAgain = "Run the update again: if the object exists, the error says how to take it over.";

/**
 * Looks, a few times, for an object whose create was sent and got no response: the region that is read from may lag behind the one that wrote.
 *
 * @throws when it can't look: the error of the look alone would not say that there may be an object now
 */
export async function lookForLost<T>(context: CallContext, find: () => Promise<T | undefined>, remedy = runAgain): Promise<T | undefined> {
  try {
    let whole = await find();
    for (let waitMs = 500; whole === undefined && waitMs <= 4_000; waitMs *= 2) whole = await later(context, waitMs, find);
    return whole;
  } catch (error) {
    const reason = isApiError(error) || error instanceof UserError ? error.message : String(error);
    throw new UserError(
      "create-unclear",
      `The create got no response, and looking for what it made failed: ${reason} It is not known whether the write took effect. ${remedy}`,
      { cause: error },
    );
  }
}

/**
 * Warns that the response to a create was lost, and that an object with exactly its content, which was not there before, is taken for the
 * one that it made. Others may have made the same at that time, so this is never silent.
 */
export function warnOfLostResponse(context: CallContext, label: string, server: string): void {
  context.warn(
    `${label}: the response to its create was lost. The one on ${server} with exactly its content that was created since counts as it. Should another program have made ` +
      "that one at the same time, both manage it now: remove it from one of the two with `pulumi state delete`, or give one of them another name or content.",
  );
}

/** Warns of what a create whose response was lost may have made, and the program can't use: it does not have the secret. */
export function warnOfLeftOver(context: CallContext, label: string, server: string, labels: readonly string[]): void {
  const leftOver =
    labels.length === 0
      ? `${server} does not list it: nothing is left over, or it comes later.`
      : `It may have made ${someOf(labels)} on ${server}, valid until it is deleted. Unless another resource or program made it at the same time, delete it by hand.`;
  context.warn(`The response to the create of an ${label} was lost, and its secret with it. ${leftOver}`);
}
