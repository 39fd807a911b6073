import type { Properties } from "../model/remote";
import type { CallContext } from "../operation/call-context";

/** Warns of the change or delete of an auth method by which this provider logs in. */
export function warnOfOwnMethod(context: CallContext, name: unknown, event: string): void {
  if (context.settings.clusterLogin?.authMethod !== name) return;
  context.warn(`ACL auth method ${JSON.stringify(name)} ${event}, and this provider logs in by it (agentpool-acl:clusterLogin). ${remedy}`);
}

/** Warns of the change or delete of a rule that may give this provider its rights. */
export function warnOfOwnRule(context: CallContext, label: string, { authMethod, bindType }: Properties, event: string): void {
  const { clusterLogin } = context.settings;
  if (clusterLogin && authMethod === clusterLogin.authMethod && bindType === "management")
    context.warn(`${label} ${event}, and may give this provider the rights that it logs in for (agentpool-acl:clusterLogin). ${remedy}`);
}

const remedy =
  "Check that the next login still gets a management token; if not, repair it with the environment variable AGENTPOOL_ACL_CLUSTER_TOKEN.";
