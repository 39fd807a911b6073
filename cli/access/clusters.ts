import { urlOf } from "../../common/url";
import { relationOf } from "../../provider/internal";
import { UsageError } from "../command-line";
import { type Gap, type Inventory, type InventoryObject, resourceOf } from "../inventory/inventory";

interface Cluster {
  /**
   * The label of the cluster: its address, or the provider of its objects. Undefined for objects without a known server, such as those of
   * an export.
   */
  readonly name: string | undefined;
  readonly objects: InventoryObject[];
}

/**
 * The objects of one cluster. A stack with explicit providers may have several clusters, and rules of one have no effect on logins of
 * another.
 * @param chosen the cluster, if there are several
 * @param mayLack whether the result may be empty, for an inventory without objects of the chosen cluster
 * @throws UsageError if there are several and none is chosen. Also if the inventory lacks the chosen one, unless it may and all its objects
 * have known servers
 */
export function objectsOfCluster(inventory: Inventory, chosen: string | undefined, mayLack = false): Inventory {
  const clusters = clustersIn(inventory);
  const names = clusters.map(({ name }) => name ?? "(not known)").sort();
  if (chosen === undefined) {
    if (clusters.length < 2) return inventory;
    throw new UsageError(`${inventory.source} has objects of ${clusters.length} clusters: give --cluster with one of ${names.join(", ")}`);
  }
  const cluster = clusters.find(({ name = "(not known)" }) => isSame(name, chosen));
  // Objects without a known server may belong to the chosen cluster.
  if (!cluster && mayLack && clusters.every(({ name }) => name !== undefined)) return { ...inventory, objects: [] };
  if (!cluster) throw new UsageError(`--cluster ${chosen}: ${inventory.source} has objects of ${names.join(", ") || "none"}`);
  return {
    ...inventory,
    gaps: [...inventory.gaps, ...clusters.filter((other) => other !== cluster && !isAddress(other.name)).flatMap(gapsOf)],
    source: clusters.length > 1 ? `${inventory.source}, ${cluster.name}` : inventory.source,
    objects: cluster.objects,
    // A looked-up object whose address is not known may be on any cluster.
    lookedUp: (inventory.lookedUp ?? []).filter((one) => isSame(cluster.name, serverOf(one)) || !isAddress(serverOf(one))),
  };
}

function isAddress(name: string | undefined): boolean {
  return name !== undefined && urlOf(name.split(" region ")[0] ?? "") !== undefined;
}

/** The kinds of another cluster's objects, as gaps: objects without a known address may be on any cluster. */
function gapsOf({ name, objects }: Cluster): Gap[] {
  const kinds = [...new Set(objects.map(({ kind }) => kind))];
  const message = `the address of ${name ?? "some objects"} is not known, so its objects may be on this cluster, too.`;
  return kinds.map((kind) => ({ kind, reason: "failed", message }));
}

/** Whether the inventory is known to have objects of this cluster. */
export function hasCluster(inventory: Inventory, chosen: string | undefined): boolean {
  return chosen !== undefined && clustersIn(inventory).some(({ name }) => name !== undefined && isSame(name, chosen));
}

/** The addresses of two inventories with one cluster each, if they are known and differ. */
export function differingAddresses(one: Inventory, other: Inventory): readonly [string, string] | undefined {
  const [a, b] = [one, other].map((inventory) => clustersIn(inventory)[0]?.name);
  return a !== undefined && b !== undefined && !isSame(a, b) ? [a, b] : undefined;
}

function clustersIn({ objects }: Inventory): Cluster[] {
  const clusters: Cluster[] = [];
  for (const object of objects) {
    if (resourceOf(object.kind)?.api !== "cluster") continue;
    const name = serverOf(object);
    const known = clusters.find((cluster) => isSame(cluster.name, name));
    if (known) known.objects.push(object);
    else clusters.push({ name, objects: [object] });
  }
  return clusters;
}

/** Whether the servers of two objects are known as one cluster. */
export function areOfOneCluster(one: InventoryObject, other: InventoryObject): boolean {
  return isSame(serverOf(one), serverOf(other));
}

function serverOf({ server, outputs }: InventoryObject): string | undefined {
  return server ?? (typeof outputs.server === "string" ? outputs.server : undefined);
}

/** Whether two labels name one cluster. Regions of one address are one cluster. */
function isSame(one: string | undefined, other: string | undefined): boolean {
  return one === other || (one !== undefined && other !== undefined && relationOf(one, other) !== "other server");
}
