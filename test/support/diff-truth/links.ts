/** Which roles a token has, by their IDs: servers know them by these, so a role that is renamed stays with its tokens. */
import { isSame, type Thing } from "./parts";

const textsOf = ({ properties: { roles } }: Thing): readonly unknown[] => (Array.isArray(roles) ? roles : []);
const roleCalled = (things: readonly Thing[], text: unknown) =>
  things.find(({ kind, id, properties }) => kind === "AclRole" && (id === text || properties.name === text))?.id;

/** The roles that these texts name among the objects. What they have not is not known here. */
export function linksBefore(before: readonly Thing[], token: Thing): string[] {
  return textsOf(token).flatMap((text) => roleCalled(before, text) ?? []);
}

/** A token that stays as it is keeps its roles, whatever they are called by now. Where one is made anew, updates write its tokens again. */
export function linksAfter(before: readonly Thing[], after: readonly Thing[], token: Thing): string[] {
  const was = before.find(({ urn, id }) => urn === token.urn && id === token.id);
  const isUnchanged = was !== undefined && isSame(was.properties, token.properties);
  return textsOf(token).flatMap((text) => {
    const link = was && textsOf(was).includes(text) ? roleCalled(before, text) : undefined;
    const kept = after.some(({ kind, id }) => kind === "AclRole" && id === link) ? link : undefined;
    const named = roleCalled(after, text);
    return (isUnchanged ? (kept ?? named) : (named ?? kept)) ?? [];
  });
}
