import { unknown } from "../../common/unknown";
import type { Properties } from "../model/remote";
import { labelInProgram, listOf } from "../model/text";
import type { CallContext } from "../operation/call-context";

/** The inputs that limit a pool. Exclusions alone limit nothing. */
const limits = ["allowedWorkspaceIds", "allowedProjectIds"];

/**
 * Who may use a pool if the program does not say it by organizationScoped, with the warnings that this needs. A pool is never opened to all
 * workspaces because an input is left out.
 */
export function defaultScope(context: CallContext, given: Properties, olds: Properties): boolean | typeof unknown {
  const pool = labelInProgram("agent pool", given.name);
  const named = limits.filter((name) => given[name] !== undefined && given[name] !== null);
  const lists = named.filter((name) => given[name] !== unknown);
  if (olds.organizationScoped === false) {
    // The engine removes an ignored list if the state has none: that must not open a limited pool.
    if (named.length === 0) {
      context.warn(
        `${pool}: it stays limited (organizationScoped: false), as the state has it, because the program gives neither organizationScoped nor ` +
          `${limits.join(" nor ")}, or ignores what it gives. Write organizationScoped: true to open it to all workspaces, or false to keep it limited.`,
      );
      return false;
    }
  } else if (named.length > 0 && lists.length === 0) {
    // Only the update knows whether there is a list at all, so a preview promises neither.
    context.warn(
      `${pool}: ${listOf(named)} is not known yet, so neither is organizationScoped: without a list in the update, all workspaces may use the pool. ` +
        "Write organizationScoped: false to limit the pool in any case, or true to open it.",
    );
    return unknown;
  }
  if (named.length > 0 && named.every((name) => isEmpty(given[name]))) {
    context.warn(
      `${pool}: ${named.map((name) => `${name}: []`).join(" and ")} limits it to no workspace, so nobody may use it. Write organizationScoped: false if that is meant, true to open it ` +
        "to all workspaces, or the identifiers of those that may use it.",
    );
  }
  return named.length === 0;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

export function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
