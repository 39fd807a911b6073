/** The comparison of the permissions of two sets of policies. */
import type { Answer, PolicyQuestion } from "./allow";
import { granting, grantsAllow, needsPlugins, singleAsks } from "./allow";
import { namedKinds, singleKinds } from "./decode";
import { equalRules } from "./equal";
import type { Granted, Grants } from "./grants";
import { grantsOf } from "./grants";
import type { Patterns } from "./patterns";
import { compareRanks, intersection, matches, separator } from "./patterns";

/** A question that two sets of policies answer differently. */
export interface RightsDifference {
  readonly ask: string;
  /**
   * `namespace`, `path` and `name` are the place of the difference: a name, or a pattern. A pattern stands for the names that no more exact
   * pattern of these policies matches.
   */
  readonly namespace?: string;
  readonly path?: string;
  readonly name?: string;
  readonly before: Answer;
  readonly after: Answer;
  /** A question about one name of the place, for `policiesAllow`. */
  readonly question: PolicyQuestion;
}

export interface RightsComparison {
  /**
   * - equal: every question has the same answer.
   * - widened: some permissions are added, and none is removed.
   * - narrowed: some permissions are removed, and none is added.
   * - changed: some permissions are added, and others are removed.
   * - undecided: the policies have unknown parts that may matter, or wildcards that are too many to compare.
   */
  readonly relation: "equal" | "widened" | "narrowed" | "changed" | "undecided";
  readonly differences: readonly RightsDifference[];
}

/** Compares the permissions of a token before and after a change of its policies. Patterns also cover names that no policy lists. */
export function compareRights(before: readonly string[], after: readonly string[]): RightsComparison {
  if (areEqual(before, after)) return { relation: "equal", differences: [] };
  return compareGrants(grantsOf(before), grantsOf(after));
}

/** Two sides of a comparison, with the policies of each side merged. */
interface Sides {
  readonly before: Grants;
  readonly after: Grants;
}

/**
 * Like {@link compareRights}, for policies that a token may have among others, which may let it read plugins. Permission to write and mount
 * volumes needs that, too.
 */
export function compareShared(before: readonly string[], after: readonly string[]): RightsComparison {
  if (areEqual(before, after)) return { relation: "equal", differences: [] };
  return compareGrants(grantsOf(before), grantsOf(after), [withPlugins(before, after)]);
}

/** Like {@link compareShared}, with the differences for a token without other policies, which then gains or loses volumes with plugins. */
export function compareHeld(before: readonly string[], after: readonly string[]): RightsComparison {
  if (areEqual(before, after)) return { relation: "equal", differences: [] };
  const alone = { before: grantsOf(before), after: grantsOf(after) };
  return compareGrants(alone.before, alone.after, [withPlugins(before, after), alone]);
}

function withPlugins(before: readonly string[], after: readonly string[]): Sides {
  const more = 'plugin { policy = "read" }';
  return { before: grantsOf([...before, more]), after: grantsOf([...after, more]) };
}

/**
 * Like {@link compareRights}, for merged policies.
 *
 * @param forVolumes the policies that decide about writing and mounting volumes: the first of them with a difference
 */
export function compareGrants(before: Grants, after: Grants, forVolumes: readonly Sides[] = [{ before, after }]): RightsComparison {
  const comparison = new Comparison(before, after, forVolumes);
  for (const kind of namedKinds) comparison.compare(kind, (grants) => grants.named[kind]);
  comparison.compare("variables", (grants) => grants.variables);
  for (const ask of singleAsks) comparison.ask({ ask }, {});
  return comparison.result();
}

/** Whether the policies are identical, so their unknown parts are equal as well. */
function areEqual(before: readonly string[], after: readonly string[]): boolean {
  const isIn = (rules: readonly string[]) => (one: string) => rules.some((other) => equalRules(one, other));
  return before.every(isIn(after)) && after.every(isIn(before));
}

export type NamedKindOrVariables = (typeof namedKinds)[number] | "variables";
type Place = Pick<PolicyQuestion, "namespace" | "path" | "name">;

class Comparison implements Sides {
  private readonly differences: RightsDifference[] = [];
  private isUnsure: boolean;
  private readonly plugins: boolean;

  constructor(
    readonly before: Grants,
    readonly after: Grants,
    private readonly forVolumes: readonly Sides[],
  ) {
    const sides = [before, after];
    const isUnknown = ({ levels, isUnknown: isAll }: Grants) => isAll || singleKinds.some((kind) => levels[kind] === "undecided");
    const singles = [contentOf([before.operator, before.sentinel]), contentOf([after.operator, after.sentinel])];
    const areSure = sides.every((side) => isSure([side.operator, side.sentinel]));
    this.isUnsure = sides.some(isUnknown) || (singles[0] !== singles[1] && !areSure);
    // Permission to write volumes depends on the level of plugins as well.
    this.plugins = before.levels.plugin === after.levels.plugin;
  }

  /** Asks about the names of all patterns, and about names that two patterns share. */
  compare(kind: NamedKindOrVariables, patternsOf: (grants: Grants) => Patterns<Granted>): void {
    const [before, after] = [patternsOf(this.before), patternsOf(this.after)];
    const own = [...new Set([...before.names, ...after.names])];
    const filler = unusedIn(own);
    const askAbout = (pattern: string, isCovered: (one: RightsDifference) => boolean) => {
      const name = pattern.replaceAll("*", filler);
      const [one, other] = [before.deciding(name), after.deciding(name)];
      const isEqual = contentOf(one) === contentOf(other);
      if (isEqual && (kind !== "namespace" || this.plugins)) return;
      if (!isEqual && !(isSure(one) && isSure(other))) this.isUnsure = true;
      for (const ask of asksOf(kind)) this.ask({ ask, ...placeOf(kind, name) }, placeOf(kind, pattern), isCovered);
    };
    for (const pattern of own) askAbout(pattern, () => false);
    const ofPatterns = this.differences.filter(({ ask }) => asksOf(kind).includes(ask));
    for (const pattern of this.common(before, after)) {
      const name = pattern.replaceAll("*", filler);
      const isSaid = (one: RightsDifference) =>
        ofPatterns.some(
          (known) => known.ask === one.ask && known.before === one.before && known.after === one.after && matches(key(kind, known), name),
        );
      askAbout(pattern, isSaid);
    }
  }

  ask(question: PolicyQuestion, of: Place, isCovered: (difference: RightsDifference) => boolean = () => false): void {
    for (const sides of needsPlugins.has(question.ask) ? this.forVolumes : [this]) {
      const [before, after] = [grantsAllow(sides.before, question), grantsAllow(sides.after, question)];
      if (before === after) continue;
      const difference = { ask: question.ask, ...of, before, after, question };
      if (!isCovered(difference)) this.differences.push(difference);
      return;
    }
  }

  result(): RightsComparison {
    const { differences } = this;
    const isUndecided = this.isUnsure || differences.some((one) => one.before === "undecided" || one.after === "undecided");
    const isWider = differences.some(({ after }) => after === true);
    const isNarrower = differences.some(({ before }) => before === true);
    const relation = isWider && isNarrower ? "changed" : isWider ? "widened" : isNarrower ? "narrowed" : "equal";
    return { relation: isUndecided ? "undecided" : relation, differences };
  }

  /** The patterns for names that one pattern before and another one after share, if both can decide about a name. */
  private common(before: Patterns<Granted>, after: Patterns<Granted>): readonly string[] {
    const [ones, others] = [before, after].map(({ names }) => names.filter((name) => name.includes("*")));
    const [isBefore, isAfter] = [new Set(ones), new Set(others)];
    const added = (others ?? []).filter((other) => !isBefore.has(other));
    const found = new Set<string>();
    for (const one of ones ?? []) {
      // A pair of patterns that both sides have needs no comparison: the same pattern decides before and after.
      for (const other of isAfter.has(one) ? added : (others ?? [])) {
        const isOver = compareRanks(one, other) < 0;
        if ((isBefore.has(other) && !isOver) || (isAfter.has(one) && isOver)) continue;
        const patterns = intersection(one, other);
        if (!patterns) this.isUnsure = true;
        for (const pattern of patterns ?? []) found.add(pattern);
      }
    }
    return [...found].filter((pattern) => !isBefore.has(pattern) && !isAfter.has(pattern));
  }
}

const asks: { readonly [kind in NamedKindOrVariables]: readonly string[] } = {
  namespace: [...granting("namespace"), "namespace:read"],
  node_pool: granting("node_pool").map((action) => `node_pool:${action}`),
  host_volume: granting("host_volume").map((action) => `host_volume:${action}`),
  variables: granting("path").map((action) => `variables:${action}`),
};

/** The questions about a name of a kind. */
export function asksOf(kind: NamedKindOrVariables): readonly string[] {
  return asks[kind];
}

export function placeOf(kind: NamedKindOrVariables, name: string): Place {
  if (kind === "namespace") return { namespace: name };
  if (kind !== "variables") return { name };
  const [namespace = "", path = ""] = name.split(separator);
  return { namespace, path };
}

function key(kind: NamedKindOrVariables, { namespace = "", path = "", name = "" }: Place): string {
  return kind === "variables" ? `${namespace}${separator}${path}` : kind === "namespace" ? namespace : name;
}

/** A key for permissions: equal keys mean that all answers are equal. */
export function contentOf(granted: readonly Granted[]): string {
  return JSON.stringify(granted.map((one) => [[...one.capabilities].sort(), one.hasUnknown, [...one.unknownLevels].sort()]));
}

function isSure(granted: readonly Granted[]): boolean {
  return granted.every(({ hasUnknown, unknownLevels }) => !hasUnknown && unknownLevels.size === 0);
}

/** A character for wildcards that no pattern contains, so no other pattern matches by accident. */
export function unusedIn(patterns: readonly string[]): string {
  const used = new Set(patterns.join(""));
  const letters = "xyzabcdefghijklmnopqrstuvwABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  return [...letters].find((letter) => !used.has(letter)) ?? "\u{e000}";
}
