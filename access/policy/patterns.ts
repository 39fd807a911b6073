/** Names with wildcards, and the servers' choice of the pattern that decides about a name. */
import { compareBytes, utf8Length } from "../go-text";
import { remembering } from "../remembering";

/** The separator between a variable's namespace and its path. No wildcard matches it. */
export const separator = "\0";

/** Whether a name matches a pattern, in which `*` stands for any text. */
export function matches(pattern: string, name: string): boolean {
  return hasParts(name, pattern.split("*"));
}

/** @param parts the parts of a pattern between its wildcards. The first and the last part must begin and end the name */
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

/** The number of bytes of a pattern without its wildcards. The higher it is, the less the pattern differs from a name. */
const rank = remembering(5000, (pattern: string) => utf8Length(pattern.replaceAll("*", "")));

/** Compares two patterns with wildcards that match the same name: negative if the first one decides about it. */
export function compareRanks(a: string, b: string): number {
  return rank(b) - rank(a) || compareBytes(b, a);
}

/** The maximal number of matching wildcards whose order is certain. Servers sort more wildcards of equal rank unpredictably. */
const mostSorted = 20;

interface Wildcard<T> {
  readonly pattern: string;
  readonly parts: readonly string[];
  readonly value: T;
}

/** Values by names and by patterns of names. */
export class Patterns<T> {
  private readonly exact = new Map<string, T>();
  /** Results are cached, because names are asked about several times. */
  private readonly decided = new Map<string, readonly T[]>();
  /** In order of decision: the pattern that differs least from the names comes first, and among equals the last one in byte order. */
  private readonly wildcards: Wildcard<T>[] = [];

  constructor(values: ReadonlyMap<string, T>) {
    for (const [pattern, value] of values) {
      if (pattern.includes("*")) this.wildcards.push({ pattern, parts: pattern.split("*"), value });
      else this.exact.set(pattern, value);
    }
    this.wildcards.sort((a, b) => compareRanks(a.pattern, b.pattern));
  }

  /**
   * The values that decide about a name: none, one, or several that each may decide. An exact name decides first, then the
   * pattern with the most bytes, not counting wildcards.
   */
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

  /** The matching wildcards. If their order is certain, only the first one. */
  private matching(name: string): readonly Wildcard<T>[] {
    if (this.wildcards.length > mostSorted) return this.wildcards.filter(({ parts }) => hasParts(name, parts));
    const first = this.wildcards.find(({ parts }) => hasParts(name, parts));
    return first ? [first] : [];
  }

  /** All values: first the values of names, then the values of patterns in the order in which the patterns decide. */
  get all(): readonly T[] {
    return [...this.exact.values(), ...this.wildcards.map(({ value }) => value)];
  }

  /** All names and patterns. */
  get names(): readonly string[] {
    return [...this.exact.keys(), ...this.wildcards.map(({ pattern }) => pattern)];
  }
}

/**
 * Patterns for exactly the names that two patterns share. Undefined if more than `most` are needed, which only happens with several
 * wildcards or long overlaps.
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

/** The shared names of the rest of both patterns. */
function steps(a: string, b: string, i: number, j: number, common: (i: number, j: number) => readonly string[]): readonly string[] {
  const [x, y] = [a[i], b[j]];
  if (x === undefined && y === undefined) return [""];
  if (x === "*" && y === "*") return [...common(i + 1, j), ...common(i, j + 1)].map(withWildcard);
  if (x === "*") return [...common(i + 1, j), ...taken(y, () => common(i, j + 1))];
  if (y === "*") return [...common(i, j + 1), ...taken(x, () => common(i + 1, j))];
  return x === y ? taken(x, () => common(i + 1, j + 1), true) : [];
}

/** The shared names if a wildcard takes the other pattern's next character, which can't be the end or a separator. */
function taken(character: string | undefined, rest: () => readonly string[], isBoth = false): readonly string[] {
  if (character === undefined || (character === separator && !isBoth)) return [];
  return rest().map((one) => character + one);
}

function withWildcard(rest: string): string {
  return rest.startsWith("*") ? rest : `*${rest}`;
}
