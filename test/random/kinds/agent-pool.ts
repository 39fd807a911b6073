import * as fc from "fast-check";
import { maybe, name, options } from "./arbitraries";
import type { Options, RandomKind } from "./kind";

export interface PoolDeclaration extends Options {
  readonly kind: "AgentPool";
  readonly name: string;
  readonly organization: string;
  readonly scoped: boolean | undefined;
  readonly workspaces: readonly string[] | undefined;
  readonly forceDestroy: boolean;
}

const identityOf = (organization: string, name: string) => `${organization}/${name}`;

export const agentPool: RandomKind<PoolDeclaration> = {
  slots: 2,
  declaration: fc.record({
    ...options,
    kind: fc.constant("AgentPool"),
    name,
    organization: fc.constantFrom("example-org", "example-org", "other-org"),
    scoped: maybe(fc.boolean()),
    workspaces: maybe(fc.constantFrom<string[][]>([], ["ws-1"], ["ws-2", "ws-1"])),
    forceDestroy: fc.boolean(),
  }),
  resolve: (pool, slot, { free }) => ({ ...pool, slot, name: free(pool.name, (text) => identityOf(pool.organization, text)) }),
  identity: (pool) => identityOf(pool.organization, pool.name),
  inputs: ({ name, organization, scoped, workspaces, forceDestroy }) => {
    return { name, organization, organizationScoped: scoped, allowedWorkspaceIds: workspaces, forceDestroy };
  },
  stored: ({ pools }) =>
    pools.list().map((object) => ({ id: object.id, key: object.id, identity: identityOf(object.organization, object.name), object })),
  expected({ organization, name, scoped, workspaces }) {
    // If both are left out, the scope is not compared: an update keeps the limits of a pool.
    const isWritten = scoped !== undefined || workspaces !== undefined;
    const scope = { organization, name, ...(isWritten ? { organizationScoped: scoped ?? false } : {}) };
    return workspaces ? { ...scope, allowedWorkspaceIds: workspaces.toSorted() } : scope;
  },
  actual({ pools }, id) {
    const pool = pools.get(id);
    return pool && { ...pool, allowedWorkspaceIds: pool.allowedWorkspaceIds.toSorted() };
  },
  edit({ pools }, id, how) {
    if (how === 0) pools.update(id, { organizationScoped: !pools.get(id)?.organizationScoped });
    else pools.update(id, how === 1 ? { allowedWorkspaceIds: ["ws-3"] } : { name: "renamed" });
  },
  remove: ({ pools }, id) => pools.delete(id),
  remake({ pools }, id) {
    const pool = pools.get(id);
    pools.delete(id);
    if (pool) pools.put({ organization: pool.organization, name: pool.name, organizationScoped: pool.organizationScoped });
  },
  takePlace: ({ pools }, { organization, name }, isSame) => void pools.put({ organization, name, organizationScoped: isSame }),
};
