/** What a preview says of denies that take nothing away from a role or a token, because another of its policies is more exact. */
import { type Program, throughEveryAdapter } from "./harness";
import { role } from "./samples";

const deny = 'namespace "*" { policy = "read" }\n\nnamespace "prod-*" { policy = "deny" }';
const fully = 'namespace "prod-*" { policy = "deny" }';
const api = 'namespace "prod-api" { policy = "write" }';
const because = (line: number) =>
  `the deny of namespace "prod-*" in the policy "guard" (line ${line}) takes nothing away, because namespace "prod-api" in the policy "api" ` +
  "(line 1) is more exact and decides there, and nothing else is allowed where it denies. Remove the deny, or what it should take away.";

const policies =
  (guard: string, holder: (names: readonly unknown[]) => Parameters<Parameters<Program>[0]>): Program =>
  (declare) => {
    const made = Object.entries({ guard, api }).map(([name, rules]) => declare("AclPolicy", name, { name, rules }));
    declare(...holder(made.map((one) => one.output("name"))));
  };

throughEveryAdapter("a deny that takes nothing away", (start) => {
  test("is named in the preview of the role, with the reason, and in no other place", async () => {
    const stack = await start();
    const { warnings } = await stack.preview(policies(fully, (names) => ["AclRole", "web", role({ name: "web", policies: names })]));
    expect(warnings).toEqual([`warning: ACL role "web": ${because(1)}`]);
  });

  test("is named if the policies are declared after the role, and of a token with the role", async () => {
    const stack = await start();
    const program: Program = (declare) => {
      declare("AclRole", "web", role({ name: "web", policies: ["api", "guard"] }));
      declare("AclToken", "ci", { name: "ci", type: "client", roles: ["web"], policies: ["more"] });
      for (const [name, rules] of Object.entries({ guard: fully, api, more: 'node { policy = "read" }' }))
        declare("AclPolicy", name, { name, rules });
    };
    const { warnings } = await stack.preview(program);
    const idle = warnings.filter((one) => one.includes("takes nothing away"));
    expect(idle.sort()).toEqual([`warning: ACL role "web": ${because(1)}`, `warning: ACL token "ci": ${because(1)}`]);
  });

  test("is none that takes something from a less exact pattern: nothing is said", async () => {
    const stack = await start();
    const program = policies(deny, (names) => ["AclRole", "web", role({ name: "web", policies: names })]);
    expect((await stack.preview(program)).warnings).toEqual([]);
  });

  test("is not looked for if a policy is the server's alone: nothing is said, and its rules are not read", async () => {
    const stack = await start();
    stack.simulator.cluster.policies.put({ Name: "theirs", Rules: 'namespace "*" { policy = "write" }' });
    const program = policies(fully, (names) => ["AclRole", "web", role({ name: "web", policies: [...names, "theirs"] })]);
    const { warnings, requests } = await stack.preview(program);
    expect(warnings).toEqual([]);
    expect(requests.filter(({ path }) => path.includes("/v1/acl/policy/theirs"))).toEqual([]);
  });

  test("within one text is named with what it stands beside", async () => {
    const stack = await start();
    const rules = 'namespace "prod" {\n  policy = "write"\n  capabilities = ["deny"]\n}';
    const { warnings } = await stack.preview((declare) => void declare("AclPolicy", "odd", { name: "odd", rules }));
    expect(warnings).toEqual([
      'warning: ACL policy "odd": rules, line 2, column 12: namespace "prod": a deny of it takes all away, so "write" gives nothing: ' +
        "remove the deny, or what it takes.",
    ]);
  });
});
