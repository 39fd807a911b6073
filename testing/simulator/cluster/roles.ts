import { randomUUID } from "node:crypto";
import { contentHash } from "./hash";
import type { Role, RoleBody } from "./objects";
import { unstored } from "./objects";
import type { StoredKind } from "./table";

/** A test's change of the role with this ID or, without an ID, with this name. If there is no such role, a new one. */
export type RoleChange = Partial<Role> & ({ ID: string } | { Name: string });

export const roles: StoredKind<Role, RoleChange> = {
  keyOf: ({ ID }) => ID,
  changed: (change, roles) => changedRole(change.ID ? roles.get(change.ID) : roles.list().find(({ Name }) => Name === change.Name), change),
};

/** The role after a change by a test, which is not validated. */
function changedRole(existing: Role | undefined, change: RoleChange): Role {
  return completeRole({ Description: "", ID: "", Name: "", Policies: [], ...existing, ...change });
}

export function completeRole(role: RoleBody): Role {
  const names = [...new Set(role.Policies.map((policy) => policy.Name))];
  const Policies = names.map((Name) => ({ Name }));
  return { ...role, ID: role.ID || randomUUID(), Policies, Hash: contentHash(role.Name, role.Description, names), ...unstored };
}
