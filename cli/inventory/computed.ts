import { ownProperty } from "../../common/own-property";
import { holdsUnknown } from "../../common/unknown";
import { changesOf } from "../../provider/internal";
import { holdsSecret, isUncertain, kindAndName } from "./inventory";
import type { PreviewStep, StepState } from "./preview-steps";
import { resourceOfType } from "./state";

/** The steps that change nothing on a server. */
const still: ReadonlySet<string> = new Set(["same", "read", "refresh", "discard", "discard-replaced", "remove-pending-replace"]);

/**
 * The properties that a preview may show with old values, in words. A value that waits for a resource has the resource's name or ID, or the
 * new value of the resource's property, unless the program computes it, for example by a function or a `get` that asks the server: in the
 * preview, that is before the change of the resource, and in the update after it.
 */
export function computedIn(steps: readonly PreviewStep[]): string[] {
  const changed = changedIn(steps);
  const computed = steps.flatMap(({ urn, newState: state }) => {
    const resource = state && resourceOfType(state.type);
    if (!state || resource?.api !== "cluster" || state.external) return [];
    return Object.entries(state.propertyDependencies ?? {}).flatMap(([property, urns]) => {
      const value = state.inputs?.[property] ?? undefined;
      // An unknown value is undecided anyway.
      if (!isDeciding(state, property) || holdsUnknown(value)) return [];
      return (urns ?? []).flatMap((one) => {
        const source = changed.get(one);
        if (!source || (value !== undefined && !holdsSecret(value) && isExplained(source, property, value))) return [];
        return [
          `what \`${property}\` of ${kindAndName(urn)} will be, because the program computes it from ${kindAndName(one)}, which changes`,
        ];
      });
    });
  });
  return [...new Set(computed)];
}

/** The kinds of the objects whose names or IDs a property has. A role and a policy may have the same name. */
const named: { readonly [property: string]: readonly string[] } = {
  authMethod: ["AclAuthMethod"],
  bindName: ["AclRole", "AclPolicy"],
  policies: ["AclPolicy"],
  roles: ["AclRole"],
};

function isExplained({ kind, names, isTaken }: Changed, property: string, value: unknown): boolean {
  const mayName = ownProperty(named, property)?.includes(kind) ?? true;
  return (mayName && names.some((name) => hasName(value, name))) || isTaken(property, value);
}

/** A changed object, or a resource that looks one up. */
interface Changed {
  readonly kind: string;
  readonly names: readonly string[];
  /** Whether a value certainly comes from the new value of this property. */
  readonly isTaken: (property: string, value: unknown) => boolean;
}

function changedIn(steps: readonly PreviewStep[]): ReadonlyMap<string, Changed> {
  const ofCluster = steps.filter(({ oldState, newState }) => resourceOfType((newState ?? oldState)?.type ?? "")?.api === "cluster");
  const changing = ofCluster.filter(hasChange);
  const ids = new Set(changing.flatMap(({ oldState, newState }) => [oldState, newState].flatMap((state) => (state ? idsOf(state) : []))));
  const urns = new Set(changing.map(({ urn }) => urn));
  const isReading = ({ op, newState }: PreviewStep) =>
    op === "read" && newState && (idsOf(newState).some((id) => ids.has(id)) || newState.dependencies?.some((one) => urns.has(one)));
  const changed = new Map<string, Changed>();
  for (const step of [...changing, ...ofCluster.filter(isReading)]) {
    const { op, urn, oldState, newState } = step;
    const known = changed.get(urn);
    // A value with the old name of a renamed object was looked up.
    const names = newState ? namesOf({ ...newState, id: newState.id ?? (op === "update" ? oldState?.id : undefined) }) : [];
    const isTaken = (property: string, value: unknown) =>
      op !== "read" && isMadeOf(value, newState?.inputs?.[property], oldState?.inputs?.[property]);
    changed.set(urn, {
      kind: resourceOfType((newState ?? oldState)?.type ?? "")?.kind ?? "",
      names: [...(known?.names ?? []), ...names],
      isTaken: (property, value) => isTaken(property, value) || known?.isTaken(property, value) === true,
    });
  }
  return changed;
}

/** Whether a step changes more than a description. A visible change is missing if something hidden changes. */
function hasChange({ op, oldState, newState }: PreviewStep): boolean {
  if (still.has(op)) return false;
  const fields = resourceOfType(newState?.type ?? "")?.inputs;
  if (op !== "update" || !fields) return true;
  const visible = [oldState?.inputs, oldState?.outputs].flatMap((old) => changesOf(fields, old ?? {}, newState?.inputs ?? {}));
  return visible.length === 0 || visible.some(({ path: [property] }) => property !== "description");
}

function isDeciding({ type }: StepState, property: string): boolean {
  const field = resourceOfType(type)?.inputs.get(property);
  return field !== undefined && !field.traits.local && property !== "description";
}

function hasName(value: unknown, name: string): boolean {
  return Array.isArray(value) ? value.includes(name) : JSON.stringify(value).includes(JSON.stringify(name).slice(1, -1));
}

/** Whether a value has the whole new value of a property, and nothing that the property had before alone. */
function isMadeOf(value: unknown, now: unknown, old: unknown): boolean {
  if (typeof value === "string" && typeof now === "string")
    return now !== "" && value.includes(now) && (typeof old !== "string" || now.includes(old) || !value.includes(old));
  if (!Array.isArray(value) || !Array.isArray(now)) return false;
  const gone = Array.isArray(old) ? old.filter((item) => !now.includes(item)) : [];
  return now.length + gone.length > 0 && now.every((item) => value.includes(item)) && !gone.some((item) => value.includes(item));
}

/** The ID, and the name, which `get` takes as well. */
function idsOf(state: StepState): string[] {
  const kind = resourceOfType(state.type)?.kind;
  return [state.id, state.inputs?.name].flatMap((id) => (typeof id === "string" && id !== "" ? [JSON.stringify([kind, id])] : []));
}

function namesOf({ id, inputs }: StepState): string[] {
  return [id, inputs?.name].flatMap((name) => (typeof name === "string" && name !== "" && !isUncertain(name) ? [name] : []));
}
