/** The organization of a pool, and whether its list has the pool. */

import { UserError } from "../../common/user-error";
import { isNotFound } from "../apis/http/errors";
import type { Scope } from "../lifecycle/kind";
import type { CallContext } from "../operation/call-context";

export function organizationOf(context: CallContext, scope?: Scope): string {
  const organization = scope?.organization ?? context.settings.organization;
  if (organization) return organization;
  throw new UserError(
    "organization-unknown",
    "The organization is not known: set agentpool-acl:organization or the environment variable TFE_ORGANIZATION, or import a pool as ORGANIZATION/POOL-NAME, a token as POOL-ID/TOKEN-ID.",
  );
}

/** Sends a request about an organization or its objects. @throws when there is no such organization, or the token may not see it */
export async function inOrganization<T>(organization: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new UserError(
      "organization-missing",
      `organization: organization ${JSON.stringify(organization)} does not exist, or the token may not see it: the service returns 404 for both. ${error.report}`,
      { cause: error },
    );
  }
}

/** Whether the organization's list has the pool. @throws when the organization can't be found either */
export async function isPoolListed(context: CallContext, id: string, organization: string): Promise<boolean> {
  try {
    return await context.pools().isListed(organization, id);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new UserError(
      "pool-and-organization-missing",
      `Agent pool ${id} can't be found, and neither can organization ${JSON.stringify(organization)}: the service returns 404 both for missing objects and for those that the token may not see. ` +
        "The state keeps the pool. Check the token's permissions by listing the organization's agent pools with it, and the organization's name.",
      { cause: error },
    );
  }
}
