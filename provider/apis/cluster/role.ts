import * as z from "zod";
import { uuid } from "../../../common/uuid";
import type { ClusterKind, Requests } from "./requests";
import { keptObject, key, listOf, missing, object, text, toVersion, versions } from "./wire";

const policyLinks = z
  .array(object({ Name: z.string() }))
  .nullish()
  .transform((links) => (links ?? []).map((link) => link.Name));

const form = keptObject({ ID: key, Name: z.string(), Description: text, Policies: policyLinks, ...versions }).transform((wire) => ({
  id: wire.ID,
  name: wire.Name,
  description: wire.Description,
  /** Names of the policies, in the server's order. */
  policies: wire.Policies,
  ...toVersion(wire),
  rest: wire.rest,
}));

/** "ACL role" in the document. */
export type Role = z.output<typeof form>;
export type RoleInput = Pick<Role, "name" | "description" | "policies">;

function createBody(input: RoleInput) {
  return { Name: input.name, Description: input.description, Policies: input.policies.map((name) => ({ Name: name })) };
}

/** Lists contain whole roles. A create or an update whose name is taken rejects with isConflict(e). */
export const roles: ClusterKind<Role, Role, RoleInput, RoleInput, Role> = {
  path: "v1/acl/role",
  listPath: "v1/acl/roles",
  listIs: "filtered",
  refusals: missing("role"),
  form,
  list: listOf(form),
  written: form,
  createBody,
  updateBody: (id, input) => ({ ID: id, ...createBody(input) }),
  keyOf: ({ id }) => id,
  isKeyUuid: true,
  alias: { path: (key) => (uuid.test(key) ? [key] : ["name", key]), isOf: ({ name }, key) => name === key },
};

type RoleRequests = Requests<Role, Role, RoleInput>;

/** The role with this ID. A role whose name has the form of this ID does not count. */
export function readById(requests: RoleRequests, id: string): Promise<Role> {
  return requests.readAt([id], (role) => role.id.toLowerCase() === id.toLowerCase());
}

export function readByName(requests: RoleRequests, name: string): Promise<Role> {
  return requests.readAt(["name", name], (role) => role.name === name);
}
