/**
 * An account for each relevant object that is added, removed, changed or partly unknown. Findings, or a proof that no permission changes,
 * close an account. An account that stays open becomes an undecided finding, so a missing finding never counts as a proof.
 */
import { isDeepStrictEqual } from "node:util";
import { compareRights } from "../../access/policy/compare";
import { mayBeAll } from "../../access/policy/management";
import { ownProperty } from "../../common/own-property";
import { isRecord, recordOf } from "../../common/unknown";
import { changesOf, type Properties, someOf } from "../../provider/internal";
import { type InventoryObject, isUncertain, resourceOf, shownId } from "../inventory/inventory";
import type { Compared } from "./compared";
import { dependentsOf, mayDeny } from "./dependents";
import { type Finding, keyOf, partOf } from "./finding";
import { listed, plainText, type Sentence, withNames } from "./markup";
import { isReplaced, isTakenOver, mayBeRemade, type Pair } from "./pairs";
import { possibleRename } from "./possible-renames";
import { policyFactsOf, undecidedOf } from "./read-model";
import { isAnyJobDangerous, losesDenies } from "./rights";
import type { RightsChange } from "./rights-changes";
import { keyOfToken } from "./tokens";
import { howClusterLogsIn } from "./verification";

export interface Account {
  readonly kind: string;
  readonly name: string;
  readonly id?: string;
  readonly urn?: string;
  readonly change: "new" | "gone" | "changed" | "renamed" | "replaced" | "not known";
  /** The properties that differ, or may differ. */
  readonly parts: readonly string[];
  /** The properties that are secret, or unknown before an update. */
  readonly hidden: readonly string[];
  readonly closedBy: { readonly proof: string } | { readonly findings: readonly string[] };
}

interface OpenAccount extends Omit<Account, "closedBy"> {
  readonly pair: Pair;
  /** The keys by which findings refer to the object. */
  readonly keys: readonly string[];
}

/**
 * The properties of each kind that change no permission, or are compared elsewhere. An account with any other kind or property stays open.
 */
const parts: Readonly<Record<string, { readonly compared: readonly string[]; readonly harmless: readonly string[] }>> = {
  AclAuthMethod: {
    compared: ["name", "type", "tokenLocality", "maxTokenTtl", "tokenNameFormat", "default", "config"],
    harmless: ["config.verboseLogging"],
  },
  AclBindingRule: { compared: ["authMethod", "selector", "bindType", "bindName"], harmless: ["description"] },
  AclPolicy: { compared: ["name", "rules", "jobAcl"], harmless: ["description"] },
  AclRole: { compared: ["name", "policies"], harmless: ["description"] },
  AclToken: { compared: ["type", "policies", "roles", "global", "expirationTtl", "expirationTime"], harmless: ["name"] },
};

const byAllRules = "all rules of its method together give logins what they gave";
const sameLogins = "its logins are the same, and get the same";
const sameHolders = "its holders here and the tasks of its job may do the same";
/** The reasons why an object that was compared without a finding changes no permission, by kind. */
const proofs: Readonly<Record<string, Readonly<Partial<Record<Account["change"], string>>>>> = {
  AclAuthMethod: {
    new: "its rules, which have accounts of their own, decide what its logins get",
    gone: "its logins got nothing",
    changed: sameLogins,
    replaced: sameLogins,
  },
  AclBindingRule: { new: byAllRules, gone: byAllRules, changed: byAllRules, replaced: byAllRules },
  AclPolicy: {
    new: "nobody here has it",
    gone: "nobody here had it, or it allowed nothing",
    changed: sameHolders,
    replaced: sameHolders,
  },
  AclRole: {
    new: "nobody had it, and rules and tokens that give it have accounts of their own",
    gone: "it has no policies",
    changed: "its policies allow the same",
  },
  AclToken: {
    new: "it has neither policies nor roles",
    gone: "it had neither policies nor roles",
    changed: "it may do the same, where and as long as before",
    replaced: "the token that takes its place may do the same",
  },
};

/** All accounts with the findings or the proof that closed each, and all findings: the given ones, and more about single accounts. */
export function ledgerOf(
  compared: Compared,
  given: readonly Finding[],
): { readonly accounts: readonly Account[]; readonly findings: readonly Finding[] } {
  const byKey = new Map<string, Finding[]>();
  for (const finding of given) {
    for (const key of finding.about ?? []) byKey.set(key, [...(byKey.get(key) ?? []), finding]);
  }
  const added: Finding[] = [];
  const accounts = accountsOf(compared).map((one): Account => {
    const { pair, keys, ...account } = one;
    const found = new Set(keys.flatMap((key) => byKey.get(key) ?? []));
    const isSaid = (part: string) =>
      keys.some((key) => byKey.get(partOf(key, part))?.some(({ kinds }) => kinds.includes("undecided") || kinds.includes("management")));
    const open = [...account.hidden.filter((part) => !isSaid(part)), ...account.parts.filter((part) => isOpen(account.kind, part))];
    const more = [
      ...open.map((part) => openFinding(compared, one, part)),
      ...overwritten(one),
      ...takenIn(one),
      ...kept(one),
      ...takenOver(one),
      ...possibleRename(compared, pair),
      ...ofOtherRoles(compared, one),
      ...ofReferrers(compared, one),
    ];
    // What else changes for such an object has accounts of its own.
    const isEqual = isHarmless(one) || !compared.policies.rights.some((change) => isUnequal(change, keys));
    if (found.size + more.length === 0 && (isEqual || one.change !== "renamed")) more.push(...ofHolders(compared, one));
    const proof = found.size + more.length > 0 || !isEqual ? undefined : proofOf(one);
    if (found.size + more.length === 0 && proof === undefined) more.push(openFinding(compared, one));
    added.push(...more);
    const findings = [...found, ...more].map(({ sentence }) => plainText(sentence));
    return { ...account, closedBy: proof === undefined ? { findings } : { proof } };
  });
  return { accounts, findings: [...given, ...added] };
}

function isOpen(kind: string, part: string): boolean {
  const [top = "", within] = part.split(".");
  const known = parts[kind];
  const shape = resourceOf(kind)?.inputs.get(top)?.shape;
  if (within !== undefined && shape?.kind === "object" && !shape.properties.has(within)) return true;
  return !known?.compared.includes(top) && !known?.harmless.includes(part);
}

/** Whether permissions differ, or may differ, for the object itself, such as a token, or for a holder of it. */
function isUnequal({ holder, changed, relation, unknown }: RightsChange, keys: readonly string[]): boolean {
  const isAbout = keys.includes(holder.key) || changed.some((name) => keys.includes(keyOf("policy", name)));
  return isAbout && (relation !== "equal" || unknown.length > 0);
}

/** The proof that an object changes no permission; undefined if there is none, as for an unknown kind. */
function proofOf(account: OpenAccount): string | undefined {
  const { kind, change, parts: changed, pair } = account;
  if (pair.isUntouched) return "the update leaves it as it is, including its secret and unknown parts";
  if (isHarmless(account)) return `nobody gets anything by its ${changed.join(", ")}`;
  return mayBeRemade(pair) ? "it may do the same, and a note says what exports do not show of its end" : proofs[kind]?.[change];
}

/** Whether an object stays, and only parts of it change that give nobody anything. */
function isHarmless({ kind, parts: changed, pair }: OpenAccount): boolean {
  const isOne = (part: string) => parts[kind]?.harmless.includes(part) || (kind === "AclAuthMethod" && howClusterLogsIn.has(part));
  return pair.before !== undefined && pair.after !== undefined && !isReplaced(pair) && changed.length > 0 && changed.every(isOne);
}

function accountsOf({ pairs, renames, before, after }: Compared): OpenAccount[] {
  const ruleIds = new Map([before, after].flatMap(({ ruleObjects }) => [...ruleObjects].map(([id, object]) => [object, id] as const)));
  return pairs.flatMap((pair): OpenAccount[] => {
    const object = pair.after ?? pair.before;
    const resource = resourceOf(pair.kind);
    if (!object || (resource && resource.api !== "cluster")) return [];
    const rename = pair.kind === "AclRole" ? renames.find((one) => one.after === pair.after?.outputs.name) : undefined;
    const known = partsOf(pair);
    const all = isNameless(pair) ? { ...known, hidden: [...known.hidden, "name"] } : known;
    const differing = rename ? [...new Set(["name", ...all.differing])] : all.differing;
    const isNew = isReplaced(pair);
    if (pair.before && pair.after && differing.length + all.hidden.length === 0 && !isNew && !isTakenOver(pair)) return [];
    const one = !pair.before ? "new" : !pair.after ? "gone" : isNew ? "replaced" : rename ? "renamed" : "changed";
    const change = one === "changed" && differing.length === 0 ? "not known" : one;
    const hidden = pair.isUntouched ? [] : all.hidden.filter((part) => !(pair.kind === "AclAuthMethod" && howClusterLogsIn.has(part)));
    const { kind, name, urn } = object;
    const id = shownId(object);
    const rest = { ...(id !== undefined && { id }), ...(urn !== undefined && { urn }) };
    const keys = keysOf(pair, rename?.before, ruleIds);
    return [{ kind, name, ...rest, change, parts: [...new Set([...differing, ...all.hidden])], hidden, pair, keys }];
  });
}

const kindWords = { AclAuthMethod: "method", AclBindingRule: "rule", AclPolicy: "policy", AclRole: "role" } as const;
const isNamedKind = (kind: string): kind is "AclAuthMethod" | "AclPolicy" | "AclRole" => isKnownKind(kind) && kind !== "AclBindingRule";
const isKnownKind = (kind: string): kind is keyof typeof kindWords => Object.hasOwn(kindWords, kind);

function keysOf({ kind, before, after }: Pair, oldName: string | undefined, ruleIds: ReadonlyMap<InventoryObject, string>): string[] {
  if (kind === "AclToken") return [keyOf("token", keyOfToken(after ?? before))];
  if (!isKnownKind(kind)) return [];
  const word = kindWords[kind];
  return [before, after].flatMap((object) => {
    if (!object) return [];
    const { name } = object.outputs;
    const own = word === "rule" ? ruleIds.get(object) : typeof name === "string" && !isUncertain(name) ? name : undefined;
    return [
      keyOf("object", undecidedOf(object, word, "").object),
      ...(own === undefined ? [] : [keyOf(word, own)]),
      ...(oldName === undefined ? [] : [keyOf(word, oldName)]),
    ];
  });
}

/** The properties that differ, and the hidden ones, which can't be compared. For an added or removed object, none differ. */
function partsOf({ kind, before, after }: Pair): { differing: readonly string[]; hidden: readonly string[] } {
  const [old, now] = [before, after].map((object) => object?.outputs);
  const hidden = [...new Set([old, now].flatMap((outputs = {}) => Object.keys(outputs).flatMap((name) => hiddenIn(outputs, name))))];
  if (!old || !now) return { differing: strangeIn(kind, old ?? {}, now ?? {}), hidden: ofDeciding(kind, hidden) };
  if (isDeepStrictEqual(old, now)) return { differing: [], hidden: ofDeciding(kind, hidden) };
  const fields = resourceOf(kind)?.inputs;
  const properties = fields ?? new Set([...Object.keys(old), ...Object.keys(now)]);
  const differing = fields
    ? changesOf(fields, old, now).map(({ path: [top, next] }) =>
        top === "config" && typeof next === "string" ? `${top}.${next}` : String(top),
      )
    : [...properties.keys()].filter((name) => !isDeepStrictEqual(ownProperty(old, name), ownProperty(now, name)));
  const [was, is] = [old, now].map(({ expirationTime }) => expirationTime);
  const isOther = kind === "AclToken" && typeof was === "string" && was !== is;
  const isLocal = (name: string) => fields?.get(name)?.traits.local;
  const strange = strangeIn(kind, old, now);
  return {
    differing: [...new Set([...differing.filter((name) => !isLocal(name)), ...(isOther ? ["expirationTime"] : []), ...strange])],
    hidden: ofDeciding(kind, hidden),
  };
}

/** The changed properties of a known kind that this version does not know. */
function strangeIn(kind: string, old: Properties, now: Properties): string[] {
  const resource = resourceOf(kind);
  if (!resource) return [];
  const differing = (was: Properties, is: Properties) =>
    Object.keys({ ...was, ...is }).filter((name) => !isDeepStrictEqual(ownProperty(was, name), ownProperty(is, name)));
  return differing(old, now).flatMap((name) => {
    const shape = resource.inputs.get(name)?.shape;
    if (!shape) return resource.outputs.has(name) ? [] : [name];
    if (shape.kind !== "object") return [];
    const [was, is] = [old[name], now[name]].map(recordOf);
    return differing(was ?? {}, is ?? {}).flatMap((one) => (shape.properties.has(one) ? [] : [`${name}.${one}`]));
  });
}

/**
 * The hidden properties that may affect permissions: inputs that the server stores and that are not harmless. For an unknown kind, every
 * property may.
 */
function ofDeciding(kind: string, hidden: readonly string[]): string[] {
  const fields = resourceOf(kind)?.inputs;
  return hidden.filter((part) => {
    const field = fields?.get(part.split(".")[0] ?? "");
    return fields === undefined || (field !== undefined && !field.traits.local && !parts[kind]?.harmless.includes(part));
  });
}

/** Whether nothing identifies a token: it has neither ID nor URN, and its name is hidden. */
function isNameless({ kind, before, after }: Pair): boolean {
  return kind === "AclToken" && [before, after].some((one) => one && !one.id && !one.urn && isUncertain(one.outputs.name));
}

function hiddenIn(outputs: Readonly<Record<string, unknown>>, name: string): string[] {
  const value = outputs[name];
  if (!isUncertain(value)) return [];
  if (name !== "config" || !isRecord(value)) return [name];
  return Object.keys(value).flatMap((key) => (isUncertain(value[key]) ? [`${name}.${key}`] : []));
}

const changeWords = {
  new: "is new",
  gone: "goes",
  changed: "changes",
  renamed: "is renamed",
  replaced: "is replaced",
  "not known": "is hidden",
};

function labelOf(kind: string, object: InventoryObject, part = ""): string {
  if (isKnownKind(kind)) return undecidedOf(object, kindWords[kind], part).object;
  return `${kind === "AclToken" ? "token" : kind} ${JSON.stringify(object.name)}`;
}

function openFinding(compared: Compared, account: OpenAccount, part?: string): Finding {
  const { kind, name, pair, hidden, change } = account;
  const object = pair.after ?? pair.before;
  const label = object ? labelOf(kind, object, part) : `${kind} ${JSON.stringify(name)}`;
  const unknown = `may decide what somebody gets, and this version does not know ${parts[kind] ? "it" : "the kind"}`;
  const words = (code: string): Sentence =>
    hidden.includes(code) ? [{ code }, " is secret, or unknown before an update"] : [{ code }, ` ${unknown}`];
  const why = part === undefined ? [`it ${changeWords[change]}, and ${unknown}`] : words(part);
  const isKnown = part === undefined || !isOpen(kind, part);
  return {
    kinds: kind === "AclPolicy" && isKnown && !policyMayManage(pair, compared) ? ["undecided"] : ["undecided", "management"],
    sentence: [{ code: label }, " can't be compared: ", ...why],
  };
}

/** Whether a policy with a hidden name or job may equal management, or may no longer deny permissions that equal it. */
function policyMayManage(pair: Pair, { pairs, before, after }: Compared): boolean {
  const rulesOf = (object: InventoryObject | undefined) => (object ? policyFactsOf(object).rules : "");
  // A policy with a hidden name may become any new policy.
  const news = pair.after ? [] : pairs.flatMap((one) => (one.kind === "AclPolicy" && !one.before ? [rulesOf(one.after)] : []));
  const [old, now] = [rulesOf(pair.before), rulesOf(pair.after)];
  const isAnyAll = [now, ...news].some((rules) => rules === undefined || mayBeAll([rules]));
  if (old === undefined || now === undefined || isAnyAll || isAnyJobDangerous(before) || isAnyJobDangerous(after)) return true;
  // Under another name, the holders of the old one lose all of it.
  const isOther = pair.before?.id === undefined || pair.before.id !== pair.after?.id;
  const isNameHidden = isOther && [pair.before, pair.after].some((object) => isUncertain(object?.outputs.name));
  return losesDenies(after, [old], isNameHidden ? [] : [now]);
}

/**
 * The finding about a create that may overwrite an object of the same name which the source lacks: holders of the old object get what the
 * new one gives.
 */
function overwritten({ kind, pair: { before, after } }: OpenAccount): Finding[] {
  const { adopt, name: newName } = after?.outputs ?? {};
  const isOther = before === undefined || after?.id === undefined || after.id !== before.id;
  const isCreate = after?.urn !== undefined && isOther && before?.outputs.name !== newName;
  if (!isCreate || !isNamedKind(kind) || (adopt !== "overwrite" && !isUncertain(adopt))) return [];
  return [openBy("adopt", after, kind, "lets it write over an object of that name")];
}

/**
 * An object that came into a state by an import or an adoption, and that the same update, or a later one, may have changed. A later update
 * may also have changed an object that the stack made itself: the state does not distinguish them.
 */
function takenIn({ kind, pair: { before, after } }: OpenAccount): Finding[] {
  if (!after || before?.id === after.id || !isKnownKind(kind)) return [];
  const { createIndex, modifyIndex } = after.outputs;
  const unknown = "nothing here shows what it gave before";
  if (after.isImported) return [openBy("import", after, kind, `took it over, and ${unknown}`)];
  // An export has all objects of a cluster, so a new one is younger than the other export.
  const isChanged = after.urn !== undefined && typeof createIndex === "number" && createIndex !== modifyIndex;
  return isChanged
    ? [openBy("modifyIndex", after, kind, `differs from \`createIndex\`: it may be older than its resource, and ${unknown}`)]
    : [];
}

/** An object that leaves a state, or is replaced, and may stay on its server, where others can still refer to it. */
function kept({ kind, pair }: OpenAccount): Finding[] {
  const { before, after } = pair;
  if ((after && !isReplaced(pair)) || !before?.keptBy || !(isKnownKind(kind) || kind === "AclToken")) return [];
  return [openBy(before.keptBy, before, kind, "may leave it on the cluster")];
}

function takenOver({ kind, pair }: OpenAccount): Finding[] {
  if (!pair.after || !isTakenOver(pair) || !isKnownKind(kind)) return [];
  return [openBy("provider", pair.after, kind, "differs, so the delete of the old object may delete what the create takes over")];
}

/** The finding about an object whose option hides what the server has. */
function openBy(option: string, object: InventoryObject, kind: string, why: string): Finding {
  const sentence: Sentence = [{ code: labelOf(kind, object) }, " can't be compared: ", { code: option }, ` ${why}`];
  return { kinds: ["undecided", "management"], sentence };
}

/**
 * A role keeps the names of missing policies, so one outside of the objects, or one that a new resource adopts, may have named a new policy
 * already.
 */
function ofOtherRoles(compared: Compared, { kind, pair }: OpenAccount): Finding[] {
  const { before, after, pairs, policies } = compared;
  if (kind !== "AclPolicy" || !pair.after) return [];
  const { name } = pair.after.outputs;
  if (typeof name !== "string" || isUncertain(name) || Object.hasOwn(before.policyFacts, name)) return [];
  const adopted = pairs.flatMap(({ kind: of, before: old, after: role }) =>
    of === "AclRole" && !old && role?.outputs.adopt && ownProperty(after.roles, role.name)?.includes(name) ? [role.name] : [],
  );
  const others = [...policies.otherRoles, ...adopted];
  if (others.length === 0) return [];
  const { rules } = policyFactsOf(pair.after);
  if (rules !== undefined && compareRights([], [rules]).relation === "equal") return [];
  const roles = listed(others, " or ");
  const sentence: Sentence = ["the policy ", { code: name }, " is new, and a role with unknown policies may name it: ", ...roles];
  return [{ kinds: policyMayManage(pair, compared) ? ["undecided", "management"] : ["undecided"], sentence }];
}

/**
 * The finding about an object that others refer to, or may refer to, without being compared themselves. They may gain or lose what a new,
 * renamed or removed object gives. A changed method or rule may change what their rules give to the same logins.
 */
function ofReferrers(compared: Compared, account: OpenAccount): Finding[] {
  const { kind, change, pair } = account;
  const { before, after, isUntouched } = pair;
  const object = after ?? before;
  // What a new rule allows, and where it makes logins fail, is reported. It may also deny what other rules give.
  const isAllowing = kind === "AclBindingRule" && change === "new" && after && !mayDeny(after, compared.after);
  if (!object || !isKnownKind(kind) || isUntouched || isHarmless(account) || isAllowing) return [];
  const { names, mayGain } = dependentsOf(compared, account);
  if (names.length === 0) return [];
  const why = [` ${changeWords[change]}, and `, ...withNames(someOf(names)), ", not compared here, may depend on it"];
  return [{ kinds: mayGain ? ["undecided", "management"] : ["undecided"], sentence: [{ code: labelOf(kind, object) }, ...why] }];
}

/** The effect of a changed role on tokens made by hand that hold it, if no other finding reports the effect. */
function ofHolders({ before, renames }: Compared, { kind, change, pair }: OpenAccount): Finding[] {
  if (kind !== "AclRole" || pair.before === undefined) return [];
  const name = String((pair.after ?? pair.before).outputs.name);
  const old = renames.find((one) => one.after === name)?.before ?? name;
  const says = (kinds: Finding["kinds"], ...words: Sentence): Finding[] => [{ kinds, sentence: ["the role ", { code: old }, ...words] }];
  if (change === "renamed") return says([], " is renamed, same rights: it is ", { code: name }, " from now on");
  const isEmpty = (ownProperty(before.roles, name) ?? []).length === 0;
  if (isEmpty) return [];
  if (change === "gone") return says(["narrowed"], " goes, and its holders lose what it gave");
  return change === "replaced" ? says(["narrowed"], " is replaced, and tokens that hold the ID of the old one lose it") : [];
}
