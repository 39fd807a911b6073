/** Warnings about what the server has that names a deleted policy. Servers keep such names. */
import { identityText } from "../model/identities";
import { someOf } from "../model/text";
import type { CallContext } from "../operation/call-context";
import { type NamesLeft, warnOfNames, warnOfRulesNaming } from "./rules-on-server";

/** What may name a policy in a list. */
interface Named {
  readonly id: string;
  readonly name: string;
  readonly policies: readonly string[];
}

/** Warns of the roles, tokens and rules that still name a deleted policy. */
export async function warnOfNamesLeft(context: CallContext, label: string, policy: string): Promise<void> {
  if (context.operation.identities.has(identityText("AclPolicy", { name: policy }))) return;
  const { roles, tokens } = context.cluster();
  const warn = async <Item extends Named>(names: Pick<NamesLeft<Item>, "kind" | "nouns" | "list" | "consequence">) =>
    warnOfNames<Item>(context, `${label} is deleted`, { ...names, isLeft: ({ policies }) => policies.includes(policy), describe: counted });
  await warn({
    kind: "AclRole",
    nouns: "roles",
    list: roles,
    consequence:
      "Such a role gives nothing by that name now, and what the next policy of this name allows. Servers refuse updates that keep the name.",
  });
  await warn({
    kind: "AclToken",
    nouns: "tokens",
    list: tokens,
    consequence: "Such a token may do nothing by that name now, and what the next policy of this name allows.",
  });
  await warnOfRulesNaming(context, label, "policy", policy);
}

function counted(left: readonly Named[]): string[] {
  return left.length === 0 ? [] : [`${left.length} that name it (${someOf(left.map(({ name }) => JSON.stringify(name)))})`];
}
