import * as z from "zod";
import { unknownMarker } from "../provider/adapters/markers";
import { between, diff, file, method, role, rule, useFolder } from "../test/support/diff";
import { states, stored } from "../test/support/diff-sources";

useFolder();

const policy = (name: string, rules: string) => ({ name, rules });
const stateOf = (name: string, policies: object[], roles: object[] = [role], more: Record<string, object[]> = {}) =>
  file(name, { format: 1, objects: { AclAuthMethod: [method], AclPolicy: policies, AclRole: roles, AclBindingRule: [rule], ...more } });
const allowing = (...words: string[]) => `namespace "prod" { capabilities = ${JSON.stringify(words)} }`;
const changed = async (before: string, after: string, roles: object[] = [role], others: object[] = []) =>
  (
    await between(
      stateOf("before.json", [policy("deploy", before), ...others], roles),
      stateOf("after.json", [policy("deploy", after), ...others], roles),
    )
  ).lines;
const same = ["Logins get what they got before."];

describe("changed rules of a policy", () => {
  test("are reported as gained and lost permissions of the holders of its role", async () => {
    expect(await changed(allowing("read-job", "read-logs"), `${allowing("read-job", "submit-job")} node { policy = "read" }`)).toEqual([
      "- tokens with the role `deployers` may also submit jobs in the namespace `prod`; use node:read (policy `deploy`) [widened]",
      "- tokens with the role `deployers` may no longer read logs in the namespace `prod` (policy `deploy`) [narrowed]",
    ]);
    const variables = (words: string) => `namespace "prod" { variables { path "app/*" { capabilities = [${words}] } } }`;
    expect(await changed(variables('"list"'), variables('"read", "write"'))).toEqual([
      "- tokens with the role `deployers` may also write, read the variables `app/*` in the namespace `prod` (policy `deploy`) [widened]",
    ]);
  });

  test("are no change if their meaning is the same, and no change of permissions if servers expand them to the same ones", async () => {
    expect(await changed(allowing("read-job"), `# for prod\nnamespace "prod" {\n  capabilities = ["read-job"]\n}`)).toEqual(same);
    expect(await changed(allowing("submit-job"), allowing("submit-job", "register-job"))).toEqual(same);
  });

  test("are reported by the combined policies of a role, and also separately if that differs", async () => {
    const roles = [{ ...role, policies: ["deploy", "all"] }];
    const others = [policy("all", 'namespace "prod" { policy = "write" }')];
    // An unmanaged token may have the policy without the other one.
    expect(await changed(allowing("read-job"), allowing("submit-job"), roles, others)).toEqual([
      "- tokens with the policy `deploy` may also submit jobs in the namespace `prod` [widened]",
      "- tokens with the policy `deploy` may no longer read jobs in the namespace `prod` [narrowed]",
    ]);
    // The more exact name takes away the pattern's rights from the role.
    const wide = [policy("all", 'namespace "*" { policy = "write" }')];
    expect(await changed('node { policy = "read" }', allowing("read-job"), roles, wide)).toEqual([
      "- tokens with the policy `deploy` may also read jobs in the namespace `prod` [widened]",
      expect.stringMatching(
        /^- tokens with the role `deployers` may no longer submit jobs, .* in the namespace `prod`; use node:read .* \[narrowed\]$/,
      ),
      "- tokens with the policy `deploy` may no longer use node:read [narrowed]",
    ]);
  });

  test("of a new policy with denies take rights away from holders of a role with other policies", async () => {
    const known = policy("deploy", allowing("read-job"));
    const before = stateOf("before.json", [known]);
    const deny = policy("deny", 'namespace "dev" { policy = "deny" }');
    const after = stateOf("after.json", [known, deny], [{ ...role, policies: ["deploy", "deny"] }]);
    expect((await between(before, after)).lines).toContainEqual(
      expect.stringMatching(/^- with other grants, the role `deployers` denies what they allow: .* in the namespace `dev` \[narrowed\]$/),
    );
  });

  test("are management if they allow a token everything", async () => {
    expect(await changed(allowing("read-job"), `${allowing("read-job")} operator { policy = "write" }`)).toEqual([
      "- tokens with the role `deployers` may now do everything, because operator:write equals management: use operator:write " +
        "(policy `deploy`) [management, widened]",
    ]);
  });

  test("are reported for tokens, for rules that give the policy, and for other possible holders", async () => {
    const token = { name: "ci", type: "client", policies: ["deploy"] };
    const sides = (more: Record<string, object[]>) =>
      between(
        stateOf("before.json", [policy("deploy", "")], [], { AclBindingRule: [], ...more }),
        stateOf("after.json", [policy("deploy", allowing("submit-job"))], [], { AclBindingRule: [], ...more }),
      );
    const said = "may also submit jobs in the namespace `prod`";
    expect((await sides({ AclToken: [token] })).lines).toEqual([`- the token \`ci\` ${said} (policy \`deploy\`) [widened]`]);
    // Names of tokens are not unique.
    const two = [
      { ...token, id: "1" },
      { ...token, id: "2", policies: ["other"] },
    ];
    expect((await sides({ AclToken: two })).lines).toEqual([`- a token \`ci\` ${said} (policy \`deploy\`) [widened]`]);
    const direct = [{ ...rule, bindType: "policy", bindName: "deploy" }];
    expect((await sides({ AclBindingRule: direct })).lines).toEqual([`- tokens with the policy \`deploy\` ${said} [widened]`]);
    expect((await sides({})).lines).toEqual([`- tokens with the policy \`deploy\` ${said} [widened]`]);
  });

  test("are undecided if they are unknown, or have unknown words", async () => {
    const [none, managed] = [stateOf("before.json", []), stateOf("after.json", [policy("deploy", allowing("read-job"))])];
    expect((await between(none, managed)).lines).toEqual([
      "- tokens with the role `deployers` may do more or less: the rules of the policy `deploy` are not known before the change [undecided]",
    ]);
    const dangerous = stateOf("after.json", [policy("deploy", 'operator { policy = "write" }')]);
    expect((await between(none, dangerous)).lines).toEqual([
      "- tokens with the role `deployers` may do everything, or more or less: the rules of the policy `deploy` are not known before the " +
        "change [undecided, management]",
    ]);
    expect(await changed(allowing("read-job"), allowing("read-job", "paint-job"))).toEqual([
      "- tokens with the role `deployers` may do more or less: the rules of `deploy` have parts that this version does not know [undecided]",
    ]);
    // A right that is undecided after the change is not lost.
    expect(await changed(allowing("submit-job"), 'namespace "prod" { policy = "paint" }')).toEqual([
      "- tokens with the role `deployers` may do more or less: the rules of `deploy` have parts that this version does not know [undecided]",
    ]);
    for (const more of ['operator { policy = "admin" }', 'god { policy = "write" }', 'secrets "x" {}', 'operatr { policy = "write" }']) {
      expect(await changed(allowing("read-job"), `${allowing("read-job")} ${more}`)).toEqual([
        "- tokens with the role `deployers` may do everything, or more or less: the rules of `deploy` have parts that this version does not know " +
          "[undecided, management]",
      ]);
    }
  });

  test("end with the status of --fail-on, and are whole in JSON", async () => {
    const before = stateOf("before.json", [policy("deploy", allowing("read-job"))]);
    const after = stateOf("after.json", [policy("deploy", allowing("submit-job"))]);
    expect(await diff("--before", before, "--after", after, "--fail-on", "widened")).toMatchObject({ status: 3 });
    const data = z
      .object({ rights: z.array(z.object({ holder: z.unknown(), relation: z.string(), differences: z.array(z.unknown()).min(1) })) })
      .parse(JSON.parse((await diff("--before", before, "--after", after, "--json")).out));
    expect(data.rights).toMatchObject([{ holder: { kind: "role", name: "deployers" }, relation: "changed" }]);
  });
});

test("a policy that equals management from now on is reported for its holders, also if a new token gets it", async () => {
  const [before, after] = ["read", "write"].map((level) => policy("p", `operator { policy = "${level}" }`));
  const token = stored("AclToken", "t", { name: "t", type: "client", policies: ["p"], roles: [] });
  const of = (one: object | undefined) => stored("AclPolicy", "p", one ?? {});
  expect(await states([of(before)], [of(after), token])).toContainEqual(
    "- tokens with the policy `p` may now do everything, because operator:write equals management: use operator:write [management, widened]",
  );
});

describe("gained and lost policies", () => {
  const deploy = policy("deploy", allowing("submit-job", "read-job"));
  const few = policy("few", allowing("read-job"));
  const admin = policy("admin", 'operator { policy = "write" }');
  const all = [deploy, few, admin];
  const sides = async (before: Parameters<typeof stateOf>, after: Parameters<typeof stateOf>) =>
    (await between(stateOf(...before), stateOf(...after))).lines;

  test("are reported as permissions of a role's holders", async () => {
    const was = { ...role, policies: ["few"] };
    const by = "to logins of `sso` with `releases in list.groups`";
    expect(await sides(["a.json", all, [was]], ["b.json", all, [{ ...role, policies: ["few", "deploy"] }]])).toEqual([
      `- the role \`deployers\` also gives \`deploy\` ${by} [widened]`,
      "- tokens with the role `deployers` may also submit jobs in the namespace `prod` (policy `deploy`) [widened]",
    ]);
    // A right that the role has already is not reported.
    expect(await sides(["a.json", all, [role]], ["b.json", all, [{ ...role, policies: ["few", "deploy"] }]])).toEqual([
      `- the role \`deployers\` also gives \`few\` ${by}`,
    ]);
    expect(await sides(["a.json", all, [was]], ["b.json", all, [{ ...role, policies: ["few", "admin"] }]])).toEqual([
      `- the role \`deployers\` also gives \`admin\` ${by} [management, widened]`,
      "- tokens with the role `deployers` may now do everything, because operator:write equals management: use operator:write " +
        "(policy `admin`) [management, widened]",
    ]);
    // An additional policy may take rights away.
    const denying = [...all, policy("none", 'namespace "prod" { policy = "deny" }')];
    expect(await sides(["a.json", denying, [was]], ["b.json", denying, [{ ...role, policies: ["few", "none"] }]])).toEqual([
      "- tokens with the role `deployers` may no longer read jobs in the namespace `prod` (policy `none`) [narrowed]",
      `- the role \`deployers\` also gives \`none\` ${by}`,
    ]);
  });

  test("are reported for logins as the permissions of their new role or policy", async () => {
    const direct = { ...rule, bindType: "policy", bindName: "deploy" };
    const logins = "- logins of `sso` with `releases in list.groups`";
    const may = "which may submit jobs, read jobs in the namespace `prod`";
    const none: Parameters<typeof stateOf> = ["a.json", all, [role], { AclBindingRule: [] }];
    expect(await sides(none, ["b.json", all])).toEqual([`${logins} gain the role \`deployers\` (\`deploy\`), ${may} [widened]`]);
    expect(await sides(none, ["b.json", all, [role], { AclBindingRule: [direct] }])).toEqual([
      `${logins} gain the policy \`deploy\`, ${may} [widened]`,
    ]);
    expect(await sides(none, ["b.json", all, [{ ...role, policies: ["admin"] }]])).toContainEqual(
      `${logins} gain the role \`deployers\` (\`admin\`), which may do everything, because operator:write equals management: ` +
        "use operator:write [management, widened]",
    );
    const half = [...all, policy("none", 'namespace "prod" { policy = "deny" }')];
    const partly = { ...role, policies: ["none", "unmanaged"] };
    expect(await sides(["a.json", half, [partly], { AclBindingRule: [] }], ["b.json", half, [partly]])).toContainEqual(
      `${logins} gain the role \`deployers\` (\`none\`, \`unmanaged\`), which may do nothing, and the permissions of \`unmanaged\` are unknown [widened]`,
    );
    // A holder of the right to submit a job has the rights of its tasks.
    const ofTasks = [...all, { ...policy("tasks", 'operator { policy = "write" }'), jobAcl: { namespace: "prod", jobId: "api" } }];
    expect(await sides(["a.json", ofTasks, [role], { AclBindingRule: [] }], ["b.json", ofTasks])).toEqual([
      expect.stringMatching(/may do everything, because `it may submit the job api of [^`]*`: submit jobs, .* \[management, widened\]$/),
    ]);
  });

  test("are reported for tokens by name, and for their roles once", async () => {
    const token = (policies: string[]) => ({ AclToken: [{ id: "1", name: "ci", type: "client", policies, roles: ["deployers"] }] });
    expect(await sides(["a.json", all, [role], token([])], ["b.json", all, [role], token(["few"])])).toEqual([
      "- the token `ci` gains the policy `few`",
    ]);
    expect(await sides(["a.json", all, [role], token([])], ["b.json", all, [{ ...role, policies: ["few"] }], token([])])).toEqual([
      expect.stringMatching(/^- the role `deployers` no longer gives `deploy` .*\[narrowed\]$/),
      expect.stringMatching(/^- tokens with the role `deployers` may no longer submit jobs .*\[narrowed\]$/),
      expect.stringMatching(/^- the role `deployers` also gives `few`/),
    ]);
  });

  test("are reported for everybody by the policy anonymous, and for tasks", async () => {
    const anonymous = policy("anonymous", allowing("read-job"));
    expect(await sides(["a.json", all], ["b.json", [...all, anonymous]])).toEqual([
      "- everybody, without a token, may also read jobs in the namespace `prod` (policy `anonymous`) [widened]",
    ]);
    const ofTasks = { ...few, jobAcl: { namespace: "prod" } };
    expect(await sides(["a.json", all], ["b.json", [deploy, ofTasks, admin]])).toEqual([
      "- tasks of `any job of the namespace prod` may also read jobs in the namespace `prod` (policy `few`) [widened]",
    ]);
  });
});

test("a deleted policy is reported with the roles, tokens and rules that still name it", async () => {
  const more = {
    AclToken: [{ name: "ci", type: "client", policies: ["deploy"] }],
    AclBindingRule: [rule, { ...rule, bindType: "policy", bindName: "deploy", description: "By hand" }],
  };
  const before = stateOf("before.json", [policy("deploy", "")], [role], more);
  expect((await between(before, stateOf("after.json", [], [role], more))).lines).toEqual([
    "- the policy `deploy` goes, while the role `deployers` and the token `ci` and the rule `By hand` still name it [dangling]",
  ]);
  expect((await between(before, stateOf("after.json", [], [role]))).lines).toContainEqual(
    "- the policy `deploy` goes, while the role `deployers` still names it [dangling]",
  );
});

test("new, deleted and changed tokens are reported by their grants, and management as such", async () => {
  const sides = async (before: object[], after: object[]) =>
    (await between(stateOf("before.json", [], [role], { AclToken: before }), stateOf("after.json", [], [role], { AclToken: after }))).lines;
  const client = { name: "ci", type: "client", policies: ["deploy"], roles: ["deployers"] };
  const management = { name: "ci", type: "management" };
  expect(await sides([client], [client])).toEqual(same);
  expect(await sides([], [client])).toEqual(["- the token `ci` is new, and has the role `deployers` and the policy `deploy` [widened]"]);
  expect(await sides([client], [])).toEqual(["- the token `ci` goes, and its holders lose what it gave [narrowed]"]);
  expect(await sides([client], [{ ...client, policies: ["admin"] }])).toEqual([
    "- the token `ci` gains the policy `admin` [widened]",
    "- the token `ci` loses the policy `deploy` [narrowed]",
  ]);
  expect(await sides([], [management])).toEqual([
    "- the token `ci` is new, and is one of management, which may do everything [management, widened]",
  ]);
  expect(await sides([client], [management])).toEqual([
    "- the token `ci` becomes one of management, which may do everything [management, widened]",
  ]);
  expect(await sides([], [{ ...client, roles: unknownMarker }])).toEqual([
    "- the token `ci` is new, and its grants are unknown here: `roles` is secret, or unknown [undecided, management]",
  ]);
  expect(await sides([management], [client])).toEqual([
    "- the token `ci` is no longer one of management, and has the role `deployers` and the policy `deploy` [narrowed]",
  ]);
});

test("tasks have the combined policies of task, group, job and namespace, and the report has the change of each of these places", async () => {
  const of = (name: string, rules: string, group?: string, jobId: string | undefined = "web") => {
    return { ...policy(name, rules), jobAcl: { namespace: "dev", ...(jobId && { jobId }), ...(group && { group }) } };
  };
  const sides = async (before: object[], after: object[]) =>
    (await between(stateOf("before.json", before), stateOf("after.json", after))).lines;
  const all = of("all", allowing("submit-job", "read-job"));
  const guard = of("guard", 'namespace "prod" { policy = "deny" }', "g");
  const gain = expect.stringMatching(/^- tasks of .*the group g of the job web of the namespace dev.* may also submit jobs.*\[widened\]$/);
  const lost = expect.stringMatching(/^- with other grants, the policy `guard` no longer denies .* in the namespace `prod` \[widened\]$/);
  expect(await sides([all, guard], [all])).toEqual([gain, lost]);
  expect(await sides([all, guard], [all, of("guard", 'namespace "other" { policy = "deny" }', "g")])).toEqual([
    gain,
    lost,
    expect.stringMatching(/^- with other grants, the policy `guard` denies .* in the namespace `other` \[narrowed\]$/),
  ]);
  expect(await sides([all, guard], [all, of("guard", 'namespace "prod" { policy = "deny" }', "h")])).toEqual([
    gain,
    expect.stringMatching(
      /^- with other policies of its former job, the policy `guard` no longer denies .* run commands in tasks, .* \[widened\]$/,
    ),
    expect.stringMatching(/^- tasks of .*the group h of .* may no longer submit jobs.*\[narrowed\]$/),
  ]);
  // The same change within a place is reported once, and not for tasks whose other policies prevent it.
  const few = of("few", allowing("list-jobs"), "few");
  expect(await sides([all, guard, few], [of("all", allowing("submit-job", "read-job", "read-logs")), guard, few])).toEqual([
    expect.stringMatching(/^- tasks of `?the job web of the namespace dev`? may also read logs .*\[widened\]$/),
  ]);
  // A holder of the right to submit a job gets the combined rights of its policies.
  const power = of("power", 'operator { policy = "write" }');
  const without = stateOf("without.json", [policy("deploy", ""), power, of("no", 'operator { policy = "deny" }', undefined, "")]);
  const submits = (more: object[]) => [policy("deploy", 'namespace "dev" { policy = "write" }'), power, ...more];
  const by = async (more: object[]) => (await between(without, stateOf("b.json", submits(more)))).lines.join("\n");
  expect(await by([of("no", 'operator { policy = "deny" }', undefined, "")])).not.toContain("everything");
  expect(await by([])).toContain("tokens with the role `deployers` may now do everything");
});

test("tokens of one name do not hide each other: unchanged ones are no change, and ones without a pair are new or deleted", async () => {
  const sides = async (before: object[], after: object[]) => {
    const policies = [policy("admin", 'operator { policy = "write" }'), policy("few", allowing("read-job"))];
    const of = (name: string, tokens: object[]) => stateOf(name, policies, [role], { AclToken: tokens });
    const { lines } = await between(of("before.json", before), of("after.json", after));
    expect(lines.at(-1)).toMatch(/^tokens that share a name \("ci"\) may have exchanged/);
    return lines.slice(0, -1);
  };
  const token = (...policies: string[]) => ({ name: "ci", type: "client", policies });
  const management = { name: "ci", type: "management" };
  expect(await sides([token("few")], [token("admin"), token("few")])).toEqual([
    "- a token `ci` is new, and has the policy `admin` [management, widened]",
    expect.stringMatching(/^- a token `ci` may now do everything, because operator:write equals management: .*\[management, widened\]$/),
  ]);
  expect(await sides([token("few")], [management, token("few")])).toEqual([
    "- a token `ci` is new, and is one of management, which may do everything [management, widened]",
  ]);
  expect(await sides([token("few"), token("few"), management], [management, token("few")])).toEqual([
    "- a token `ci` goes, and its holders lose what it gave [narrowed]",
  ]);
  expect(await sides([token("few"), token()], [token(), management])).toEqual([
    "- a token `ci` becomes one of management, which may do everything [management, widened]",
  ]);
});

test("permission to write volumes is reported of a role that cannot read plugins, because another one may", async () => {
  expect(await changed(allowing("list-jobs"), allowing("list-jobs", "csi-write-volume"))).toEqual([
    "- tokens with the role `deployers` may also write CSI volumes in the namespace `prod` (policy `deploy`) [widened]",
  ]);
  const list = 'plugin { policy = "list" }';
  expect(await changed(`${allowing("list-jobs")} ${list}`, `${allowing("list-jobs", "csi-write-volume")} ${list}`)).toEqual([
    "- tokens with the role `deployers` may also write CSI volumes in the namespace `prod` (policy `deploy`) [widened]",
  ]);
});

test("permission to read plugins brings permission to write and mount volumes, also for tokens without another policy", async () => {
  const [old, now] = [allowing("list-jobs", "csi-write-volume"), `${allowing("list-jobs", "csi-write-volume")} plugin { policy = "read" }`];
  const words = "write CSI volumes in the namespace `prod`; use plugin:list-csi; use plugin:read (policy `deploy`)";
  expect(await changed(old, now)).toEqual([`- tokens with the role \`deployers\` may also ${words} [widened]`]);
  expect(await changed(now, old)).toEqual([`- tokens with the role \`deployers\` may no longer ${words} [narrowed]`]);
});

test("two policies of one name are undecided, because either may be the server's", async () => {
  const one = policy("deploy", allowing("read-job"));
  const other = policy("deploy", 'operator { policy = "write" }');
  const line = '- `policy "deploy"` can\'t be compared: `name` also belongs to another object [undecided, management]';
  expect((await between(stateOf("before.json", [one]), stateOf("after.json", [other, one]))).lines).toEqual([line]);
  expect((await between(stateOf("before.json", [one, other]), stateOf("after.json", [one]))).lines).toEqual([line]);
});
