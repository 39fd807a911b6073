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
  const sources = sourcesIn(steps);
  const computed = steps.flatMap(({ urn, newState: state }) => {
    const resource = state && resourceOfType(state.type);
    if (!state || resource?.api !== "cluster" || state.external) return [];
    return Object.entries(state.propertyDependencies ?? {}).flatMap(([property, urns]) => {
      const value = state.inputs?.[property] ?? undefined;
      const field = resource.inputs.get(property);
      // An unknown value is undecided anyway.
      if (!field || field.traits.local || property === "description" || holdsUnknown(value)) return [];
      const kinds = property === "bindName" ? ownProperty(bound, String(state.inputs?.bindType)) : ownProperty(named, property);
      const sharedWith = (source: Source) =>
        value === undefined || holdsSecret(value) ? undefined : shareOf(source, property, value, kinds);
      return changedBehind(urns ?? [], sources, sharedWith).map(
        (one) =>
          `what \`${property}\` of ${kindAndName(urn)} will be, because the program computes it from ${kindAndName(one)}, which changes`,
      );
    });
  });
  return [...new Set(computed)];
}

/** A resource that values may come from. */
interface Source {
  /** The kind, if the resource is one of this package. */
  readonly kind?: string;
  /** Whether the update changes its object, or it looks one up that the update changes. */
  readonly isChanged: boolean;
  /** The names and IDs that its object has after the update: a value with the old name of a renamed object was looked up. */
  readonly ids: readonly string[];
  /** Its inputs after and before the update. Missing for a looked-up object. */
  readonly inputs: readonly (StepState["inputs"] | undefined)[];
  /** The URNs of the resources that it waits for. */
  readonly dependencies: readonly string[];
}

/** How much of a value a source explains; undefined for nothing. */
type Share = "all" | "some" | undefined;

/** The URNs of the changed sources that may be behind a value or a part of it: directly, or through resources that do not explain it all. */
function changedBehind(
  urns: readonly string[],
  sources: ReadonlyMap<string, Source>,
  sharedWith: (source: Source) => Share,
  seen = new Set<string>(),
): string[] {
  return urns.flatMap((urn) => {
    const source = sources.get(urn);
    if (!source || seen.has(urn)) return [];
    seen.add(urn);
    const share = sharedWith(source);
    if (share === "all") return [];
    return source.isChanged && share === undefined ? [urn] : changedBehind(source.dependencies, sources, sharedWith, seen);
  });
}

function sourcesIn(steps: readonly PreviewStep[]): ReadonlyMap<string, Source> {
  const isOfCluster = ({ oldState, newState }: PreviewStep) => resourceOfType((newState ?? oldState)?.type ?? "")?.api === "cluster";
  const changing = steps.filter((step) => isOfCluster(step) && !still.has(step.op));
  const keys = new Set(changing.flatMap(({ oldState, newState }) => [...keysOf(oldState), ...keysOf(newState)]));
  const urns = new Set(changing.map(({ urn }) => urn));
  const sources = new Map<string, Source>();
  for (const step of steps) {
    const { op, urn, oldState, newState } = step;
    const known = sources.get(urn);
    const isRead = op === "read" && isOfCluster(step);
    const { parent = [], dependencies: all, propertyDependencies } = newState ?? {};
    const dependencies = [parent, all, ...Object.values(propertyDependencies ?? {})].flatMap((one) => one ?? []);
    const isReading = isRead && (keysOf(newState).some((key) => keys.has(key)) || dependencies.some((one) => urns.has(one)));
    // Previews leave the ID out of the new state of a resource that keeps it.
    const keptId = op === "update" || still.has(op) ? oldState?.id : undefined;
    const ids = newState && !isRead ? idsOf({ ...newState, id: newState.id ?? keptId }) : [];
    const kind = resourceOfType((newState ?? oldState)?.type ?? "")?.kind;
    sources.set(urn, {
      ...(kind && { kind }),
      isChanged: isReading || (isOfCluster(step) && !still.has(op)) || known?.isChanged === true,
      ids: [...(known?.ids ?? []), ...ids],
      inputs: isRead ? [] : [newState?.inputs ?? known?.inputs[0], oldState?.inputs ?? known?.inputs[1]],
      dependencies: [...(known?.dependencies ?? []), ...dependencies],
    });
  }
  return sources;
}

/** The kinds of the objects whose names or IDs a property has. A bind name has those of the kind that `bindType` names. */
const named: { readonly [property: string]: readonly string[] } = {
  authMethod: ["AclAuthMethod"],
  policies: ["AclPolicy"],
  roles: ["AclRole"],
};
const bound: { readonly [bindType: string]: readonly string[] } = { role: ["AclRole"], policy: ["AclPolicy"] };

/**
 * A selector or rules with the source's name are not made of the name alone: another part of the text may depend on what was looked up.
 *
 * @param kinds the kinds of the objects whose names the property has
 */
function shareOf({ kind, ids, inputs }: Source, property: string, value: unknown, kinds: readonly string[] | undefined): Share {
  if (kind === undefined) return undefined;
  const [now, old] = inputs.map((one) => one?.[property]);
  const hasName = (id: string) =>
    Array.isArray(value)
      ? value.includes(id)
      : typeof value === "string" && (value === id || ((property === "name" || value.includes("${")) && value.includes(id)));
  if ((property === "name" || kinds?.includes(kind) === true) && ids.some(hasName)) return "all";
  if (!isMadeOf(value, now, old)) return undefined;
  // The other items of a list are names of further objects.
  return typeof value === "string" && value !== now ? "some" : "all";
}

/** Whether a value has the whole value of a property that stays as it is, or the new items of a list, and none of the old ones. */
function isMadeOf(value: unknown, now: unknown, old: unknown): boolean {
  if (typeof value === "string" && typeof now === "string") return now !== "" && now === old && value.includes(now);
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
