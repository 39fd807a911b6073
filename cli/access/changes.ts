import { isDeepStrictEqual } from "node:util";
import type { Dangling, Given, GrantChange, MethodChange, OrderChange } from "../../access/changes";
import { type BindingRule, failingByBindName } from "../../access/graph";
import { parseDuration } from "../../common/durations";
import type { Gap } from "../inventory/inventory";
import type { Comparable, ComparedModel } from "./comparable";
import type { Compared } from "./compared";
import { type Finding, type FindingKind, keyOf, partOf } from "./finding";
import { ledgerOf } from "./ledger";
import { Managing } from "./managing";
import { listed, type Sentence, withNames } from "./markup";
import type { AccessModel, Undecided } from "./model";
import { changeOf, places, policyFindings, reason, rightsFindings } from "./policy-findings";
import { type GivenRights, rightsGiven } from "./rights";
import { mayGiveRoles, roleFindings } from "./role-findings";
import { togetherFindings } from "./together";
import type { VerificationChange } from "./verification";
import { labelOf } from "./words";

/**
 * The kinds of a finding about an unclear effect. They include `management` if logins of the method (or any logins, without a method)
 * may get management.
 */
type Doubt = (method: string | undefined) => FindingKind[];

/** The findings of a change, in words: new and lost permissions, undecided effects, dangling references and failing logins. */
export function findingsOf(compared: Compared): readonly Finding[] {
  return ledgerOf(compared, changeFindings(compared)).findings;
}

/** The findings of all comparisons. A change without a finding is not proven harmless: `ledgerOf` looks for the proof. */
export function changeFindings(compared: Compared): Finding[] {
  const { changes, verification, before, after, undecided, hidden, policies } = compared;
  const { rights, byName, renamed } = policies;
  const managing = new Managing(compared);
  const doubt: Doubt = (method) => (managing.of(method) ? ["undecided", "management"] : ["undecided"]);
  // A rule with an unknown bind name may give any changed policy.
  const touched = (compared.policies.changed.length > 0 ? [...hidden.keys()] : changes.hidden).flatMap((id) => hidden.get(id) ?? []);
  return [
    ...changes.grants.map((change) => {
      const finding = grantFinding(change, managing.of(change.method), rightsOfGrant(compared, change));
      return withFailures(finding, change, after);
    }),
    ...changes.order.map((change) => orderFinding(change, before, after)),
    ...changes.roles.flatMap((one) => {
      const change = byName.has(one.role) ? byName.get(one.role) : changeOf(rights, "role", one.role);
      return roleFindings(one, change, compared);
    }),
    ...renamed.flatMap(({ name: role, old, now }) => {
      const one = { role, added: without(now, old), removed: without(old, now) };
      return roleFindings(one, changeOf(rights, "role", role), compared);
    }),
    ...policyFindings(compared.policies),
    ...nameFindings(compared),
    ...togetherFindings({ before, after }, changes),
    ...changes.dangling.map((change) => danglingFinding(change, after)),
    ...changes.methods.map((change): Finding => ({ ...methodFinding(change, doubt), about: [keyOf("method", change.method)] })),
    ...defaultFindings(before, after, doubt),
    ...verification.flatMap((change) => verificationFindings(change, doubt(change.method))),
    ...changes.failing.map(
      (method): Finding => ({
        kinds: ["failing"],
        about: [keyOf("method", method)],
        sentence: ["every login of ", { code: method }, " fails, because the name of its token can't be computed"],
      }),
    ),
    ...withoutRepetition([...undecided, ...touched].map((one) => undecidedFinding(one, managing))),
    ...gapFindings(compared.gaps),
    ...uncheckedFindings(compared.unchecked),
  ];
}

/** Findings about logins that get a role by the old or new name of a renamed role: the name may pass to a role with other permissions. */
function nameFindings({ policies: { byName, given }, uncertainRules }: Compared): Finding[] {
  const mayReach = uncertainRules.some(mayGiveRoles);
  return [...byName].flatMap(([name, change]) =>
    change && (mayReach || given.has(name)) ? rightsFindings(change, ["logins with the role ", { code: name }]) : [],
  );
}

function without(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name));
}

function danglingFinding({ kind, name, rules, isComputed }: Dangling, after: AccessModel): Finding {
  const [noun, binds, is, gives] = rules.length > 1 ? ["rules", "bind", "are", "give"] : ["rule", "binds", "is", "gives"];
  const what = kind === "role" ? "the role " : "the auth method ";
  const verb = kind === "role" ? ` still ${binds} it` : ` ${is} still of it`;
  const labels = listed(rules.map((rule) => labelOf(after, rule)));
  const end = isComputed ? ` may still compute its name, and ${gives} nothing then` : `${verb}, and ${gives} nothing`;
  return {
    kinds: ["dangling"],
    about: [keyOf(kind, name), ...rules.map(({ id }) => keyOf("rule", id))],
    sentence: [what, { code: name }, ` goes, while the ${noun} `, ...labels, end],
  };
}

/** A finding about logins that match both a rule for management and a rule that ends the login: the order of the rules decides. */
function orderFinding({ method, before: old, after: now, isSame }: OrderChange, before: AccessModel, after: AccessModel): Finding {
  const labels = [...old.map((id) => labelOf(before, { id })), ...now.map((id) => labelOf(after, { id }))].filter((label) => label !== "");
  const why = isSame ? "that order is unknown" : "that order, or what they match, changes";
  return {
    kinds: isSame ? ["management", "undecided"] : ["management", "failing", "undecided"],
    about: [keyOf("method", method), ...[...old, ...now].map((id) => keyOf("rule", id))],
    sentence: [
      ...["logins of ", { code: method }, " that match several of the rules "],
      ...listed([...new Set(labels)]),
      ` get management or fail, depending on which one the server tries first, and ${why}`,
    ],
  };
}

function methodFinding({ method, property, before: was, after: is, failing }: MethodChange, doubt: Doubt): Finding {
  const subject: Sentence = ["auth method ", { code: method }, ": "];
  if (was === undefined || is === undefined) {
    return { kinds: doubt(method), sentence: [...subject, `${property} differ, so selectors may mean other claims`] };
  }
  const sentence = [...subject, `${property} is `, valueWords(is), " instead of ", valueWords(was)];
  if (failing === undefined) return { kinds: methodKinds({ method, property, before: was, after: is }, doubt), sentence };
  const [gains] = doubt(method).slice(1);
  const words = { same: "", wider: ": logins fail", narrower: ": logins no longer fail", undecided: ": logins may fail", crossing: "" }[
    failing
  ];
  const whose = failing === "same" ? "" : " that lack a claim of it, or whose token gets too long a name";
  const kinds: Readonly<Record<typeof failing, FindingKind[]>> = {
    same: [],
    wider: ["failing", "narrowed"],
    narrower: [...(gains ? [gains] : []), "widened"],
    undecided: ["failing", ...doubt(method)],
    crossing: ["failing", ...doubt(method)],
  };
  return { kinds: kinds[failing], sentence: [...sentence, `${words}${whose}`] };
}

/** A login that names no method uses the default method. */
function defaultFindings(before: ComparedModel, after: ComparedModel, doubt: Doubt): Finding[] {
  const [was, is] = [before.defaultMethod, after.defaultMethod];
  const isOneOfSeveral = was === undefined && is === undefined && !isDeepStrictEqual(defaultsIn(before), defaultsIn(after));
  if (was === is && !isOneOfSeveral) return [];
  const about = [was, is].flatMap((name) => (name === undefined ? [] : [keyOf("method", name)]));
  if (isOneOfSeveral || before.isDefaultHidden || after.isDefaultHidden) {
    return [{ kinds: doubt(undefined), about, sentence: ["the auth method of logins that name none can't be decided"] }];
  }
  const subject = "logins that name no auth method ";
  if (is === undefined)
    return [{ kinds: ["failing", "narrowed"], about, sentence: [subject, "fail: ", { code: was ?? "" }, " is no longer the default"] }];
  const sentence: Sentence = [
    subject,
    "are of ",
    { code: is },
    ...(was === undefined ? [", and failed before"] : [" instead of ", { code: was }]),
  ];
  const more = doubt(is).filter((kind) => kind === "management");
  return [{ kinds: was === undefined ? [...more, "widened"] : doubt(is), about, sentence }];
}

/** The default methods by their objects: a state that is older than the server's choice has several. */
function defaultsIn({ objects }: ComparedModel): string[] {
  return objects.flatMap(({ kind, name, outputs }) => (kind === "AclAuthMethod" && outputs.default === true ? [name] : [])).sort();
}

function undecidedFinding(one: Undecided, managing: Managing): Finding {
  const { object, part, isTwice } = one;
  const why = isTwice ? " also belongs to another object" : " is secret, or unknown before an update";
  const key = keyOf("object", object);
  return {
    kinds: managing.byObject(one) ? ["undecided", "management"] : ["undecided"],
    about: [key, partOf(key, part)],
    sentence: [{ code: object }, " can't be compared: ", { code: part }, why],
  };
}

/** Merges findings with the same sentence, which the two sides of one object can cause. The result has the kinds of all of them. */
function withoutRepetition(all: readonly Finding[]): Finding[] {
  const known = new Map<string, Finding>();
  for (const finding of all) {
    const key = JSON.stringify(finding.sentence);
    const kinds = new Set([...(known.get(key)?.kinds ?? []), ...finding.kinds]);
    known.set(key, { ...finding, kinds: [...kinds] });
  }
  return [...known.values()];
}

function uncheckedFindings(unchecked: string | undefined): Finding[] {
  return unchecked === undefined ? [] : [{ kinds: ["undecided", "management"], sentence: ["not checked: ", ...withNames(unchecked)] }];
}

function gapFindings(gaps: readonly Gap[]): Finding[] {
  return [...new Set(gaps.map(({ kind }) => kind))].map((kind) => ({
    kinds: ["undecided", "management"],
    sentence: ["objects of the kind ", { code: kind }, " could not be read, and can't be compared"],
  }));
}

function verificationFindings({ method, differing, shorter, hidden, own }: VerificationChange, doubt: readonly FindingKind[]): Finding[] {
  const key = keyOf("method", method);
  const about = [key, ...hidden.map((name) => partOf(key, `config.${name}`))];
  const finding = (properties: readonly string[], words: string, kinds = doubt): Finding[] =>
    properties.length > 0 ? [{ kinds, about, sentence: ["auth method ", { code: method }, ": ", ...listed(properties), words] }] : [];
  const verb = differing.length > 1 ? "differ" : "differs";
  return [
    ...finding(differing, ` ${verb}, so others may log in`),
    ...finding(shorter, ` ${shorter.length > 1 ? "accept" : "accepts"} fewer values, so fewer may log in`, ["narrowed"]),
    ...finding(own, ` ${own.length > 1 ? "differ" : "differs"}, so logins may begin to fail, or stop failing`),
    ...finding(hidden, " can't be compared: secret, or unknown before an update"),
  ];
}

/** The kinds of a changed property. A token that becomes valid in all regions, or for longer, counts as widened. */
function methodKinds({ method, property, before, after }: MethodChange & Record<"before" | "after", string>, doubt: Doubt): FindingKind[] {
  const more: FindingKind[] = [...doubt(method).filter((kind) => kind === "management"), "widened"];
  if (property === "tokenLocality" && after === "global") return more;
  if (property === "tokenLocality" && after === "local") return ["narrowed"];
  if (property !== "maxTokenTtl") return doubt(method);
  const [was, is] = [before, after].map(parseDuration);
  if (was === undefined || is === undefined) return doubt(method);
  return is > was ? more : ["narrowed"];
}

function valueWords(value: string): Sentence[number] {
  return value === "" ? "not set" : { code: value };
}

/**
 * The permissions of each role or policy that a grant names. For a grant that fewer logins get, these are the permissions before the
 * change, else the permissions after it.
 */
export function rightsOfGrant(
  { before, after }: Pick<Comparable, "before" | "after">,
  { given: { kind, names }, relation }: GrantChange,
): Map<string, GivenRights> {
  if (kind !== "role" && kind !== "policy") return new Map();
  const model = relation === "narrower" ? before : after;
  return new Map(
    names.flatMap((name) => {
      const rights = rightsGiven(model, kind, name);
      return rights ? [[name, rights] as const] : [];
    }),
  );
}

function grantFinding(change: GrantChange, manages: boolean, rights: ReadonlyMap<string, GivenRights>): Finding {
  const { method, given, policies, before, after, relation } = change;
  const ofGiven = given.names.flatMap((name) => (given.kind === "role" || given.kind === "policy" ? [keyOf(given.kind, name)] : []));
  const about = [keyOf("method", method), ...ofGiven, ...[...before, ...after].map(({ id }) => keyOf("rule", id))];
  const kinds = given.kind === "failure" ? failureKinds(change, manages) : grantKinds(change, rights);
  const what = [...givenWords(given, policies), ...allowedWords(rights)];
  const logins: Sentence = ["logins of ", { code: method }];
  const [gain, lose, get] = given.kind === "failure" ? [" now ", " no longer ", " "] : [" gain ", " lose ", " get "];
  if (relation === "wider" && before.length === 0 && after.length > 0)
    return { kinds, about, sentence: [...logins, ...selectorsOf(after), gain, ...what] };
  if (relation === "narrower" && after.length === 0 && before.length > 0)
    return { kinds, about, sentence: [...logins, ...selectorsOf(before), lose, ...what] };
  const how = { wider: "more logins than before", narrower: "fewer logins than before", crossing: "some more and some fewer logins" };
  const words = relation === "undecided" ? "whether that is more or fewer logins can't be decided" : how[relation];
  const changed: Sentence =
    before.length + after.length === 0
      ? [" by other mappings of claims"]
      : [
          ...(after.length > 0 ? selectorsOf(after) : [" by other rules"]),
          ...(before.length > 0 ? [" instead of", ...selectorsOf(before)] : []),
        ];
  return { kinds, about, sentence: [...logins, ...changed, ` (${words})`, get, ...what] };
}

/**
 * Adds the rules that may fail logins which lose management. The server stops at a rule for management; without it, the server goes on to
 * the other rules.
 */
function withFailures(finding: Finding, { method, given, relation }: GrantChange, after: ComparedModel): Finding {
  if (given.kind !== "management" || relation === "wider") return finding;
  const known = after.methods.find(({ name }) => name === method);
  const failing = after.rules.filter((rule) => rule.authMethod === method && failingByBindName(rule, known) !== "none");
  if (failing.length === 0) return finding;
  const labels = listed(failing.map((rule) => labelOf(after, rule)));
  const which = failing.length > 1 ? "; logins that match one of the rules " : "; logins that match the rule ";
  const why = " fail if a bind name becomes one that the server refuses";
  return { kinds: [...finding.kinds, "failing"], sentence: [...finding.sentence, which, ...labels, why] };
}

/**
 * The permissions of one role or policy, in words. For several, the words name the ones with all permissions; if there is none, they list
 * what any of them allows.
 */
function allowedWords(rights: ReadonlyMap<string, GivenRights>): Sentence {
  const [one, ...others] = rights.values();
  if (!one) return [];
  if (others.length > 0) {
    const managing = [...rights].filter(([, { management }]) => management !== undefined).map(([name]) => name);
    if (managing.length > 0) return ["; ", ...listed(managing), " may do everything"];
    const allowed = new Map([...rights.values()].flatMap((each) => each.allowed.map((right) => [JSON.stringify(right), right])));
    return allowed.size > 0 ? [", some of which may ", ...places([...allowed.values()])] : [];
  }
  const unread = one.isHidden ? "a part of it is unreadable" : "this version does not know a part of its rules";
  const isUnread = one.isHidden || one.isUndecided;
  const known = one.allowed.length > 0 ? places(one.allowed) : [isUnread ? `do anything, because ${unread}` : "do nothing"];
  const all: Sentence = one.management === undefined ? [] : ["do everything, because ", reason(one.management), ": "];
  const open =
    one.unknown.length > 0 && (one.allowed.length > 0 || !isUnread)
      ? [", and the permissions of ", ...listed(one.unknown), " are unknown"]
      : [];
  return [", which may ", ...all, ...known, ...open];
}

/** A partly unknown grant may give everything, or deny permissions of other grants. A hidden selector may match any login. */
function grantKinds({ given, relation, before, after }: GrantChange, rights: ReadonlyMap<string, GivenRights>): FindingKind[] {
  const all = [...rights.values()];
  const isAll = given.kind === "management" || all.some((one) => one.mayManage);
  const isAnyHidden = all.some(({ isHidden }) => isHidden) || [...before, ...after].some((rule) => rule.hiddenSelector !== undefined);
  const isOpen = relation !== "undecided" && isAnyHidden;
  return [
    ...((isAll && relation !== "narrower") || all.some(({ isHidden }) => isHidden) ? (["management"] as const) : []),
    ...relationKinds[relation],
    ...(isOpen ? (["undecided"] as const) : []),
  ];
}

/** A new failure removes grants of a login, and a removed failure restores them. */
function failureKinds({ given, relation }: GrantChange, manages: boolean): FindingKind[] {
  const inverse = { wider: "narrower", narrower: "wider", crossing: "crossing", undecided: "undecided" } as const;
  return [
    ...(manages && relation !== "wider" ? (["management"] as const) : []),
    ...(relation !== "narrower" ? (["failing"] as const) : []),
    ...(given.dependsOnClaims && relation !== "undecided" ? (["undecided"] as const) : []),
    ...relationKinds[inverse[relation]],
  ];
}

const relationKinds: Readonly<Record<GrantChange["relation"], readonly FindingKind[]>> = {
  wider: ["widened"],
  narrower: ["narrowed"],
  crossing: ["widened", "narrowed"],
  undecided: ["undecided"],
};

function givenWords({ kind, names, dependsOnClaims }: Given, policies: readonly string[]): Sentence {
  if (kind === "management") return ["management, which may do everything"];
  const objects = listed(names);
  if (dependsOnClaims) return ["fail if ", ...objects, " becomes a name that the server refuses"];
  if (kind === "failure") return ["fail, because the bind name ", ...objects, " can't become a valid name"];
  const held = kind === "role" && policies.length > 0 ? [" (", ...listed(policies), ")"] : [];
  // A computed bind name becomes one of the names at each login.
  const subject = names.length > 1 ? (kind === "role" ? "one of the roles " : "one of the policies ") : `the ${kind} `;
  return [subject, ...objects, ...held];
}

function selectorsOf(rules: readonly BindingRule[]): Sentence {
  if (rules.some(({ selector = "" }) => selector === "")) return [" with any claims"];
  return [" with ", ...listed([...new Set(rules.map(({ selector = "" }) => selector))], " or ")];
}
