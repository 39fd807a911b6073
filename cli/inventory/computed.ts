import { ownProperty } from "../../common/own-property";
import { holdsUnknown } from "../../common/unknown";
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
  const waitsFor = waitingIn(steps);
  const computed = steps.flatMap(({ urn, newState: state }) => {
    const resource = state && resourceOfType(state.type);
    if (!state || resource?.api !== "cluster" || state.external) return [];
    return Object.entries(state.propertyDependencies ?? {}).flatMap(([property, urns]) => {
      const value = state.inputs?.[property] ?? undefined;
      const field = resource.inputs.get(property);
      // An unknown value is undecided anyway.
      if (!field || field.traits.local || property === "description" || holdsUnknown(value)) return [];
      const sources = [...new Set((urns ?? []).flatMap(waitsFor))].flatMap((one) => changed.get(one) ?? []);
      return sources
        .filter((source) => value === undefined || holdsSecret(value) || !isExplained(source, property, value))
        .map(
          ({ name }) => `what \`${property}\` of ${kindAndName(urn)} will be, because the program computes it from ${name}, which changes`,
        );
    });
  });
  return [...new Set(computed)];
}

/** A changed object, or a resource that looks one up. */
interface Changed {
  /** For people. */
  readonly name: string;
  readonly kind: string;
  /** The names and IDs that it has after the update: a value with the old name of a renamed object was looked up. */
  readonly ids: readonly string[];
  /** Its inputs after and before the update. Missing for a looked-up object. */
  readonly inputs: readonly (StepState["inputs"] | undefined)[];
}

function changedIn(steps: readonly PreviewStep[]): ReadonlyMap<string, Changed> {
  const ofCluster = steps.filter(({ oldState, newState }) => resourceOfType((newState ?? oldState)?.type ?? "")?.api === "cluster");
  const changing = ofCluster.filter(({ op }) => !still.has(op));
  const ids = new Set(changing.flatMap(({ oldState, newState }) => [...keysOf(oldState), ...keysOf(newState)]));
  const urns = new Set(changing.map(({ urn }) => urn));
  const isReading = ({ op, newState }: PreviewStep) =>
    op === "read" && (keysOf(newState).some((key) => ids.has(key)) || newState?.dependencies?.some((one) => urns.has(one)));
  const changed = new Map<string, Changed>();
  for (const { op, urn, oldState, newState } of [...changing, ...ofCluster.filter(isReading)]) {
    const known = changed.get(urn);
    const isRead = op === "read";
    const own = newState && !isRead ? idsOf({ ...newState, id: newState.id ?? (op === "update" ? oldState?.id : undefined) }) : [];
    changed.set(urn, {
      name: kindAndName(urn),
      kind: resourceOfType((newState ?? oldState)?.type ?? "")?.kind ?? "",
      ids: [...(known?.ids ?? []), ...own],
      inputs: isRead ? [] : [newState?.inputs ?? known?.inputs[0], oldState?.inputs ?? known?.inputs[1]],
    });
  }
  return changed;
}

/** Finds the resources that a resource's values come from: itself, and through resources of other packages all that these get values from. */
function waitingIn(steps: readonly PreviewStep[]): (urn: string) => string[] {
  const others = new Map(
    steps.flatMap(({ urn, newState }) =>
      newState && !resourceOfType(newState.type) ? [[urn, Object.values(newState.propertyDependencies ?? {})] as const] : [],
    ),
  );
  const from = (urn: string, seen: ReadonlySet<string>): string[] => {
    if (seen.has(urn)) return [];
    const ofIt = new Set([...seen, urn]);
    return [urn, ...(others.get(urn) ?? []).flatMap((urns) => (urns ?? []).flatMap((one) => from(one, ofIt)))];
  };
  return (urn) => from(urn, new Set());
}

/** The kinds of the objects whose names or IDs a property has. Other properties have no names of objects. */
const named: { readonly [property: string]: readonly string[] } = {
  authMethod: ["AclAuthMethod"],
  bindName: ["AclRole", "AclPolicy"],
  policies: ["AclPolicy"],
  roles: ["AclRole"],
};

function isExplained({ kind, ids, inputs }: Changed, property: string, value: unknown): boolean {
  const [now, old] = inputs.map((one) => one?.[property]);
  return (ownProperty(named, property)?.includes(kind) === true && ids.some((id) => hasName(value, id))) || isMadeOf(value, now, old);
}

function hasName(value: unknown, name: string): boolean {
  if (Array.isArray(value)) return value.includes(name);
  // A bind name may be a template with a name in it.
  return value === name || (typeof value === "string" && value.includes("${") && value.includes(name));
}

/** Whether a value has the whole new value of a property, and nothing that the property had before alone. */
function isMadeOf(value: unknown, now: unknown, old: unknown): boolean {
  if (typeof value === "string" && typeof now === "string")
    return now !== "" && value.includes(now) && (typeof old !== "string" || now.includes(old) || !value.includes(old));
  if (!Array.isArray(value) || !Array.isArray(now)) return false;
  const gone = Array.isArray(old) ? old.filter((item) => !now.includes(item)) : [];
  return now.length + gone.length > 0 && now.every((item) => value.includes(item)) && !gone.some((item) => value.includes(item));
}

/** Keys of an object by its ID, and by its name, which `get` takes as well. */
function keysOf(state: StepState | null | undefined): string[] {
  return state ? idsOf(state).map((id) => JSON.stringify([resourceOfType(state.type)?.kind, id])) : [];
}

function idsOf({ id, inputs }: Pick<StepState, "id" | "inputs">): string[] {
  return [id, inputs?.name].flatMap((one) => (typeof one === "string" && one !== "" && !isUncertain(one) ? [one] : []));
}
