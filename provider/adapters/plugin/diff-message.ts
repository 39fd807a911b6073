import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Difference } from "../../lifecycle/kind";
import { formatPath, type Path } from "../../model/check";
import type { Change } from "../../model/diff";

export interface DiffResult extends Difference {
  /**
   * The differences between the old and the new inputs. Any other change is one of the object itself, whose old value the engine shows from
   * the outputs.
   */
  readonly inputChanges: readonly Change[];
}

/** A diff in the engine's form: the changed properties by their paths, and the kind of each change. */
export function diffMessage({ changes, replaces, deleteBeforeReplace, inputChanges }: DiffResult): messages.DiffResponse {
  const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;
  const response = new messages.DiffResponse()
    .setChanges(changes.length > 0 ? DIFF_SOME : DIFF_NONE)
    .setDiffsList([...new Set(changes.map(({ path }) => String(path[0])))])
    .setReplacesList(replaces)
    .setDeletebeforereplace(deleteBeforeReplace)
    .setHasdetaileddiff(true);
  const ofInputs = new Set(inputChanges.map(({ path }) => enginePath(path)));
  for (const [path, change] of byPath(changes)) {
    const property = new messages.PropertyDiff().setKind(kindOf(change)).setInputdiff(ofInputs.has(path));
    response.getDetaileddiffMap().set(path, property);
  }
  return response;
}

/** One change for each path. In a set, a removed and an added item may have the same index: together they are an update of that index. */
function byPath(changes: readonly Change[]): Map<string, Change> {
  const merged = new Map<string, Change>();
  for (const change of changes) {
    const path = enginePath(change.path);
    const other = merged.get(path);
    merged.set(path, other && other.kind !== change.kind ? { ...change, kind: "update" } : change);
  }
  return merged;
}

/**
 * A path in the engine's syntax. That has one escape, `\"`, so a key that ends with a backslash can't be written: the path then ends
 * before the key, and names its map.
 */
export function enginePath(path: Path): string {
  const unwritable = path.findIndex((step) => typeof step === "string" && /\\$/.test(step));
  return formatPath(unwritable === -1 ? path : path.slice(0, unwritable), (key) => `"${key.replaceAll('"', '\\"')}"`);
}

function kindOf({ kind, replaces }: Change): messages.PropertyDiff.Kind {
  const { Kind } = messages.PropertyDiff;
  if (kind === "add") return replaces ? Kind.ADD_REPLACE : Kind.ADD;
  if (kind === "delete") return replaces ? Kind.DELETE_REPLACE : Kind.DELETE;
  return replaces ? Kind.UPDATE_REPLACE : Kind.UPDATE;
}
