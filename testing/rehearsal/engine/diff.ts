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
 * The properties that force a replacement: the provider's, and those of `replaceOnChanges`. The latter apply only to changes that the
 * provider reports; a dynamic provider reports none, unless it leaves the comparison to the engine.
 */
export function replaceKeys(diff: DiffResult, replaceOnChanges: string[], unfinished: boolean): string[] {
  const paths = replaceOnChanges.map(parsePath);
  const changed = unfinished ? [...diff.changed, INIT_ERROR] : diff.changed;
  const named = changed.filter((property) => paths.some((path) => covers(path, parsePath(property))));
  return [...new Set([...diff.replaces, ...named])];
}
