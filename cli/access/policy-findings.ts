/** Findings about changed policies and their holders, in words. */
import type { RightsDifference } from "../../access/policy/compare";
import { type Finding, type FindingKind, keyOf, partOf } from "./finding";
import type { PolicyHolder } from "./holders";
import { joined, listed, type Sentence } from "./markup";
import {
  type DenialChange,
  differencesTo,
  manages,
  type PolicyChanges,
  type PolicyGone,
  type RightsChange,
  type TokenRightsChange,
} from "./rights-changes";
import { askWords, byWidth, dangerOf, isDangerous, rightsText } from "./rights-words";
import { endChange, isMoved, type TokenFacts } from "./tokens";

export function policyFindings({ tokens, rights, denials, gone }: PolicyChanges): Finding[] {
  return [
    ...tokens.flatMap((change) =>
      [...tokenFindings(change, changeOf(rights, "token", change.key)), ...validityFindings(change)].map(
        (finding): Finding => ({ about: [keyOf("token", change.key)], ...finding }),
      ),
    ),
    ...rights.filter((change) => !isSaid(change, rights, tokens)).flatMap((change) => rightsFindings(change, holderWords(change.holder))),
    ...denials.flatMap((change) => [...denialFindings(true, change), ...denialFindings(false, change)]),
    ...gone.map(goneFinding),
  ];
}

/** Whether findings about a token's roles, or about its removal, already report the change of its permissions. */
function isSaid(change: RightsChange, all: readonly RightsChange[], tokens: readonly TokenRightsChange[]): boolean {
  const { holder } = change;
  if (holder.kind !== "token") return false;
  if (tokens.some(({ key, after }) => !after && holder.key === keyOf("token", key))) return true;
  const roles = all.filter((other) => other.holder.kind === "role" && holder.roles.includes(other.holder.name));
  const texts = new Set(roles.flatMap(({ differences }) => differences.map((one) => JSON.stringify(one))));
  const unknown = new Set(roles.flatMap((one) => one.unknown));
  const isNew = manages(change) && !roles.some(manages);
  const isOpen = change.relation === "undecided" && roles.every(({ relation }) => relation !== "undecided");
  return (
    !isNew &&
    !isOpen &&
    change.differences.every((one) => texts.has(JSON.stringify(one))) &&
    change.unknown.every((name) => unknown.has(name))
  );
}

/** The permissions that change for a holder. */
export function changeOf(rights: readonly RightsChange[], kind: "role" | "token", key: string): RightsChange | undefined {
  return rights.find(({ holder }) => holder.key === keyOf(kind, key));
}

/** The kinds of findings for gained or lost policies. There are none if the known permissions certainly do not change in this direction. */
export function kindsOf(isMore: boolean, change: RightsChange | undefined): readonly FindingKind[] {
  const isOpen = change === undefined || change.relation === "undecided" || change.unknown.length > 0;
  const is = isOpen || differencesTo(isMore, change.differences).length > 0;
  return is
    ? [
        ...(isMore && (change?.management !== undefined || change?.mayManage) ? (["management"] as const) : []),
        isMore ? "widened" : "narrowed",
      ]
    : [];
}

/** Findings about the type, roles and policies of a token, by name. The permissions of the policies have findings of their own. */
function tokenFindings(token: TokenRightsChange, change: RightsChange | undefined): Finding[] {
  const { before, after } = token;
  const subject = tokenWords(token);
  if (!after) {
    // The changes of its policies are not said again.
    const about = [keyOf("token", token.key), ...(change?.changed ?? []).map((name) => keyOf("policy", name))];
    return [{ kinds: kindsOf(false, change), about, sentence: [...subject, " goes, and its holders lose what it gave"] }];
  }
  const hidden = [...new Set([before, after].flatMap((side) => side?.hidden ?? []))].filter((part) => held.has(part));
  const isHidden = (side: TokenFacts | undefined) => side?.hidden?.includes("type") === true;
  const wasAll = before?.type === "management" && !isHidden(before);
  const management = "one of management, which may do everything";
  if (after.type === "management" && !isHidden(after)) {
    if (wasAll) return [];
    const becomes = before ? ` becomes ${management}` : ` is new, and is ${management}`;
    const doubt: FindingKind[] = hidden.length > 0 ? ["undecided"] : [];
    return [{ kinds: ["management", "widened", ...doubt], sentence: [...subject, becomes], about: aboutParts(token, hidden) }];
  }
  if (hidden.length > 0) {
    const what = before ? " may change" : " is new";
    const kinds: FindingKind[] = wasAll ? ["undecided"] : ["undecided", "management"];
    const verb = hidden.length > 1 ? "are secret, or unknown" : "is secret, or unknown";
    const sentence: Sentence = [...subject, what, ", and its grants are unknown here: ", ...listed(hidden), ` ${verb}`];
    return [{ kinds, sentence, about: aboutParts(token, hidden) }];
  }
  if (wasAll) return [{ kinds: ["narrowed"], sentence: [...subject, " is no longer one of management, and has ", ...heldWords(after)] }];
  const nothing: TokenFacts = { type: "client", policies: [], roles: [], global: false };
  const more = without(after, before ?? nothing);
  const less = without(before ?? nothing, after);
  const isSome = ({ roles, policies }: TokenFacts) => roles.length + policies.length > 0;
  const gains = before ? " gains " : " is new, and has ";
  return [
    ...(isSome(more) ? [{ kinds: kindsOf(true, change), sentence: [...subject, gains, ...heldWords(more)] }] : []),
    ...(isSome(less) ? [{ kinds: kindsOf(false, change), sentence: [...subject, " loses ", ...heldWords(less)] }] : []),
  ];
}

const held: ReadonlySet<string> = new Set(["type", "policies", "roles"]);

/** Findings about the regions and the lifetime of a token of both sides. */
function validityFindings(token: TokenRightsChange): Finding[] {
  const { before, after, isReplaced, mayManage } = token;
  if (!before || !after) return [];
  const hidden = [...new Set([before, after].flatMap((side) => side.hidden ?? []))].filter((part) => !held.has(part));
  const more: FindingKind[] = mayManage ? ["management", "widened"] : ["widened"];
  const subject = tokenWords(token);
  const finding = (kinds: readonly FindingKind[], ...words: Sentence): Finding => ({ kinds, sentence: [...subject, ...words] });
  const found: Finding[] = [];
  if (hidden.length > 0) {
    const kinds: FindingKind[] = mayManage ? ["undecided", "management"] : ["undecided"];
    const words: Sentence = [" may be valid elsewhere, or for another time: ", ...listed(hidden), " can't be compared"];
    found.push({ ...finding(kinds, ...words), about: aboutParts(token, hidden) });
  }
  if (!hidden.includes("global") && before.global !== after.global)
    found.push(
      finding(after.global ? more : ["narrowed"], ` is valid in ${after.global ? "all regions" : "the region alone that makes it"}`),
    );
  if (!hidden.includes("global") && isMoved(token)) {
    const [old, now] = [before.server ?? "", after.server ?? ""];
    found.push(finding([...more, "narrowed"], " is valid on ", { code: now }, " instead of ", { code: old }));
  }
  const end = hidden.length > 0 ? "same" : endChange(token);
  if (end === "same") return found;
  const [was, is] = [before, after].map(({ ttl, time }) => (before.time && after.time ? time : (ttl ?? time)));
  const words = (text: string | undefined): Sentence =>
    text === undefined ? ["never"] : /^\d{4}-/.test(text) ? ["at ", { code: text }] : [{ code: text }, " after it is made"];
  const again = isReplaced ? " is replaced, and" : "";
  const now: Sentence = is === undefined ? [`${again} never ends`] : [`${again} ends `, ...words(is)];
  const earlier: Sentence = was === is ? [] : [is === undefined ? ", instead of ending " : " instead of ", ...words(was)];
  const kinds: readonly FindingKind[] = end === "longer" ? more : end === "shorter" ? ["narrowed"] : ["undecided", ...more];
  return [...found, finding(kinds, ...now, ...earlier)];
}

function aboutParts({ key }: TokenRightsChange, hidden: readonly string[]): string[] {
  return [keyOf("token", key), ...hidden.map((part) => partOf(keyOf("token", key), part))];
}

function tokenWords({ name, hasNamesake }: Pick<TokenRightsChange, "name" | "hasNamesake">): Sentence {
  return [hasNamesake ? "a token " : "the token ", { code: name }];
}

function without(one: TokenFacts, other: TokenFacts): TokenFacts {
  const rest = (kind: "roles" | "policies") => one[kind].filter((name) => !other[kind].includes(name));
  return { ...one, roles: rest("roles"), policies: rest("policies") };
}

function heldWords({ roles, policies }: TokenFacts): Sentence {
  return [...named("role", roles), ...(roles.length > 0 && policies.length > 0 ? [" and "] : []), ...named("policy", policies)];
}

/** Objects of a kind in words; nothing if there are none. */
export function named(noun: "role" | "policy" | "token", names: readonly string[]): Sentence {
  const several = noun === "policy" ? "policies" : `${noun}s`;
  return names.length > 0 ? [`the ${names.length > 1 ? several : noun} `, ...listed(names)] : [];
}

function denialFindings(isMore: boolean, { kind, name, differences, isManaging }: DenialChange): Finding[] {
  const some = differencesTo(isMore, differences);
  if (some.length === 0) return [];
  const [denies, may] = isMore ? [" no longer denies", "may also "] : [" denies", "may no longer "];
  const [others, who, noun] =
    kind === "tasks"
      ? (["other policies of its former job", "tasks of the job", "policy"] as const)
      : (["other grants", "a token with both", kind] as const);
  return [
    {
      kinds: [...(isMore && isManaging ? (["management"] as const) : []), isMore ? "widened" : "narrowed"],
      about: [keyOf(noun, name)],
      sentence: [`with ${others}, the ${noun} `, { code: name }, `${denies} what they allow: ${who} ${may}`, ...places(some)],
    },
  ];
}

/** Findings about the permissions that change for a holder. @param subject the holder in words */
export function rightsFindings(change: RightsChange, subject: Sentence): Finding[] {
  const { holder, changed, unknown, relation, differences, management, mayManage } = change;
  const by: Sentence = holder.kind === "policy" ? [] : [` (${changed.length > 1 ? "policies" : "policy"} `, ...listed(changed), ")"];
  const finding = (isMore: boolean): Finding[] => {
    const some = differencesTo(isMore, differences);
    if (some.length === 0) return [];
    const manages = isMore && (management !== undefined || mayManage);
    const kinds: FindingKind[] = [...(manages ? (["management"] as const) : []), isMore ? "widened" : "narrowed"];
    const everything: Sentence = management ? [" may now do everything, because ", reason(management), ": "] : [" may also "];
    const verb = isMore ? everything : [" may no longer "];
    const perhaps = isMore && mayManage && !management ? [", and perhaps everything"] : [];
    return [{ kinds, about: aboutOf(change), sentence: [...subject, ...verb, ...places(some), ...by, ...perhaps] }];
  };
  const isMore = differencesTo(true, differences).length > 0;
  const open = relation === "undecided" || unknown.length > 0 || (mayManage && !isMore) ? [undecidedFinding(change, subject)] : [];
  return [...finding(true), ...finding(false), ...open];
}

function aboutOf({ holder, changed }: RightsChange): string[] {
  const { kind, name, key } = holder;
  const own = kind === "role" ? [keyOf("role", name)] : kind === "token" ? [key] : [];
  return [...own, ...changed.map((one) => keyOf("policy", one))];
}

function undecidedFinding(change: RightsChange, subject: Sentence): Finding {
  const { holder, changed, unknown, unknownSide, relation, mayManage } = change;
  const when = unknownSide === undefined ? "on both sides" : `${unknownSide} the change`;
  const isOfRole = unknown.some((name) => holder.roles.includes(name) && !holder.policies.includes(name));
  const rules = isOfRole ? "the permissions of " : `the rules of ${unknown.length > 1 ? "the policies" : "the policy"} `;
  const unread = relation === "undecided" ? changed.filter((name) => !unknown.includes(name)) : [];
  const reasons: Sentence[] = [
    ...(unknown.length > 0 ? [[rules, ...listed(unknown), ` are not known ${when}`]] : []),
    ...(unread.length > 0 ? [["the rules of ", ...listed(unread), " have parts that this version does not know"]] : []),
  ];
  const jobs: Sentence = [...listed(changed), " may let them run jobs whose tasks may do everything"];
  const why = joined(reasons.length > 0 ? reasons : [jobs], (one) => one, "; ");
  const kinds: FindingKind[] = ["undecided", ...(mayManage ? (["management"] as const) : [])];
  const verb = mayManage ? " may do everything, or more or less: " : " may do more or less: ";
  const parts = unknown.map((name) => partOf(keyOf("policy", name), "rules"));
  return { kinds, about: [...aboutOf(change), ...parts], sentence: [...subject, verb, ...why] };
}

function holderWords({ kind, name, hasNamesake }: PolicyHolder): Sentence {
  switch (kind) {
    case "everybody":
      return ["everybody, without a token,"];
    case "tasks":
      return ["tasks of ", { code: name }];
    case "token":
      return tokenWords({ name, hasNamesake: hasNamesake === true });
    default:
      return [`tokens with the ${kind} `, { code: name }];
  }
}

/**
 * The reason why somebody may do everything. The names of a job and its policy come from a program or server, so they are formatted as
 * code.
 */
export function reason(management: string): Sentence[number] {
  return /^operator:[a-z-]+ equals management$/.test(management) ? management : { code: management };
}

/** The number of namespaces to list, if several have the same permissions. */
const NAMESPACES = 10;

/**
 * The permissions, grouped by place. Groups with dangerous permissions or with a wildcard in the place come first and are never left out.
 * Of the namespaces with the same permissions, only the first ones are named, and the others are counted.
 */
export function places(differences: readonly RightsDifference[]): Sentence {
  const byPlace = new Map<string, RightsDifference[]>();
  const gained = new Set(differences.flatMap(({ ask, after }) => (after === true ? [ask] : [])));
  // A gained permission to write includes all permissions of that kind.
  const isSaid = (ask: string) => /^(operator|agent|node|quota):(?!write$)/.test(ask) && gained.has(ask.replace(/:.*/, ":write"));
  for (const one of differences.filter(({ ask }) => !isSaid(ask))) {
    const key = JSON.stringify([one.namespace, one.path, one.name, one.ask.includes(":") && one.namespace === undefined ? one.ask : ""]);
    byPlace.set(key, [...(byPlace.get(key) ?? []), one]);
  }
  const alike = new Map<string, RightsDifference[][]>();
  const kept = new Set<string>();
  const dangers = [...byPlace.values()].map((ofPlace) => {
    const [{ path, name, namespace } = {}] = ofPlace;
    const danger = dangerOf(ofPlace.map(({ ask }) => ask));
    const place = [namespace, path, name].flatMap((one) => one ?? []);
    return { ofPlace, danger, place: place.join(""), isHarmless: !isDangerous(danger) && !place.includes("*") };
  });
  const inOrder = dangers.toSorted(
    (a, b) => Number(a.isHarmless) - Number(b.isHarmless) || a.danger - b.danger || byWidth(a.place, b.place),
  );
  for (const { ofPlace, isHarmless } of inOrder) {
    const [{ path, name, namespace } = {}] = ofPlace;
    const key = JSON.stringify([path, name, namespace === undefined, rightsOfPlace(ofPlace)]);
    alike.set(key, [...(alike.get(key) ?? []), ofPlace]);
    if (!isHarmless) kept.add(key);
  }
  return joined([...alike.values()], placeWords, "; ", kept.size);
}

function rightsOfPlace(differences: readonly RightsDifference[]): readonly string[] {
  const ofName = /^(node_pool|host_volume):/;
  return askWords(differences.map(({ ask }) => ask.replace(ofName, "")));
}

/** The same permissions in some namespaces, or in one other place. */
function placeWords(all: readonly (readonly RightsDifference[])[]): Sentence {
  const [first = []] = all;
  const [{ ask = "", namespace, path, name } = {}] = first;
  const rights = rightsText({ rights: rightsOfPlace(first), dangers: 0 }, false);
  if (name !== undefined) return [rights, ask.startsWith("node_pool") ? " the node pool " : " the host volume ", { code: name }];
  if (namespace === undefined) return [rights];
  const variables: Sentence = path === undefined ? [] : [" the variables ", { code: path }];
  const names = all.flatMap(([one]) => one?.namespace ?? []).toSorted(byWidth);
  return [rights, ...variables, names.length > 1 ? " in the namespaces " : " in the namespace ", ...listed(names, ", ", NAMESPACES)];
}

function goneFinding({ name, roles, tokens, rules }: PolicyGone): Finding {
  const groups = [
    ["the role", roles],
    ["the token", tokens],
    ["the rule", rules],
  ] as const;
  const naming = groups.filter(([, names]) => names.length > 0);
  const one = (noun: string, names: readonly string[]): Sentence => [`${noun}${names.length > 1 ? "s" : ""} `, ...listed(names)];
  const words = naming.flatMap(([noun, names], index): Sentence => (index === 0 ? one(noun, names) : [" and ", ...one(noun, names)]));
  const isOne = naming.length === 1 && naming[0]?.[1].length === 1;
  return {
    kinds: ["dangling"],
    about: [keyOf("policy", name)],
    sentence: ["the policy ", { code: name }, " goes, while ", ...words, ` still ${isOne ? "names" : "name"} it`],
  };
}
