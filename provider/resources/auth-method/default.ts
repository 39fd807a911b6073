import { UserError } from "../../../common/user-error";
import type { AuthMethod } from "../../apis/cluster/client";
import { isApiError } from "../../apis/http/errors";
import { later } from "../../lifecycle/gone";
import type { CallContext } from "../../operation/call-context";

/** A write is repeated for this long, because the update that removes the other default may still be running. */
const patienceMs = 5_000;
const pauseMs = 500;

/** Runs a write that may make this method the default. A cluster has one default, and refuses a second. */
export async function onceDefaultIsFree(
  context: CallContext,
  { name, default: isDefault }: { readonly name: string; readonly default: boolean },
  write: () => Promise<AuthMethod>,
  waitedMs = 0,
): Promise<AuthMethod> {
  try {
    return await write();
  } catch (error) {
    const other = defaultIn(error);
    if (!isDefault || other === undefined) throw error;
    if (waitedMs >= patienceMs) throw takenError(name, other, error);
  }
  return later(context, pauseMs, () => onceDefaultIsFree(context, { name, default: isDefault }, write, waitedMs + pauseMs));
}

/** The method that a server names in the error for a second default. */
function defaultIn(error: unknown): string | undefined {
  return isApiError(error) ? /default method already exists: ([A-Za-z0-9-]+)/i.exec(error.detail)?.[1] : undefined;
}

function takenError(name: string, other: string, cause: unknown): UserError {
  return new UserError(
    "default-taken",
    `default: ${labelOf(name)} can't be the default, because ${JSON.stringify(other)} is, and a cluster has one. Nothing was changed. ` +
      "Set the default of that one to false where it is managed. If this update does that, let this resource depend on that one (dependsOn), or run the update again; " +
      "if that one depends on this one, or is being removed, set its default to false in an earlier update; if this one replaces it, set deleteBeforeReplace: true.",
    { cause },
  );
}

export function labelOf(id: string): string {
  return `ACL auth method ${JSON.stringify(id)}`;
}
