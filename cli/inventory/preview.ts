import * as z from "zod";
import { ownProperty } from "../../common/own-property";
import { record } from "../../common/record";
import { unknown } from "../../common/unknown";
import { type Properties, unknownMarker } from "../../provider/internal";
import { CommandError } from "../command-line";
import { jsonOf } from "../input";
import { kindAndName, policiesByTextIn } from "./by-text";
import { type Inventory, inOrder, inventoryObject, replaced, type StateEntry, withoutAdopted } from "./inventory";
import { PreviewedServers } from "./preview-servers";
import { lacksReplacements, type PreviewEntry, type PreviewStep, sidesOf, step } from "./preview-steps";
import { resourceOfType } from "./state";

const command = "pulumi preview --json --show-sames --show-replacement-steps";

const preview = z
  .object({
    /** The stack's configuration, with `[secret]` for secrets. */
    config: record(z.unknown()).nullish(),
    steps: z.array(step).optional(),
    /** How many steps of each kind there are, also of those that are not among `steps`. */
    changeSummary: record(z.number()).optional(),
    diagnostics: z.array(z.object({ severity: z.string() })).optional(),
  })
  // A stack itself is a step, so every preview has the one or the other.
  .refine(({ steps, changeSummary }) => steps !== undefined || changeSummary !== undefined, "it has neither steps nor a changeSummary");

/** What of a stack's objects is on the servers before a previewed update, and once it is applied. */
export interface PreviewedChange {
  readonly before: Inventory;
  readonly after: Inventory;
  /** The URNs of the resources that the update leaves as they are. */
  readonly unchanged: ReadonlySet<string>;
  /** What the preview leaves out although it may matter, in words. */
  readonly unchecked?: string | undefined;
}

/**
 * Reads what `pulumi preview` wrote: the objects of a stack that are on the servers once the update is applied. What the preview does not know is the symbol `unknown`,
 * and a secret is `secretMarker`, as the CLI writes it.
 */
export function parsePreview(text: string, source: string): Inventory {
  const { after, unchecked } = parsePreviewedChange(text, source);
  return { ...after, notes: [...(after.notes ?? []), ...(unchecked === undefined ? [] : [`${source}: not checked: ${unchecked}`])] };
}

/** The same, and what of them is there before the update. */
export function parsePreviewedChange(text: string, source: string): PreviewedChange {
  const { config, steps } = contentOf(text, source);
  const { before, after, unchanged, skipped, isLimited } = sidesOf(steps);
  const servers = new PreviewedServers(steps, config);
  const objects = (entries: readonly PreviewEntry[]) => inOrder(withoutAdopted(entries.flatMap((entry) => objectOf(entry, servers) ?? [])));
  const notes = [
    ...skipped.map((urn) => `${kindAndName(urn)} is not part of this update`),
    ...(isLimited ? [leftOut] : []),
    ...policiesByTextIn(steps),
  ];
  const sides = { before: objects(before), after: objects(after) };
  const unchecked = servers.unchecked.join("; ");
  return {
    before: { source, objects: sides.before, gaps: [] },
    after: { source, objects: sides.after, gaps: [], notes },
    unchanged,
    ...(unchecked !== "" && { unchecked }),
  };
}

const leftOut =
  "of what --target or --exclude leaves out, a preview does not show the objects that wait for their delete since an earlier update";

function objectOf({ urn, state, id, isLeft }: PreviewEntry, servers: PreviewedServers): StateEntry | undefined {
  const resource = resourceOfType(state.type);
  if (!resource) return undefined;
  const inputs = Object.entries(state.inputs ?? {}).filter(([name]) => resource.inputs.has(name));
  // When a token ends that is made anew is no input of it.
  const end = ownProperty(state.outputs ?? {}, "expirationTime");
  const shown = resource.kind === "AclToken" && end !== undefined ? [...inputs, ["expirationTime", end] as const] : inputs;
  const outputs = Object.fromEntries(shown.map(([name, value]) => [name, replaced(value, unknownIn)]));
  return { isLeft, object: inventoryObject(resource, outputs, { id, urn, server: servers.of(state, resource.api) }) };
}

function contentOf(text: string, source: string): { readonly config: Properties; readonly steps: PreviewStep[] } {
  const parsed = preview.safeParse(jsonOf(text, source));
  if (!parsed.success) {
    throw new CommandError(`${source} is not what \`${command}\` writes: ${z.prettifyError(parsed.error)}`);
  }
  const { config, steps = [], changeSummary = {}, diagnostics = [] } = parsed.data;
  if (diagnostics.some(({ severity }) => severity === "error")) {
    throw new CommandError(
      `${source} is the preview of a program that failed, and lacks a part of its resources: correct the program first.`,
    );
  }
  if ((changeSummary.same ?? 0) > steps.filter(({ op }) => op === "same").length) {
    throw new CommandError(`${source} lacks the resources that do not change: write it by \`${command}\`.`);
  }
  if (lacksReplacements(steps)) {
    throw new CommandError(`${source} lacks what replacements delete and make: write it by \`${command}\`.`);
  }
  return { config: config ?? {}, steps };
}

/** Within a text, a value that is not known yet may stand among others. */
function unknownIn(part: unknown): typeof unknown | undefined {
  return typeof part === "string" && part.includes(unknownMarker) ? unknown : undefined;
}
