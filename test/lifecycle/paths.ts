import { isRecord } from "../../common/unknown";
import type { Inputs } from "../support/stack";

/** The value at a path like "config.oidcScopes". */
export function at(object: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), object);
}

/** A copy with another value at the path; undefined leaves the property out. */
export function withValue(object: Inputs, path: string, value: unknown): Inputs {
  const [key = "", ...deeper] = path.split(".");
  const { [key]: below, ...rest } = object;
  const changed = deeper.length === 0 ? value : withValue(isRecord(below) ? below : {}, deeper.join("."), value);
  return changed === undefined ? rest : { ...rest, [key]: changed };
}

/** The paths at which two objects differ. A list is one value. */
export function differingPaths(one: unknown, other: unknown, path: readonly string[] = []): string[] {
  if (!isRecord(one) || !isRecord(other)) return JSON.stringify(one) === JSON.stringify(other) ? [] : [path.join(".")];
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].flatMap((key) => differingPaths(one[key], other[key], [...path, key]));
}

/** Paths below the given one count as the given one, and every path counts once. */
export function within(path: string, paths: readonly string[]): string[] {
  return [...new Set(paths.map((found) => (found.startsWith(`${path}.`) ? path : found)))];
}
