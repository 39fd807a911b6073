import type { Resource, Settings } from "../../provider/internal";
import { type ConfigurationArguments, readConfiguration, type StackArguments, stackConfiguration, stackFolder } from "../configuration";
import { readInput } from "../input";
import type { InventoryObject } from "../inventory/inventory";
import { type ListedObject, type Reporting, readServers, type ServerInventory } from "../inventory/servers";
import { kindsOf, type SelectionArguments, selectKinds } from "../selection";
import { parseTerraformInventory } from "../terraform/inventory";
import { bridged, terraform } from "../terraform/keepers";
import { isRead } from "./choice";
import { namesFrom } from "./names";

/** The source of a program's objects. */
export interface ObjectSource {
  readonly inventory: ServerInventory;
  /** Whether all objects of a kind are known. */
  readonly isComplete: (kind: string) => boolean;
  /** The kinds of unconfigured services. */
  readonly unconfigured: readonly Resource[];
  /** The configuration of the servers that were read. */
  readonly settings?: Settings;
  /** The names of a resource in the source, in the order of preference. Default: names from the object's properties. */
  readonly basesOf?: (object: InventoryObject) => readonly string[];
  /** Remarks for the user before the import, as lines. */
  readonly remarks: readonly string[];
  /** The steps after the import, as lines. */
  readonly lastSteps: (chosen: readonly InventoryObject[]) => readonly string[];
}

interface Reading extends Reporting {
  /** Whether the user's options choose an object by its name. */
  readonly isNamed: (object: ListedObject) => boolean;
}

/** Reads the objects of the configured servers. */
export async function serverSource(
  values: SelectionArguments & ConfigurationArguments & StackArguments,
  { isNamed, ...reporting }: Reading,
): Promise<ObjectSource> {
  const { stack, organization = [] } = values;
  const configuration = await readConfiguration(values, stack === undefined ? {} : await stackConfiguration(stack, stackFolder(values)));
  const { resources, unconfigured } = selectKinds(values, configuration);
  const isChosen = (listed: ListedObject) => isRead(listed, isNamed);
  const inventory = await readServers({ configuration, resources, organizations: organization, isChosen, ...reporting });
  const isComplete = (kind: string) => resources.some((one) => one.kind === kind) && !inventory.gaps.some((gap) => gap.kind === kind);
  return { inventory, unconfigured, settings: configuration.settings, isComplete, remarks: [], lastSteps: () => [] };
}

/** Reads the objects of a Terraform state, or of a stack with the bridged provider, with their names there. Sends no request. */
export async function stateSource(
  { path, from }: { readonly path: string; readonly from: "terraform" | "state" },
  { isNamed, ...values }: SelectionArguments & Pick<Reading, "isNamed">,
): Promise<ObjectSource> {
  const { only = [] } = values;
  // The import of a token brings its secret into the state, so the user must ask for it.
  const chosen = kindsOf(values).filter(({ kind }) => only.length > 0 || kind !== "AclToken");
  const keeper = from === "terraform" ? terraform : bridged;
  const { origins, unmatched, lookUps, tokens, ...inventory } = await readInput(path, (text, source) =>
    parseTerraformInventory(text, source, { keeper, chosen }),
  );
  const originOf = (object: InventoryObject) => origins.get(object);
  const open = inventory.objects.filter((object) => originOf(object)?.lacksLimits);
  return {
    inventory: { ...inventory, objects: inventory.objects.filter((object) => isRead(object, isNamed)), listed: inventory.objects },
    // A state has only a part of the servers' objects.
    isComplete: () => false,
    unconfigured: [],
    basesOf: (object) => namesFrom(originOf(object)?.parts.join("-") ?? "", object.kind),
    remarks: [
      ...unmatched.map(({ address, type, remedy }) => `no counterpart: ${address} (${type}): ${remedy}`),
      ...(lookUps > 0 ? [`data sources are left out (${lookUps}): programs look objects up by functions, such as getRole`] : []),
      ...(tokens > 0 && only.length === 0
        ? [`ACL tokens are left out (${tokens}): name them among the kinds (--only AclToken, and --only for each other kind)`]
        : []),
      ...open.map(({ name }) => `the state does not say which workspaces or projects may use the pool ${name}: the preview shows them`),
    ],
    lastSteps: (objects) => keeper.removal([...origins].flatMap(([object, origin]) => (objects.includes(object) ? [origin] : []))),
  };
}
