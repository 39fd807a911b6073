import { resources } from "../../provider/internal";
import { text, UsageError } from "../command-line";
import { configurationOptions, configurationUsage, readConfiguration, refuseServerOptions } from "../configuration";
import { readInput } from "../input";
import { leftOutNotes } from "../inventory/bridged";
import { parseExport } from "../inventory/export";
import { type Gap, type Inventory, type InventoryObject, titleOf } from "../inventory/inventory";
import { afterUpdate, parsePreviewedChange } from "../inventory/preview";
import { type Reporting, readServers } from "../inventory/servers";
import { parseState, readStack } from "../inventory/state";
import { objectsOfCluster } from "./clusters";
import type { AccessModel } from "./model";
import { isTakenOver, pairsOf } from "./pairs";
import { decides, toAccessModel } from "./read-model";

/** The options for the source of a command about logins, for `readArguments`. */
export const sourceOptions = {
  ...{ export: text, state: text, stack: text, preview: text, cluster: text },
  ...configurationOptions,
};

export const sourceUsage = `  --export FILE        the source is a file that \`pulumi-agentpool-acl export\` wrote; without a source, the configured cluster
  --stack NAME         the objects of a stack (needs the Pulumi CLI)
  --state FILE         a file that \`pulumi stack export\` wrote
  --preview FILE       a file that \`pulumi preview --json --show-sames --show-replacement-steps\` wrote:
                       nothing needs to be applied
  --cluster ADDRESS    which cluster, if a stack has objects of several
${configurationUsage}`;

export type SourceArguments = Readonly<
  Partial<Record<"export" | "state" | "stack" | "preview" | "cluster" | "config-file", string | undefined>>
> & {
  readonly config?: readonly string[] | undefined;
};

/** The source of a command, and the parts of it that could not be read. */
export interface AccessSource {
  readonly model: AccessModel;
  /** The objects of the model. */
  readonly objects: readonly InventoryObject[];
  /** Whether the source is the configured cluster. Its tokens are not read. */
  readonly isCluster: boolean;
  readonly gaps: readonly Gap[];
  /** Notes for the user. */
  readonly notes: readonly string[];
}

/**
 * Reads the source that the options name.
 * @throws UsageError for two sources, and for a source together with a configuration of servers
 * @throws CommandError for an unreadable source
 */
export async function readSource(given: SourceArguments, reporting: Reporting): Promise<AccessSource> {
  const named = (["export", "state", "stack", "preview"] as const).filter((name) => given[name] !== undefined);
  if (named.length > 1) throw new UsageError(`give one of ${named.map((name) => `--${name}`).join(" and ")}`);
  const [name] = named;
  if (name === undefined) {
    if (given.cluster !== undefined) throw new UsageError("--cluster goes with --state, --stack, --preview or --export");
    return readCluster(given, reporting);
  }
  refuseServerOptions(name, given);
  const value = given[name] ?? "";
  const read = {
    export: (path: string) => readInput(path, parseExport),
    state: (path: string) => readInput(path, parseState),
    preview: (path: string) => readInput(path, readPreview),
    stack: (stack: string) => readStack(stack, process.cwd()),
  };
  const inventory = objectsOfCluster(await read[name](value), given.cluster);
  return {
    model: toAccessModel(inventory),
    objects: inventory.objects,
    isCluster: false,
    gaps: inventory.gaps,
    notes: [...(inventory.notes ?? []), ...leftOutNotes(inventory)],
  };
}

function readPreview(text: string, source: string): Inventory {
  const change = parsePreviewedChange(text, source);
  const inventory = afterUpdate(change, source);
  const taken = pairsOf(change).flatMap((pair) => (pair.after && isTakenOver(pair) ? [pair.after] : []));
  const doubts = taken.map(
    (one) => `${source}: not checked: whether ${titleOf(one)} stays, because another provider deletes the old object`,
  );
  return { ...inventory, notes: [...(inventory.notes ?? []), ...doubts] };
}

async function readCluster(given: SourceArguments, reporting: Reporting): Promise<AccessSource> {
  const configuration = await readConfiguration(given);
  const inventory = await readServers({ configuration, resources: resources.filter(({ kind }) => decides(kind)), ...reporting });
  const names = inventory.listed.filter(({ kind }) => kind === "AclPolicy").map(({ name }) => name);
  // A client token can't list rules. Its list of policies has only its own ones, without an error.
  const isUnseen = inventory.gaps.some(({ kind }) => kind === "AclBindingRule" || (kind === "AclPolicy" && names.length === 0));
  const model = toAccessModel(inventory, { policies: isUnseen ? undefined : names });
  return { model, objects: inventory.objects, isCluster: true, gaps: inventory.gaps, notes: [] };
}
