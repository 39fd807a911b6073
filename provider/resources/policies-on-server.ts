/** Warnings about what the server has that names a deleted policy. Servers keep such names. */
import { isApiError } from "../apis/http/errors";
import { identityText } from "../model/identities";
import { someOf } from "../model/text";
import type { CallContext } from "../operation/call-context";
import { warnOfRulesNaming } from "./rules-on-server";

/** What may name a policy in a list. */
interface Named {
  readonly id: string;
  readonly name: string;
  readonly policies: readonly string[];
}

/** Objects that name policies, and their list: one of the last seconds, if that shows that nothing is left. */
interface Naming<Item extends Named> {
  readonly kind: string;
  readonly noun: "role" | "token";
  readonly recentListIf: (isEnough: (items: readonly Item[]) => boolean) => Promise<readonly Item[]>;
  readonly consequence: string;
}

/**
 * Warns of the roles, tokens and rules that still name a deleted policy. For a warning only: the policy is deleted, and a failed request must
 * not keep it in the state. The engine deletes it after what refers to it, so a list of the last seconds mostly shows that nothing is left.
 */
export async function warnOfNamesLeft(context: CallContext, label: string, policy: string): Promise<void> {
  if (context.operation.identities.has(identityText("AclPolicy", { name: policy }))) return;
  const { roles, tokens } = context.cluster();
  await warnOfNaming(context, label, policy, {
    kind: "AclRole",
    noun: "role",
    recentListIf: (isEnough) => roles.recentListIf(isEnough),
    consequence:
      "It gives nothing by that name now, and what the next policy of this name allows. Servers refuse updates that keep the name.",
  });
  await warnOfNaming(context, label, policy, {
    kind: "AclToken",
    noun: "token",
    recentListIf: (isEnough) => tokens.recentListIf(isEnough),
    consequence: "It may do nothing by that name now, and what the next policy of this name allows.",
  });
  await warnOfRulesNaming(context, label, "policy", policy);
}

async function warnOfNaming<Item extends Named>(
  context: CallContext,
  label: string,
  policy: string,
  { kind, noun, recentListIf, consequence }: Naming<Item>,
): Promise<void> {
  const { server } = context.cluster();
  const isDeleted = (id: string) => context.operation.objects.isIdDeleted({ kind, id, server });
  const isLeft = (item: Item) => item.policies.includes(policy) && !isDeleted(item.id);
  try {
    const left = (await recentListIf((all) => !all.some(isLeft))).filter(isLeft);
    if (left.length === 0) return;
    const which = left.length === 1 ? `1 ${noun} that names it` : `${left.length} ${noun}s that name it`;
    context.warn(`${label} is deleted, and leaves ${which}: ${someOf(left.map(({ name }) => JSON.stringify(name)))}. ${consequence}`);
  } catch (error) {
    if (!isApiError(error)) throw error;
    context.warn(`${label} is deleted, but the ${noun}s that name it could not be looked for. ${consequence} ${error.message}`);
  }
}
