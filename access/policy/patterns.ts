/** Names with wildcards, and which of them decides about a name, as servers choose. */
import { compareBytes, utf8Length } from "../go-text";
import { remembering } from "../remembering";

/** Stands between a variable's namespace and its path. A wildcard never goes from one to the other. */
export const separator = "\0";

/** Whether a name matches a pattern, in which `*` stands for any text. */
export function matches(pattern: string, name: string): boolean {
  return hasParts(name, pattern.split("*"));
}

/** @param parts of a pattern, between its wildcards: the first and the last one must begin and end the name */
function hasParts(name: string, parts: readonly string[]): boolean {
  const [first = "", ...others] = parts;
  const last = others.pop();
  if (last === undefined) return first === name;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const index = name.indexOf(part, at);
    if (index < 0) return false;
    at = index + part.length;
  }
  return name.length - at >= last.length && name.endsWith(last);
}

/** How many bytes of the name the pattern has: the more, the less it differs. */
const rank = remembering(5000, (pattern: string) => utf8Length(pattern.replaceAll("*", "")));

/** Which of two patterns that match one name decides about it: below 0 if it is the first. */
export function compareRanks(a: string, b: string): number {
  return rank(b) - rank(a) || compareBytes(b, a);
}

/** With more wildcards than this for one name, the order in which servers sort those of equal rank can't be told. */
const mostSorted = 20;

interface Wildcard<T> {
  readonly pattern: string;
  readonly parts: readonly string[];
  readonly value: T;
}

/** What belongs to names and to patterns of names. */
export class Patterns<T> {
  private readonly exact = new Map<string, T>();
  /** Names are asked about several times. */
  private readonly decided = new Map<string, readonly T[]>();
  /** The one that decides first: it differs least from the names, and is the last in the order of bytes among its equals. */
  private readonly wildcards: Wildcard<T>[] = [];

  constructor(values: ReadonlyMap<string, T>) {
    for (const [pattern, value] of values) {
      if (pattern.includes("*")) this.wildcards.push({ pattern, parts: pattern.split("*"), value });
      else this.exact.set(pattern, value);
    }
    this.wildcards.sort((a, b) => compareRanks(a.pattern, b.pattern));
  }

  /** The patterns that decide about a name: none, one, or several that each may decide. The exact name comes first, then the longest wildcard. */
  deciding(name: string): readonly T[] {
    const known = this.decided.get(name) ?? this.decide(name);
    this.decided.set(name, known);
    return known;
  }

  private decide(name: string): readonly T[] {
    const exact = this.exact.get(name);
    if (exact !== undefined) return [exact];
    const found = this.matching(name);
    const [best] = found;
    if (!best) return [];
    if (found.length <= mostSorted) return [best.value];
    return found.filter(({ pattern }) => rank(pattern) === rank(best.pattern)).map(({ value }) => value);
  }

  /** The wildcards that match. Where there can't be too many to tell their order, the first one is enough. */
  private matching(name: string): readonly Wildcard<T>[] {
    if (this.wildcards.length > mostSorted) return this.wildcards.filter(({ parts }) => hasParts(name, parts));
    const first = this.wildcards.find(({ parts }) => hasParts(name, parts));
    return first ? [first] : [];
  }

  /** What belongs to all of them: to names first, then to patterns in the order in which they decide. */
  get all(): readonly T[] {
    return [...this.exact.values(), ...this.wildcards.map(({ value }) => value)];
  }

  /** All names and patterns. */
  get names(): readonly string[] {
    return [...this.exact.keys(), ...this.wildcards.map(({ pattern }) => pattern)];
  }
}

/**
 * Patterns that match exactly the names that both match. Undefined if they are too many to be listed: only patterns with several wildcards
 * and equal parts have so many.
 */
export function intersection(a: string, b: string, most = 100): readonly string[] | undefined {
  const known = new Map<string, readonly string[]>();
  let isTooMany = false;
  const common = (i: number, j: number): readonly string[] => {
    const key = `${i} ${j}`;
    const before = known.get(key);
    if (before) return before;
    const found = new Set(steps(a, b, i, j, common));
    if (found.size > most) isTooMany = true;
    const result = isTooMany ? [] : [...found];
    known.set(key, result);
    return result;
  };
  const all = common(0, 0);
  return isTooMany ? undefined : all;
}

/** What is common to the rest of both patterns. */
function steps(a: string, b: string, i: number, j: number, common: (i: number, j: number) => readonly string[]): readonly string[] {
  const [x, y] = [a[i], b[j]];
  if (x === undefined && y === undefined) return [""];
  if (x === "*" && y === "*") return [...common(i + 1, j), ...common(i, j + 1)].map(withWildcard);
  if (x === "*") return [...common(i + 1, j), ...taken(y, () => common(i, j + 1))];
  if (y === "*") return [...common(i, j + 1), ...taken(x, () => common(i + 1, j))];
  return x === y ? taken(x, () => common(i + 1, j + 1), true) : [];
}

/** What a wildcard takes of the other pattern: not the end, and no separator. */
function taken(character: string | undefined, rest: () => readonly string[], isBoth = false): readonly string[] {
  if (character === undefined || (character === separator && !isBoth)) return [];
  return rest().map((one) => character + one);
}

function withWildcard(rest: string): string {
  return rest.startsWith("*") ? rest : `*${rest}`;
}
