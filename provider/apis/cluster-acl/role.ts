import { randomUUID } from "node:crypto";
import * as z from "zod";
import { absenceOf, key, listOf, object, text, versionOf, versions } from "./wire";

export interface RoleInput {
  readonly name: string;
  readonly description: string;
  /** Names of policies. */
  readonly policies: readonly string[];
}

const policyLinks = z
  .array(object({ Name: z.string() }))
  .nullish()
  .transform((links) => (links ?? []).map((link) => link.Name));

export const form = object({ ID: key, Name: z.string(), Description: text, Policies: policyLinks, ...versions }).transform((wire) => ({
  id: wire.ID,
  name: wire.Name,
  description: wire.Description,
  /** Names of the policies, in the server's order. */
  policies: wire.Policies,
  ...versionOf(wire),
}));

/** "ACL role" in the document. */
export type Role = z.output<typeof form>;

export const list = listOf(form);

export function createBody(input: RoleInput) {
  return { Name: input.name, Description: input.description, Policies: input.policies.map((name) => ({ Name: name })) };
}

export function updateBody(id: string, input: RoleInput) {
  return { ID: id, ...createBody(input) };
}

export const keyOf = ({ id }: Role) => id;
export const isKeyUuid = true;
export const path = "role";
export const listPath = "roles";
export const absence = absenceOf("role");

/**
 * An update that changes nothing of the role, and that a measured server refuses: it adds a policy that can't exist, because no policy's
 * name has an underscore. That server looks for the role first, but validates the name before. A server that takes unknown policies would
 * keep what the role has.
 */
export function probeBody(role: RoleInput & { readonly id: string }) {
  return updateBody(role.id, { ...role, policies: [...role.policies, `_${randomUUID()}`] });
}
