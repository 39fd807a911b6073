import * as z from "zod";
import { id, page, pagination } from "./wire";

/** A workspace or a project of an organization: what pools refer to. The document does not describe them, the public reference does. */
export interface OrganizationObject {
  readonly id: string;
  readonly name: string;
}

function resourceOf(type: "workspaces" | "projects") {
  return z
    .object({ id, type: z.literal(type), attributes: z.object({ name: z.string() }) })
    .transform(({ id, attributes }): OrganizationObject => ({ id, name: attributes.name }));
}

export const workspaceDocument = z.object({ data: resourceOf("workspaces") }).transform(({ data }) => data);
export const projectPage = z
  .object({ data: z.array(resourceOf("projects")), meta: pagination })
  .transform(({ data, meta }) => page(data, meta));
