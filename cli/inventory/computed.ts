import { isUncertain, kindAndName } from "./inventory";
import type { PreviewStep, StepState } from "./preview-steps";
import { resourceOfType } from "./state";

/** The steps that change nothing on a server. */
const still: ReadonlySet<string> = new Set(["same", "read", "refresh", "discard", "discard-replaced", "remove-pending-replace"]);

/**
 * The properties that a preview may show with old values, in words. A value that waits for a resource has the resource's name or ID, unless
 * the program computes it, for example by a function or a `get` that asks the server: in the preview, that is before the change of the
 * resource, and in the update after it.
 */
export function computedIn(steps: readonly PreviewStep[]): string[] {
  const changed = changedIn(steps);
  const computed = steps.flatMap(({ urn, newState: state }) => {
    const resource = state && resourceOfType(state.type);
    if (!state || resource?.api !== "cluster" || state.external) return [];
    return Object.entries(state.propertyDependencies ?? {}).flatMap(([property, urns]) => {
      const value = state.inputs?.[property];
      const field = resource.inputs.get(property);
      if (!field || field.traits.local || property === "description" || value === undefined || isUncertain(value)) return [];
      const isNamed = (one: string) => changed.get(one)?.some((name) => isNamedIn(value, name));
      return (urns ?? []).flatMap((one) =>
        changed.has(one) && !isNamed(one)
          ? [`what \`${property}\` of ${kindAndName(urn)} will be, because the program computes it from ${kindAndName(one)}, which changes`]
          : [],
      );
    });
  });
  return [...new Set(computed)];
}

function isNamedIn(value: unknown, name: string): boolean {
  return Array.isArray(value) ? value.includes(name) : JSON.stringify(value).includes(JSON.stringify(name).slice(1, -1));
}

/** The URNs of changed objects of clusters, and of resources that look one up, with the object's names and IDs. */
function changedIn(steps: readonly PreviewStep[]): ReadonlyMap<string, readonly string[]> {
  const states = steps.flatMap(({ op, urn, oldState, newState }) =>
    [oldState, newState].flatMap((state) => (state && resourceOfType(state.type)?.api === "cluster" ? [{ op, urn, state }] : [])),
  );
  const ids = new Set(states.flatMap(({ op, state }) => (still.has(op) ? [] : objectOf(state))));
  const changed = new Map<string, string[]>();
  for (const { op, urn, state } of states) {
    const isChanged = !still.has(op) || (op === "read" && objectOf(state).some((object) => ids.has(object)));
    if (isChanged) changed.set(urn, [...(changed.get(urn) ?? []), ...namesOf(state)]);
  }
  return changed;
}

function objectOf({ type, id }: StepState): string[] {
  return id ? [JSON.stringify([resourceOfType(type)?.kind, id])] : [];
}

function namesOf({ id, inputs, outputs }: StepState): string[] {
  return [id, inputs?.name, outputs?.name].flatMap((name) => (typeof name === "string" && name !== "" && !isUncertain(name) ? [name] : []));
}
