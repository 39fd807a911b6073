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
