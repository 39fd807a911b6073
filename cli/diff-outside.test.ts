/** Changes by objects that the compared sources do not show, or show under another identity. */
import { between, method, rule, useFolder } from "../test/support/diff";
import {
  exportOf,
  exports,
  type Options,
  policy,
  previewed,
  type Stored,
  stateOf,
  states,
  stored,
  unchanged,
} from "../test/support/diff-sources";

useFolder();

const [admin, deny, read] = ["write", "deny", "read"].map((level) => `operator { policy = "${level}" }`);
const same = ["Logins get what they got before."];

describe("a computed name may be the name of a role that only the server has", () => {
  const bindName = "team-$" + "{value.team}";
  const teams = { ...method, config: { claimMappings: { team: "team" } } };
  const computed = stored("AclBindingRule", "1", { ...rule, bindName, selector: "" });
  const known = [stored("AclAuthMethod", "sso", teams), computed, stored("AclRole", "team-a", { name: "team-a", policies: ["few"] })];
  const few = policy("few", read);

  test("and may name a new policy already", async () => {
    const said = `- the policy \`p\` is new, and a role with unknown policies may name it: \`${bindName}\` [undecided, management]`;
    expect(await states([...known, few], [...known, few, policy("p", admin)])).toEqual([said]);
    // An export has all roles.
    const all = { AclAuthMethod: [teams], AclBindingRule: [computed.inputs], AclRole: [{ name: "team-a", policies: ["few"] }] };
    const [before, after] = [[few.inputs], [few.inputs, { name: "p", rules: admin }]].map((AclPolicy) => ({ ...all, AclPolicy }));
    expect(await exports(before ?? {}, after ?? {})).toEqual(same);
  });

  test("and may have what another role of a login no longer denies", async () => {
    const base = (...policies: string[]) => stored("AclRole", "base", { name: "base", policies });
    const binds = stored("AclBindingRule", "2", { ...rule, bindName: "base", selector: "" });
    const lines = await states([...known, few, binds, base("hidden", "few")], [...known, few, binds, base("few")]);
    expect(lines).toContainEqual(expect.stringMatching(/^- logins of `sso` that get `team-.*\[undecided, management\]$/));
  });
});

describe("a role with a deny that is made again is lost for tokens that hold it by its ID", () => {
  const said = expect.stringMatching(/^- with other grants, the role `d` .*\[management, widened\]$/);
  const role = (name: string, id: string, more: Options = {}) => stored("AclRole", name, { name, policies: [name] }, { id, ...more });
  const others = [policy("d", deny), policy("a", admin)];

  test.each([
    ["by a replacement", {}],
    ["as another resource", { urn: "urn:pulumi:dev::p::agentpool-acl:index:AclRole::other" }],
  ])("%s, in states", async (_, more) => {
    expect(await states([...others, role("d", "1")], [...others, role("d", "2", more)])).toContainEqual(said);
  });

  test("with another ID, in exports", async () => {
    const of = (id: string) => ({ AclPolicy: others.map(({ inputs }) => inputs), AclRole: [{ id, name: "d", policies: ["d"] }] });
    expect(await exports(of("1"), of("2"))).toContainEqual(said);
    expect(await exports(of("1"), of("1"))).toEqual(same);
  });

  test("and a token of the stack that is not written again loses it, too", async () => {
    const { id: _, outputs: __, ...made } = role("d", "1");
    const steps = ["create-replacement", "replace", "delete-replaced"].map((op) => ({
      ...{ op, urn: made.urn, oldState: role("d", "1") },
      ...(op !== "delete-replaced" && { newState: made }),
    }));
    const inputs = { name: "t", type: "client", policies: ["a"], roles: ["d"] };
    const token = stored("AclToken", "t", inputs, { outputs: { ...inputs, linkedRoles: [{ id: "1", name: "d" }] } });
    const lines = await previewed(...others.map(unchanged), ...steps, unchanged(token));
    expect(lines).toContainEqual(expect.stringMatching(/^- the token `t` .*\[management, widened\]$/));
  });
});

describe("a role that is renamed while rules give names", () => {
  const role = (name: string, id: string, ...policies: string[]) => stored("AclRole", id, { name, policies }, { id });
  const binds = (bindName: string) => stored("AclBindingRule", "1", { ...rule, bindName, selector: "" });
  const teams = { ...method, config: { claimMappings: { team: "team" } } };
  const objects = [policy("few", 'node { policy = "read" }'), policy("a", admin), policy("d", deny), stored("AclAuthMethod", "sso", teams)];
  const computed = binds("team-$" + "{value.team}");

  test.each([
    ["keeps its policies", ["a"]],
    ["loses one of them", ["a", "few"]],
  ])("gives management to logins of the name that it gets, and %s", async (_, held) => {
    const before = [...objects, binds("ops"), role("ops", "1", "few"), role("adm", "2", ...held)];
    const lines = await states(before, [...objects, binds("ops"), role("ops", "2", "a")]);
    expect(lines).toContainEqual("- the role `ops` also gives `a` to logins of `sso` with any claims [management, widened]");
  });

  test("and loses a deny, which its tokens lose, too", async () => {
    const before = [...objects, computed, role("team-a", "1", "d", "few")];
    const lines = await states(before, [...objects, computed, role("old-a", "1", "few"), role("team-a", "2", "d", "few")]);
    expect(lines).toContainEqual(
      expect.stringMatching(/^- with other grants, the role `old-a` no longer denies .*\[management, widened\]$/),
    );
    expect(lines.join()).not.toContain("same rights");
  });

  test.each([
    ["a rule may compute it", [computed]],
    [
      "rules give both names",
      [binds("team-a"), { ...binds("old-a"), urn: "urn:pulumi:dev::p::agentpool-acl:index:AclBindingRule::2", id: "2" }],
    ],
  ])("and leaves its name to a role without a deny, while %s", async (_, rules) => {
    const [was, heir] = [role("team-a", "1", "a", "d"), role("team-a", "2", "a")];
    const lines = await states([...objects, ...rules, was], [...objects, ...rules, role("old-a", "1", "a", "d"), heir]);
    expect(lines).toContainEqual(
      expect.stringMatching(/^- logins with the role `team-a` may now do everything, .*\[management, widened\]$/),
    );
    const lost = await states([...objects, ...rules, heir], [...objects, ...rules, role("old-a", "2", "a"), role("team-a", "3", "a", "d")]);
    expect(lost).toContainEqual(expect.stringMatching(/^- logins with the role `team-a` may no longer .*\[narrowed\]$/));
  });

  test("and gains a policy with unknown rules, which its tokens gain, too", async () => {
    const known = [stored("AclAuthMethod", "sso", method), binds("a")];
    const lines = await states([...known, role("a", "1", "f1")], [...known, role("b", "1", "f1", "f2")]);
    expect(lines).toContainEqual("- the role `b` also gives `f2` to its tokens [widened]");
  });

  test("in a chain, gives other permissions to logins of an unchanged rule with a secret kind of grant", async () => {
    const hidden = stored("AclBindingRule", "1", { ...rule, bindType: "[secret]", bindName: "ops", selector: "" });
    const step = (old: Stored, now: Stored) => ({ op: "update", urn: old.urn, oldState: old, newState: { ...now, outputs: undefined } });
    const steps = [
      ...[...objects, hidden].map(unchanged),
      step(role("ops", "1", "few"), role("old", "1", "few")),
      step(role("adm", "2", "a"), role("ops", "2", "a")),
    ];
    expect(await previewed(...steps)).toContainEqual(expect.stringMatching(/\[(undecided, )?management/));
  });

  test("in a preview, stays with a token that names it, and that the update leaves as it is", async () => {
    const inputs = { name: "t", type: "client", policies: [], roles: ["ops"] };
    const token = stored("AclToken", "t", inputs, { outputs: { ...inputs, linkedRoles: [{ id: "1", name: "ops" }] } });
    const { id: _, outputs: __, ...made } = stored("AclRole", "new", { name: "ops", policies: ["few"] });
    const renamed = { ...role("old", "1", "a"), outputs: undefined };
    const steps = [
      ...[...objects, token].map(unchanged),
      { op: "update", urn: renamed.urn, oldState: role("ops", "1", "a"), newState: renamed },
      { op: "create", urn: made.urn, newState: made },
    ];
    expect(await previewed(...steps)).toEqual(["- the role `ops` is renamed, same rights: it is `old` from now on"]);
  });
});

test.each([
  ["hidden rules", { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:abc" }],
  ["a part that this version does not know", 'operator { policy = "deny" x = 1 }'],
])("a policy with %s may have denied management to tokens with other grants", async (_, rules) => {
  const p = stored("AclPolicy", "p", { name: "p", rules });
  const lines = await states([policy("a", admin), p], [policy("a", admin)]);
  expect(lines).toContainEqual(expect.stringMatching(/policy `p` .*\[undecided, management\]$/));
});

describe("with a policy that has a secret name", () => {
  const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:abc" };
  const unnamed = (rules: string | undefined, id = "u") => stored("AclPolicy", "unnamed", { name: secret, rules }, { id });

  test("a rule with a secret bind name may give management", async () => {
    const of = (bindName: unknown, bindType: string) => stored("AclBindingRule", "1", { ...rule, selector: "", bindType, bindName });
    const kept = [unnamed(admin), stored("AclAuthMethod", "sso", method)];
    const lines = await states([...kept, of(secret, "policy")], [...kept, of("few", "policy")]);
    expect(lines).toContainEqual(expect.stringMatching(/^- `binding rule .*`bindName` is secret.* \[undecided, management\]$/));
  });

  test("a new description is no loss of a deny, because the ID is the name", async () => {
    const described = stored("AclPolicy", "unnamed", { name: secret, rules: deny, description: "new" }, { id: "u" });
    expect(await states([unnamed(deny)], [described])).toContainEqual(
      expect.stringMatching(/^- `policy .*`name` is secret.* \[undecided\]$/),
    );
  });

  test("its replacement under another name may be the loss of a deny", async () => {
    const lines = await states([unnamed(deny, "1")], [unnamed(deny, "2")]);
    expect(lines).toContainEqual(expect.stringMatching(/^- `policy .*`name` is secret.* \[undecided, management\]$/));
  });

  test("the tasks of its job lose what more exact rules of another policy take from it", async () => {
    const jobAcl = { namespace: "dev", jobId: "j" };
    const ofJob = stored("AclPolicy", "unnamed", { name: secret, rules: 'namespace "d*" { policy = "read" }', jobAcl }, { id: "u" });
    const ofAll = (rules?: string) => stored("AclPolicy", "p", { name: "p", rules, jobAcl: { namespace: "dev" } });
    const lines = await states([ofJob, ofAll(read)], [ofJob, ofAll('namespace "dev" { capabilities = ["list-jobs"] }')]);
    expect(lines).toContainEqual(expect.stringMatching(/^- tasks of `the job j of .* may no longer read jobs.*\[narrowed/));
  });
});

test("two entries of one role with different names are undecided", async () => {
  const role = (name: string) => stored("AclRole", `r-${name}`, { name: `r-${name}`, policies: [name] }, { id: "r" });
  const [one, other] = [role("d"), role("few")] as const;
  const said = expect.stringMatching(/^- `role .* can't be compared: `id` also belongs to another object \[undecided/);
  const policies = [policy("d", deny), policy("few", read)];
  expect(await states([...policies, one, other], [...policies, other])).toContainEqual(said);
});

test("a role that goes may have denied management by a known policy, next to one that no source shows", async () => {
  const d = stored("AclRole", "d", { name: "d", policies: ["d", "foreign"] });
  const lines = await states([policy("d", deny), policy("a", admin), d], [policy("d", deny), policy("a", admin)]);
  expect(lines).toContainEqual(expect.stringMatching(/^- with other grants, the role `d` no longer denies .* \[management, widened\]$/));
});

test("two entries of one policy that denies are management, because the delete of one deletes the deny of both", async () => {
  const both = ["one", "other"].map((name) => stored("AclPolicy", name, { name: "d", rules: deny }, { id: "d" }));
  const said = expect.stringMatching(/^- `policy "d"` can't be compared: `name` also belongs to another object \[undecided, management\]$/);
  expect(await states(both, both.slice(1))).toContainEqual(said);
});

test("two entries of one rule are undecided, because the delete of one deletes the rule of both", async () => {
  const [one, other] = ["1", "2"].map((name) =>
    stored("AclBindingRule", name, { ...rule, bindType: "policy", bindName: "d" }, { id: "r" }),
  );
  const kept = [policy("d", deny), stored("AclAuthMethod", "sso", method)];
  if (!one || !other) throw new Error("there are two");
  const said = expect.stringMatching(/^- `binding rule .* can't be compared: `id` also belongs to another object \[undecided\]$/);
  expect(await states([...kept, one, other], [...kept, other])).toContainEqual(said);
  const steps = [...kept, other].map(unchanged);
  expect(await previewed(...steps, { op: "delete", urn: one.urn, oldState: one })).toContainEqual(said);
});

test.each([
  ["AclRole", { name: "ops", policies: ["adm"] }, "role"],
  ["AclPolicy", { name: "ops", rules: admin }, "policy"],
  ["AclAuthMethod", { ...method, name: "ops" }, "auth method"],
])("a create with overwrite between two states leaves the former grants open: %s", async (kind, inputs, words) => {
  const adm = policy("adm", admin);
  const open = `- \`${words} "ops"\` can't be compared: \`adopt\` lets it write over an object of that name [undecided, management]`;
  const made = stored(kind, "x", { ...inputs, adopt: "overwrite" }, { id: "9" });
  expect(await states([adm], [adm, made])).toContainEqual(open);
  expect(await states([adm, made], [adm, made])).toEqual(same);
});

test("of several default methods, nobody knows which one the cluster has", async () => {
  const of = (...defaults: string[]) => {
    const methods = ["a", "b", "c"].map((name) => ({ ...method, name, default: defaults.includes(name) }));
    return { AclAuthMethod: methods, AclBindingRule: [{ ...rule, authMethod: "c", bindType: "management", bindName: "" }] };
  };
  const said = "- the auth method of logins that name none can't be decided [undecided, management]";
  expect(await exports(of("a", "b"), of("a", "c"))).toEqual([said]);
  expect(await exports(of("a", "b"), of("a", "b"))).toEqual(same);
});

test("a state is only a part of a cluster, and the states of two stacks are two parts", async () => {
  const exported = exportOf("export.json", { AclPolicy: [{ name: "p", rules: read }] });
  const of = (stack: string) => ({
    urn: `urn:pulumi:${stack}::p::agentpool-acl:index:AclPolicy::few`,
    provider: `urn:pulumi:${stack}::p::pulumi:providers:agentpool-acl::default::1`,
  });
  const state = stateOf("state.json", policy("few", read, of("dev")));
  const part = expect.stringMatching(
    /^- not checked: .*a state lacks, because it is only a part of a cluster.* \[undecided, management\]$/,
  );
  expect((await between(exported, state)).lines).toContainEqual(part);
  const other = stateOf("other.json", policy("few", read, of("prod")));
  const stacks = expect.stringMatching(/^- not checked: .*different stacks.* \[undecided, management\]$/);
  expect((await between(state, other)).lines).toEqual([stacks]);
});

test.each([
  ["AclPolicy", { name: "p", rules: admin, jobAcl: { namespace: "prod", everyTask: true } }, "jobAcl.everyTask"],
  ["AclAuthMethod", { ...method, config: { everybodyGets: "p" } }, "config.everybodyGets"],
  ["AclRole", { name: "r", policies: [], inherits: "p" }, "inherits"],
])("a property of a newer server is open, also of a new object or one that goes: %s", async (kind, object, part) => {
  const said = expect.stringMatching(new RegExp(`^- .* can't be compared: \`${part}\` may decide .*undecided`));
  const none = { AclPolicy: [], AclAuthMethod: [], AclRole: [] };
  expect(await exports(none, { ...none, [kind]: [object] })).toContainEqual(said);
  expect(await exports({ ...none, [kind]: [object] }, none)).toContainEqual(said);
});

test("a deny that goes may be management, also if a policy has a secret name", async () => {
  const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:abc" };
  const unnamed = stored("AclPolicy", "unnamed", { name: secret, rules: read });
  const kept = [policy("a", admin), unnamed, stored("AclRole", "r", { name: "r", policies: ["d", "a"] })];
  const lines = await states([...kept, policy("d", deny)], kept);
  expect(lines).toContainEqual(expect.stringMatching(/role `r` .*\[(undecided, )?management/));
  expect(lines.join()).not.toContain("the policy `[secret]` is new");
});

test("a token that goes together with its policy, or with a role that has it, is only a loss", async () => {
  const token = (more: Options) => stored("AclToken", "t", { name: "t", type: "client", policies: [], roles: [], ...more }, { id: "t" });
  const role = stored("AclRole", "r", { name: "r", policies: ["p"] });
  const goes = "- the token `t` goes, and its holders lose what it gave [narrowed]";
  expect(await states([policy("p", read), token({ policies: ["p"] })], [])).toEqual([goes]);
  const others =
    "- tokens with the policy `p` may no longer use operator:read; use operator:license-read; use operator:keyring-read [narrowed]";
  expect(await states([policy("p", read), token({ policies: ["p"] })], [policy("p", "")])).toEqual(expect.arrayContaining([goes, others]));
  const both = await states([policy("p", read), role, token({ roles: ["r"] })], []);
  expect(both).toContainEqual(goes);
  expect(both.join()).not.toContain("undecided");
});

test("a token whose resource is renamed is the same token", async () => {
  const of = (name: string) => stored("AclToken", name, { name: "t", type: "client", policies: ["a"], roles: [] }, { id: "1" });
  expect(await states([policy("a", admin), of("old")], [policy("a", admin), of("new")])).toEqual(same);
});

test("roles of a token whose IDs are secret are unknown", async () => {
  const inputs = { name: "t", type: "client", policies: [], roles: ["r"] };
  const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:abc" };
  const token = stored("AclToken", "t", inputs, { outputs: { ...inputs, linkedRoles: secret } });
  const [old, now] = [{}, { policies: ["a"] }].map((more) => stored("AclRole", "r", { name: "r", policies: [], ...more }, { id: "1" }));
  if (!old || !now) throw new Error("there are two");
  const lines = await states([policy("a", admin), token, old], [policy("a", admin), token, now]);
  expect(lines).toContainEqual(expect.stringMatching(/token `t` .*`roles` is secret.*undecided/));
});

test("a role that comes into the sources was unknown before, so a token that already names it may gain", async () => {
  const token = stored("AclToken", "t", { name: "t", type: "client", policies: [], roles: ["r"] });
  const role = stored("AclRole", "r", { name: "r", policies: ["elsewhere"] });
  const said = "- the token `t` may do more or less: the permissions of `r`, `elsewhere` are not known on both sides [undecided]";
  expect(await states([token], [token, role])).toEqual([said]);
  expect(await states([token, role], [token, role])).toEqual(same);
});

test("a role that a new resource adopts may name a new policy already, so its tokens may gain that", async () => {
  const role = (adopt: boolean) => stored("AclRole", "r", { name: "r", policies: ["p"], adopt });
  const said = "- the policy `p` is new, and a role with unknown policies may name it: `r` [undecided, management]";
  expect(await states([], [policy("p", admin), role(true)])).toEqual([said]);
  expect(await states([policy("p", admin)], [policy("p", admin), role(true)])).toEqual(same);
  expect(await states([], [policy("p", admin), role(false)])).toEqual(same);
});

test.each([
  ["has expired", "2020-01-01T00:00:00Z"],
  ["has a known end that is far away", "2120-01-01T00:00:00Z"],
  ["has an unknown end", undefined],
])("a shorter lifetime of a token made anew begins with the update, so it may end later, if the old one %s", async (_, expirationTime) => {
  const inputs = { name: "t", type: "client", policies: ["a"], roles: [], expirationTtl: "2h" };
  const token = stored("AclToken", "t", inputs, { id: "1", outputs: { ...inputs, expirationTime } });
  const { id: _id, outputs: __, ...made } = stored("AclToken", "t", { ...inputs, expirationTtl: "1h" });
  const steps = ["create-replacement", "replace", "delete-replaced"].map((op) => ({
    ...{ op, urn: token.urn, oldState: token },
    ...(op !== "delete-replaced" && { newState: made }),
  }));
  expect(await previewed(unchanged(policy("a", admin)), ...steps)).toEqual([
    expect.stringMatching(/^- the token `t` is replaced, and ends `1h` .* instead of `2h` .* \[undecided, management, widened\]$/),
  ]);
});
