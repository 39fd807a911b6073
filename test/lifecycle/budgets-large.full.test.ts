/** The number of requests of operations on a large stack. */
import { only, type Program, type TestStack, throughEveryAdapter } from "./harness";
import { pkce, pool, role, rule } from "./samples";

/** A program of a thousand roles, a hundred auth methods and a hundred binding rules. */
const large: Program = (declare) => {
  for (let n = 0; n < 1_000; n++) declare("AclRole", `role-${n}`, role({ name: `dev-${n}` }));
  for (let n = 0; n < 100; n++) declare("AclAuthMethod", `method-${n}`, pkce({}, { name: `sso-${n}` }));
  for (let n = 0; n < 100; n++) declare("AclBindingRule", `rule-${n}`, rule({ bindName: `dev-${n}` }));
};

/** Changes this number of objects of each kind, as others do. */
function drift({ simulator: { cluster } }: TestStack, roles: number, methods: number, rules: number): void {
  for (const { ID } of cluster.roles.list().slice(0, roles)) cluster.roles.put({ ID, Description: "drifted" });
  for (const { Name } of cluster.methods.list().slice(0, methods)) cluster.methods.put({ Name, MaxTokenTTL: "2h0m0s" });
  for (const { ID } of cluster.rules.list().slice(0, rules)) cluster.rules.put({ ID, Selector: "drifted in list.groups" });
}

throughEveryAdapter("a large stack", (start) => {
  test("takes one request for each object and 200 more to create, 7 to refresh, and 2 more for each object that drifted", async () => {
    const stack = await start();
    stack.simulator.cluster.methods.put({ Name: "sso" });
    // Only simultaneous creates share a list, and without this delay they would hardly be simultaneous.
    stack.simulator.latencyMs = 5;
    const up = await stack.up(large, { parallel: 8 });
    expect(up.writes).toHaveLength(1_200);
    expect(up.requests.length).toBeLessThanOrEqual(1_200 + 200);

    const { changes, requests } = await stack.refresh({ parallel: 8 });
    expect(changes).toEqual([]);
    expect(requests.length).toBeLessThanOrEqual(7);

    drift(stack, 20, 10, 10);
    const drifted = await stack.refresh({ parallel: 8 });
    // One of the changed methods is not in this stack: the method to which the rules refer.
    expect(drifted.changes.length).toBeGreaterThanOrEqual(39);
    expect(drifted.requests.length).toBeLessThanOrEqual(7 + 2 * drifted.changes.length);

    const settled = await stack.refresh({ parallel: 8 });
    expect(settled.changes).toEqual([]);
    expect(settled.requests.length).toBeLessThanOrEqual(7);
  });

  test("takes half a minute at most to change one of 10,000 workspaces of a pool", async () => {
    const stack = await start();
    const workspaces = Array.from({ length: 10_000 }, (_, index) => `ws-${index}`);
    await stack.up(only("AgentPool", pool({ allowedWorkspaceIds: workspaces })));
    const started = performance.now();
    const changed = ["ws-new", ...workspaces.slice(1)];
    await stack.up(only("AgentPool", pool({ allowedWorkspaceIds: changed })));
    // If each workspace were compared with every other one, each comparison of the lists would take half a minute, and an update makes
    // several.
    expect(performance.now() - started).toBeLessThan(30_000);
    expect(stack.simulator.pools.get(stack.entry().id)?.allowedWorkspaceIds).toEqual(changed);
  });
});
