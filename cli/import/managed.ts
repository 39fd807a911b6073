import { grouped } from "../../common/grouped";
import { ownProperty } from "../../common/own-property";
import { otherThan } from "../../provider/internal";
import type { Inventory, InventoryObject } from "../inventory/inventory";

/** An object that a stack manages. */
export interface Managed {
  /** The state, in words. */
  readonly source: string;
  readonly urn: string | undefined;
  /**
   * The address of the state's server, if it differs from the address that was read: it may be another server, or the same server by
   * another address.
   */
  readonly otherServer: string | undefined;
}

/** The servers' objects that states have. An id is unique on its server only: the id of an auth method is its name. */
export function managedIn(objects: readonly InventoryObject[], states: readonly Inventory[]): ReadonlyMap<InventoryObject, Managed> {
  const stored = states.flatMap(({ source, objects: all }) => all.map((object) => ({ source, object })));
  const entries = grouped(stored, ({ object }) => keyOf(object));
  return new Map(
    objects.flatMap((object) => {
      const owners = (entries.get(keyOf(object)) ?? [])
        .map((owner) => ({ ...owner, otherServer: otherServerOf(object, owner.object) }))
        // If objects have create times, equal ones mean that one object is a copy, or that the cluster has two addresses. Objects without
        // create times, such as policies, may be different ones.
        .filter(({ otherServer, object: theirs }) => otherServer === undefined || createTimeOf(object) === createTimeOf(theirs));
      const owner = owners.find(({ otherServer }) => otherServer === undefined) ?? owners[0];
      return owner ? [[object, { source: owner.source, urn: owner.object.urn, otherServer: owner.otherServer }] as const] : [];
    }),
  );
}

function keyOf({ kind, id }: InventoryObject): string {
  return JSON.stringify([kind, id]);
}

function otherServerOf({ outputs }: InventoryObject, theirs: InventoryObject): string | undefined {
  const server = ownProperty(outputs, "server");
  return typeof server === "string" ? otherThan(server, ownProperty(theirs.outputs, "server")) : undefined;
}

const createTimeOf = ({ outputs }: InventoryObject) => ownProperty(outputs, "createTime");
