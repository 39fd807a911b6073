/** Changes that seem to give nobody more, but may. */
import { pluginToken } from "../provider/configuration/tokens";
import { between, diff, file, method, rule, useFolder } from "../test/support/diff";

useFolder();

type Objects = Readonly<Record<string, readonly object[]>>;
const admin = 'operator { policy = "write" }';
const adm = { name: "adm", rules: admin };
const same = ["Logins get what they got before."];
const urnOf = (kind: string, name: string) => `urn:pulumi:dev::p::${pluginToken(kind)}::${name}`;

async function lines(before: Objects, after: Objects): Promise<string[]> {
  const of = (name: string, objects: Objects) => file(name, { format: 1, objects });
  return (await between(of("before.json", before), of("after.json", after))).lines;
}

async function previewed(...steps: object[]): Promise<string[]> {
  return (await diff("--preview", file("preview.json", { steps }))).out.split("\n").slice(0, -1);
}

const created = (kind: string, name: string, inputs: object) => {
  const urn = urnOf(kind, name);
  return { op: "create", urn, newState: { urn, type: pluginToken(kind), inputs } };
};

describe("a replaced token", () => {
  const state = (name: string, id: string, server: string, more: object = {}) => {
    const outputs = { name: "ci", type: "management", policies: [], roles: [], global: false, ...more, server };
    return file(name, { deployment: { resources: [{ urn: urnOf("AclToken", "t"), type: pluginToken("AclToken"), id, outputs }] } });
  };
  const [eu, us] = ["https://n.test:4646 region eu", "https://n.test:4646 region us"];

  test("in another region is valid there now", async () => {
    const said = "- the token `ci` is valid on `https://n.test:4646 region us` instead of `https://n.test:4646 region eu`";
    const moved = await between(state("a.json", "1", eu), state("b.json", "2", us));
    expect(moved.lines).toEqual([`${said} [management, widened, narrowed]`]);
    const client = { type: "client", policies: ["few"] };
    expect((await between(state("a.json", "1", eu, client), state("b.json", "2", us, client))).lines).toEqual([
      `${said} [widened, narrowed]`,
    ]);
    expect((await between(state("a.json", "1", eu), state("b.json", "2", eu))).lines).toEqual(same);
    const everywhere = { global: true };
    expect((await between(state("a.json", "1", eu, everywhere), state("b.json", "2", us, everywhere))).lines).toEqual(same);
  });

  test("by a provider of another region is valid there in a preview, too", async () => {
    const provider = (region: string) => `urn:pulumi:dev::p::pulumi:providers:agentpool-acl::${region}::1`;
    const of = (name: string, region: string) => {
      const inputs = { name, type: "management", global: false };
      const known = { urn: urnOf("AclToken", name), type: pluginToken("AclToken"), inputs, provider: provider(region) };
      return { ...known, id: name, outputs: { ...inputs, server: `https://n.test:4646 region ${region}` } };
    };
    const [oldState, newState] = [of("ci", "eu"), { ...of("ci", "us"), id: undefined, outputs: undefined }];
    const steps = ["create-replacement", "replace", "delete-replaced"].map((op) => ({
      ...{ op, urn: oldState.urn, oldState },
      ...(op !== "delete-replaced" && { newState }),
    }));
    const { outputs, ...other } = of("other", "us");
    const unchanged = { op: "same", urn: other.urn, oldState: { ...other, outputs }, newState: other };
    expect(await previewed(...steps, unchanged)).toEqual([
      expect.stringMatching(/is valid on .* us` instead of .* \[management, widened, narrowed\]$/),
    ]);
  });
});

test.each([
  ["AclRole", { name: "ops", policies: ["adm"] }, "role"],
  ["AclPolicy", { name: "ops", rules: admin }, "policy"],
  ["AclAuthMethod", { ...method, name: "ops" }, "auth method"],
])("a create with overwrite leaves the former grants of the object open: %s", async (kind, inputs, words) => {
  const open = `- \`${words} "ops"\` can't be compared: \`adopt\` lets it write over an object of that name [undecided, management]`;
  expect(await previewed(created(kind, "x", { ...inputs, adopt: "overwrite" }))).toContainEqual(open);
  // `adopt: true` takes over an equal object only.
  expect(await previewed(created(kind, "x", { ...inputs, adopt: true }))).toEqual(same);
});

test("states of two clusters prove nothing about each other", async () => {
  const of = (name: string, server: string) => {
    const stored = (kind: string, id: string, outputs: object) => {
      return { urn: urnOf(kind, id), type: pluginToken(kind), id, outputs: { ...outputs, server } };
    };
    const resources = [
      stored("AclAuthMethod", "sso", method),
      stored("AclBindingRule", "r", { ...rule, bindType: "management", bindName: "" }),
    ];
    return file(name, { deployment: { resources } });
  };
  const { lines: said } = await between(of("a.json", "https://one.test"), of("b.json", "https://two.test"));
  expect(said).toEqual([
    expect.stringMatching(
      /^- not checked: what .* because `.*a\.json` is of `https:..one\.test`, and `.*b\.json` of `https:..two\.test` \[undecided, management\]$/,
    ),
  ]);
  expect((await between(of("a.json", "https://one.test"), of("b.json", "https://ONE.test:443/"))).lines).toEqual(same);
});

describe("the loss of a policy with unknown rules may be the loss of a deny", () => {
  const binds = (id: string, bindName: string, more: object = {}) => ({ ...rule, id, bindName, selector: "", ...more });
  const roles = { AclRole: [{ id: "a", name: "a", policies: ["adm"] }], AclPolicy: [adm], AclAuthMethod: [method] };

  test.each([
    ["a role with unknown policies", binds("2", "d"), [{ id: "d", name: "d", policies: ["other"] }]],
    ["a missing role", binds("2", "d"), []],
    ["a missing policy", binds("2", "d", { bindType: "policy" }), []],
  ])("for logins: %s", async (_, lost, more) => {
    const of = (...rules: object[]) => ({ ...roles, AclRole: [...roles.AclRole, ...more], AclBindingRule: rules });
    expect(await lines(of(binds("1", "a"), lost), of(binds("1", "a")))).toEqual([
      expect.stringMatching(
        /^- logins of `sso` that get `a` may do more: the rules of the (role|policy) `d` are not known, and may have denied it before \[undecided, management\]$/,
      ),
      expect.stringMatching(/^- logins of `sso` with any claims lose the (role|policy) `d`[^;]* \[narrowed\]$/),
    ]);
    expect(await lines(of(lost), of())).toEqual([expect.stringMatching(/ lose the (role|policy) `d`[^;]* \[narrowed\]$/)]);
  });

  test("for roles and tokens", async () => {
    const role = (...policies: string[]) => ({ ...roles, AclRole: [{ id: "a", name: "a", policies }] });
    const open = expect.stringMatching(/may do everything, or more or less: .* \[undecided, management\]$/);
    expect(await lines(role("other", "adm"), role("adm"))).toContainEqual(open);
    const token = (more: object) => ({
      AclPolicy: [adm],
      AclToken: [{ id: "t", name: "ci", type: "client", policies: ["adm"], roles: [], ...more }],
    });
    expect(await lines(token({ roles: ["other"] }), token({}))).toContainEqual(open);
    expect(await lines(token({ policies: ["other", "adm"] }), token({}))).toContainEqual(open);
  });
});

describe("the loss of a policy with unknown rules is undecided if the others are unknown, too", () => {
  const binds = (id: string, bindType: string, bindName: string, selector = "") => ({ ...rule, id, bindName, bindType, selector });
  const [lost, kept] = [binds("1", "policy", "f1"), binds("2", "policy", "f2")];
  const role = (...policies: string[]) => ({ id: "r", name: "r", policies });
  const sso = { ...method, config: { ...method.config, claimMappings: { team: "team" } } };
  const logins = (AclRole: object[], ...AclBindingRule: object[]) => ({ AclAuthMethod: [sso], AclRole, AclBindingRule });
  const token = (policies: string[], roles: string[] = []) => ({
    AclRole: [role("f1")],
    AclToken: [{ id: "t", name: "ci", type: "client", policies, roles }],
  });
  const open = expect.stringMatching(/ may do (more|everything, or more or less): .* \[undecided, management\]$/);

  test.each([
    ["a policy of a token", token(["f1", "f2"]), token(["f2"])],
    ["a role of a token", token(["f2"], ["r"]), token(["f2"])],
    ["a missing role of a token", token([], ["x", "y"]), token([], ["y"])],
    ["a policy of a role", { AclRole: [role("f1", "f2")] }, { AclRole: [role("f2")] }],
    ["a policy of logins", logins([], lost, kept), logins([], kept)],
    ["a policy of fewer logins", logins([], lost, kept), logins([], { ...lost, selector: "ops in list.groups" }, kept)],
    ["a missing role of logins", logins([], binds("1", "role", "x"), binds("2", "role", "y")), logins([], binds("2", "role", "y"))],
    ["a computed role of logins", logins([], binds("1", "role", "x-$" + "{value.team}"), kept), logins([], kept)],
    [
      "a policy of a role of logins",
      logins([role("f1")], binds("1", "role", "r"), kept),
      logins([role("f3")], binds("1", "role", "r"), kept),
    ],
  ])("%s", async (_, before, after) => {
    expect(await lines(before, after)).toContainEqual(open);
  });

  test.each([
    ["the only policy of a token", token(["f1"]), token([])],
    ["a policy that another role still gives", token(["f1", "f2"], ["r"]), token(["f2"], ["r"])],
    ["a policy in exchange for another", token(["f1"]), token(["f2"])],
    [
      "a policy of other logins",
      logins([], { ...lost, selector: "ops in list.groups" }, { ...kept, selector: "ops not in list.groups" }),
      logins([], { ...kept, selector: "ops not in list.groups" }),
    ],
  ])("not %s", async (_, before, after) => {
    expect(await lines(before, after)).not.toContainEqual(expect.stringContaining("undecided"));
  });
});

describe("a role outside of the objects may name a new policy already", () => {
  const none = { AclPolicy: [], AclRole: [] };
  const binds = { ...none, AclAuthMethod: [method], AclBindingRule: [{ ...rule, id: "1", bindName: "others", selector: "" }] };
  const token = (...roles: string[]) => ({ ...none, AclToken: [{ id: "t", name: "ci", type: "client", policies: [], roles }] });
  const said = (kinds: string, role = "others") =>
    `- the policy \`p\` is new, and a role with unknown policies may name it: \`${role}\` [${kinds}]`;
  const policies = (rules: string) => ({ AclPolicy: [{ name: "p", rules }] });

  test.each([
    ["a rule", binds],
    ["a token", token("others")],
  ])("by %s", async (_, given) => {
    expect(await lines(given, { ...given, ...policies(admin) })).toEqual([said("undecided, management")]);
    expect(await lines(given, { ...given, ...policies('node { policy = "read" }') })).toEqual([said("undecided")]);
    expect(await lines(given, { ...given, ...policies('node { policy = "deny" }') })).toEqual(same);
  });

  test("by a rule that computes its name", async () => {
    const teams = { ...binds, AclAuthMethod: [{ ...method, config: { claimMappings: { team: "team" } } }] };
    const bindName = "team-$" + "{value.team}";
    const given = { ...teams, AclBindingRule: [{ ...rule, id: "1", bindName }] };
    expect(await lines(given, { ...given, ...policies(admin) })).toEqual([said("undecided, management", bindName)]);
  });

  test("but a role among the objects does not, because all its policies are known", async () => {
    const role = { AclRole: [{ id: "r", name: "others", policies: ["few"] }] };
    expect(await lines({ ...binds, ...role }, { ...binds, ...role, ...policies(admin) })).toEqual(same);
    expect(await lines({ ...token("r"), ...role }, { ...token("r"), ...role, ...policies(admin) })).toEqual(same);
    // A role that goes gives nothing more.
    expect(await lines({ ...binds, ...role }, { ...binds, ...policies(admin) })).not.toContainEqual(said("undecided, management"));
  });
});

describe("a deny that a policy gains or loses matters to another policy with unknown rules", () => {
  const [few, read] = ['node { policy = "read" }', 'namespace "prod" { policy = "read" }'];
  const binds = (id: string, bindName: string, bindType = "role") => ({ ...rule, id, bindName, bindType, selector: "" });
  const of = (rules: string, ...bound: object[]) => ({
    AclAuthMethod: [method],
    AclRole: [{ id: "a", name: "a", policies: ["p"] }],
    AclPolicy: [{ name: "p", rules }],
    AclBindingRule: bound,
  });
  const said = (kinds: string) =>
    `- logins of \`sso\` that get \`d\` may do more: they get policies with unknown rules, and the role \`a\` may take less from these than before [${kinds}]`;

  test.each([["role"], ["policy"]])("for logins that also have an unmanaged %s", async (kind) => {
    const both = [binds("1", "a"), binds("2", "d", kind)];
    expect(await lines(of(`${few} ${read}`, ...both), of(few, ...both))).toContainEqual(said("undecided"));
    expect(await lines(of('operator { policy = "deny" }', ...both), of(few, ...both))).toContainEqual(said("undecided, management"));
    // A lost policy no longer denies anything.
    expect(await lines(of('operator { policy = "deny" }', ...both), of('operator { policy = "deny" }', ...both.slice(1)))).toContainEqual(
      said("undecided, management"),
    );
    expect(await lines(of(few, ...both), of(`${few} ${read}`, ...both))).not.toContainEqual(expect.stringContaining("unknown rules"));
    const denies = 'operator { policy = "deny" }';
    const less =
      "- logins of `sso` that get `d` may do less: they get policies with unknown rules, and the role `a` denies more than before [undecided]";
    expect(await lines(of(few, ...both), of(denies, ...both))).toContainEqual(less);
    expect(await lines(of(denies, ...both.slice(1)), of(denies, ...both))).toContainEqual(less);
  });

  test("for a role and a token with both policies", async () => {
    const denies = { AclPolicy: [{ name: "p", rules: 'operator { policy = "deny" }' }] };
    const open = expect.stringMatching(/may do everything, or more or less: the rules of the policy `other` .* \[undecided, management\]$/);
    const role = (...policies: string[]) => ({ ...denies, AclRole: [{ id: "a", name: "a", policies }] });
    expect(await lines(role("other", "p"), role("other"))).toContainEqual(open);
    const token = (...policies: string[]) => ({ ...denies, AclToken: [{ id: "t", name: "ci", type: "client", policies }] });
    expect(await lines(token("other", "p"), token("other"))).toContainEqual(open);
  });
});

test("a kind that only one of two exports has was not read for the other", async () => {
  const all = {
    ...{ AclAuthMethod: [method], AclBindingRule: [rule], AclRole: [{ name: "deployers", policies: ["adm"] }], AclPolicy: [adm] },
    AclToken: [{ name: "ci", type: "client", policies: ["adm"] }],
  };
  for (const kind of Object.keys(all)) {
    const { [kind]: _, ...rest } = all as Objects;
    const open = `- objects of the kind \`${kind}\` could not be read, and can't be compared [undecided, management]`;
    expect(await lines(all, rest)).toContainEqual(open);
    expect(await lines(rest, all)).toContainEqual(open);
    // Others may have made objects of the kind since.
    expect(await lines({ ...rest, [kind]: [] }, rest)).toContainEqual(open);
    expect(await lines({ ...rest, [kind]: [] }, { ...rest, [kind]: [] })).toEqual(same);
    expect(await lines(all, { ...rest, [kind]: [] })).not.toContainEqual(open);
  }
  const { AclPolicy: _, ...rest } = all;
  const [before, after] = [file("a.json", { format: 1, objects: all }), file("b.json", { format: 1, objects: rest })];
  const { status, errors } = await diff("--before", before, "--after", after);
  expect({ status, errors }).toEqual({
    status: 4,
    errors: expect.stringMatching(/b\.json was made without this kind, and .*a\.json has it/),
  });
});

test("the last line names the kinds that were not looked at", async () => {
  const sides = (objects: Objects) => [
    "--before",
    file("a.json", { format: 1, objects }),
    "--after",
    file("b.json", { format: 1, objects }),
  ];

  const printed = async (...args: string[]) => (await diff(...args)).out;
  const usual = { AclAuthMethod: [], AclPolicy: [], AclRole: [], AclBindingRule: [] };
  const unread = sides(usual);
  const said = "Not looked at: AclToken (neither side has any). This only covers the compared objects, as the files have them.";
  expect((await printed(...unread)).split("\n").at(-1)).toContain(said);
  expect((await printed(...unread, "--markdown")).split("\n").at(-1)).toContain(said);
  expect(JSON.parse(await printed(...unread, "--json")).notLookedAt).toEqual(["AclToken"]);
  expect(await printed(...sides({ AclRole: [] }))).toContain("Not looked at: AclAuthMethod, AclPolicy, AclBindingRule, AclToken (neither");
  const known = sides({ ...usual, AclToken: [] });
  expect(await printed(...known)).not.toContain("Not looked at");
  expect(JSON.parse(await printed(...known, "--json")).notLookedAt).toEqual([]);
  const token = created("AclToken", "robot", { type: "client", policies: ["p"] });
  expect(await printed("--preview", file("preview.json", { steps: [token] }))).not.toContain("Not looked at");
});

test("a value of an unknown form counts as unknown", async () => {
  const token = (more: object) => ({ AclToken: [{ id: "t", name: "ci", type: "management", policies: [], roles: [], ...more }] });
  for (const more of [{ global: "true" }, { expirationTtl: 3600 }, { expirationTime: 0 }]) {
    expect(await lines(token({}), token(more))).toEqual([expect.stringMatching(/can't be compared \[undecided, management\]$/)]);
  }
  const policy = (more: object) => ({ AclPolicy: [{ ...adm, ...more }], AclRole: [{ name: "a", policies: ["adm"] }] });
  expect(await lines(policy({ rules: "" }), policy({ rules: { node: "read" } }))).toEqual([
    expect.stringMatching(/the rules of the policy `adm` are not known after the change \[undecided, management\]$/),
  ]);
  for (const jobAcl of ["prod", { namespace: 5 }]) {
    expect(await lines(policy({}), policy({ jobAcl }))).toEqual([
      expect.stringMatching(/^- tasks of `an unknown job` may now do everything, .* \[management, widened\]$/),
    ]);
  }
});

test("an incomparable value of a method may give its logins more, management as well", async () => {
  const of = (more: object) => ({
    AclAuthMethod: [{ ...method, maxTokenTtl: "1h", ...more }],
    AclBindingRule: [{ ...rule, id: "1", bindType: "management", bindName: "" }],
  });
  const open = [expect.stringMatching(/ instead of .* \[undecided, management\]$/)];
  expect(await lines(of({ maxTokenTtl: undefined }), of({ maxTokenTtl: "24h" }))).toEqual(open);
  expect(await lines(of({ maxTokenTtl: "1h" }), of({ maxTokenTtl: "1d" }))).toEqual(open);
  expect(await lines(of({}), of({ tokenLocality: "everywhere" }))).toEqual(open);
});

test("an object without a name, description and ID is named by its grant, or by its name in the program", async () => {
  const of = (...roles: object[]) => ({
    AclAuthMethod: [method],
    AclRole: roles,
    AclBindingRule: [{ ...rule, description: "", selector: "" }],
  });
  expect(await lines(of({ name: "deployers", policies: ["deploy"] }), of())).toContainEqual(
    "- the role `deployers` goes, while the rule `sso, deployers` still binds it, and gives nothing [dangling]",
  );
  expect(await previewed(created("AclToken", "robot", { type: "client", policies: ["p"] }))).toEqual([
    "- the token `robot` is new, and has the policy `p` [widened]",
  ]);
});

test("pools are not compared, and the report says so if some change", async () => {
  const pool = { name: "builders", organizationScoped: true };
  const said = [...same, "agent pools, or tokens of agents, change; who may use a pool is not compared."];
  expect(await previewed(created("AgentPool", "p", pool))).toEqual(said);
  const of = (more: object) => ({ AgentPool: [{ id: "apool-1", organization: "acme", ...pool, ...more }] });
  expect(await lines(of({}), of({ organizationScoped: false }))).toEqual(said);
  expect(await lines(of({}), of({}))).toEqual(same);
});

describe("a token whose state links its role by ID", () => {
  const stored = (kind: string, id: string, outputs: object) => ({ urn: urnOf(kind, id), type: pluginToken(kind), id, outputs });
  const roles = [stored("AclRole", "2", { name: "dev", policies: ["adm"] }), stored("AclPolicy", "adm", adm)];
  const linked = (id: string) =>
    stored("AclToken", "t", { name: "ci", type: "client", roles: ["dev"], linkedRoles: [{ id, name: "dev" }] });
  const state = (name: string, ...resources: object[]) => file(name, { deployment: { resources } });

  test("gains that role if it held an older one of the same name", async () => {
    const { lines } = await between(state("a.json", ...roles, linked("1")), state("b.json", ...roles, linked("2")));
    expect(lines).toContainEqual("- the token `ci` gains the role `dev` [management, widened]");
    expect((await between(state("a.json", ...roles, linked("2")), state("b.json", ...roles, linked("2")))).lines).toEqual(same);
    expect((await between(state("a.json", linked("1")), state("b.json", linked("1")))).lines).toEqual(same);
  });

  test("may gain something by another role of the same name outside of the state", async () => {
    const { lines } = await between(state("a.json", linked("1")), state("b.json", linked("2")));
    expect(lines).toContainEqual("- the token `ci` gains the role `2` [widened]");
  });

  test("loses a role that goes, though another takes its name", async () => {
    const old = stored("AclRole", "1", { name: "dev", policies: ["adm"] });
    const { lines } = await between(state("a.json", old, ...roles.slice(1), linked("1")), state("b.json", ...roles, linked("1")));
    expect(lines).toContainEqual("- the token `ci` loses the role `dev` [narrowed]");
  });
});

test("commands in tasks of a job whose policy equals management may be management", async () => {
  const job = { ...adm, jobAcl: { namespace: "ops", jobId: "backup" } };
  const execute = { name: "exec", rules: 'namespace "ops" { capabilities = ["alloc-exec"] }' };
  const elsewhere = { name: "exec", rules: 'namespace "web" { capabilities = ["alloc-exec"] }' };
  const none = { name: "exec", rules: "" };
  const access = { AclAuthMethod: [method], AclBindingRule: [{ ...rule, bindType: "policy", bindName: "exec" }] };
  const kindsOf = async (before: object, after: object) =>
    (await lines({ ...access, AclPolicy: [job, before] }, { ...access, AclPolicy: [job, after] })).join();
  expect(await kindsOf(none, execute)).toContain("[management, widened]");
  expect(await kindsOf(none, elsewhere)).toMatch(/\[widened\]$/);
});

test("another way to management counts, because a deny of another policy may remove the first way", async () => {
  const submit = 'namespace "*" { capabilities = ["submit-job"] }';
  const bound = (id: string, bindName: string) => ({ ...rule, id, bindType: "policy", bindName, selector: "" });
  const of = (rules: string) => ({
    AclAuthMethod: [method],
    AclBindingRule: [bound("1", "few"), bound("2", "p")],
    AclPolicy: [
      { name: "few", rules: 'namespace "*" { policy = "deny" }' },
      { name: "p", rules },
      { ...adm, jobAcl: { namespace: "ops" } },
    ],
  });
  const gained = expect.stringMatching(/^- tokens with the policy `p` may also use operator:write.* \[management, widened\]$/);
  expect(await lines(of(submit), of(`${submit} ${admin}`))).toEqual([gained]);
  expect(await lines(of(`${submit} ${admin}`), of(`${submit} ${admin} node { policy = "read" }`))).toEqual([
    expect.stringMatching(/\[widened\]$/),
  ]);
});
