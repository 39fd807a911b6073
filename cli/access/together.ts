/** Combined effect of several grants: roles and policies add up, and a more exact pattern or a deny removes permissions of others. */
import { isDeepStrictEqual } from "node:util";
import type { AccessChanges, GrantChange } from "../../access/changes";
import type { BindingRule } from "../../access/graph";
import type { LoginMethod } from "../../access/login";
import { type CombinedDifference, compareCombined, type Holding } from "../../access/policy/combined";
import { equalRules } from "../../access/policy/equal";
import { grantsOf } from "../../access/policy/grants";
import { likeManagement, runningInJobs } from "../../access/policy/management";
import { relationOfSelections } from "../../access/selector-relation";
import { grouped } from "../../common/grouped";
import { type ComparedModel, possibleTargets } from "./comparable";
import { type Finding, type FindingKind, keyOf } from "./finding";
import { listed, type Sentence } from "./markup";
import { places } from "./policy-findings";
import { bringsManagement, isHiddenGift, type KnownRules, mayGainManagement, mayManage, policiesOfGift, rulesOfGift } from "./rights";
import { deniesMore, lostUnknown, uncovered } from "./uncovered";

/** A role or a policy that rules of a method give, on one side. */
interface Gift {
  readonly policies: readonly string[];
  readonly known: KnownRules;
  readonly isHidden: boolean;
  readonly rules: readonly BindingRule[];
}

/** A role or policy before and after. */
interface GiftPair {
  readonly kind: "role" | "policy";
  readonly name: string;
  readonly before?: Gift;
  readonly after?: Gift;
  readonly relation: GrantChange["relation"] | "same";
}

/** A gift that a login has before a change, after it, or both. */
interface GiftHolding extends Holding {
  readonly gift: GiftPair;
}

type Sides = Readonly<Record<"before" | "after", ComparedModel>>;

/**
 * Findings about logins that get a changed role or policy together with others: the combined effect can differ from the effect of each
 * alone.
 */
export function togetherFindings(sides: Sides, { grants }: Pick<AccessChanges, "grants">): Finding[] {
  const [was, is] = [giftsByMethod(sides.before, sides.after), giftsByMethod(sides.after, sides.before)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((method) => {
    const [old, now] = [was.get(method), is.get(method)];
    const ofMethod = grants.filter((one) => one.method === method);
    const gifts = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])].map((key): GiftPair => {
      const [kind, name] = key.startsWith("role ") ? (["role", key.slice(5)] as const) : (["policy", key.slice(7)] as const);
      const [before, after] = [old?.get(key), now?.get(key)];
      const change = ofMethod.find(({ given }) => given.kind === kind && given.names.includes(name));
      return { kind, name, ...(before && { before }), ...(after && { after }), relation: change?.relation ?? "same" };
    });
    return new TogetherFinder(sides, method).of(gifts);
  });
}

function giftsByMethod(model: ComparedModel, other: ComparedModel): Map<string, Map<string, Gift>> {
  const methods = new Map(model.methods.map((method) => [method.name, method]));
  const all = new Map<string, Map<string, Gift & { rules: BindingRule[] }>>();
  const known = new Map<string, Omit<Gift, "rules">>();
  const others = new Set(other.methods.map(({ name }) => name));
  for (const rule of model.rules) {
    // The method is gone, or not there yet: the rule gives nothing.
    if (!methods.has(rule.authMethod) && others.has(rule.authMethod)) continue;
    const gifts = all.get(rule.authMethod) ?? new Map<string, Gift & { rules: BindingRule[] }>();
    all.set(rule.authMethod, gifts);
    const method = methods.get(rule.authMethod);
    for (const { toKind: kind, to: name, exists } of possibleTargets(rule, method, model)) {
      if (kind !== "role" && kind !== "policy") continue;
      // A role or policy that neither side has may belong to others.
      const isOfOthers = possibleTargets(rule, method, other).some((one) => one.to === name && !one.exists);
      if (!exists && !isOfOthers && !(kind === "role" && model.hasUnnamedRoles)) continue;
      const key = `${kind} ${name}`;
      const gift = known.get(key) ?? giftOf(model, kind, name);
      known.set(key, gift);
      const ofMethod = gifts.get(key) ?? { ...gift, rules: [] };
      gifts.set(key, ofMethod);
      ofMethod.rules.push(rule);
    }
  }
  return all;
}

function giftOf(model: ComparedModel, kind: GiftPair["kind"], name: string): Omit<Gift, "rules"> {
  const known = rulesOfGift(model, kind, name);
  return {
    policies: policiesOfGift(model, kind, name),
    known,
    isHidden: isHiddenGift(model, kind, name),
  };
}

/** The maximal number of pairs of a method's rules to compare. Beyond it, any two rules count as matching the same login. */
const MOST_SELECTORS = 1_000;
/**
 * The maximal number of choices to compare for one difference. Beyond it, a permission to run commands counts as management if some tasks in
 * its namespace may do everything.
 */
const MOST_CHOICES = 200;

/** Gifts with the same differences. */
interface Differing {
  readonly changed: readonly GiftPair[];
  /** The other gifts that the differences need: one of each group. */
  readonly others: readonly (readonly GiftPair[])[];
  readonly isMore: boolean;
  isAll: boolean;
  readonly all: CombinedDifference[];
}

interface KnownMethod {
  readonly method: LoginMethod;
  /** Equal texts stand for equal mappings. */
  readonly mappings: string;
}

class TogetherFinder {
  private readonly selectors = new Map<string, boolean>();

  private readonly known: Readonly<Record<"before" | "after", KnownMethod | undefined>>;

  constructor(
    private readonly sides: Sides,
    private readonly method: string,
  ) {
    this.known = { before: knownMethod(sides.before, method), after: knownMethod(sides.after, method) };
  }

  of(gifts: readonly GiftPair[]): Finding[] {
    const changed = gifts.filter(isChanged);
    if (changed.length === 0 || gifts.length + this.hiddenRules() < 2) return [];
    const clear = gifts.filter(({ before, after }) => !before?.isHidden && !after?.isHidden);
    const hidden = this.hiddenFindings(changed, gifts);
    const holdings = clear.flatMap(holdingsOf);
    const { differences, isUndecided } = compareCombined(holdings);
    const found = this.differing(differences, holdings);
    return [
      ...hidden,
      ...found,
      ...this.uncovered(changed, gifts),
      ...this.covered(changed, gifts),
      ...(isUndecided ? [this.undecided(changed, gifts)] : []),
    ];
  }

  /** The number of rules that may give logins of a method a role or policy with a hidden name. */
  private hiddenRules(): number {
    const { hiddenRules = [] } = this.sides.after;
    return hiddenRules.filter(({ authMethod = this.method, bindType }) => authMethod === this.method && bindType !== "management").length;
  }

  /** A partly hidden role or policy may deny permissions of a changed one, or the other way round. */
  private hiddenFindings(changed: readonly GiftPair[], gifts: readonly GiftPair[]): Finding[] {
    const hidden = gifts.filter(({ before, after }) => before?.isHidden || after?.isHidden);
    const others = changed.filter((one) => !hidden.includes(one) || hidden.length > 1);
    if (others.length === 0 || hidden.length + this.hiddenRules() === 0) return [];
    const rest = hidden.filter((one) => !others.includes(one));
    const isAnyPair = others.length > 1 && rest.length < hidden.length;
    const what: Sentence = rest.length > 0 ? listed(rest.map(({ name }) => name)) : ["the unknown grant of a rule"];
    const company: Sentence = isAnyPair
      ? ["more than one of ", ...namesOf([...others, ...rest])]
      : [...namesOf(others), " together with ", ...what];
    return [
      {
        kinds: ["undecided", "management"],
        about: others.flatMap(aboutOf),
        sentence: [
          ...["logins of ", { code: this.method }, " that get "],
          ...company,
          " may do more or less: a part of their permissions is unknown",
        ],
      },
    ];
  }

  /**
   * Findings about a role or policy that loses rules: they may have denied permissions of other grants, if the rules of either are unknown.
   */
  private uncovered(changed: readonly GiftPair[], gifts: readonly GiftPair[]): Finding[] {
    const { after } = this.sides;
    return changed.flatMap((gift): Finding[] => {
      const old = gift.before?.known;
      if (!old) return [];
      const now = gift.relation === "same" || gift.relation === "wider" ? gift.after?.known : undefined;
      const what = uncovered(after, old.rules, now?.rules ?? []);
      const isKept = (one: GiftPair) => one.before && isSome(one) && lostUnknown(old, now, one.after?.known).length > 0;
      const isOther = (one: GiftPair) => one !== gift && !one.after?.isHidden && ((what && isUnknown(one)) || isKept(one));
      const others = gifts.filter((one) => isOther(one) && this.mayMeet(gift, one));
      if (others.length === 0) return [];
      const isAll = (one: GiftPair) =>
        isKept(one) ? isUnknown(one) || mayManage(after, one.after?.policies ?? []) : what === "everything";
      const kinds: FindingKind[] = ["undecided", ...(others.some(isAll) ? (["management"] as const) : [])];
      const subject: Sentence = ["logins of ", { code: this.method }, " that get ", ...listed(others.map(({ name }) => name))];
      const why: Sentence = others.some(isKept)
        ? [" may do more: the rules of ", ...namesOf([gift]), " are not known, and may have denied it before"]
        : [" may do more: they get policies with unknown rules, and ", ...namesOf([gift]), " may take less from these than before"];
      return [{ kinds, about: aboutOf(gift), sentence: [...subject, ...why] }];
    });
  }

  /** Findings about a role or policy that denies more: the logins may also have grants with unknown rules, and lose permissions of these. */
  private covered(changed: readonly GiftPair[], gifts: readonly GiftPair[]): Finding[] {
    return changed.flatMap((gift): Finding[] => {
      const isKept = gift.relation === "same" || gift.relation === "narrower";
      if (!deniesMore((isKept && gift.before?.known.rules) || [], gift.after?.known.rules ?? [])) return [];
      const isOther = ({ before, after }: GiftPair) => before && after && !before.isHidden && before.known.unknown.length > 0;
      const others = gifts.filter((one) => one !== gift && isOther(one) && this.mayMeet(gift, one));
      if (others.length === 0) return [];
      const subject: Sentence = ["logins of ", { code: this.method }, " that get ", ...listed(others.map(({ name }) => name))];
      const why: Sentence = [" may do less: they get policies with unknown rules, and ", ...namesOf([gift]), " denies more than before"];
      return [{ kinds: ["undecided"], about: aboutOf(gift), sentence: [...subject, ...why] }];
    });
  }

  private undecided(changed: readonly GiftPair[], gifts: readonly GiftPair[]): Finding {
    const policies = gifts.flatMap(({ after }) => after?.policies ?? []);
    const isManaging = policies.some((name) => mayManage(this.sides.after, [name]));
    return {
      kinds: ["undecided", ...(isManaging ? (["management"] as const) : [])],
      about: changed.flatMap(aboutOf),
      sentence: [
        ...["logins of ", { code: this.method }, " that get ", ...namesOf(changed)],
        " together with others may do more or less: there are too many combinations to compare, or policies that this version does not fully know",
      ],
    };
  }

  /** A finding for each direction (gain or loss) and each set of gifts with the same differences. */
  private differing(differences: readonly CombinedDifference[], holdings: readonly GiftHolding[]): Finding[] {
    const groups = new Map<string, Differing>();
    for (const same of grouped(differences, (one) => JSON.stringify(one.groups)).values()) {
      const members = (same[0]?.groups ?? []).map((group) => group.flatMap((index) => holdings[index] ?? []));
      const { choices, isCut, meeting } = this.choices(members);
      if (choices.length === 0) continue;
      const possible = isCut ? meeting : members.map((_, index) => choices.flatMap((choice) => choice[index] ?? []));
      const place = possible.findIndex((group) => group.every(isChangedHolding));
      const changed = giftsOf(possible[place] ?? []);
      const others = possible.filter((_, index) => index !== place).map(giftsOf);
      for (const difference of same) {
        const isMore = difference.after === true;
        const isManaging = isMore && this.manages(difference, choices, isCut);
        if (difference.isRepeated && !isManaging) continue;
        const key = JSON.stringify([isMore, changed.map(keyOfGift), others.map((group) => group.map(keyOfGift))]);
        const group = groups.get(key) ?? { changed, others, isMore, isAll: false, all: [] };
        groups.set(key, group);
        group.all.push(difference);
        group.isAll ||= isManaging;
      }
    }
    return [...groups.values()].map(({ changed, others, isMore, isAll, all }): Finding => {
      const kinds: FindingKind[] = [...(isAll ? (["management"] as const) : []), isMore ? "widened" : "narrowed"];
      const which = [...(changed.length > 1 ? ["one of "] : []), ...namesOf(changed)];
      const company = others.flatMap((group, index) => [
        index === 0 ? " together with " : " and ",
        ...(group.length > 1 ? ["one of "] : []),
        ...listed(group.map(({ name }) => name)),
      ]);
      const subject: Sentence = ["logins of ", { code: this.method }, " that get ", ...which, ...company];
      return { kinds, about: changed.flatMap(aboutOf), sentence: [...subject, isMore ? " may also " : " may no longer ", ...places(all)] };
    });
  }

  /** Whether a difference may bring management to a login with one of these choices. @param isCut whether there are more choices */
  private manages(difference: CombinedDifference, choices: readonly (readonly GiftHolding[])[], isCut: boolean): boolean {
    const { ask } = difference;
    if (likeManagement.some((one) => one.ask === ask)) return true;
    if (!runningInJobs.has(ask)) return false;
    if (isCut && bringsManagement(this.sides.after, difference)) return true;
    return choices.some((members) => {
      const of = (side: "before" | "after") => members.flatMap((one) => (one[side] ? (one.gift[side]?.policies ?? []) : []));
      return mayGainManagement(this.sides.before, this.sides.after, { old: of("before"), now: of("after") });
    });
  }

  /**
   * The choices of one holding of each group that a login may have together.
   *
   * @returns the first choices, whether there are more, and the holdings of each group that may be in one
   */
  private choices(groups: readonly (readonly GiftHolding[])[]) {
    const choices: GiftHolding[][] = [];
    const meets = (one: GiftHolding, group: readonly GiftHolding[]) => group.some((other) => this.mayMeet(one.gift, other.gift));
    // Holdings that meet none of another group are left out first. Otherwise, they would be tried in all combinations with the others.
    const meeting = groups.map((group) => group.filter((one) => groups.every((other) => other === group || meets(one, other))));
    const extend = (members: readonly GiftHolding[], [next, ...more]: readonly (readonly GiftHolding[])[]): void => {
      if (!next) choices.push([...members]);
      for (const one of next ?? []) {
        if (choices.length > MOST_CHOICES) return;
        if (members.every((member) => this.mayMeet(member.gift, one.gift))) extend([...members, one], more);
      }
    };
    extend([], meeting);
    return { choices: choices.slice(0, MOST_CHOICES), isCut: choices.length > MOST_CHOICES, meeting };
  }

  /** Whether rules for both may match one login, on one of the sides. */
  private mayMeet(one: GiftPair, other: GiftPair): boolean {
    if (one === other) return true;
    return (["before", "after"] as const).some((side) => {
      const known = this.known[side];
      const [rules, others] = [one[side]?.rules ?? [], other[side]?.rules ?? []];
      // A rule that computes its bind name gives each login one role or policy.
      return rules.some((rule) => others.some((second) => rule !== second && (!known || this.mayMatch(known, rule, second))));
    });
  }

  private mayMatch({ method, mappings }: KnownMethod, one: BindingRule, other: BindingRule): boolean {
    const texts = [one, other].map(({ selector = "" }) => selector);
    if (texts.includes("") || one.hiddenSelector !== undefined || other.hiddenSelector !== undefined) return true;
    const both = texts.map((text) => `(${text})`).join(" and ");
    const key = `${mappings} ${both}`;
    const known = this.selectors.get(key);
    if (known !== undefined || this.selectors.size >= MOST_SELECTORS) return known ?? true;
    const isPossible = relationOfSelections({ selectors: [], mappings: method }, { selectors: [both], mappings: method }) !== "same";
    this.selectors.set(key, isPossible);
    return isPossible;
  }
}

function knownMethod({ methods }: ComparedModel, name: string): KnownMethod | undefined {
  const method = methods.find((one) => one.name === name);
  return method && { method, mappings: JSON.stringify([method.claimMappings, method.listClaimMappings]) };
}

function isChanged({ before, after, relation }: GiftPair): boolean {
  if (relation !== "same" || !before || !after || before.isHidden !== after.isHidden) return true;
  const [old, now] = [before.known.rules, after.known.rules];
  const isIn = (all: readonly string[]) => (one: string) => all.includes(one) || all.some((other) => equalRules(one, other));
  return !old.every(isIn(now)) || !now.every(isIn(old)) || !isDeepStrictEqual(before.known.unknown, after.known.unknown);
}

/** Whether a login has a changed gift, or gains or loses a gift. */
function isChangedHolding({ gift, before, after }: GiftHolding): boolean {
  return isChanged(gift) || !before || !after;
}

/** Whether some rules of a gift are unknown after the change. */
function isUnknown({ after }: GiftPair): boolean {
  return after !== undefined && after.known.unknown.length > 0;
}

/** Whether a gift allows anything after the change, as far as that is known. */
function isSome(gift: GiftPair): boolean {
  return isUnknown(gift) || gift.after?.known.rules.some((text) => text !== "") === true;
}

function holdingsOf(gift: GiftPair): GiftHolding[] {
  const { relation } = gift;
  const [before, after] = [gift.before, gift.after].map((one) => one && grantsOf(one.known.rules));
  const [isNew, isGone] = [relation !== "same" && relation !== "narrower", relation !== "same" && relation !== "wider"];
  return [
    { gift, before, after },
    ...(isNew && before ? [{ gift, before: undefined, after }] : []),
    ...(isGone && after ? [{ gift, before, after: undefined }] : []),
  ];
}

function namesOf(gifts: readonly GiftPair[]): Sentence {
  const [first, ...others] = gifts;
  if (!first || others.length > 0) return listed(gifts.map(({ name }) => name));
  return [`the ${first.kind} `, { code: first.name }];
}

function giftsOf(holdings: readonly GiftHolding[]): GiftPair[] {
  return [...new Set(holdings.map(({ gift }) => gift))];
}

function keyOfGift({ kind, name }: GiftPair): string {
  return keyOf(kind, name);
}

/** The changed object itself, and the policies by which it changes. */
function aboutOf({ kind, name, before, after }: GiftPair): string[] {
  const policies = new Set([...(before?.policies ?? []), ...(after?.policies ?? [])]);
  return [keyOf(kind, name), ...[...policies].map((policy) => keyOf("policy", policy))];
}
