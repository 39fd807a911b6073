/** Functions that creates and updates share. */

import { defined } from "../../common/own-property";
import { InitError, UserError } from "../../common/user-error";
import { isConflict, isRejected } from "../apis/http/errors";
import type { Properties } from "../model/remote";
import type { CallContext } from "../operation/call-context";
import type { Defined } from "./kind";
import { objectOf, serverOf } from "./state";

/** Adds the name of the property to a server's error. */
export async function withPropertyName<R>({ errorProperties = [] }: Defined, write: () => Promise<R>): Promise<R> {
  try {
    return await write();
  } catch (error) {
    if (!isRejected(error) && !isConflict(error)) throw error;
    const hint = errorProperties.find(([pattern]) => error.says(pattern));
    throw hint ? new UserError("property-refused", `${hint[1]}: ${error.message}`, { cause: error }) : error;
  }
}

/** Reads the object of a create with an empty response. If the read fails, the object exists nevertheless, and the state must have it. */
export async function readBackCreated(context: CallContext, kind: Defined, id: string, sent: Properties): Promise<object> {
  try {
    return await kind.requests(context, sent).read(id);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const message =
      `${kind.labelOf(id, sent)} was written, but could not be read after that, so the state lacks what the server has added: ${error.message} ` +
      "Run `pulumi refresh`, or the update again.";
    context.operation.objects.hold(objectOf(kind, id, {}));
    throw new InitError("written-not-read", message, id, defined({ ...sent, server: serverOf(context, kind) }));
  }
}
