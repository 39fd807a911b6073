import type { ClaimMappings, Identity } from "./claims";
import { matches } from "./match";
import type { MappedNames, Reach } from "./reach";
import { mappedNames, reachOf } from "./reach";
import type { Condition, Path } from "./selector";
import { claimAt, conditionOf, mapAt } from "./selector";

/** The relation of the logins of one selection to those of another. `crossing`: some are added and some are removed. */
export type SelectorRelation = "same" | "wider" | "narrower" | "crossing" | "undecided";

/** The selectors of rules of one method. A login is selected if one of them matches. */
export interface Selection {
  readonly selectors: readonly string[];
  readonly mappings: ClaimMappings;
}

/** The maximal number of logins to try. */
const LIMIT = 4_000;

/**
 * How the logins that are selected after a change relate to the logins that were selected before. It tries one login for each difference in
 * claims that the selectors can detect: comparisons with whole texts, entries of lists, and empty or missing values. Their number is
 * finite, so the result is certain. Anything else, such as a regular expression, is `undecided`, unless selectors and mappings are the
 * same, or the mappings alone decide that the selector matches every login or none. Too many logins to try, or other claims behind a
 * name, also make the result `undecided`.
 */
export function relationOfSelections(before: Selection, after: Selection): SelectorRelation {
  const [oldTexts, newTexts] = [textsIn(before), textsIn(after)];
  if (JSON.stringify([oldTexts, mappingsOf(before)]) === JSON.stringify([newTexts, mappingsOf(after)])) return "same";
  if ([...oldTexts, ...newTexts].some(isUnreadable)) return "undecided";
  const [old, now] = [conditionsOf(before), conditionsOf(after)];
  const claims = new ComparedClaims();
  const isDecidable = [...old, ...now].every((condition) => claims.collect(condition));
  if (!isDecidable || !isMappedAlike(before, after)) return "undecided";
  // A name that neither side maps is missing in every login.
  const mapped = [mappedNames(before.mappings), mappedNames(after.mappings)];
  const names = claims.names().filter(({ kind, name }) => mapped.some((of) => of[kind].has(name)));
  if (names.reduce((count, { values }) => count * values.length, 1) > LIMIT) return "undecided";
  let [isWider, isNarrower] = [false, false];
  // A selection of everybody can't widen, and one of nobody can't narrow: a single login then settles the relation.
  const [canWiden, canNarrow] = [now.length > 0 && old[0] !== EVERYONE, old.length > 0 && now[0] !== EVERYONE];
  const [wasSelected, isSelected] = [selectedBy(old, before), selectedBy(now, after)];
  for (const login of loginsOf(names)) {
    const [was, is] = [wasSelected(login), isSelected(login)];
    isWider ||= is && !was;
    isNarrower ||= was && !is;
    if (isWider === canWiden && isNarrower === canNarrow) break;
  }
  if (!isWider && !isNarrower) return "same";
  // If two names map the same claim, some of the tried logins may be impossible.
  if (hasSharedClaims([before, after], names)) return "undecided";
  return isWider && isNarrower ? "crossing" : isWider ? "wider" : "narrower";
}

/** The logins of a method that a selector matches, as far as that can be decided. @param mapped undefined if its mappings are unknown */
export function reachIn(selector: string, mapped: MappedNames | undefined): Reach {
  const reach = mapped ? reachOf(selector, mapped) : "depends";
  return reach === "depends" && matchesEveryLogin(selector, mapped) ? "always" : reach;
}

/**
 * Whether a selector matches every login, as far as that can be decided.
 *
 * @param mapped the names that the method maps. Default: all names in the selector
 */
export function matchesEveryLogin(selector: string, mapped?: MappedNames): boolean {
  const condition = conditionOf(selector);
  const claims = new ComparedClaims();
  if (!condition || !claims.collect(condition)) return selector === "";
  const names = claims.names().filter(({ kind, name }) => mapped?.[kind].has(name) ?? true);
  const of = (kind: ClaimKind) =>
    Object.fromEntries(names.flatMap((one, place) => (one.kind === kind ? [[`claim${place}`, one.name]] : [])));
  const mappings = { claimMappings: of("value"), listClaimMappings: of("list") };
  return relationOfSelections({ selectors: [""], mappings }, { selectors: [selector], mappings }) === "same";
}

/** Whether the known servers refuse a selector. A newer server may match logins by it. */
export function isUnreadable(selector: string): boolean {
  return selector !== "" && conditionOf(selector) === undefined;
}

/** A condition that matches every login. */
const EVERYONE: Condition = {
  kind: "state",
  operator: "is empty",
  path: { kind: "names", steps: ["value", ""] },
  start: 0,
  end: 0,
};

function textsIn({ selectors }: Selection): string[] {
  return [...new Set(selectors)].sort();
}

/** The conditions that select logins: none if no login can be selected, and one if every login is. */
function conditionsOf({ selectors, mappings }: Selection): Condition[] {
  const mapped = mappedNames(mappings);
  const conditions = selectors.flatMap((selector) => {
    const reach = reachOf(selector, mapped);
    return reach === "always" ? EVERYONE : reach === "never" ? [] : (conditionOf(selector) ?? []);
  });
  return conditions.includes(EVERYONE) ? [EVERYONE] : conditions;
}

type ClaimKind = "value" | "list";
type ClaimValue = string | readonly string[] | undefined;

interface Named {
  readonly kind: ClaimKind;
  readonly name: string;
  /** The values to try for the claim: one for each case that the selectors can distinguish. */
  readonly values: readonly ClaimValue[];
}

/** The claims in conditions, and the texts that they are compared with. */
class ComparedClaims {
  private readonly literals: Readonly<Record<ClaimKind, Map<string, Set<string>>>> = { value: new Map(), list: new Map() };

  /**
   * Collects a condition's claims.
   *
   * @returns whether the condition distinguishes logins by these texts alone
   */
  collect(condition: Condition): boolean {
    switch (condition.kind) {
      case "and":
      case "or":
        return condition.parts.every((part) => this.collect(part));
      case "not":
        return this.collect(condition.of);
      case "any":
      case "all":
        return false;
      case "state":
        return condition === EVERYONE || this.literalsAt(condition.path) !== undefined;
      case "match": {
        const { operator, path, value } = condition;
        const literals = this.literalsAt(claimAt(condition));
        if (mapAt(path)) return literals !== undefined;
        const isIn = operator === "in" || operator === "not in";
        const isOfText = operator === "==" || operator === "!=";
        // Here `in` means a part of a text, not an entry of a list.
        if (!literals || !(isOfText || (isIn && path.steps[0] === "list"))) return false;
        literals.add(value);
        return true;
      }
    }
  }

  private literalsAt({ steps }: Path): Set<string> | undefined {
    const [kind, name, ...rest] = steps;
    if ((kind !== "value" && kind !== "list") || name === undefined || rest.length > 0) return undefined;
    const known = this.literals[kind].get(name) ?? new Set();
    this.literals[kind].set(name, known);
    return known;
  }

  names(): Named[] {
    const values = [...this.literals.value].map(([name, literals]): Named => {
      const texts = new Set(["", ...literals]);
      return { kind: "value", name, values: [undefined, ...texts, otherThan(texts)] };
    });
    const lists = [...this.literals.list].map(([name, literals]): Named => {
      // Servers drop empty texts from lists.
      const texts = [...literals].filter((text) => text !== "");
      return { kind: "list", name, values: [undefined, ...subsetsOf([...texts, otherThan(literals)])] };
    });
    return [...values, ...lists];
  }
}

function otherThan(texts: ReadonlySet<string>): string {
  let other = "other";
  while (texts.has(other)) other += "-";
  return other;
}

/** All subsets of a few texts. For many texts, just enough subsets to exceed the limit. */
function subsetsOf(texts: readonly string[]): string[][] {
  let subsets: string[][] = [[]];
  for (const text of texts) {
    subsets = subsets.flatMap((subset) => [subset, [...subset, text]]);
    if (subsets.length > LIMIT) break;
  }
  return subsets;
}

type TriedLogin = ReadonlyMap<Named, ClaimValue>;

function* loginsOf(names: readonly Named[]): Generator<TriedLogin> {
  const [first, ...rest] = names;
  if (!first) {
    yield new Map();
    return;
  }
  for (const login of loginsOf(rest)) {
    for (const value of first.values) yield new Map([...login, [first, value]]);
  }
}

/** Whether one of the conditions matches a login of a method: names that the method does not map are missing. */
function selectedBy(conditions: readonly Condition[], { mappings }: Selection): (login: TriedLogin) => boolean {
  const mapped = mappedNames(mappings);
  return (login) => {
    const value = new Map<string, string>();
    const list = new Map<string, readonly string[]>();
    for (const [{ kind, name }, found] of login) {
      if (found === undefined || !mapped[kind].has(name)) continue;
      if (typeof found === "string") value.set(name, found);
      else list.set(name, found);
    }
    const identity: Identity = { value, list };
    return conditions.some((condition) => matches(condition, identity));
  };
}

interface Mapped {
  readonly kind: ClaimKind;
  readonly name: string;
  /** The claim as a JSON pointer that ends with a slash. */
  readonly pointer: string;
}

function mappingsOf({ mappings: { claimMappings = {}, listClaimMappings = {} } }: Selection): Mapped[] {
  const all = (kind: ClaimKind, mappings: Readonly<Record<string, string>>) =>
    Object.entries(mappings).map(([claim, name]) => ({ kind, name, pointer: pointerOf(claim) }));
  return [...all("value", claimMappings), ...all("list", listClaimMappings)].sort((a, b) =>
    a.pointer + a.name < b.pointer + b.name ? -1 : 1,
  );
}

function pointerOf(claim: string): string {
  return claim.startsWith("/") ? `${claim}/` : `/${claim.replaceAll("~", "~0").replaceAll("/", "~1")}/`;
}

/** Whether names that both sides map have the same claims on both sides. */
function isMappedAlike(before: Selection, after: Selection): boolean {
  const [old, now] = [claimsByName(before), claimsByName(after)];
  return [...old].every(([name, claims]) => !now.has(name) || now.get(name) === claims);
}

function claimsByName(selection: Selection): Map<string, string> {
  const claims = new Map<string, string[]>();
  for (const { kind, name, pointer } of mappingsOf(selection)) {
    const key = `${kind}.${name}`;
    claims.set(key, [...(claims.get(key) ?? []), pointer]);
  }
  return new Map([...claims].map(([key, all]) => [key, JSON.stringify(all)]));
}

/** Whether two of the names take their values from the same claim, or from a claim and a part of it. */
function hasSharedClaims(selections: readonly Selection[], names: readonly Named[]): boolean {
  const used = selections.flatMap(mappingsOf).filter(({ kind, name }) => names.some((one) => one.kind === kind && one.name === name));
  return used.some((one) =>
    used.some((other) => (one.kind !== other.kind || one.name !== other.name) && other.pointer.startsWith(one.pointer)),
  );
}
