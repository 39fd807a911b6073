/** The preview's warnings about denies without an effect for a role or a token, because another of its policies is more exact. */
import { type Program, throughEveryAdapter } from "./harness";
import { role } from "./samples";

const fully = 'namespace "prod-*" { policy = "deny" }';
const api = 'namespace "prod-api" { policy = "write" }';
const because = (line: number) =>
  `the deny of namespace "prod-*" in the policy "guard" (line ${line}) has no effect, because namespace "prod-api" in the policy "api" ` +
  "(line 1) is more exact and decides there, and nothing else allows what it denies. Remove the deny, or the permission that it should deny.";

const policies =
  (guard: string, holder: (names: readonly unknown[]) => Parameters<Parameters<Program>[0]>): Program =>
  (declare) => {
    const made = Object.entries({ guard, api }).map(([name, rules]) => declare("AclPolicy", name, { name, rules }));
    declare(...holder(made.map((one) => one.output("name"))));
  };

throughEveryAdapter("a deny without effect", (start) => {
  test("is named in the preview of the role, with the reason, and in no other place", async () => {
    const stack = await start();
    const { warnings } = await stack.preview(policies(fully, (names) => ["AclRole", "web", role({ name: "web", policies: names })]));
    expect(warnings).toEqual([`warning: ACL role "web": ${because(1)}`]);
  });

  test("is not looked for if a policy is the server's alone: nothing is said, and its rules are not read", async () => {
    const stack = await start();
    stack.simulator.cluster.policies.put({ Name: "theirs", Rules: 'namespace "*" { policy = "write" }' });
    const program = policies(fully, (names) => ["AclRole", "web", role({ name: "web", policies: [...names, "theirs"] })]);
    const { warnings, requests } = await stack.preview(program);
    expect(warnings).toEqual([]);
    expect(requests.filter(({ path }) => path.includes("/v1/acl/policy/theirs"))).toEqual([]);
  });
});
