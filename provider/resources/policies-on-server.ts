/** Warnings about what the server has that names a deleted policy. Servers keep such names. */
import { isApiError } from "../apis/http/errors";
import { identityText } from "../model/identities";
import { someOf } from "../model/text";
import type { CallContext } from "../operation/call-context";
import { warnOfRulesNaming } from "./rules-on-server";

/**
 * Warns of the roles and rules that still name a deleted policy. For a warning only: the policy is deleted, and a failed request must not
 * keep it in the state. The engine deletes it after what refers to it, so a list of the last seconds mostly shows that nothing is left.
 */
export async function warnOfNamesLeft(context: CallContext, label: string, policy: string): Promise<void> {
  if (context.operation.identities.has(identityText("AclPolicy", { name: policy }))) return;
  await warnOfRolesNaming(context, label, policy);
  await warnOfRulesNaming(context, label, "policy", policy);
}

async function warnOfRolesNaming(context: CallContext, label: string, policy: string): Promise<void> {
  const { roles, server } = context.cluster();
  const isDeleted = (id: string) => context.operation.objects.isIdDeleted({ kind: "AclRole", id, server });
  const isLeft = ({ id, policies }: { id: string; policies: readonly string[] }) => policies.includes(policy) && !isDeleted(id);
  const consequence =
    "A role gets no rights from it now, and has those of the next policy of this name. Servers refuse updates that keep the name.";
  try {
    const left = (await roles.recentListIf((all) => !all.some(isLeft))).filter(isLeft);
    if (left.length === 0) return;
    const which = left.length === 1 ? "1 role that names it" : `${left.length} roles that name it`;
    context.warn(`${label} is deleted, and leaves ${which}: ${someOf(left.map(({ name }) => JSON.stringify(name)))}. ${consequence}`);
  } catch (error) {
    if (!isApiError(error)) throw error;
    context.warn(`${label} is deleted, but the roles that name it could not be looked for. ${consequence} ${error.message}`);
  }
}
