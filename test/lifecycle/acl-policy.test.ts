/** Policies: their rules, identity and job, references to them, and their deletion. */
import type { TestStack } from "../support/stack";
import { nothing, only, type Program, throughEveryAdapter } from "./harness";
import { oidc, policy, policyRules, role, rule } from "./samples";

const stored = (stack: TestStack) => stack.simulator.cluster.policies.get("readers");
const others = 'agent { policy = "write" }';

throughEveryAdapter("the rules of a policy", (start) => {
  test("are compared by content: other white space, comments, order and JSON change nothing", async () => {
    const stack = await start();
    const both = (first: string, second: string) => only("AclPolicy", policy({ rules: `${first}\n${second}` }));
    const [a, b] = ['namespace "a" { policy = "read" }', 'node { policy = "read" }'];
    await stack.up(both(a, b));
    const { Rules } = stored(stack) ?? {};
    for (const program of [
      both(b, a),
      both('# nodes\nnode {\n  policy = "read"\n}', a),
      only("AclPolicy", policy({ rules: '{"node": {"policy": "read"}, "namespace": {"a": {"policy": "read"}}}' })),
    ]) {
      expect((await stack.up(program)).requests).toEqual([]);
      expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
    }
    expect(stored(stack)?.Rules).toBe(Rules);
  });

  test("that others wrote differently are drift only with another meaning", async () => {
    const stack = await start();
    const program = only("AclPolicy", policy());
    await stack.up(program);
    stack.simulator.cluster.policies.put({ Name: "readers", Rules: `# by others\n${policyRules}` });
    expect((await stack.refresh()).changes.filter((change) => change.includes("rules"))).toEqual([]);
    expect(stack.inputs().rules).toBe(policyRules);
    stack.simulator.cluster.policies.put({ Name: "readers", Rules: others });
    await stack.refresh();
    expect(stack.inputs().rules).toBe(others);
    await stack.up(program);
    expect(stored(stack)?.Rules).toBe(policyRules);
  });

  test.each([
    ["namespace {", "line 1, column 12"],
    ['namespace "a" {\n  policy = read\n}', "line 2, column 12"],
    ['agent { policy = ["read"] }', "line 1, column 18"],
  ])("that no server can read (%j) fail in the preview, with the position of the error", async (rules, place) => {
    const stack = await start();
    const { errors, requests } = await stack.fails("preview", only("AclPolicy", policy({ rules })));
    expect(errors).toContain(`rules can't be read: ${place}: `);
    expect(requests).toEqual([]);
  });

  test("of JSON with a text behind them are sent unchanged, as servers accept them", async () => {
    const stack = await start();
    const rules = '{"node": {"policy": "read"}}\n# by the "platform team';
    const program = only("AclPolicy", policy({ rules }));
    expect((await stack.preview(program)).warnings).toEqual([]);
    await stack.up(program);
    expect(stored(stack)?.Rules).toBe(rules);
    expect((await stack.preview(program, { refresh: true })).changes).toEqual([]);
  });

  test("with unknown words cause a warning, and the error of a server names the property", async () => {
    const stack = await start();
    const program = only("AclPolicy", policy({ rules: 'namespace "a" { policy = "everything" }' }));
    const { warnings } = await stack.preview(program);
    expect(warnings).toEqual([
      expect.stringMatching(/ACL policy "readers": rules, line 1, column 26: .*"everything" is not known.* A server that/),
    ]);
    const { errors } = await stack.fails("up", program);
    expect(errors).toMatch(/rules: POST .*400 .*failed to parse rules/);
    expect(stored(stack)).toBeUndefined();
  });

  test("that are empty cause a warning", async () => {
    const stack = await start();
    const { warnings } = await stack.up(only("AclPolicy", { name: "readers" }));
    expect(warnings).toEqual(['warning: ACL policy "readers" has no rules: it allows nothing.']);
  });
});

throughEveryAdapter("a policy and its name", (start) => {
  test("that others create between the look and the write is overwritten, and the error says so", async () => {
    const stack = await start();
    stack.simulator.cluster.policies.put({ Name: "readers", Rules: others });
    stack.simulator.faults.add({ method: "GET", path: "/v1/acl/policies", fault: { kind: "malformed", body: "[]" } });
    const { errors } = await stack.fails("up", only("AclPolicy", policy()));
    expect(errors).toMatch(/The create of ACL policy "readers" .* has replaced another of that name that someone else made at index \d+/);
    expect(stack.state?.resources.filter(({ urn }) => urn.includes("AclPolicy"))).toEqual([]);
  });

  test("is the same in another region with other indexes", async () => {
    const stack = await start({ regions: ["west"] });
    const program = only("AclPolicy", policy());
    await stack.up(program, { config: { clusterRegion: "global" } });
    const { createIndex } = stack.outputs();
    await stack.refresh({ config: { clusterRegion: "west" } });
    expect(stack.outputs().createIndex).not.toBe(createIndex);
    await stack.destroy({ config: { clusterRegion: "global" } });
    expect(stored(stack)).toBeUndefined();
  });

  test("is another one on a server of another cluster: no refresh, update or delete touches it", async () => {
    const stack = await start();
    await stack.up(only("AclPolicy", policy()));
    const { createIndex } = stack.outputs();
    stack.moveTo((await start()).simulator);
    // Two new clusters have the same indexes.
    const before = stack.simulator.cluster.policies.put({ Name: "readers", Rules: others });
    expect(before.CreateIndex).toBe(createIndex);
    const changed = only("AclPolicy", policy({ description: "new" }));
    for (const { errors } of [await stack.fails("refresh"), await stack.fails("up", changed), await stack.fails("destroy")])
      expect(errors).toMatch(
        /Nothing proves that ACL policy "readers" on http:\S+ is the one of the state.*AGENTPOOL_ACL_ACCEPT_MOVED_SERVER=true/,
      );
    expect(stored(stack)).toEqual(before);
  });

  test("is the same at a new address, if the user says so", async () => {
    const stack = await start();
    const program = only("AclPolicy", policy());
    await stack.up(program);
    const config = { clusterAddress: stack.simulator.clusterAddress.replace("127.0.0.1", "localhost") };
    await stack.refresh({ config, env: { AGENTPOOL_ACL_ACCEPT_MOVED_SERVER: "true" } });
    expect(stack.outputs().server).toBe(config.clusterAddress);
    expect((await stack.preview(program, { config, refresh: true })).changes).toEqual([]);
  });

  test("that others have deleted and created again is theirs: no update and no delete touches it", async () => {
    const stack = await start();
    await stack.up(only("AclPolicy", policy()));
    const { cluster } = stack.simulator;
    cluster.policies.delete("readers");
    cluster.policies.put({ Name: "readers", Rules: others });
    expect((await stack.fails("up", only("AclPolicy", policy({ description: "new" })))).errors).toMatch(
      /is not the one of the state: that was made at index \d+, this one at index \d+/,
    );
    const { warnings } = await stack.up(nothing);
    expect(warnings).toEqual([expect.stringContaining("was deleted and created again by others. Theirs was not touched")]);
    expect(stored(stack)?.Rules).toBe(others);
  });

  test("is replaced by a new policy, which the program's role gets before the old one is deleted", async () => {
    const stack = await start();
    const program =
      (name: string): Program =>
      (declare) => {
        const readers = declare("AclPolicy", "readers", policy({ name }));
        declare("AclRole", "dev", role({ policies: [readers.output("name")] }));
      };
    await stack.up(program("readers"));
    const { writes, warnings } = await stack.up(program("viewers"));
    expect(writes.map((line) => line.replace(/role\/.*/, "role"))).toEqual([
      "POST /v1/acl/policy/viewers",
      "POST /v1/acl/role",
      "DELETE /v1/acl/policy/readers",
    ]);
    expect(warnings).toEqual([]);
    expect(stack.simulator.cluster.roles.list()).toMatchObject([{ Policies: [{ Name: "viewers" }] }]);
  });
});

throughEveryAdapter("a reference to a policy by a text", (start) => {
  test("causes a warning if the policy is renamed", async () => {
    const stack = await start();
    const program =
      (name: string): Program =>
      (declare) => {
        const made = declare("AclPolicy", "readers", policy({ name }));
        declare("AclRole", "dev", role({ policies: ["readers"] }), { dependsOn: [made] });
      };
    await stack.up(program("readers"));
    expect((await stack.preview(program("viewers"))).warnings).toEqual([
      expect.stringMatching(/ACL role "dev": it names the policy "readers", but this program renames that policy/),
    ]);
  });
});

throughEveryAdapter("a deny without effect", (start) => {
  const program =
    (more: readonly string[]): Program =>
    (declare) => {
      const rules = { guard: 'namespace "prod-*" { policy = "deny" }', api: 'namespace "prod-api" { policy = "write" }' };
      const made = Object.entries(rules).map(([name, text]) => declare("AclPolicy", name, { name, rules: text }));
      declare("AclRole", "web", role({ policies: [...made.map((one) => one.output("name")), ...more] }));
    };

  test("is named in the preview of the role, but not if the program lacks one of the role's policies, and its rules are not read", async () => {
    const stack = await start();
    expect((await stack.preview(program([]))).warnings).toEqual([expect.stringContaining("(line 1) has no effect, because")]);
    const { warnings, requests } = await stack.preview(program(["read"]));
    expect([warnings, requests]).toEqual([[], []]);
  });
});

throughEveryAdapter("a deleted policy", (start) => {
  test("leaves roles, tokens and rules with its name behind, with a warning for each kind", async () => {
    const stack = await start();
    const { cluster } = stack.simulator;
    await stack.up(only("AclPolicy", policy()));
    cluster.methods.put({ Name: "sso" });
    cluster.roles.put({ Name: "theirs", Policies: [{ Name: "readers" }, { Name: "read" }] });
    cluster.tokens.put({ Name: "pipeline", Type: "client", Policies: ["readers"] });
    const unnamed = cluster.tokens.put({ Name: "", Type: "client", Policies: ["readers"] });
    cluster.roles.put({ Name: "unrelated", Policies: [{ Name: "read" }] });
    const left = cluster.rules.put({ AuthMethod: "sso", BindType: "policy", BindName: "readers" });
    cluster.rules.put({ AuthMethod: "sso", BindType: "role", BindName: "readers" });
    const { warnings } = await stack.up(nothing);
    expect(warnings).toEqual([
      expect.stringMatching(
        /ACL policy "readers" is deleted, and leaves roles behind: 1 that name it \("theirs"\)\. By that name, such a role gives nothing now/,
      ),
      expect.stringMatching(/ACL policy "readers" is deleted, and leaves tokens behind: 2 that name it /),
      expect.stringContaining(`ACL policy "readers" is deleted, and leaves binding rules behind: 1 that name it (${left.ID}).`),
    ]);
    for (const token of ["pipeline", unnamed.AccessorID]) expect(warnings[1]).toContain(JSON.stringify(token));
    expect(stored(stack)).toBeUndefined();
  });

  test("is deleted without a warning after the roles and rules of its stack, by one list of each kind", async () => {
    const stack = await start();
    await stack.up((declare) => {
      const sso = declare("AclAuthMethod", "sso", oidc());
      const policies = Array.from({ length: 10 }, (_, n) => declare("AclPolicy", `p${n}`, policy({ name: `p${n}` })));
      for (const [n, made] of policies.entries()) declare("AclRole", `r${n}`, role({ name: `r${n}`, policies: [made.output("name")] }));
      for (const [n, made] of policies.entries())
        declare("AclBindingRule", `b${n}`, rule({ authMethod: sso.output("name"), bindType: "policy", bindName: made.output("name") }));
    });
    const { warnings, requests } = await stack.destroy({ parallel: 1 });
    expect(warnings).toEqual([]);
    const lists = requests.filter(({ method, path }) => method === "GET" && /\/(roles|tokens)$/.test(path));
    expect(lists.length).toBeLessThanOrEqual(2);
  });

  test("stays deleted if the roles can't be listed, and a warning says so", async () => {
    const stack = await start();
    await stack.up(only("AclPolicy", policy()));
    stack.simulator.faults.add({
      method: "GET",
      path: "/v1/acl/roles",
      times: 9,
      fault: { kind: "status", status: 403, body: "Permission denied" },
    });
    const { warnings } = await stack.up(nothing);
    expect(warnings).toEqual([expect.stringContaining("the roles that name it could not be looked for")]);
    expect(stored(stack)).toBeUndefined();
  });
});

throughEveryAdapter("the job of a policy", (start) => {
  test("is removed with all its levels, and a job of others is drift", async () => {
    const stack = await start();
    const jobAcl = { namespace: "default", jobId: "web", group: "api", task: "server" };
    await stack.up(only("AclPolicy", policy({ jobAcl })));
    expect(stored(stack)?.JobACL).toEqual({ Namespace: "default", JobID: "web", Group: "api", Task: "server" });
    stack.simulator.cluster.policies.put({ Name: "readers", JobACL: { Group: "", Task: "" } });
    expect((await stack.refresh()).changes).toEqual(["refresh update AclPolicy it"]);
    await stack.up(only("AclPolicy", policy()));
    expect(stored(stack)?.JobACL).toBeNull();
  });

  test.each([
    [{ jobId: "web" }, "jobAcl.namespace is required when jobId is given"],
    [{ namespace: "default", group: "api" }, "jobAcl.jobId is required when group is given"],
    [{ namespace: "default", task: "server" }, "jobAcl.group is required when task is given"],
  ])("with a missing level (%j) is refused in the preview", async (jobAcl, reason) => {
    const stack = await start();
    expect((await stack.fails("preview", only("AclPolicy", policy({ jobAcl })))).errors).toContain(reason);
  });
});
