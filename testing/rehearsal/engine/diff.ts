import { covers, keepOldValues, parsePath } from "./paths";
import type { DiffRequest, DiffResult, ProviderHost } from "./provider";
import { changedProperties } from "./report";

/** The provider's diff. If the provider leaves it undecided, any difference of the inputs is a change. */
export async function diffResource(provider: ProviderHost, request: DiffRequest): Promise<DiffResult & { changes: boolean }> {
  const diff = await provider.diff(request);
  if (diff.changes !== undefined) return { ...diff, changes: diff.changes };
  const { inputs } = keepOldValues(request.news, request.oldInputs, request.ignoreChanges);
  const changed = changedProperties(request.oldInputs, inputs);
  return { ...diff, changes: changed.length > 0, changed };
}

/** A name that `replaceOnChanges` can have in place of a property: it stands for an unfinished object. */
export const INIT_ERROR = "#initerror";

/**
 * The properties that force a replacement: the provider's, and the changed ones that `replaceOnChanges` names. A property counts as changed
 * if the provider reports it, or if the provider leaves the comparison to the engine and the engine finds a difference. INIT_ERROR counts
 * as changed for an unfinished object. A dynamic provider reports no changed properties.
 */
export function replaceKeys(diff: DiffResult, replaceOnChanges: string[], unfinished: boolean): string[] {
  const paths = replaceOnChanges.map(parsePath);
  const changed = unfinished ? [...diff.changed, INIT_ERROR] : diff.changed;
  const named = changed.filter((property) => paths.some((path) => covers(path, parsePath(property))));
  return [...new Set([...diff.replaces, ...named])];
}
