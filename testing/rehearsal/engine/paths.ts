import type { PropertyMap, PropertyValue } from "./values";
import { isObject, isSecret, secret } from "./values";

/** A property path as resource options spell it: `a.b[0]["c.d"]`, where `*` matches any key or index. */
export type PropertyPath = (string | number)[];

const STEP = /^(?:\["((?:[^"\\]|\\.)*)"\]|\[(\d+|\*)\]|\.?([^.[\]]+))/;

/** Throws when the text is not a path. */
export function parsePath(text: string): PropertyPath {
  const path: PropertyPath = [];
  let rest = text;
  while (rest !== "") {
    const match = STEP.exec(rest);
    if (match === null) throw new Error(`"${text}" is not a property path: "${rest}" cannot be read; write it like a.b[0]["c.d"]`);
    const [step, quoted, index, name] = match;
    if (quoted !== undefined) path.push(quoted.replaceAll(/\\(.)/g, "$1"));
    else if (index !== undefined) path.push(index === "*" ? "*" : Number(index));
    else if (name !== undefined) path.push(name);
    rest = rest.slice(step.length);
  }
  return path;
}

/** Whether `inner` is `outer` or lies within it. */
export function covers(outer: PropertyPath, inner: PropertyPath): boolean {
  return outer.length <= inner.length && outer.every((step, i) => step === "*" || step === inner[i]);
}

/** For `ignoreChanges`: the new inputs with the old values at these paths, and the paths where that is not possible. */
export function keepOldValues(news: PropertyMap, olds: PropertyMap, paths: string[]): { inputs: PropertyMap; impossible: string[] } {
  const inputs = structuredClone(news);
  const impossible = paths.filter((path) => !reset(parsePath(path), inputs, olds, false));
  return { inputs, impossible };
}

/**
 * Sets the value at the path in `target`, in place, to the value in `source`, or deletes it if `source` has none.
 *
 * @param hidden whether the source is within a secret and the target is not
 * @returns false if this would need a new container, or another length of an array
 */
function reset(path: PropertyPath, target: PropertyValue | undefined, source: PropertyValue | undefined, hidden: boolean): boolean {
  if (isSecret(target)) return reset(path, target.value, isSecret(source) ? source.value : source, false);
  if (isSecret(source)) return reset(path, target, source.value, true);
  const [step, ...deeper] = path;
  if (step === undefined) return true;
  if (step === "*") return resetAll(deeper, target, source, hidden);
  if (typeof step === "number") return resetItem(step, deeper, target, source, hidden);
  const within = isObject(source) ? source[step] : undefined;
  if (deeper.length > 0) {
    if (!isObject(target) || !isObject(source)) return !isObject(target) && !isObject(source);
    return target[step] === undefined ? within === undefined : reset(deeper, target[step], within, hidden);
  }
  if (!isObject(target)) return within === undefined;
  if (within === undefined) delete target[step];
  else target[step] = hidden ? secret(within) : within;
  return true;
}

function resetItem(
  index: number,
  deeper: PropertyPath,
  target: PropertyValue | undefined,
  source: PropertyValue | undefined,
  hidden: boolean,
): boolean {
  if (!Array.isArray(target) || !Array.isArray(source)) return !Array.isArray(target) && !Array.isArray(source);
  const value = source[index];
  if (value === undefined || target[index] === undefined) return value === undefined && target[index] === undefined;
  if (deeper.length > 0) return reset(deeper, target[index], value, hidden);
  target[index] = hidden ? secret(value) : value;
  return true;
}

function resetAll(deeper: PropertyPath, target: PropertyValue | undefined, source: PropertyValue | undefined, hidden: boolean): boolean {
  if (Array.isArray(target) && Array.isArray(source)) {
    const kept = Math.min(target.length, source.length);
    for (let i = 0; i < kept; i++) if (!resetItem(i, deeper, target, source, hidden)) return false;
    return target.length === source.length;
  }
  if (!isObject(target) || !isObject(source)) return false;
  const names = deeper.length > 0 ? Object.keys(source) : [...new Set([...Object.keys(source), ...Object.keys(target)])];
  return names.every((name) => reset([name, ...deeper], target, source, hidden));
}
