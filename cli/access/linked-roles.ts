/** Tokens hold roles by their IDs: a name in a state may be another role's by now. */
import { type Inventory, type InventoryObject, isUncertain } from "../inventory/inventory";
import { type Link, linksIn } from "../inventory/links";
import type { PreviewedChange } from "../inventory/preview";

/** Both sides, with the current names of the roles that tokens are linked to. */
export function withLinkedRoles(sides: PreviewedChange): PreviewedChange {
  const all = [...sides.before.objects, ...sides.after.objects];
  const roles = all.flatMap(({ kind, id, outputs: { name } }) =>
    kind === "AclRole" && id && typeof name === "string" ? [{ id: id.toLowerCase(), name }] : [],
  );
  const links = all.flatMap(linksOf);
  // The role of an older link is gone if the update can make one of its name.
  const made = new Set(
    sides.after.objects.flatMap(({ kind, id, outputs: { name, adopt } }) => (kind === "AclRole" && !id && !adopt ? [name] : [])),
  );
  const isOneRole = (link: string) =>
    !made.has(link) && new Set([...roles, ...links].filter(({ name }) => name === link).map(({ id }) => id)).size < 2;
  const held = new Map(sides.before.objects.map((object) => [object.id, new Set(linksOf(object).map(({ id }) => id))]));
  const ofSide = (side: Inventory, isAfter: boolean): Inventory => {
    const names = new Map(
      side.objects.flatMap(({ kind, id, outputs: { name } }) => (kind === "AclRole" && id ? [[id.toLowerCase(), name]] : [])),
    );
    const current = ({ id, name }: Link, token: InventoryObject): unknown[] => {
      if (names.has(id)) return [names.get(id)];
      const called = (text: string) => [isOneRole(text) ? text : id];
      // An export is the server's answer, so the links of its tokens are to roles that exist.
      if (isAfter && side.kinds) return called(name);
      // A role that only the old side has is gone, and gives nothing, unless the token has gained it since. One that only the new side has
      // was outside of the source.
      const other = roles.find((role) => role.id === id);
      return other && isAfter && held.get(token.id)?.has(id) ? [] : called(other?.name ?? name);
    };
    const nameOf = (role: unknown) => {
      const name = typeof role === "string" ? names.get(role.toLowerCase()) : undefined;
      return typeof name === "string" ? name : role;
    };
    const objects = side.objects.map((object) => {
      const { roles: given } = object.outputs;
      if (object.kind !== "AclToken" || !Array.isArray(given)) return object;
      const known = linksIn(object.outputs);
      // The server gives what the links say, also if the state still names a role that is gone.
      const now = known ? [...known.flatMap((link) => current(link, object)), ...given.filter(isUncertain)] : given.map(nameOf);
      return { ...object, outputs: { ...object.outputs, roles: now } };
    });
    return { ...side, objects };
  };
  return { ...sides, before: ofSide(sides.before, false), after: ofSide(sides.after, true) };
}

/** The links of a token. */
function linksOf({ kind, outputs }: InventoryObject): readonly Link[] {
  return kind === "AclToken" ? (linksIn(outputs) ?? []) : [];
}
