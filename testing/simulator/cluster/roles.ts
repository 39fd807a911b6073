import { randomUUID } from "node:crypto";
import type { ClusterDialect } from "./dialect";
import type { ClusterContext } from "./endpoint";
import { contentHash } from "./hash";
import type { Role, RoleBody } from "./objects";
import { unstored } from "./objects";
import { Refusal, refuseInvalid } from "./refusal";
import type { StoredKind } from "./table";

/** A change that a test makes to the role with the ID or with the name. Without both it makes a new role. */
export type RoleChange = Partial<Role> & ({ ID: string } | { Name: string });

export const roles: StoredKind<Role, RoleChange> = {
  keyOf: ({ ID }) => ID,
  changed: (change, roles) => changedRole(change.ID ? roles.get(change.ID) : roles.list().find(({ Name }) => Name === change.Name), change),
};

/**
 * Creates a role, or replaces the one with the ID.
 *
 * @throws Refusal 400 when it is not valid, is not found, or (measured) names a policy that does not exist; 500 when an update takes
 * the name of another role.
 */
export function writeRole({ store, dialect }: ClusterContext, body: RoleBody): Role {
  refuseInvalid("role", roleErrors(body, dialect.roles));
  const namesake = store.roles.all().find((role) => role.Name === body.Name);
  if (body.ID === "" && namesake) throw new Refusal(400, `role with name ${body.Name} already exists`);
  if (body.ID !== "" && !store.roles.peek(body.ID)) throw new Refusal(400, `cannot find role ${body.ID}`);
  const unknown = dialect.roles.refusesUnknownPolicies ? body.Policies.find(({ Name }) => !store.policies.peek(Name)) : undefined;
  if (unknown) throw new Refusal(400, `cannot find policy ${unknown.Name}`);
  // The server checks an update's name only when it applies the write, so status and text differ from those above.
  if (namesake && namesake.ID !== body.ID) throw new Refusal(500, `ACL role with name ${body.Name} already exists`);
  return store.roles.write(completeRole(body));
}

/** The role after a change by a test, which is not validated. */
function changedRole(existing: Role | undefined, change: RoleChange): Role {
  return completeRole({ Description: "", ID: "", Name: "", Policies: [], ...existing, ...change });
}

function completeRole(role: RoleBody): Role {
  const names = [...new Set(role.Policies.map((policy) => policy.Name))];
  const Policies = names.map((Name) => ({ Name }));
  return { ...role, ID: role.ID || randomUUID(), Policies, Hash: contentHash(role.Name, role.Description, names), ...unstored };
}

function roleErrors(role: RoleBody, { name, descriptionLength, needsPolicies }: ClusterDialect["roles"]): string[] {
  const errors: string[] = [];
  if (!name.test(role.Name)) errors.push(`invalid name '${role.Name}'`);
  if (descriptionLength(role.Description) > 256) errors.push("description longer than 256");
  if (needsPolicies && role.Policies.length === 0) errors.push("at least one policy should be specified");
  return errors;
}
