/** Tokens hold roles by their IDs: a name in a state may be another role's by now. */
import type { Inventory, InventoryObject } from "../inventory/inventory";
import { type Link, linkFinder, linksIn } from "../inventory/links";
import type { PreviewedChange } from "../inventory/preview";

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
    const current = ({ id, name }: Link): unknown[] => {
      if (names.has(id)) return [names.get(id)];
      // A role that only the other side has does not exist on this side, and gives nothing.
      if (roles.some((role) => role.id === id)) return [];
      return [isOneRole(name) ? name : id];
    };
    const objects = side.objects.map((object) => {
      const own = linksOf(object);
      const { roles: given } = object.outputs;
      if (own.length === 0 || !Array.isArray(given)) return object;
      const links = linkFinder(own, given);
      const now = given.flatMap((role: unknown) => {
        const link = links(role);
        return link ? current(link) : [role];
      });
      return { ...object, outputs: { ...object.outputs, roles: now } };
    });
    return { ...side, objects };
  };
  return { ...sides, before: ofSide(sides.before), after: ofSide(sides.after) };
}

/** The links of a token. */
export function linksOf({ kind, outputs }: InventoryObject): readonly Link[] {
  return kind === "AclToken" ? (linksIn(outputs) ?? []) : [];
}
