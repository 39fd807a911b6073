import type { Path } from "./check";
import type { Field, Fields } from "./fields";

/**
 * The paths of a program's `ignoreChanges` that lead to one value, or to a part of it. The engine itself puts the state's values in the
 * place of ignored ones. Here the paths only tell which values of others an update keeps: whole properties, and entries of objects and maps.
 * A path to an item of a list, or into a text, changes nothing further.
 */
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

  /** Whether the whole value is ignored. */
  get isWhole(): boolean {
    return this.paths.some((path) => path.length === 0);
  }

  /** Whether the value at this path is ignored. */
  coversPath(properties: Fields, [first, ...rest]: Path): boolean {
    const [step, ignored] = [String(first), this.at(String(first))];
    const field = properties.get(step);
    if (!field) return false;
    if (ignored.isWhole) return true;
    if (rest.length === 0 || !ignored.reachesBelow) return false;
    const { shape } = field;
    return ignored.coversPath(shape.kind === "object" ? shape.properties : ofMap(field, String(rest[0])), rest);
  }
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
