/** The combined effect of several grants, before and after a change: permissions that only a combination has, and denies across grants. */
import type { Answer, PolicyQuestion } from "./allow";
import { grantsAllow, singleAsks } from "./allow";
import type { NamedKindOrVariables, RightsDifference } from "./compare";
import { asksOf, contentOf, placeOf, unusedIn } from "./compare";
import { namedKinds } from "./decode";
import type { Granted, Grants } from "./grants";
import { grantsOf, mergeGrants } from "./grants";
import { runningInJobs } from "./management";
import type { Patterns } from "./patterns";
import { compareRanks, intersection } from "./patterns";

/** The permissions of one grant, which a login may have together with others. Undefined on a side without the grant. */
export interface Holding {
  readonly before: Grants | undefined;
  readonly after: Grants | undefined;
}

/** A question that several holdings together answer differently after the change. */
export interface CombinedDifference extends RightsDifference {
  /** Two or three groups of holdings, as indexes in the list. Any choice of one holding from each group has the difference. */
  readonly groups: readonly (readonly number[])[];
  /**
   * Set if a smaller set has the difference as well, but could run commands in jobs of the place before. The additional holdings took that
   * away, so only with them the difference may bring management.
   */
  readonly isRepeated?: true;
}

export interface CombinedRights {
  readonly differences: readonly CombinedDifference[];
  /** Whether some combinations were left out, because they are too many or a part of the policies is unknown. */
  readonly isUndecided: boolean;
}

/**
 * The maximal number of different holdings in one place. Pairs and triples of them are enough: two holdings at most bring all that a
 * permission needs, and a third may take the permission away, before or after the change.
 */
const MOST = 24;

/**
 * Compares the sets of holdings that include a changed one. A difference of a smaller set is not repeated for a larger one, unless only the
 * larger set could not run commands in jobs before.
 */
export function compareCombined(holdings: readonly Holding[]): CombinedRights {
  const comparison = new CombinedComparison(holdings);
  for (const kind of namedKinds) comparison.compareNamed(kind, (grants) => grants.named[kind]);
  comparison.compareNamed("variables", (grants) => grants.variables);
  comparison.compareSingle();
  return comparison.result();
}

const nothing = grantsOf([]);

/** The permissions of a holding in one place, on one side. */
interface Part {
  readonly granted: Granted | undefined;
  readonly grants: Grants;
}

/** Holdings with the same permissions in one place. */
interface Alike {
  readonly group: number[];
  readonly before: Part;
  readonly after: Part;
  readonly isChanged: boolean;
}

type PatternsOf = (grants: Grants) => Patterns<Granted>;

class CombinedComparison {
  private readonly differences: CombinedDifference[] = [];
  private readonly answered = new Map<string, readonly Answer[]>();
  private readonly contents = new Map<Granted, string>();
  private isUndecided = false;

  constructor(private readonly holdings: readonly Holding[]) {}

  result(): CombinedRights {
    return { differences: this.differences, isUndecided: this.isUndecided };
  }

  /** Asks about the names of changed patterns, and about names that they share with other patterns. */
  compareNamed(kind: NamedKindOrVariables, patternsOf: PatternsOf): void {
    const ofSides = ({ before, after }: Holding) => [before, after].map((grants) => patternsOf(grants ?? nothing));
    const namesOf = (all: readonly Holding[]) => [...new Set(all.flatMap((one) => ofSides(one).flatMap(({ names }) => names)))];
    // Permissions to write and mount volumes depend on the level of plugins as well.
    const takesAll = kind === "namespace" && this.holdings.some(({ before, after }) => before?.levels.plugin !== after?.levels.plugin);
    const isChanged = (one: Holding) => {
      const [before, after] = ofSides(one).map(({ all }) => JSON.stringify(all.map((each) => this.text(kind, each)).sort()));
      return before !== after;
    };
    const [changed, own] = [namesOf(takesAll ? this.holdings : this.holdings.filter(isChanged)), namesOf(this.holdings)];
    const places = new Set(changed);
    const wildcards = own.filter((name) => name.includes("*"));
    for (const one of changed.filter((name) => name.includes("*"))) {
      for (const other of wildcards) {
        const common = one === other ? [] : intersection(one, other);
        if (!common) this.isUndecided = true;
        for (const pattern of common ?? []) places.add(pattern);
      }
    }
    const filler = unusedIn(own);
    for (const pattern of places) {
      const name = pattern.replaceAll("*", filler);
      const part = (grants: Grants = nothing): Part => {
        const [granted, ...others] = patternsOf(grants).deciding(name);
        if (others.length > 0) this.isUndecided = true;
        return { granted, grants };
      };
      const alike = this.alike((grants) => part(grants), kind);
      const asks = asksOf(kind).map((ask): PolicyQuestion => ({ ask, ...placeOf(kind, name) }));
      this.combine(alike, asks, placeOf(kind, pattern), (parts) => grantsOfPlace(kind, parts));
    }
  }

  compareSingle(): void {
    const asks = singleAsks.map((ask): PolicyQuestion => ({ ask }));
    const alike = this.alike((grants = nothing) => ({ granted: undefined, grants }), "single");
    this.combine(alike, asks, {}, (all) => grantsOfPlace(undefined, all));
  }

  private alike(partOf: (grants: Grants | undefined) => Part, kind: NamedKindOrVariables | "single"): Alike[] {
    const parts = this.holdings.map(({ before, after }) => [partOf(before), partOf(after)] as const);
    const needsPlugins = kind === "namespace" && parts.flat().some(({ granted }) => volumes.some((one) => granted?.capabilities.has(one)));
    const text = ({ granted, grants: { isUnknown, levels, operator, sentinel } }: Part) => {
      if (kind === "single") return JSON.stringify([isUnknown, levels, contentOf([operator, sentinel])]);
      return JSON.stringify([isUnknown, granted && this.text(kind, granted), needsPlugins && levels.plugin]);
    };
    const empty = text({ granted: undefined, grants: nothing });
    const groups = new Map<string, Alike>();
    for (const [index, [before, after]] of parts.entries()) {
      const texts = [text(before), text(after)];
      if (texts.every((one) => one === empty)) continue;
      const key = texts.join("\n");
      const known = groups.get(key) ?? { group: [], before, after, isChanged: texts[0] !== texts[1] };
      groups.set(key, known);
      known.group.push(index);
    }
    return [...groups.values()];
  }

  private text(kind: NamedKindOrVariables, granted: Granted): string {
    const known = this.contents.get(granted) ?? JSON.stringify([keyOf(kind, granted), contentOf([granted])]);
    this.contents.set(granted, known);
    return known;
  }

  private combine(
    alike: readonly Alike[],
    asks: readonly PolicyQuestion[],
    place: ReturnType<typeof placeOf>,
    merge: (parts: readonly Part[]) => Grants,
  ): void {
    if (alike.length < 2 || !alike.some(({ isChanged }) => isChanged)) return;
    if (alike.length > MOST) {
      this.isUndecided = true;
      return;
    }
    const told = new Map<string, { readonly members: readonly Alike[]; readonly isFirst: boolean }[]>();
    for (const members of setsOf(alike)) {
      if (!members.some(({ isChanged }) => isChanged)) continue;
      const was = this.answers(merge(members.map(({ before }) => before)), asks);
      const is = this.answers(merge(members.map(({ after }) => after)), asks);
      const ran = asks.some(({ ask }, index) => runningInJobs.has(ask) && was[index] !== false);
      for (const [index, question] of asks.entries()) {
        const [before = false, after = false] = [was[index], is[index]];
        const isOpen = before === "undecided" || after === "undecided";
        if (before === after && !isOpen) continue;
        const key = `${question.ask} ${before} ${after}`;
        const sets = told.get(key) ?? [];
        told.set(key, sets);
        const isFirst = !ran && after === true && runningInJobs.has(question.ask);
        const smaller = sets.filter((set) => set.members.every((one) => members.includes(one)));
        if (smaller.some((set) => set.isFirst || !isFirst)) continue;
        sets.push({ members, isFirst });
        if (members.length < 2) continue;
        const isRepeated = smaller.length > 0;
        const groups = members.map(({ group }) => group);
        if (isOpen) this.isUndecided = true;
        else this.differences.push({ ask: question.ask, ...place, before, after, question, groups, ...(isRepeated && { isRepeated }) });
      }
    }
  }

  private answers(grants: Grants, asks: readonly PolicyQuestion[]): readonly Answer[] {
    const { levels, operator, sentinel, isUnknown } = grants;
    const all = [...namedKinds.flatMap((kind) => grants.named[kind].all), ...grants.variables.all];
    const key = JSON.stringify([asks[0], contentOf(all), levels, contentOf([operator, sentinel]), isUnknown]);
    const known = this.answered.get(key) ?? asks.map((question) => grantsAllow(grants, question));
    this.answered.set(key, known);
    return known;
  }
}

const volumes = ["csi-write-volume", "csi-mount-volume"];

function keyOf(kind: NamedKindOrVariables, { name, path = "" }: Granted): string {
  return kind === "variables" ? `${name}\0${path}` : name;
}

/**
 * The combined permissions of some holdings in one place: the most exact of their patterns decides, and holdings with this same pattern add
 * up.
 */
function grantsOfPlace(kind: NamedKindOrVariables | undefined, parts: readonly Part[]): Grants {
  const all = kind === undefined ? [] : parts.flatMap(({ granted }) => (granted ? [{ kind, key: keyOf(kind, granted), granted }] : []));
  const keys = all.map(({ key }) => key);
  const best = keys.find((key) => !key.includes("*")) ?? keys.toSorted(compareRanks)[0];
  const single = parts.flatMap(({ grants }) =>
    (["operator", "sentinel"] as const).map((one) => ({ kind: one, key: one, granted: grants[one] })),
  );
  const levels = parts.flatMap(({ grants }) => Object.entries(grants.levels));
  const isUnknown = parts.some(({ grants }) => grants.isUnknown);
  return mergeGrants([...all.filter(({ key }) => key === best), ...single], levels, isUnknown);
}

/** All sets of one, two or three. */
function setsOf<T>(all: readonly T[]): T[][] {
  const pairs = all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other]));
  const triples = all.flatMap((one, index) =>
    all.slice(index + 1).flatMap((other, next) => all.slice(index + next + 2).map((third) => [one, other, third])),
  );
  return [...all.map((one) => [one]), ...pairs, ...triples];
}
