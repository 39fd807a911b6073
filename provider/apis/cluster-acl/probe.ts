import { randomUUID } from "node:crypto";

/**
 * Updates that no server takes, because they hold what none allows, and that are refused otherwise where there is no such object: "cannot find role 0000..." and not
 * "cannot find policy 1111...". A scheduler of version 2.0 answered all of them so. What a role is grouped under has no second value that is refused only after the
 * look for the role: its policy is one that nobody can have made.
 */
export const probes = {
  methods: {
    path: (name: string) => ["auth-method", name],
    body: (name: string) => ({ Name: name, Type: "none", TokenLocality: "none" }),
  },
  roles: {
    path: (id: string) => ["role", id],
    body: (id: string) => ({ ID: id, Name: id, Description: "", Policies: [{ Name: randomUUID() }] }),
  },
  rules: {
    path: (id: string) => ["binding-rule", id],
    body: (id: string) => ({ ID: id, AuthMethod: randomUUID(), BindType: "none" }),
  },
};
