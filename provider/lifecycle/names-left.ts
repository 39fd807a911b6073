/** What still names an object that is deleted: servers keep such names, and what has one applies again to the next object of that name. */
import { boundNames } from "../../access/bound-names";
import { isApiError } from "../apis/http/errors";
import { identityText } from "../model/identities";
import type { Properties } from "../model/remote";
import { someOf } from "../model/text";
import type { CallContext } from "../operation/call-context";
import { readOrMissing } from "./gone";
import type { Defined } from "./kind";

/** How many rules a delete reads for its warning: a list does not say what each of them gives. */
const mostRead = 200;

type Cluster = ReturnType<CallContext["cluster"]>;
type Stub = Awaited<ReturnType<Cluster["rules"]["list"]>>[number];

/**
 * Warns of what a delete leaves behind, unless the program declares another object of the name. The object is deleted: a failed request is a
 * warning, too. The engine deletes an object after what refers to it, so a list of the last seconds mostly shows that nothing is left.
 */
export async function warnOfNamesLeft(context: CallContext, kind: Defined, id: string, known: Properties): Promise<void> {
  const label = kind.labelOf(id, known);
  const { namedBy } = kind;
  const name = kind.isIdName ? id : known.name;
  if (!namedBy || typeof name !== "string" || context.operation.identities.has(identityText(kind.kind, [name]))) return;
  const { roles, tokens, rules } = context.cluster();
  const names = ({ policies }: { readonly policies: readonly string[] }) => policies.includes(name);
  if (namedBy === "policy") {
    await warn(context, label, { ...ofRoles, list: roles, isLeft: names, describe: namesOf });
    await warn(context, label, { ...ofTokens, list: tokens, isLeft: names, describe: namesOf });
  }
  if (namedBy === "method") {
    const isLeft = ({ authMethod }: Stub) => authMethod === name;
    await warn(context, label, { ...ofRules, list: rules, isLeft, describe: (left) => counted(left, "of it") });
  } else {
    const describe = (left: readonly Stub[]) => rulesGiving(context.cluster(), left, namedBy, name);
    await warn(context, label, { ...ofRules, list: rules, isLeft: () => true, describe });
  }
}

const ofRules = {
  kind: "AclBindingRule",
  nouns: "binding rules",
  consequence: "Such a rule gives nothing now, and applies again to the next one of this name. Delete what is not needed.",
};
const ofRoles = {
  kind: "AclRole",
  nouns: "roles",
  consequence:
    "Such a role gives nothing by that name now, and what the next policy of this name allows. Servers refuse updates that keep the name.",
};
const ofTokens = {
  kind: "AclToken",
  nouns: "tokens",
  consequence: "Such a token may do nothing by that name now, and what the next policy of this name allows.",
};

interface Left<Item extends { readonly id: string }> {
  readonly kind: string;
  readonly nouns: string;
  readonly consequence: string;
  readonly list: { recentListIf(isEnough: (items: readonly Item[]) => boolean): Promise<readonly Item[]> };
  readonly isLeft: (item: Item) => boolean;
  /** In parts of a sentence; empty if nothing is left. */
  readonly describe: (left: readonly Item[]) => readonly string[] | Promise<readonly string[]>;
}

async function warn<Item extends { readonly id: string }>(context: CallContext, label: string, left: Left<Item>): Promise<void> {
  const { kind, nouns, consequence, list, describe } = left;
  const isLeft = (item: Item) => left.isLeft(item) && !context.operation.objects.isDeleted({ kind, id: item.id });
  try {
    const parts = await describe((await list.recentListIf((all) => !all.some(isLeft))).filter(isLeft));
    if (parts.length > 0) context.warn(`${label} is deleted, and leaves ${nouns} behind: ${parts.join("; ")}. ${consequence}`);
  } catch (error) {
    if (!isApiError(error)) throw error;
    context.warn(`${label} is deleted, but the ${nouns} that name it could not be looked for. ${consequence} ${error.message}`);
  }
}

async function rulesGiving({ rules }: Cluster, stubs: readonly Stub[], type: string, name: string): Promise<string[]> {
  const isUnknown = (stub: Stub) => rules.known(stub) === undefined;
  const unread = stubs.filter(isUnknown).slice(mostRead);
  const read = await Promise.all(stubs.filter((stub) => !unread.includes(stub)).map((stub) => readOrMissing(() => rules.readListed(stub))));
  const giving = read.filter((rule) => rule?.bindType === type).filter((rule) => rule !== undefined);
  const isComputed = (bindName: string) => bindName.includes("${") && boundNames(bindName, undefined)?.test(name) === true;
  return [
    ...counted(
      giving.filter(({ bindName }) => bindName === name),
      "that name it",
    ),
    ...counted(
      giving.filter(({ bindName }) => isComputed(bindName)),
      "whose computed bind name may be its name",
    ),
    ...(unread.length > 0 ? [`perhaps some of ${unread.length} that were not read`] : []),
  ];
}

function counted(left: readonly { readonly id: string }[], what: string): string[] {
  return left.length === 0 ? [] : [`${left.length} ${what} (${someOf(left.map(({ id }) => id))})`];
}

function namesOf(left: readonly { readonly name: string }[]): string[] {
  return left.length === 0 ? [] : [`${left.length} that name it (${someOf(left.map(({ name }) => JSON.stringify(name)))})`];
}
