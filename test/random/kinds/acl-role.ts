import * as fc from "fast-check";
import { name, options } from "./arbitraries";
import type { Options, RandomKind } from "./kind";

export interface RoleDeclaration extends Options {
  readonly kind: "AclRole";
  readonly name: string;
  readonly description: string;
  readonly policies: readonly string[];
}

export const roleSlots = 3;

export const aclRole: RandomKind<RoleDeclaration> = {
  slots: roleSlots,
  declaration: fc.record({
    ...options,
    kind: fc.constant("AclRole"),
    name,
    description: fc.constantFrom("", "described"),
    policies: fc.constantFrom(["read"], ["write", "read"], ["admin"]),
  }),
  resolve: (role, slot, { free }) => ({ ...role, slot, name: free(role.name, (text) => text) }),
  identity: ({ name }) => name,
  inputs: ({ name, description, policies }) => ({ name, description, policies }),
  stored: ({ cluster }) => cluster.roles.all().map((object) => ({ id: object.ID, key: object.ID, identity: object.Name, object })),
  expected: ({ name, description, policies }) => ({ Name: name, Description: description, Policies: policies.toSorted() }),
  actual({ cluster }, id) {
    const role = cluster.roles.get(id);
    return role && { ...role, Policies: role.Policies.map(({ Name }) => Name).toSorted() };
  },
  edit({ cluster }, id, how) {
    if (how === 0) cluster.roles.put({ ID: id, Description: "edited" });
    else cluster.roles.put(how === 1 ? { ID: id, Policies: [{ Name: "write" }] } : { ID: id, Name: "renamed" });
  },
  remove: ({ cluster }, id) => cluster.roles.delete(id),
  remake({ cluster }, id) {
    const role = cluster.roles.get(id);
    cluster.roles.delete(id);
    if (role) cluster.roles.put({ Name: role.Name, Description: role.Description, Policies: role.Policies });
  },
  takePlace({ cluster }, { name, description, policies }, isSame) {
    const given = isSame ? policies : ["read", "admin"];
    cluster.roles.put({ Name: name, Description: description, Policies: given.map((Name) => ({ Name })) });
  },
};
