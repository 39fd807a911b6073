/** Warnings about the consequences of a change or a delete. A warning prevents neither. */
import { boundNames } from "../../access/bound-names";
import { grouped } from "../../common/grouped";
import { isApiError } from "../apis/http/errors";
import { identityText } from "../model/identities";
import type { Properties } from "../model/remote";
import { someOf } from "../model/text";
import type { CallContext } from "../operation/call-context";
import { readOrMissing } from "./gone";
import type { Defined } from "./kind";

/** Warns about the change or delete of an object on which this provider's own login depends. */
export function warnOfLockout(context: CallContext, kind: Defined, id: string, known: Properties, event: string): void {
  const { clusterLogin } = context.settings;
  if (!clusterLogin || !kind.mayLockOut?.(clusterLogin.authMethod, known)) return;
  context.warn(
    `${kind.labelOf(id, known)} ${event}, and this provider's login depends on it (agentpool-acl:clusterLogin). Check that the next login ` +
      "still gets a management token; if not, repair it with the environment variable AGENTPOOL_ACL_CLUSTER_TOKEN.",
  );
}

/** The maximal number of rules that a delete reads for its warning, because a list lacks their grants. */
const mostRead = 200;

type Cluster = ReturnType<CallContext["cluster"]>;
type Stub = Awaited<ReturnType<Cluster["rules"]["list"]>>[number];
type Rule = Awaited<ReturnType<Cluster["rules"]["readListed"]>>;

/**
 * Warns about references that a delete leaves behind, unless the program declares another object with the name. Servers keep references by
 * name, so they apply again to the next object with that name. The object is already deleted, so a failed request is only a warning. The
 * engine deletes referring objects first, so a recent list mostly shows that none remain.
 */
export async function warnOfNamesLeft(context: CallContext, kind: Defined, id: string, known: Properties): Promise<void> {
  const label = kind.labelOf(id, known);
  const { namedBy } = kind;
  const name = kind.isIdName ? id : known.name;
  if (!namedBy || typeof name !== "string" || context.operation.identities.has(identityText(kind.kind, [name]))) return;
  const { roles, tokens, rules } = context.cluster();
  const names = ({ policies }: { readonly policies: readonly string[] }) => policies.includes(name);
  if (namedBy === "policy") {
    await warn(context, label, "roles", leftIn(context, "AclRole", roles, names).then(namesOf));
    await warn(context, label, "tokens", leftIn(context, "AclToken", tokens, names).then(namesOf));
  }
  const left = leftIn(context, "AclBindingRule", rules, ({ authMethod }) => namedBy !== "method" || authMethod === name);
  const parts = left.then(async (stubs) => {
    const { read, unread } = await readSome(context.cluster(), stubs);
    return namedBy === "method" ? byGrant(read, unread) : giving(read, unread, namedBy, name);
  });
  await warn(context, label, "binding rules", parts);
}

const consequences = {
  "binding rules": "Such a rule gives nothing now, and applies again to the next one of this name. Delete what is not needed.",
  roles:
    "By that name, such a role gives nothing now, and later whatever the next policy of this name allows. Servers refuse updates that keep the name.",
  tokens: "By that name, such a token may do nothing now, and later whatever the next policy of this name allows.",
};

interface Lists<Item> {
  recentListIf(isEnough: (items: readonly Item[]) => boolean): Promise<readonly Item[]>;
}

/** The objects of a kind that still have the name, except for objects that this operation has deleted. */
async function leftIn<Item extends { readonly id: string }>(
  context: CallContext,
  kind: string,
  list: Lists<Item>,
  hasName: (item: Item) => boolean,
): Promise<Item[]> {
  const isLeft = (item: Item) => hasName(item) && !context.operation.objects.isDeleted({ kind, id: item.id });
  return (await list.recentListIf((all) => !all.some(isLeft))).filter(isLeft);
}

/** @param left the remaining references as parts of a sentence; empty if there are none */
async function warn(context: CallContext, label: string, nouns: keyof typeof consequences, left: Promise<string[]>): Promise<void> {
  try {
    const parts = await left;
    if (parts.length > 0) context.warn(`${label} is deleted, and leaves ${nouns} behind: ${parts.join("; ")}. ${consequences[nouns]}`);
  } catch (error) {
    if (!isApiError(error)) throw error;
    context.warn(`${label} is deleted, but the ${nouns} that name it could not be looked for. ${consequences[nouns]} ${error.message}`);
  }
}

/** The rules of a list, as far as they were read or still exist, and the number of the rest. */
async function readSome({ rules }: Cluster, stubs: readonly Stub[]): Promise<{ read: Rule[]; unread: number }> {
  const isUnknown = (stub: Stub) => rules.known(stub) === undefined;
  const unread = stubs.filter(isUnknown).slice(mostRead);
  const read = await Promise.all(stubs.filter((stub) => !unread.includes(stub)).map((stub) => readOrMissing(() => rules.readListed(stub))));
  return { read: read.filter((rule) => rule !== undefined), unread: unread.length };
}

function byGrant(read: readonly Rule[], unread: number): string[] {
  const grants = grouped(read, ({ bindType, bindName }) =>
    bindType === "management" ? bindType : `the ${bindType} ${JSON.stringify(bindName)}`,
  );
  const parts = [...grants].flatMap(([grant, all]) => counted(all, `for ${grant}`));
  return unread > 0 ? [...parts, `${unread} that were not read`] : parts;
}

/** The rules that give a role or policy by its name. */
function giving(read: readonly Rule[], unread: number, type: string, name: string): string[] {
  const all = read.filter((rule) => rule.bindType === type);
  const isComputed = (bindName: string) => bindName.includes("${") && boundNames(bindName, undefined)?.test(name) === true;
  return [
    ...counted(
      all.filter(({ bindName }) => bindName === name),
      "that name it",
    ),
    ...counted(
      all.filter(({ bindName }) => isComputed(bindName)),
      "whose computed bind name may be its name",
    ),
    ...(unread > 0 ? [`perhaps some of ${unread} that were not read`] : []),
  ];
}

function counted(left: readonly { readonly id: string }[], what: string): string[] {
  return left.length === 0 ? [] : [`${left.length} ${what} (${someOf(left.map(({ id }) => id))})`];
}

/** A token can lack a name. */
function namesOf(left: readonly { readonly id: string; readonly name: string }[]): string[] {
  return left.length === 0 ? [] : [`${left.length} that name it (${someOf(left.map(({ id, name }) => JSON.stringify(name || id)))})`];
}
