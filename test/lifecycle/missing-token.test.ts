/** Operations without a token, as a pipeline runs them for changes that nobody has reviewed yet. */
import type { Program } from "./harness";
import { nothing, throughEveryAdapter } from "./harness";
import { jwt, pool, role, rule } from "./samples";

const program =
  (description: string, name = "dev"): Program =>
  (declare) => {
    declare("AgentPool", "pool", pool({ name: `build-${description}` }));
    const made = declare("AclRole", "role", role({ name, description }));
    const method = declare("AclAuthMethod", "method", jwt({}, { name: `ci-${name}` }));
    const inputs = { authMethod: method.output("name"), bindName: made.output("name"), selector: `value.a == ${description}`, description };
    declare("AclBindingRule", "rule", rule(inputs));
  };

const warnings = [
  /^warning: The agent pools API has no token\. A preview without a refresh needs none, and an update fails at its first request: set poolsToken with `pulumi config set --secret agentpool-acl:poolsToken`/,
  /^warning: The cluster API has no token\. .* set clusterToken with .* or the environment variable AGENTPOOL_ACL_CLUSTER_TOKEN or NOMAD_TOKEN\.$/,
];

throughEveryAdapter("without a token", (start) => {
  test("a preview shows all changes, warns once for each service, and sends no request", async () => {
    const stack = await start();
    const previews = async (next: Program, expected: string[]) => {
      const { changes, warnings: shown, requests } = await stack.preview(next, { withoutTokens: true });
      expect(changes).toEqual(expected);
      expect(requests).toEqual([]);
      return shown.filter((warning) => warning.includes("has no token"));
    };
    const kinds = ["AgentPool pool", "AclRole role", "AclAuthMethod method", "AclBindingRule rule"];
    const shown = await previews(
      program("one"),
      kinds.map((kind) => `create ${kind}`),
    );
    expect(shown.toSorted()).toEqual(warnings.map((warning) => expect.stringMatching(warning)));

    await stack.up(program("one"));
    expect(await previews(program("one"), [])).toHaveLength(2);
    expect(await previews(program("two"), ["update AgentPool pool", "update AclRole role", "update AclBindingRule rule"])).toHaveLength(2);
    const replaced = await stack.preview(program("one", "other"), { withoutTokens: true });
    expect(replaced.changes).toContain("replace AclAuthMethod method");
    expect(replaced.requests).toEqual([]);
    const removed = await stack.preview(nothing, { withoutTokens: true });
    expect(removed.changes).toHaveLength(4);
    expect([removed.requests, removed.warnings]).toEqual([[], []]);
  });

  test("an update and a preview with a refresh fail before their first request, and change nothing", async () => {
    const stack = await start();
    const message = /The (cluster|agent pools) API is not configured: set (cluster|pools)Token with /;
    const first = await stack.fails("up", program("one"), { withoutTokens: true });
    expect(first.errors).toMatch(message);
    expect(first.requests).toEqual([]);

    await stack.up(program("one"));
    const before = stack.properties();
    // A refresh and a destroy have the token that the last update saved.
    for (const [command, refresh] of [
      ["up", false],
      ["up", true],
      ["preview", true],
    ] as const) {
      const { errors, requests } = await stack.fails(command, program("two"), { withoutTokens: true, refresh });
      expect(errors).toMatch(message);
      expect(requests).toEqual([]);
      expect(stack.properties()).toEqual(before);
    }
    await stack.up(program("two"));
    expect(stack.simulator.cluster.roles.list()).toMatchObject([{ Description: "two" }]);
  });

  test("the warning names only services that the program uses and that have no token", async () => {
    const stack = await start();
    const ofPool: Program = (declare) => void declare("AgentPool", "pool", pool());
    expect((await stack.preview(ofPool, { withoutTokens: true })).warnings).toEqual([
      expect.stringMatching(/agent pools API has no token/),
    ]);
    const { warnings: shown } = await stack.preview(ofPool, { withoutTokens: true, env: { AGENTPOOL_ACL_POOLS_TOKEN: "t" } });
    expect(shown).toEqual([]);
  });
});
