/** The names that two patterns have in common, as patterns again. */

import { separator } from "./patterns";

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
