/** Names with wildcards, and which of them decides about a name, as servers choose. */
import { compareBytes, utf8Length } from "../go-text";

/** Stands between a variable's namespace and its path. A wildcard never goes from one to the other. */
export const separator = "\0";

/** Whether a name matches a pattern, in which `*` stands for any text. */
export function matches(pattern: string, name: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  const last = parts.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first)) return false;
  let rest = name.slice(first.length);
  for (const part of parts) {
    const index = rest.indexOf(part);
    if (index < 0) return false;
    rest = rest.slice(index + part.length);
  }
  return rest.endsWith(last);
}

/** Which of two patterns that match one name decides about it: below 0 if it is the first. */
export function compareRanks(a: string, b: string): number {
  return rank(b) - rank(a) || compareBytes(b, a);
}

/** How many bytes of the name the pattern has: the more, the less it differs. */
function rank(pattern: string): number {
  return utf8Length(pattern.replaceAll("*", ""));
}

/** With more wildcards than this for one name, the order in which servers sort those of equal rank can't be told. */
const mostSorted = 20;

/** What belongs to names and to patterns of names. */
export class Patterns<T> {
  private readonly exact = new Map<string, T>();
  /** The one that decides first: it differs least from the names, and is the last in the order of bytes among its equals. */
  private readonly wildcards: { readonly pattern: string; readonly value: T }[] = [];

  constructor(values: ReadonlyMap<string, T>) {
    for (const [pattern, value] of values) {
      if (pattern.includes("*")) this.wildcards.push({ pattern, value });
      else this.exact.set(pattern, value);
    }
    this.wildcards.sort((a, b) => compareRanks(a.pattern, b.pattern));
  }

  /** What decides about a name: nothing, one, or several of which each may. The exact name comes first, then the longest wildcard. */
  deciding(name: string): readonly T[] {
    const exact = this.exact.get(name);
    if (exact !== undefined) return [exact];
    const [best] = this.matching(name, 1);
    if (!best) return [];
    const others = this.matching(name, mostSorted + 1);
    return others.length > mostSorted ? this.ranked(rank(best.pattern), name) : [best.value];
  }

  /** What belongs to all of them: to names first, then to patterns in the order in which they decide. */
  get all(): readonly T[] {
    return [...this.exact.values(), ...this.wildcards.map(({ value }) => value)];
  }

  /** All names and patterns. */
  get names(): readonly string[] {
    return [...this.exact.keys(), ...this.wildcards.map(({ pattern }) => pattern)];
  }

  private matching(name: string, most: number) {
    const found: (typeof this.wildcards)[number][] = [];
    for (const one of this.wildcards) {
      if (found.length === most) break;
      if (matches(one.pattern, name)) found.push(one);
    }
    return found;
  }

  private ranked(best: number, name: string): T[] {
    return this.wildcards.filter(({ pattern }) => rank(pattern) === best && matches(pattern, name)).map(({ value }) => value);
  }
}
