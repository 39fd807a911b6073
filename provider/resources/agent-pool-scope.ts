import type { CallContext } from "../context/call-context";
import type { Properties } from "../model/remote";
import { isKnown, unknown } from "../model/unknown";

/**
 * Who may use a pool if the program does not say it by organizationScoped, with the warnings that this needs. A pool is never opened to all
 * workspaces because an input is left out.
 */
export function defaultScope(context: CallContext, given: Properties, olds: Properties): boolean | typeof unknown {
  const { allowedWorkspaceIds } = given;
  const pool = labelInProgram(given.name);
  const isListed = allowedWorkspaceIds !== undefined && allowedWorkspaceIds !== null;
  if (olds.organizationScoped === false) {
    // The engine removes an ignored list where the state has none: that must not open a limited pool.
    if (!isListed) {
      context.warn(
        `${pool}: it stays limited (organizationScoped: false), as the state has it, because the program gives neither organizationScoped nor ` +
          "allowedWorkspaceIds, or ignores what it gives. Write organizationScoped: true to open it to all workspaces, or false to keep it limited.",
      );
      return false;
    }
  } else if (allowedWorkspaceIds === unknown) {
    // Only the update knows whether there is a list at all, so a preview promises neither.
    context.warn(
      `${pool}: allowedWorkspaceIds is not known yet, so neither is organizationScoped: without a list in the update, all workspaces may use the pool. ` +
        "Write organizationScoped: false to limit the pool in any case, or true to open it.",
    );
    return unknown;
  }
  if (Array.isArray(allowedWorkspaceIds) && allowedWorkspaceIds.length === 0) {
    context.warn(
      `${pool}: allowedWorkspaceIds: [] limits it to no workspace, so nobody may use it. Write organizationScoped: false if that is meant, true to open it ` +
        "to all workspaces, or the identifiers of those that may use it.",
    );
  }
  return !isListed;
}

/** A pool as messages of a check call it: by its name, if that is known. */
export function labelInProgram(name: unknown): string {
  return `Agent pool${isKnown(name) ? ` ${JSON.stringify(name)}` : ""}`;
}
