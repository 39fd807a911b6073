/** Batched reads: the same results as single ones, whatever others write, for fewer requests. */
import * as fc from "fast-check";
import type { Fault } from "../../testing/simulator";
import { sizeOf } from "../support/extent";
import { cases } from "../support/seed";
import { type Program, type RunOptions, type TestStack, toEveryServer } from "./harness";
import { jwt, oidc, pkce, pool, role, rule } from "./samples";

const singly: RunOptions = { config: { readSnapshotSeconds: "0" } };
const three = [0, 1, 2] as const;

/** What the program wants of each of its three objects of each kind: one of three contents. */
type Wanted = readonly number[];
const anyWanted = fc.array(fc.nat(2), { minLength: 3, maxLength: 3 });

const program =
  (wanted: Wanted): Program =>
  (declare) => {
    for (const n of three) {
      const variant = wanted[n] ?? 0;
      declare("AclRole", `role-${n}`, role({ name: `role-${n}`, description: `d${variant}` }));
      const config = { oidcClientSecret: `secret-${Math.max(variant - 1, 0)}`, oidcScopes: variant === 2 ? ["groups"] : [] };
      // The first has a secret, the second none, and the third is of the other type.
      const method = n === 2 ? jwt({}, { name: "m2" }) : oidc(n === 0 ? config : {}, { name: `m${n}` });
      const ref = declare("AclAuthMethod", `m${n}`, { ...method, maxTokenTtl: `${variant + 1}h` });
      declare("AclBindingRule", `rule-${n}`, rule({ authMethod: ref.output("name"), selector: `"g${variant}" in list.groups` }));
      declare("AgentPool", `pool-${n}`, pool({ name: `pool-${n}`, organizationScoped: variant === 1 }));
    }
  };

interface Step {
  readonly what: string;
  readonly by: (stack: TestStack) => unknown;
}

const ours = anyWanted.map((wanted): Step => ({ what: `up ${wanted}`, by: (stack) => stack.attempt("up", program(wanted)) }));
const settles = fc.constant<Step>({ what: "refresh", by: (stack) => stack.attempt("refresh", () => {}) });

/** What others do to the n-th object of a kind, where it exists. */
const others: readonly ((stack: TestStack, n: number, variant: number) => void)[] = [
  ({ simulator: { cluster } }, n, variant) => {
    const found = cluster.roles.list().find(({ Name }) => Name === `role-${n}`);
    if (found) cluster.roles.put({ ID: found.ID, Description: `d${variant}` });
  },
  ({ simulator: { cluster } }, n) => {
    const found = cluster.roles.list().find(({ Name }) => Name === `role-${n}`);
    if (found) cluster.roles.delete(found.ID);
  },
  ({ simulator: { cluster } }, n, variant) => {
    if (cluster.methods.get(`m${n}`)) cluster.methods.put({ Name: `m${n}`, MaxTokenTTL: `${variant + 1}h0m0s` });
  },
  ({ simulator: { cluster } }, n, variant) => {
    if (cluster.methods.get(`m${n}`)) cluster.methods.put({ Name: `m${n}`, Config: { VerboseLogging: variant === 1 } });
  },
  ({ simulator: { cluster } }, _, variant) => {
    if (cluster.methods.get("m0")) cluster.rotateClientSecret("m0", `secret-${variant}`);
  },
  ({ simulator: { cluster } }, n) => {
    const found = cluster.methods.get(`m${n}`);
    if (!found) return;
    cluster.methods.delete(found.Name);
    cluster.methods.put({ Name: found.Name, Type: found.Type, Config: found.Config, MaxTokenTTL: found.MaxTokenTTL });
  },
  ({ simulator: { cluster } }, n, variant) => {
    const found = cluster.rules.list().find(({ AuthMethod }) => AuthMethod === `m${n}`);
    if (found) cluster.rules.put({ ID: found.ID, Selector: `"g${variant}" in list.groups` });
  },
  ({ simulator: { cluster } }, n) => {
    const found = cluster.rules.list().find(({ AuthMethod }) => AuthMethod === `m${n}`);
    if (found) cluster.rules.delete(found.ID);
  },
  ({ simulator: { pools } }, n, variant) => {
    const found = pools.list().find(({ name }) => name === `pool-${n}`);
    if (found) pools.update(found.id, { organizationScoped: variant === 1 });
  },
  ({ simulator: { pools } }, n) => {
    const found = pools.list().find(({ name }) => name === `pool-${n}`);
    if (found) pools.delete(found.id);
  },
];
const one = fc.tuple(fc.nat(others.length - 1), fc.nat(2), fc.nat(2));
const theirs = fc.array(one, { minLength: 1, maxLength: 5 }).map(
  (changes): Step => ({
    what: `others ${changes.map((change) => change.join("/"))}`,
    by: (stack) => {
      for (const [which, n, variant] of changes) others[which]?.(stack, n, variant);
    },
  }),
);

const history = fc.array(fc.oneof(ours, theirs, theirs, settles), { minLength: 1, maxLength: 6 });

/** All that a refresh leads to. */
async function refreshed(stack: TestStack, options: RunOptions) {
  const before = stack.state;
  const { result, errors, warnings } = await stack.attempt("refresh", () => {}, options);
  const after = { ok: result.ok, errors: errors.split("\n").sort(), warnings: [...warnings].sort(), properties: stack.properties() };
  stack.state = before;
  return after;
}

toEveryServer("batched reads", (start, dialect) => {
  test("find what single reads find, whatever happened before", async () => {
    await fc.assert(
      fc.asyncProperty(anyWanted, history, async (first, steps) => {
        const stack = await start();
        try {
          await stack.up(program(first));
          for (const { by } of steps) {
            await by(stack);
            expect(await refreshed(stack, {})).toEqual(await refreshed(stack, singly));
          }
        } finally {
          await stack.simulator.stop();
        }
      }),
      cases({ numRuns: sizeOf({ quick: 2, full: 15 }) }),
    );
  });

  // Documented servers give no hash, so a list serves no read of a method there, and every update writes the config.
  if (dialect === "measured")
    test("find a config that others changed, also after an update that did not write it", async () => {
      const stack = await start();
      const methods = (maxTokenTtl: string): Program => {
        return (declare) => {
          for (const n of three) declare("AclAuthMethod", `m${n}`, pkce({}, { name: `m${n}`, maxTokenTtl }));
        };
      };
      await stack.up(methods("1h"));
      for (const n of three) stack.simulator.cluster.methods.put({ Name: `m${n}`, Config: { VerboseLogging: true } });
      await stack.up(methods("2h"));
      expect((await stack.refresh()).changes).toHaveLength(3);
    });

  const roles =
    (count: number): Program =>
    (declare) => {
      for (let n = 0; n < count; n++) declare("AclRole", `role-${n}`, role({ name: `role-${n}` }));
    };
  const lines = (requests: readonly { method: string; path: string }[]) =>
    requests.flatMap(({ method, path }) => (path === "/v1/regions" ? [] : `${method} ${path.replace(/[0-9a-f-]{36}/, "ID")}`));

  test("are one single read where there is one object, and one list more where there are two or more", async () => {
    const stack = await start();
    await stack.up(roles(1));
    expect(lines((await stack.refresh()).requests)).toEqual(["GET /v1/acl/role/ID"]);
    await stack.up(roles(20));
    expect(lines((await stack.refresh()).requests).sort()).toEqual(["GET /v1/acl/role/ID", "GET /v1/acl/roles"]);
  });

  test("are switched off by readSnapshotSeconds: 0", async () => {
    const stack = await start();
    await stack.up(roles(5));
    expect(lines((await stack.refresh(singly)).requests)).toEqual(Array(5).fill("GET /v1/acl/role/ID"));
  });

  test("do without the list where the token may not list, and ask for it once", async () => {
    const stack = await start();
    await stack.up(roles(10));
    const denied: Fault = { kind: "status", status: 403, body: "Permission denied", contentType: "text/plain" };
    stack.simulator.faults.add({ path: "/v1/acl/roles", fault: denied, times: Number.POSITIVE_INFINITY });
    const { changes, requests } = await stack.refresh();
    expect(changes).toEqual([]);
    expect(lines(requests).filter((line) => line === "GET /v1/acl/roles")).toHaveLength(1);
    expect(lines(requests).filter((line) => line === "GET /v1/acl/role/ID")).toHaveLength(10);
  });

  test("do without a list that hangs until it fails, and wait for it once", async () => {
    const stack = await start();
    await stack.up(roles(12));
    stack.simulator.faults.add({ path: "/v1/acl/roles", fault: { kind: "delay", ms: 60_000 }, times: Number.POSITIVE_INFINITY });
    // By the time that the last of its tries has failed it is older than it may be kept.
    const config = { readSnapshotSeconds: "0.5", requestTimeoutSeconds: "0.2", maxRetries: "3" };
    const { changes, requests } = await stack.refresh({ config, parallel: 4 });
    expect(changes).toEqual([]);
    expect(lines(requests).filter((line) => line === "GET /v1/acl/roles")).toHaveLength(1 + 3);
    expect(new Set(requests.map(({ path }) => path)).size).toBe(1 + 1 + 12);
  });

  test("read singly what the list does not show, before anything is concluded", async () => {
    const stack = await start();
    await stack.up(roles(10));
    const some = stack.simulator.cluster.roles.list().slice(0, 4);
    stack.simulator.faults.add({ path: "/v1/acl/roles", fault: { kind: "malformed", body: JSON.stringify(some) } });
    const { changes, requests } = await stack.refresh();
    expect(changes).toEqual([]);
    expect(requests.length).toBeGreaterThanOrEqual(1 + 6);
  });

  test("read a pool singly that the list does not show whole", async () => {
    const stack = await start();
    await stack.up((declare) => {
      for (const n of three) declare("AgentPool", `pool-${n}`, pool({ name: `pool-${n}`, allowedWorkspaceIds: ["ws-1"] }));
    });
    const data = stack.simulator.pools
      .list()
      .map(({ id, name }) => ({ id, type: "agent-pools", attributes: { name, "organization-scoped": false }, relationships: {} }));
    const body = JSON.stringify({ data, meta: { pagination: {} } });
    stack.simulator.faults.add({ path: /\/organizations\//, fault: { kind: "malformed", body } });
    const { changes, requests } = await stack.refresh();
    expect(changes).toEqual([]);
    expect(requests).toHaveLength(3 + 1);
  });
});
