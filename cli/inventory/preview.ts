import * as z from "zod";
import { defined, ownProperty } from "../../common/own-property";
import { record } from "../../common/record";
import { unknown } from "../../common/unknown";
import type { Properties } from "../../provider/internal";
import { CommandError } from "../command-line";
import { jsonOf } from "../input";
import { movingRolesIn, policiesByTextIn } from "./by-text";
import { computedIn } from "./computed";
import {
  type Gap,
  type Inventory,
  type InventoryObject,
  inOrder,
  inventoryObject,
  kindAndName,
  replaced,
  unknownIn,
  withoutAdopted,
} from "./inventory";
import { PreviewedServers } from "./preview-servers";
import {
  bridgedAfter,
  bridgedIn,
  lacksReplacements,
  lookedUpIn,
  type PreviewEntry,
  type PreviewStep,
  perhapsLeftIn,
  retypedIn,
  sidesOf,
  step,
  strangeOps,
} from "./preview-steps";
import { gapsOfTypes, resourceOfType } from "./state";

const command = "pulumi preview --json --show-sames --show-replacement-steps";

const preview = z
  .object({
    /** The stack's configuration, with `[secret]` for secrets. */
    config: record(z.unknown()).nullish(),
    steps: z.array(step).optional(),
    /** The number of steps of each kind, including ones that `steps` lacks. */
    changeSummary: record(z.number()).optional(),
    diagnostics: z.array(z.object({ severity: z.string() })).optional(),
  })
  // The stack itself has a step, so every preview has one of the two.
  .refine(({ steps, changeSummary }) => steps !== undefined || changeSummary !== undefined, "it has neither steps nor a changeSummary");

/** The stack's objects on the servers before and after a previewed update. */
export interface PreviewedChange {
  readonly before: Inventory;
  readonly after: Inventory;
  /** The URNs of resources that the update leaves unchanged. */
  readonly unchanged: ReadonlySet<string>;
  /** A message about the parts of the update that the preview does not show for certain, such as the servers of some objects. */
  readonly unchecked?: string | undefined;
}

/** The objects after a previewed update, with a note on the parts of the update that the preview does not show for certain. */
export function afterUpdate({ after, unchecked }: PreviewedChange, source: string): Inventory {
  return { ...after, notes: [...(after.notes ?? []), ...(unchecked === undefined ? [] : [`${source}: not checked: ${unchecked}`])] };
}

/**
 * Reads the output of `pulumi preview`: the stack's objects on the servers before and after the update. Unknown values are the symbol
 * `unknown`, and secrets are `secretMarker`, as the CLI writes them.
 */
export function parsePreviewedChange(text: string, source: string): PreviewedChange {
  const { config, steps } = contentOf(text, source);
  const { before, after, unchanged, skipped, isLimited } = sidesOf(steps);
  const servers = new PreviewedServers(steps, config);
  const objects = (entries: readonly PreviewEntry[]) => inOrder(withoutAdopted(entries.flatMap((entry) => objectOf(entry, servers) ?? [])));
  const notes = [
    ...skipped.map((urn) => `${kindAndName(urn)} is not part of this update`),
    ...(isLimited ? [leftOut] : []),
    ...policiesByTextIn(steps, servers),
  ];
  const sides = { before: objects(before), after: objects(after) };
  const unchecked = [
    ...servers.unchecked,
    ...movingRolesIn(steps, servers),
    ...computedIn(steps),
    ...perhapsLeftIn(steps),
    ...bridgedIn(steps),
    ...retypedIn(steps),
  ].join("; ");
  return {
    before: { source, objects: sides.before, gaps: [] },
    after: {
      source,
      objects: sides.after,
      gaps: [...gapsOfTypes(typesIn(steps)), ...gapsOfOps(steps)],
      notes,
      bridged: bridgedAfter(steps),
      lookedUp: lookedUpIn(steps).flatMap((entry) => lookedUpObject(entry, servers) ?? []),
    },
    unchanged,
    ...(unchecked !== "" && { unchecked }),
  };
}

const leftOut = "a preview with --target or --exclude does not show objects outside of it whose delete is pending since an earlier update";

function gapsOfOps(steps: readonly PreviewStep[]): Gap[] {
  return strangeOps(steps).map(({ kind, op }) => ({
    kind,
    reason: "failed",
    message: `this version does not know the step ${JSON.stringify(op)} of a preview: use a newer one of this package.`,
  }));
}

/** The types of all resources in the steps, without components and looked-up objects. */
function typesIn(steps: readonly PreviewStep[]): string[] {
  return steps.flatMap(({ oldState, newState }) =>
    [oldState, newState].flatMap((one) => (one && !one.external && one.custom !== false ? [one.type] : [])),
  );
}

function objectOf(
  { urn, state, id, isLeft, isDeleted, linkedRoles }: PreviewEntry,
  servers: PreviewedServers,
): InventoryObject | undefined {
  const resource = resourceOfType(state.type);
  if (!resource) return undefined;
  // Unknown properties are included, because they may be relevant.
  const isInput = (name: string) => resource.inputs.has(name) || !(resource.outputs.has(name) || name.startsWith("__"));
  const inputs = Object.entries(state.inputs ?? {}).filter(([name]) => isInput(name));
  // Two outputs of tokens matter: the end of a replaced one, and the roles of one whose roles are not written again.
  const expirationTime = ownProperty(state.outputs ?? {}, "expirationTime");
  const more = resource.kind === "AclToken" ? Object.entries(defined({ expirationTime, linkedRoles })) : [];
  const outputs = Object.fromEntries([...inputs, ...more].map(([name, value]) => [name, replaced(value, unknownIn)]));
  return inventoryObject(resource, outputs, {
    ...{ id, urn, server: servers.of(state, resource.api), provider: state.provider },
    ...(isDeleted !== undefined && { isDeleted }),
    ...(isLeft && { isLeft }),
  });
}

/** A looked-up object. A preview shows no outputs of a new look-up. */
function lookedUpObject({ urn, state, id }: PreviewEntry, servers: PreviewedServers): InventoryObject | undefined {
  const resource = resourceOfType(state.type);
  if (!resource) return undefined;
  const { outputs } = state;
  const values = outputs ?? Object.fromEntries([...resource.inputs.keys()].map((name) => [name, unknown]));
  return inventoryObject(resource, values, { id, urn, server: servers.of(state, resource.api) });
}

function contentOf(text: string, source: string): { readonly config: Properties; readonly steps: PreviewStep[] } {
  const parsed = preview.safeParse(jsonOf(text, source));
  if (!parsed.success) {
    throw new CommandError(`${source} is not the output of \`${command}\`: ${z.prettifyError(parsed.error)}`);
  }
  const { config, steps = [], changeSummary = {}, diagnostics = [] } = parsed.data;
  if (diagnostics.some(({ severity }) => severity === "error")) {
    throw new CommandError(
      `${source} is the preview of a program that failed, or that a policy pack refused, so it may lack resources: correct the program first.`,
    );
  }
  if ((changeSummary.same ?? 0) > steps.filter(({ op }) => op === "same").length) {
    throw new CommandError(`${source} lacks the resources that do not change: write it by \`${command}\`.`);
  }
  if (lacksReplacements(steps)) {
    throw new CommandError(`${source} lacks the steps of replacements: write it by \`${command}\`.`);
  }
  return { config: config ?? {}, steps };
}
