/** Tokens hold roles by their IDs: a name in a state may be another role's by now. */
import * as z from "zod";
import type { Inventory, InventoryObject } from "../inventory/inventory";
import type { PreviewedChange } from "../inventory/preview";

export const linkedRoles = z.array(z.object({ id: z.string(), name: z.string() })).catch([]);

/** Both sides, with the current names of the roles that tokens are linked to. */
export function withLinkedRoles(sides: PreviewedChange): PreviewedChange {
  const all = [...sides.before.objects, ...sides.after.objects];
  const roles = all.flatMap(({ kind, id, outputs: { name } }) =>
    kind === "AclRole" && id && typeof name === "string" ? [{ id: id.toLowerCase(), name }] : [],
  );
  const links = all.flatMap(linksOf);
  const isOneRole = (link: string) => new Set([...roles, ...links].filter(({ name }) => name === link).map(({ id }) => id)).size < 2;
  const ofSide = (side: Inventory): Inventory => {
    const names = new Map(
      side.objects.flatMap(({ kind, id, outputs: { name } }) => (kind === "AclRole" && id ? [[id.toLowerCase(), name]] : [])),
    );
    const current = ({ id, name }: { readonly id: string; readonly name: string }): unknown[] => {
      if (names.has(id)) return [names.get(id)];
      // One that the other side has is gone, and gives nothing.
      if (roles.some((role) => role.id === id)) return [];
      return [isOneRole(name) ? name : id];
    };
    const objects = side.objects.map((object) => {
      const own = linksOf(object);
      const { roles: given } = object.outputs;
      if (own.length === 0 || !Array.isArray(given)) return object;
      const now = given.flatMap((role: unknown) => {
        const link = own.find(({ id, name }) => name === role || (typeof role === "string" && id === role.toLowerCase()));
        return link ? current(link) : [role];
      });
      return { ...object, outputs: { ...object.outputs, roles: now } };
    });
    return { ...side, objects };
  };
  return { ...sides, before: ofSide(sides.before), after: ofSide(sides.after) };
}

function linksOf({ kind, outputs }: InventoryObject): { readonly id: string; readonly name: string }[] {
  if (kind !== "AclToken") return [];
  return linkedRoles.parse(outputs.linkedRoles).map(({ id, name }) => ({ id: id.toLowerCase(), name }));
}
