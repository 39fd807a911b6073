import * as z from "zod";
import type { Properties } from "../../provider/internal";

/** A role that a token holds: by its ID, whatever its name is by now. */
export interface Link {
  /** In lower case. */
  readonly id: string;
  readonly name: string;
}

const links = z.object({ linkedRoles: z.array(z.object({ id: z.string().toLowerCase(), name: z.string() })) });

/** The roles that the outputs of a token name by their IDs; undefined if they are missing, secret or unknown. */
export function linksIn(outputs: Properties | null | undefined): readonly Link[] | undefined {
  return links.safeParse(outputs).data?.linkedRoles;
}

/**
 * Finds the link of each role that a token names by its ID or name. After a rename of a role, no link has the name in the text. If there
 * are as many such texts as links that no text names, they are paired in their order.
 */
export function linkFinder(links: readonly Link[], roles: readonly unknown[]): (role: unknown) => Link | undefined {
  const named = (role: unknown) => links.find(({ id, name }) => name === role || (typeof role === "string" && id === role.toLowerCase()));
  const found = new Set(roles.flatMap((role) => named(role) ?? []));
  const texts = [...new Set(roles)].filter((role) => !named(role));
  const others = links.filter((link) => !found.has(link));
  return (role) => named(role) ?? (texts.length === others.length ? others[texts.indexOf(role)] : undefined);
}
