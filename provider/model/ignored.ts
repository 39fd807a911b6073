import { formatPath, type Path } from "./check";
import type { Field, Fields } from "./fields";

/** The paths of a program's `ignoreChanges` that lead to one value, or to a part of it. */
export class Ignored {
  static readonly nothing = new Ignored([]);

  private constructor(private readonly paths: readonly Path[]) {}

  /** @param texts property paths in the engine's syntax; like the engine, this ignores invalid ones */
  static of(texts: readonly string[]): Ignored {
    const paths = texts.map(parsePath).filter((path) => path !== undefined);
    return paths.length === 0 ? Ignored.nothing : new Ignored(paths);
  }

  /** Whether a path leads to a part of this value. */
  get reachesBelow(): boolean {
    return this.paths.some((path) => path.length > 0);
  }

  /** The ignored paths of the value under a key. */
  at(key: string): Ignored {
    return new Ignored(this.paths.filter(([step]) => step === key || step === "*").map(([, ...below]) => below));
  }

  /** Whether the whole value is ignored. A list is one value: a path to one of its items applies to the whole list. */
  covers({ shape }: Field): boolean {
    if (this.paths.some((path) => path.length === 0)) return true;
    return this.reachesBelow && (shape.kind === "list" || shape.kind === "leaf");
  }

  /** Whether the value at this path is ignored. */
  coversPath(properties: Fields, [first, ...rest]: Path): boolean {
    const [step, ignored] = [String(first), this.at(String(first))];
    const field = properties.get(step);
    if (!field) return false;
    if (ignored.covers(field)) return true;
    if (rest.length === 0 || !ignored.reachesBelow) return false;
    const { shape } = field;
    return ignored.coversPath(shape.kind === "object" ? shape.properties : ofMap(field, String(rest[0])), rest);
  }

  /** The paths to an item of a list, each with the path of the list. */
  itemsOfLists(properties: Fields): readonly { readonly item: string; readonly list: string }[] {
    return this.paths.flatMap((path) => {
      const steps = stepsToList(properties, path);
      return steps === undefined ? [] : [{ item: formatPath(path), list: formatPath(path.slice(0, steps)) }];
    });
  }
}

/** The warning for an ignored item of a list: the engine ignores it by its index, but the API takes whole lists. */
export function leftAsWhole(label: string, item: string, list: string): string {
  return (
    `${label}: ignoreChanges names ${item}, one item of a list. A list is sent and compared as a whole, so changes of ${list} in the program are not written. ` +
    `If that is intended, name ${list} instead; otherwise remove the path.`
  );
}

/** The number of the path's steps to a list, if the path names one item of the list. */
function stepsToList(properties: Fields, [first, ...rest]: Path): number | undefined {
  const field = properties.get(String(first));
  if (!field || rest.length === 0) return undefined;
  const { shape } = field;
  if (shape.kind === "list") return rest[0] === "*" ? undefined : 1;
  const below = shape.kind === "object" ? stepsToList(shape.properties, rest) : undefined;
  return below === undefined ? undefined : below + 1;
}

function ofMap({ shape }: Field, key: string): Fields {
  return new Map(shape.kind === "map" ? [[key, shape.values]] : []);
}

const step = /^(?:\.?\[(?:"((?:\\"|[^"])*)"|(\d+|\*))\]|\.?([^.[\]]+))/;

/** A property path in the engine's syntax: `a.b[0]["c.d"]`, where `*` stands for any key or index. Undefined if it is none. */
export function parsePath(text: string): Path | undefined {
  const path: (string | number)[] = [];
  for (let rest = text; rest !== ""; ) {
    const match = step.exec(rest);
    if (!match) return undefined;
    const [whole, quoted, index, name] = match;
    path.push(quoted?.replaceAll('\\"', '"') ?? name ?? (index === "*" ? "*" : Number(index)));
    rest = rest.slice(whole.length);
  }
  return path.length > 0 ? path : undefined;
}
