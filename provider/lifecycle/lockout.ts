import type { Properties } from "../model/remote";
import type { CallContext } from "../operation/call-context";
import type { Defined } from "./kind";

/** Warns of the change or delete of an object on which this provider's own login depends. */
export function warnOfLockout(context: CallContext, kind: Defined, id: string, known: Properties, event: string): void {
  const { clusterLogin } = context.settings;
  if (!clusterLogin || !kind.mayLockOut?.(clusterLogin.authMethod, known)) return;
  context.warn(
    `${kind.labelOf(id, known)} ${event}, and this provider's login depends on it (agentpool-acl:clusterLogin). Check that the next login ` +
      "still gets a management token; if not, repair it with the environment variable AGENTPOOL_ACL_CLUSTER_TOKEN.",
  );
}
