/** The IDs of a token's roles. Servers store the IDs, each once, and not the names, so a token keeps a role that is renamed. */
import { isSame, type Thing } from "./parts";

const textsOf = ({ properties: { roles } }: Thing): readonly unknown[] => (Array.isArray(roles) ? roles : []);
const roleCalled = (things: readonly Thing[], text: unknown) =>
  things.find(({ kind, id, properties }) => kind === "AclRole" && (id === text || properties.name === text))?.id;

/** The IDs of the roles that a token has before a change. Roles outside of the objects are unknown here. */
export function linksBefore(before: readonly Thing[], token: Thing): string[] {
  return [...new Set(textsOf(token).flatMap((text) => roleCalled(before, text) ?? []))];
}

/**
 * The IDs after a change. An unchanged token keeps its existing roles, whatever their new names are, and gets a role that takes the name of
 * a deleted one. A changed token gets the roles that have the names now, and keeps an existing role if no role has its name any
 * more. A new token gets a renamed role by the old name: the update makes it before the rename, or fails.
 */
export function linksAfter(before: readonly Thing[], after: readonly Thing[], token: Thing): string[] {
  const was = before.find(({ urn, id }) => urn === token.urn && id === token.id);
  const isUnchanged = was !== undefined && isSame(was.properties, token.properties);
  const links = textsOf(token).flatMap((text) => {
    const link = !was || textsOf(was).includes(text) ? roleCalled(before, text) : undefined;
    const kept = after.some(({ kind, id }) => kind === "AclRole" && id === link) ? link : undefined;
    const named = roleCalled(after, text);
    // Without a link, the token has lost the role, or it is none of the objects: only an update of the token writes its roles.
    return (isUnchanged ? link && (kept ?? named) : (named ?? kept)) ?? [];
  });
  return [...new Set(links)];
}
