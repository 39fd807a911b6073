/** The lines of `diff` about denies that come or go, which limit other grants of the same token, login or job. */
import { between, file, method, role, rule, useFolder } from "../test/support/diff";
import { states, stored } from "../test/support/diff-sources";

useFolder();

const [write, read] = ['operator { policy = "write" }', 'node { policy = "read" }'];
const policy = (name: string, rules: string) => ({ name, rules });
const stateOf = (name: string, policies: object[], roles: object[] = [role], more: Record<string, object[]> = {}) =>
  file(name, { format: 1, objects: { AclAuthMethod: [method], AclPolicy: policies, AclRole: roles, AclBindingRule: [rule], ...more } });
const allowing = (...words: string[]) => `namespace "prod" { capabilities = ${JSON.stringify(words)} }`;

const sides = async (before: Parameters<typeof stateOf>, after: Parameters<typeof stateOf>) =>
  (await between(stateOf(...before), stateOf(...after))).lines;

describe("a deny that goes, of logins with one of several roles for the same place", () => {
  const level = (namespace: string, name: string) => `namespace "${namespace}" { policy = "${name}" }`;
  const roles = ["admins", "developers", "limits"].map((name) => ({ name, policies: [name] }));
  const rules = ["admins", "developers"].map((name) => ({ ...rule, id: name, bindName: name, selector: `"${name}" in list.groups` }));
  const limits = { ...rule, id: "limits", bindName: "limits" };
  const sidesOf = (before: object[], after = before) =>
    sides(
      ["a.json", before, roles, { AclBindingRule: [...rules, { ...limits, selector: "" }] }],
      ["b.json", after, roles, { AclBindingRule: [...rules, { ...limits, selector: '"few" in list.groups' }] }],
    );
  const policies = [
    policy("admins", `${level("dev", "write")} ${level("prod", "write")} ${write}`),
    policy("developers", level("prod", "write")),
    policy("limits", level("prod", "deny")),
  ];

  test("is reported for each of these roles", async () => {
    expect(await sidesOf(policies)).toContainEqual(
      expect.stringMatching(
        /^- logins of `sso` that get the role `limits` together with one of `admins`, `developers` may also submit jobs, .* in the namespace `prod` \[widened\]$/,
      ),
    );
  });

  test("is management if a job of an unknown namespace equals it, although one of the roles did before", async () => {
    const job = { ...policy("job", write), jobAcl: { namespace: "[secret]" } };
    expect(await sidesOf([...policies, job])).toContainEqual(
      expect.stringMatching(
        /^- logins of `sso` that get the role `limits` together with .* in the namespace `prod` \[management, widened\]$/,
      ),
    );
  });

  test("is reported of the role with the deny, although another role loses permissions elsewhere", async () => {
    const narrowed = [policy("admins", `${level("prod", "write")} ${write}`), ...policies.slice(1)];
    const found = (await sidesOf(policies, narrowed)).filter((line) => line.includes("together"));
    expect(found).toEqual([
      expect.stringMatching(/^- .* that get the role `limits` together with one of `admins`, `developers` may also submit /),
    ]);
  });

  test("is reported with all roles that a permission needs together", async () => {
    const volumes = policy("admins", 'namespace "prod" { capabilities = ["csi-write-volume"] }');
    const needed = [volumes, policy("developers", 'plugin { policy = "read" }'), ...policies.slice(2)];
    expect(await sidesOf(needed)).toContainEqual(
      "- logins of `sso` that get the role `limits` together with `admins` and `developers` may also write CSI volumes in the namespace `prod` [widened]",
    );
  });

  test("is reported apart for roles with different permissions", async () => {
    const reader = [...policies.slice(0, 1), policy("developers", level("prod", "read")), ...policies.slice(2)];
    const found = (await sidesOf(reader)).filter((line) => line.includes("together"));
    expect(found).toEqual([
      expect.stringMatching(/^- .* `limits` together with `admins` may also submit jobs, .* in the namespace `prod` \[widened\]$/),
      expect.stringMatching(/^- .* `limits` together with `developers` may also read jobs, .* in the namespace `prod` \[widened\]$/),
    ]);
  });
});

describe("a permission that several roles give together", () => {
  const named = (...names: string[]) => names.map((name) => ({ name, policies: [name] }));
  const bound = (...names: string[]) => names.map((name) => ({ ...rule, id: name, bindName: name, selector: `"${name}" in list.groups` }));
  const capability = (namespace: string, word: string) => `namespace "${namespace}" { capabilities = ["${word}"] }`;
  const denied = (namespace: string) => `namespace "${namespace}" { policy = "deny" }`;
  const job = (namespace: string) => ({ ...policy("job", write), jobAcl: { namespace } });
  const together = async (before: Parameters<typeof stateOf>, after: Parameters<typeof stateOf>) =>
    (await sides(before, after)).filter((line) => line.includes("together"));

  test("is management if one of them could already run a job that may do everything, and another denied just that", async () => {
    const of = (more: string, tasks: string) => [
      policy("staff", `${capability("*", "submit-job")} ${more}`),
      policy("guests", denied("d*")),
      { ...policy("job", tasks), jobAcl: { namespace: "dev" } },
    ];
    const exec = capability("dev", "alloc-exec");
    const more = { AclBindingRule: bound("staff", "guests") };
    const roles = named("staff", "guests");
    expect(await together(["a.json", of("", write), roles, more], ["b.json", of(exec, write), roles, more])).toEqual([
      "- logins of `sso` that get the role `staff` together with `guests` may also run commands in tasks in the namespace `dev` [management, widened]",
    ]);
    // A finding about the role alone has the permission, so it is not repeated.
    const lines = await together(["a.json", of("", read), roles, more], ["b.json", of(exec, read), roles, more]);
    expect(lines.filter((line) => line.includes("run commands") || line.includes("management"))).toEqual([]);
  });

  test("is management if it may run a job of a secret namespace, although the roles could already run another one", async () => {
    const submit = (...namespaces: string[]) => namespaces.map((one) => capability(one, "submit-job")).join(" ");
    const of = (more: string) => [
      policy("staff", submit("dev", "prod")),
      policy("limits", more),
      job("dev"),
      { ...policy("hidden", write), jobAcl: { namespace: "[secret]" } },
    ];
    const more = { AclBindingRule: bound("staff", "limits") };
    const roles = named("staff", "limits");
    expect(await together(["a.json", of(denied("prod")), roles, more], ["b.json", of(""), roles, more])).toEqual([
      "- logins of `sso` that get the role `limits` together with `staff` may also submit jobs in the namespace `prod` [management, widened]",
    ]);
  });

  test("is not reported if one rule gives either of them, by a claim", async () => {
    const of = (deny: string) => [policy("team-a", deny), policy("team-b", capability("prod", "submit-job")), job("prod")];
    const more = {
      AclAuthMethod: [{ ...method, config: { claimMappings: { team: "team" } } }],
      AclBindingRule: [{ ...rule, bindName: `team-\${value.team}`, selector: "" }],
    };
    const roles = named("team-a", "team-b");
    expect(await together(["a.json", of(denied("prod")), roles, more], ["b.json", of(""), roles, more])).toEqual([]);
  });
});

describe("a deny that goes, of logins with one of many pairs of roles", () => {
  const sso = { ...method, config: { claimMappings: { team: "team" } } };
  type More = Partial<Record<"AclAuthMethod" | "AclRole" | "AclBindingRule", object[]>>;
  /** For each team, a role that denies what another one allows, and a policy of a job elsewhere that may do everything. */
  const teams = (deny: string, count: number, selectorOf: (team: number, name: string) => string, more: More = {}) => {
    const all = ["deny", "allow"].flatMap((name) => Array.from({ length: count }, (_, team) => ({ name, id: `${name}-${team}`, team })));
    const roles = all.map(({ id, name }) => ({ name: id, policies: [name] }));
    const rules = all.map(({ id, name, team }) => ({ ...rule, id, bindName: id, selector: selectorOf(team, name) }));
    const job = { ...policy("job", write), jobAcl: { namespace: "elsewhere" } };
    return {
      policies: [policy("deny", deny), policy("allow", 'namespace "prod" { policy = "write" }'), job],
      roles: [...roles, ...(more.AclRole ?? [])],
      others: { AclAuthMethod: [sso, ...(more.AclAuthMethod ?? [])], AclBindingRule: [...rules, ...(more.AclBindingRule ?? [])] },
    };
  };
  const denied = 'namespace "prod" { policy = "deny" }';
  const together = async (...given: [number, (team: number, name: string) => string, More?]) => {
    const [before, after] = [teams(denied, ...given), teams("", ...given)];
    const lines = await sides(
      ["a.json", before.policies, before.roles, before.others],
      ["b.json", after.policies, after.roles, after.others],
    );
    return lines.filter((line) => line.includes("together"));
  };
  const pairs =
    /^- logins of `sso` that get one of `deny-0`, .* together with one of `allow-0`, .* may also submit jobs, .* in the namespace `prod` \[widened\]$/;

  test("is no management by a job of another namespace, for more pairs than are compared one by one", async () => {
    expect(await together(20, () => "")).toEqual([expect.stringMatching(pairs)]);
  });

  test("is no management either if the selectors of different teams exclude each other", async () => {
    expect(await together(30, (team) => `value.team == "team-${team}"`)).toEqual([expect.stringMatching(pairs)]);
  });

  test("is not reported if no login gets two of these roles", async () => {
    expect(await together(30, (team, name) => `value.team == "${name}-${team}"`)).toEqual([]);
  });

  test("takes no comparison of selectors from another method, whose roles no login gets together", async () => {
    const roles = { limits: "deny", writers: "allow" };
    const more = {
      AclAuthMethod: [{ ...sso, name: "zone" }],
      AclRole: Object.entries(roles).map(([name, given]) => ({ name, policies: [given] })),
      AclBindingRule: Object.keys(roles).map((name) => ({
        ...rule,
        id: name,
        authMethod: "zone",
        bindName: name,
        selector: `value.team == "${name}"`,
      })),
    };
    expect(await together(46, (team) => `value.team == "team-${team}"`, more)).toEqual([expect.stringMatching(pairs)]);
  });
});

describe("changed denies", () => {
  const deny = policy("no-prod", 'namespace "prod" { policy = "deny" }');
  const all = policy("deploy", 'namespace "*" { policy = "write" }');
  const more =
    /^- with other grants, the policy `no-prod` no longer denies what they allow: a token with both may also submit jobs, .* in the namespace `prod` \[widened\]$/;

  test("are reported for possible holders of other policies, even without a known holder", async () => {
    expect(await sides(["a.json", [all, deny]], ["b.json", [all, policy("no-prod", "")]])).toEqual([expect.stringMatching(more)]);
    expect(await sides(["a.json", [all, deny]], ["b.json", [all]])).toEqual([expect.stringMatching(more)]);
    expect(await sides(["a.json", [all, policy("no-prod", "")]], ["b.json", [all, deny]])).toEqual([
      expect.stringMatching(
        /^- with other grants, the policy `no-prod` denies what they allow: a token with both may no longer submit jobs, .* \[narrowed\]$/,
      ),
    ]);
    const guard = { name: "guard", policies: ["no-prod"] };
    expect(await sides(["a.json", [all, deny], [role, guard]], ["b.json", [all, deny], [role, { ...guard, policies: [] }]])).toEqual([
      expect.stringMatching(/^- with other grants, the role `guard` no longer denies what they allow: .* \[widened\]$/),
      "- the role `guard` no longer gives `no-prod`; no rule here gave this role",
    ]);
  });

  test("are management if other policies may allow a right that equals it", async () => {
    for (const text of ['operator { policy = "deny" }', 'operator { capabilities = ["deny"] }']) {
      expect(await sides(["a.json", [all, policy("no-prod", text)]], ["b.json", [all]])).toEqual([
        expect.stringMatching(/^- with other grants, the policy `no-prod` no longer denies .* operator:.* \[management, widened\]$/),
      ]);
    }
  });

  test("are management also if the policy allows a part of the place now", async () => {
    const to = (before: string, after: string, ...others: object[]) =>
      sides(["a.json", [policy("guard", before), ...others]], ["b.json", [policy("guard", after), ...others]]);
    const manages = /^- with other grants, the policy `guard` no longer denies .* \[management, widened\]$/;
    expect(await to('operator { policy = "deny" }', 'operator { policy = "read" }')).toContainEqual(expect.stringMatching(manages));
    const job = { ...policy("job", 'operator { policy = "write" }'), jobAcl: { namespace: "prod" } };
    const level = (name: string) => `namespace "prod" { policy = "${name}" }`;
    expect(await to(level("deny"), level("read"), job)).toContainEqual(expect.stringMatching(manages));
    expect(await to(level("deny"), "", job)).toEqual([expect.stringMatching(manages)]);
    expect(await to(level("deny"), level("read"))).toEqual([
      expect.stringMatching(/^- tokens with the policy `guard` may also read .* \[widened\]$/),
      expect.stringMatching(/^- with other grants, the policy `guard` no longer denies .* submit jobs, .* \[widened\]$/),
    ]);
  });

  test("are reported without the permissions that a finding about a role with the denies reports", async () => {
    const both = { ...role, policies: ["deploy", "no-prod"] };
    expect(await sides(["a.json", [all, deny], [both]], ["b.json", [all, policy("no-prod", "")], [both]])).toEqual([
      expect.stringMatching(/^- tokens with the role `deployers` may also submit jobs, .* \[widened\]$/),
      expect.stringMatching(
        /^- with other grants, the policy `no-prod` no longer denies .* may also run commands on nodes, .* \[widened\]$/,
      ),
    ]);
  });

  test("are reported next to the permissions that a new holder gets, or a former one", async () => {
    const lost = [all, policy("no-prod", "")];
    const both = { ...role, policies: ["deploy", "no-prod"] };
    const made = { AclToken: [{ name: "new", type: "client", policies: ["deploy", "no-prod"] }] };
    expect(await sides(["a.json", [all, deny], [], { AclToken: [] }], ["b.json", lost, [], made])).toContainEqual(
      expect.stringMatching(more),
    );
    expect(await sides(["a.json", [all, deny], [both]], ["b.json", lost, [role]])).toContainEqual(expect.stringMatching(more));
  });

  test.each([
    'operator { policy = "deny" }',
    'operator { policy = "deny" description = "no operators" }',
    'operator { policy = "deny" } node { policy = "read" note = "x" }',
  ])("are reported if a role with them goes, also next to a name that servers ignore: %s", async (rules) => {
    const guard = policy("guard", rules);
    expect(await sides(["a.json", [all, guard], [{ name: "guards", policies: ["guard"] }]], ["b.json", [all, guard], []])).toContainEqual(
      expect.stringMatching(/^- with other grants, the role `guards` no longer denies .* operator:.* \[management, widened\]$/),
    );
  });

  test("are reported for the former tasks of a policy, which may have policies of others", async () => {
    const of = (jobAcl?: object) => ({ ...policy("guard", 'operator { policy = "deny" }'), ...(jobAcl && { jobAcl }) });
    const moved = expect.stringMatching(
      /^- with other policies of its former job, the policy `guard` no longer denies .* tasks of the job may also use operator:.* \[management, widened\]$/,
    );
    const job = { namespace: "prod", jobId: "web" };
    for (const now of [undefined, { namespace: "dev" }, { namespace: "prod", jobId: "web", group: "g" }])
      expect(await sides(["a.json", [of(job)]], ["b.json", [of(now)]])).toEqual([moved]);
    expect(await sides(["a.json", [of(job)]], ["b.json", [of({ namespace: "prod" })]])).toEqual(["Logins get what they got before."]);
  });

  test("are reported for the level write of plugins, which takes read from other policies", async () => {
    const guard = policy("guard", 'plugin { policy = "write" }');
    expect(await sides(["a.json", [guard]], ["b.json", []])).toEqual([
      expect.stringMatching(/^- with other grants, the policy `guard` no longer denies .* use plugin:read \[widened\]$/),
    ]);
  });

  test("are reported without permissions that need the plugins of others, now that the policy lost its own", async () => {
    const rules = 'namespace "prod-*" { policy = "deny" } namespace "prod-api" { policy = "write" } namespace "prod-api" { }';
    const lines = await sides(["a.json", [policy("p", 'plugin { policy = "read" }')], []], ["b.json", [policy("p", rules)], []]);
    expect(lines).toContainEqual(
      expect.stringMatching(/^- with other grants, .* write host volumes, register CSI plugins in the namespace `prod-api` \[/),
    );
  });

  test("of jobs whose tasks may do everything are management, also for one of two entries of a policy", async () => {
    const job = { ...policy("job", 'operator { policy = "write" }'), jobAcl: { namespace: "prod" } };
    expect(await sides(["a.json", [deny, deny, job]], ["b.json", [deny, job]])).toEqual([
      '- `policy "no-prod"` can\'t be compared: `name` also belongs to another object [undecided, management]',
    ]);
  });

  test("of a policy or role that was outside of the state before may have held management back", async () => {
    const [admin, found] = [stored("AclPolicy", "admin", policy("admin", write)), stored("AclPolicy", "found", policy("found", read))];
    const open = /^- .* may do everything, or more or less: .* \[undecided, management\]$/;
    const both = stored("AclRole", "both", { name: "both", policies: ["admin", "found"] });
    expect(await states([admin, both], [admin, found, both])).toEqual([expect.stringMatching(open)]);
    const inputs = { name: "t", type: "client", policies: ["admin"], roles: ["limits"] };
    const token = stored("AclToken", "t", inputs, { outputs: { ...inputs, linkedRoles: [{ id: "1", name: "limits" }] } });
    const limits = stored("AclRole", "limits", { name: "limits", policies: ["found"] }, { id: "1" });
    expect(await states([admin, found, token], [admin, found, token, limits])).toContainEqual(expect.stringMatching(open));
  });
});

test("gained permissions are reported for a policy's own holders, if holders of a role with it gain fewer", async () => {
  const [few, more] = [["list-jobs"], ["list-jobs", "submit-job", "read-logs"]].map((words) => policy("p", allowing(...words)));
  const both = { ...role, policies: ["p", "q"] };
  const q = policy("q", allowing("submit-job"));
  expect(await sides(["a.json", [few ?? q, q], [both]], ["b.json", [more ?? q, q], [both]])).toEqual([
    "- tokens with the role `deployers` may also read logs in the namespace `prod` (policy `p`) [widened]",
    "- tokens with the policy `p` may also submit jobs, read logs in the namespace `prod` [widened]",
  ]);
});

test("two entries of a policy are management also if one lets a token submit a job that may do everything", async () => {
  const job = { ...policy("job", write), jobAcl: { namespace: "prod" } };
  const [few, more] = [policy("p", read), policy("p", allowing("submit-job"))];
  expect(await sides(["a.json", [few, few, job]], ["b.json", [few, more, job]])).toEqual([
    '- `policy "p"` can\'t be compared: `name` also belongs to another object [undecided, management]',
  ]);
});

test("a lost deny may let tasks run a job of another group, by which they may do everything", async () => {
  const submit = (namespace: string) => `namespace "${namespace}" { capabilities = ["submit-job"] }`;
  const of = (rules: string) => [
    { ...policy("q", rules), jobAcl: { namespace: "c", jobId: "j" } },
    { ...policy("qg", submit("d")), jobAcl: { namespace: "c", jobId: "j", group: "g" } },
    { ...policy("x", write), jobAcl: { namespace: "d", jobId: "x" } },
  ];
  const [old, now] = [of(`${submit("c")} namespace "d" { policy = "deny" }`), of(submit("c"))];
  expect(await sides(["a.json", old, []], ["b.json", now, []])).toContainEqual(
    "- tasks of `the job j of the namespace c` may do everything, or more or less: `q` may let them run jobs whose tasks may do everything [undecided, management]",
  );
});
