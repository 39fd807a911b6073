/** Objects that are not compared, of @pulumi/nomad or looked up, and changes of the objects that they refer to. */
import { between, method, role, useFolder } from "../test/support/diff";
import { policy, previewed, type Stored, stateOf, states, stored, unchanged } from "../test/support/diff-sources";

useFolder();

const same = "Logins get what they got before.";
const sso = stored("AclAuthMethod", "sso", method);
const few = policy("few", 'operator { policy = "read" }');
const roleNamed = (name: string, more = {}) => stored("AclRole", name, { ...role, name, policies: ["few"] }, more);
const gives = (bindName: string, bindType = "role") => ({ authMethod: "sso", selector: "", bindType, bindName });
const ours = (description = "") => stored("AclBindingRule", "ours", { ...gives("few", "policy"), description });

/** An object of @pulumi/nomad. */
const theirs = (kind: string, inputs: object): Stored => {
  const type = `nomad:index/${kind.charAt(0).toLowerCase()}${kind.slice(1)}:${kind}`;
  return { ...stored(kind, "theirs", inputs), type, urn: `urn:pulumi:dev::p::${type}::theirs` };
};
const byClaims = theirs("AclBindingRule", gives("ne$" + "{value.team}"));
const byText = theirs("AclBindingRule", gives("new"));
const lookedUp = { ...stored("AclBindingRule", "got", {}), outputs: gives("new"), external: true };
const created = (one: Stored) => ({ op: "create", urn: one.urn, newState: { ...one, id: undefined, outputs: undefined } });

const said = (what: string, by = '`AclBindingRule "theirs"` of `@pulumi/nomad`', kinds = "undecided, management") =>
  `- ${what}, and ${by}, not compared here, may depend on it [${kinds}]`;

test.each([
  ["that a rule gives", byText, unchanged(byText)],
  ["that a rule may give by claims", byClaims, unchanged(byClaims)],
  [
    "that a looked-up rule gives",
    lookedUp,
    { op: "read", urn: lookedUp.urn, oldState: lookedUp, newState: { ...lookedUp, outputs: undefined } },
  ],
])("a new role %s is undecided, between states and in a preview", async (_, referrer, step) => {
  const by = referrer === lookedUp ? '`AclBindingRule.get("got")`' : undefined;
  const kept = [sso, few, referrer];
  expect(await states(kept, [...kept, roleNamed("new")])).toContainEqual(said('`role "new"` is new', by));
  const steps = [unchanged(sso), unchanged(few), step];
  expect(await previewed(...steps, created(roleNamed("new")))).toContainEqual(said('`role "new"` is new', by));
  expect((await previewed(...steps, created(roleNamed("other"))))[0]).toBe(same);
});

test.each([
  ["for the first time", {}],
  ["by another ID than before", { oldState: { ...lookedUp, id: "other", outputs: gives("other") } }],
])("a rule that a preview looks up %s may give any new role", async (_, before) => {
  const step = { op: "read", urn: lookedUp.urn, ...before, newState: { ...lookedUp, inputs: {}, outputs: undefined } };
  const lines = await previewed(unchanged(sso), unchanged(few), step, created(roleNamed("new")));
  expect(lines).toContainEqual(said('`role "new"` is new', '`AclBindingRule.get("got")`'));
});

test.each([
  ["that the update leaves on its server", byText, { op: "delete", oldState: { ...byText, retainOnDelete: true } }, undefined],
  ["that the program no longer looks up", lookedUp, { op: "discard", oldState: lookedUp }, '`AclBindingRule.get("got")`'],
])("a rule %s still gives a new role", async (_, { urn }, step, by) => {
  const lines = await previewed(unchanged(sso), unchanged(few), { urn, ...step }, created(roleNamed("new")));
  expect(lines).toContainEqual(said('`role "new"` is new', by));
});

test("a rule that only the earlier state looks up still gives a new role", async () => {
  const lines = await states([sso, few, lookedUp], [sso, few, roleNamed("new")]);
  expect(lines).toContainEqual(said('`role "new"` is new', '`AclBindingRule.get("got")`'));
});

const token = (more: object) => theirs("AclToken", { name: "t", type: "client", ...more });
const ofToken = '`AclToken "theirs"` of `@pulumi/nomad`';

test.each([
  [
    "a new policy",
    [theirs("AclRole", { name: "r", policies: [{ name: "p" }] })],
    [],
    [policy("p", "")],
    '`policy "p"` is new',
    '`AclRole "theirs"` of `@pulumi/nomad`',
  ],
  ["a new policy of a token", [token({ policies: ["p"] })], [], [policy("p", "")], '`policy "p"` is new', ofToken],
  [
    "a role that gets a name",
    [byText],
    [roleNamed("old", { id: "1" })],
    [{ ...roleNamed("new", { id: "1" }), urn: roleNamed("old").urn }],
    '`role "new"` is renamed',
    undefined,
  ],
  [
    "a method with other claims",
    [byText],
    [sso],
    [stored("AclAuthMethod", "sso", { ...method, config: { claimMappings: { other: "team" } } })],
    '`auth method "sso"` changes',
    undefined,
  ],
  ["a rule of the same method that goes", [byText, sso], [ours()], [], '`binding rule "ours"` goes', undefined],
])("%s is undecided, with management", async (_, referrers, before, after, what, by) => {
  expect(await states([few, ...referrers, ...before], [few, ...referrers, ...after])).toContainEqual(said(what, by));
});

test.each([
  ["a method", [byText], sso, '`auth method "sso"` goes', undefined],
  ["a role that a token has by its ID", [token({ roles: [{ id: "1" }] })], roleNamed("old", { id: "1" }), '`role "old"` goes', ofToken],
])("%s that goes is undecided", async (_, referrers, gone, what, by) => {
  expect(await states([few, ...referrers, gone], [few, ...referrers])).toContainEqual(said(what, by, "undecided"));
});

test.each([
  ["role", token({ roles: [{ id: "1" }] }), roleNamed("ours", { id: "1" }), ofToken],
  ["binding rule", byText, { ...ours(), id: "1" }, '`AclBindingRule "theirs"` of `@pulumi/nomad`'],
])("a %s that is replaced is undecided, also with another description", async (what, referrer, replaced, by) => {
  const now = (description: string) => ({ ...replaced, id: "2", outputs: { ...replaced.outputs, description } });
  for (const description of ["", "new"]) {
    const lines = await states([sso, few, referrer, replaced], [sso, few, referrer, now(description)]);
    expect(lines).toContainEqual(
      expect.stringMatching(`^- \`${what} "\\w+"\` is replaced, and ${by}, not compared here, may depend on it`),
    );
  }
});

test.each([
  ["denies something", "deny", "limits", true],
  ["denies nothing", "read", "limits", false],
  ["may deny something", "read", "$" + "{value.team}", true],
])("a new rule that %s may take something from the logins of theirs", async (_, level, bindName, isSaid) => {
  const limits = policy("limits", `operator { policy = "${level}" }`);
  const added = stored("AclBindingRule", "added", gives(bindName, "policy"));
  const lines = await states([sso, byText, limits], [sso, byText, limits, added]);
  expect(lines.includes(said('`binding rule "added"` is new', undefined, "undecided"))).toBe(isSaid);
});

describe("a narrow pattern that goes lets wider ones decide, in what", () => {
  const wide = policy("wide", 'namespace "*" { policy = "write" }');
  const [narrow, wider] = ['namespace "prod" { policy = "read" } node { policy = "read" }', 'node { policy = "read" }'];
  const roleWith = (name: string, policies: string[]) => stored("AclRole", name, { ...role, name, policies }, { id: `id of ${name}` });
  const givesWide = gives("wide", "policy");
  const exact = stored("AclBindingRule", "exact", gives("exact", "policy"));

  test.each([
    ["a token has", [token({ policies: ["wide", "exact"] })], ofToken],
    ["a token has by a role", [token({ policies: ["wide"], roles: [{ id: "id of r" }] }), roleWith("r", ["exact"])], ofToken],
    ["a rule gives next to another one", [sso, theirs("AclBindingRule", givesWide), exact], undefined],
    ["a looked-up rule gives next to another one", [sso, { ...lookedUp, outputs: givesWide }, exact], '`AclBindingRule.get("got")`'],
  ])("%s, with management", async (_, objects, by) => {
    const before = [wide, policy("exact", narrow), ...objects];
    expect(await states(before, [wide, policy("exact", wider), ...objects])).toContainEqual(said('`policy "exact"` changes', by));
    expect(await states(before, [wide, ...objects])).toContainEqual(said('`policy "exact"` goes', by));
  });

  test("a token has by a role that loses the policy", async () => {
    const all = [wide, policy("exact", narrow), token({ policies: ["wide"], roles: [{ id: "id of r" }] })];
    expect(await states([...all, roleWith("r", ["exact"])], [...all, roleWith("r", [])])).toContainEqual(
      said('`role "r"` changes', ofToken),
    );
  });
});

describe("a narrow pattern that comes within a wide one lets patterns between them no longer decide, in what", () => {
  const between = policy("between", 'namespace "pro*" { policy = "deny" }');
  const [wide, both] = ['namespace "*" { policy = "write" }', 'namespace "*" { policy = "write" } namespace "prod" { policy = "write" }'];
  const gifts = (name: string) => stored("AclBindingRule", name, gives(name, "policy"));

  test.each([
    ["a token has", [token({ policies: ["between", "wide"] })], ofToken],
    ["rules of one method give", [sso, theirs("AclBindingRule", gives("between", "policy")), gifts("wide")], undefined],
  ])("%s, with management", async (_, objects, by) => {
    const all = [between, ...objects];
    expect(await states([...all, policy("wide", wide)], [...all, policy("wide", both)])).toContainEqual(
      said('`policy "wide"` changes', by),
    );
    const apart = 'namespace "*" { policy = "write" } node_pool "prod" { policy = "read" }';
    const lines = await states([...all, policy("wide", wide)], [...all, policy("wide", apart)]);
    expect(lines.join()).not.toContain("not compared here");
  });

  test("a rule gives next to a role of others", async () => {
    const foreign = stored("AclBindingRule", "foreign", gives("foreign"));
    const sides = [wide, both].map((rules) => [sso, gifts("wide"), foreign, policy("wide", rules)]);
    expect(await states(sides[0] ?? [], sides[1] ?? [])).toContainEqual(expect.stringMatching(/^- logins of `sso` .* \[undecided\]$/));
  });
});

test("a renamed role whose old name a rule keeps may have denied what a rule of the same method gives", async () => {
  const [write, none] = [policy("write", 'operator { policy = "write" }'), policy("none", 'operator { policy = "deny" }')];
  const guard = (name: string) => stored("AclRole", "guard", { ...role, name, policies: ["none"] });
  const theirRule = theirs("AclBindingRule", gives("write", "policy"));
  const all = [sso, write, none, theirRule, stored("AclBindingRule", "ours", gives("guard"))];
  expect(await states([...all, guard("guard")], [...all, guard("guard2")])).toContainEqual(said('`role "guard2"` is renamed'));
  const holder = token({ roles: [{ id: "guard" }] });
  const named = await states([write, none, holder, guard("one")], [write, none, holder, guard("two")]);
  expect(named.join()).not.toContain("not compared here");
});

describe("values of the server that the program does not give", () => {
  test("may refer to a new policy", async () => {
    const holder = { ...token({ type: "client" }), outputs: { type: "client", policies: ["new"] } };
    const added = policy("new", 'operator { policy = "write" }');
    expect(await states([few, holder], [few, holder, added])).toContainEqual(said('`policy "new"` is new', ofToken));
    expect(await previewed(unchanged(few), unchanged(holder), created(added))).toContainEqual(said('`policy "new"` is new', ofToken));
  });

  test("change with an update, although the inputs are equal", async () => {
    const given = { authMethod: "sso", bindType: "management" };
    const withSelector = (selector: string) => ({
      ...theirs("AclBindingRule", given),
      outputs: { ...given, selector, bindName: "", id: "1" },
    });
    const [narrowed, open] = [withSelector("value.team == admin"), withSelector("")];
    const line = '- not checked: `AclBindingRule "theirs"` of `@pulumi/nomad`, which changes [undecided, management]';
    expect(await states([sso, narrowed], [sso, open])).toContainEqual(line);
    const update = (oldState: object) => ({ op: "update", urn: narrowed.urn, oldState, newState: { ...open, outputs: undefined } });
    expect(await previewed(unchanged(sso), update(narrowed))).toContainEqual(line);
    expect((await previewed(unchanged(sso), update({ ...open, inputs: { ...given, description: "other" } })))[0]).toBe(same);
  });
});

test("a looked-up rule of an unknown address may be on the chosen cluster", async () => {
  const at = (server: string, one: Stored) => ({ ...one, outputs: { ...one.outputs, server } });
  const [here, there] = ["http://one.test:4646", "http://two.test:4646"];
  const all = [at(here, sso), at(there, few), lookedUp];
  const [before, after] = [stateOf("before.json", ...all), stateOf("after.json", ...all, at(here, roleNamed("new")))];
  expect((await between(before, after, "--cluster", here)).lines).toContainEqual(
    said('`role "new"` is new', '`AclBindingRule.get("got")`'),
  );
});

test("what changes nothing for them is settled", async () => {
  const all = [sso, few, byClaims, roleNamed("a")];
  expect((await states([...all, ours()], [...all, ours("in other words")]))[0]).toBe(same);
  expect((await states(all, [...all, policy("new", "")]))[0]).toBe(same);
  expect(
    (
      await states(all, [sso, few, byClaims, { ...roleNamed("a"), outputs: { ...role, name: "a", policies: ["few"], description: "b" } }])
    )[0],
  ).toBe(same);
});

test.each(["update", "same"])("a policy of @pulumi/nomad that an alias makes one of this package is not checked: %s", async (op) => {
  const now = policy("p", 'operator { policy = "write" }');
  const old = { ...theirs("AclPolicy", { name: "p", rulesHcl: "" }), urn: now.urn };
  const lines = await previewed(unchanged(few), { op, urn: now.urn, oldState: old, newState: { ...now, outputs: undefined } });
  const as = "as `nomad:index/aclPolicy:AclPolicy`";
  expect(lines).toContainEqual(`- not checked: what \`AclPolicy "p"\` gave before, ${as} [undecided, management]`);
});
