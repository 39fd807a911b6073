/** Values of a preview that the update computes anew, because the program asks the server for something that the update changes. */
import { useFolder } from "../test/support/diff";
import { policy, previewed, type Stored, stored, unchanged } from "../test/support/diff-sources";
import { secretMarker } from "./inventory/inventory";

useFolder();

const nothing = "Logins get what they got before.";
const [few, more] = [policy("few", 'node { policy = "read" }'), policy("more", 'operator { policy = "write" }')];
const role = (name: string, policies: string[], description?: string) => stored("AclRole", name, { name, policies, description });
const updated = (old: Stored, now: Stored) => ({ op: "update", urn: now.urn, oldState: old, newState: { ...now, outputs: undefined } });
const base = updated(role("base", ["few", "more"]), role("base", ["few"]));
/** The unchanged step of a resource, a property of which waits for others. */
const waiting = (one: Stored, property: string, ...urns: string[]) =>
  unchanged({ ...one, ...{ propertyDependencies: { name: [], [property]: urns } } });
const said = (property: string, one: string, other: string) =>
  `- not checked: what \`${property}\` of \`${one}\` will be, because the program computes it from \`${other}\`, which changes [undecided, management]`;

test("the policies of a role that a function looks up are the old ones in a preview", async () => {
  const steps = [few, more].map(unchanged);
  const lines = await previewed(...steps, base, waiting(role("copy", ["few", "more"]), "policies", base.urn));
  expect(lines).toContainEqual(said("policies", 'AclRole "copy"', 'AclRole "base"'));
});

test("a list of policies lacks a new one", async () => {
  const made = { op: "create", urn: more.urn, newState: { ...more, id: undefined, outputs: undefined } };
  const lines = await previewed(unchanged(few), made, waiting(role("all", ["few", "no-more"]), "policies", few.urn, more.urn));
  expect(lines).toEqual([said("policies", 'AclRole "all"', 'AclPolicy "more"')]);
});

test("a list of policies has the old name of a renamed one", async () => {
  const renamed = [
    { op: "create-replacement", urn: more.urn, newState: { ...policy("more-2", ""), id: undefined, urn: more.urn, outputs: undefined } },
    { op: "replace", urn: more.urn, oldState: more, newState: policy("more-2", "") },
    { op: "delete-replaced", urn: more.urn, oldState: more },
  ];
  const lines = (policies: string[]) => previewed(unchanged(few), ...renamed, waiting(role("all", policies), "policies", more.urn));
  expect(await lines(["few", "more"])).toContainEqual(said("policies", 'AclRole "all"', 'AclPolicy "more"'));
  expect((await lines(["few", "more-2"])).join()).not.toContain("not checked");
});

test("a get reads the object before the update changes it", async () => {
  const got = { ...role("base", ["few", "more"]), urn: `${base.urn}-looked-up`, external: true };
  const read = { op: "read", urn: got.urn, newState: got };
  const copy = (urn: string) => waiting(role("copy", ["few", "more"]), "policies", urn);
  const steps = [few, more].map(unchanged);
  expect(await previewed(...steps, base, read, copy(got.urn))).toContainEqual(
    said("policies", 'AclRole "copy"', 'AclRole "base-looked-up"'),
  );
  expect((await previewed(...steps, unchanged(role("base", ["few", "more"])), read, copy(got.urn)))[0]).toBe(nothing);
});

test("a get by the name reads the object before the update changes it, too", async () => {
  const { outputs: _, ...got } = { ...role("base", []), id: "base", urn: `${base.urn}-looked-up`, external: true };
  const [old, now] = [role("base", ["few", "more"]), role("base", ["few"])].map((one) => ({ ...one, id: "1" }));
  const steps = [...[few, more].map(unchanged), ...(old && now ? [updated(old, now)] : []), { op: "read", urn: got.urn, newState: got }];
  expect(await previewed(...steps, waiting(role("copy", ["few", "more"]), "policies", got.urn))).toContainEqual(
    said("policies", 'AclRole "copy"', 'AclRole "base-looked-up"'),
  );
});

test("a value is computed, perhaps, if it is secret, or has only a policy of the changed role's name, or a longer name", async () => {
  const copy = (policies: unknown) => waiting(stored("AclRole", "copy", { name: "copy", policies }), "policies", base.urn);
  for (const value of [secretMarker, ["few", "more", "base"], ["few", "more", "base-more"]])
    expect(await previewed(...[few, more].map(unchanged), base, copy(value))).toContainEqual(
      said("policies", 'AclRole "copy"', 'AclRole "base"'),
    );
});

test("a value is computed, perhaps, if there is none", async () => {
  const token = stored("AclToken", "t", { name: "t", type: "client", policies: ["few"], roles: null });
  expect(await previewed(...[few, more].map(unchanged), base, waiting(token, "roles", base.urn))).toContainEqual(
    said("roles", 'AclToken "t"', 'AclRole "base"'),
  );
});

test("an output of the changed object explains a value, but a list may be chosen by a description", async () => {
  const steps = [few, more].map(unchanged);
  const of = (changed: object, policies: string[]) => previewed(...steps, changed, waiting(role("copy", policies), "policies", base.urn));
  const described = updated(role("base", ["few"], "old"), role("base", ["few"], "new"));
  for (const lines of [await of(base, ["few"]), await of(base, ["other", "few"]), await of(described, ["few"])])
    expect(lines.join()).not.toContain("not checked");
  expect(await of(described, ["more"])).toEqual([said("policies", 'AclRole "copy"', 'AclRole "base"')]);
});

test("a text that has the changed object's name is explained only as a template of a bind name, or as a name", async () => {
  const changed = updated(few, policy("few", 'node { policy = "deny" }'));
  const rule = (bindName: string) => stored("AclBindingRule", "b", { authMethod: "sso", selector: "", bindType: "policy", bindName });
  const lines = async (one: Stored, property: string) => (await previewed(changed, waiting(one, property, few.urn))).join();
  const explained: [Stored, string][] = [
    [role("r", ["few"]), "policies"],
    [role("r", ["more"], "of few"), "description"],
    [role("few-readers", []), "name"],
    [rule(`few-\${value.team}`), "bindName"],
    [rule("few"), "bindName"],
  ];
  for (const [one, property] of explained) expect(await lines(one, property)).not.toContain("not checked");
  const computed: [Stored, string][] = [
    [rule("few-more"), "bindName"],
    [policy("p", 'namespace "few" { policy = "read" }'), "rules"],
  ];
  for (const [one, property] of computed) expect(await lines(one, property)).toContain(`not checked: what \`${property}`);
});

test("a selector or rules with the changed object's name may have a looked-up text, too", async () => {
  const rule = (selector: string, bindType = "role") =>
    stored("AclBindingRule", "b", { authMethod: "sso", selector, bindType, bindName: "eng" });
  const of = async (old: Stored, now: Stored, one: Stored, property: string) =>
    (await previewed(updated(old, now), waiting(one, property, old.urn))).join();
  const described = [role("eng", ["few"], "eng"), role("eng", ["few"], "everybody")] as const;
  expect(await of(...described, rule('"eng" in list.groups or "eng" in list.groups'), "selector")).toContain("not checked");
  expect(await of(...described, policy("p", 'namespace "eng" { policy = "write" }'), "rules")).toContain("not checked");
  // A role may have the name of its policy.
  const given = [role("eng", ["eng"]), role("eng", ["more"])] as const;
  expect(await of(...given, rule("", "role"), "bindName")).not.toContain("not checked");
  expect(await of(...given, rule("", "policy"), "bindName")).toContain("not checked: what `bindName`");
});

test("a value may come from a changed object through an unchanged one that does not explain it", async () => {
  const waits = { propertyDependencies: { name: [] }, dependencies: [base.urn] };
  const between = unchanged({ ...role("between", ["other"]), ...waits });
  const lines = (policies: string[], other: string) =>
    previewed(...[few, more].map(unchanged), base, between, waiting(role("all", policies), "policies", other));
  const through = role("between", []).urn;
  expect(await lines(["few", "more"], through)).toContainEqual(said("policies", 'AclRole "all"', 'AclRole "base"'));
  expect((await lines(["more", "other"], through)).join()).not.toContain("not checked");
});

test.each([{ dependencies: [policy("restricted", "").urn] }, { parent: policy("restricted", "").urn }])(
  "rules with those of an unchanged policy may have another part, from a changed one that this one waits for by %j",
  async (how) => {
    const [old, now] = ["write", "read"].map((level) => policy("restricted", `operator { policy = "${level}" }`));
    const waits = { propertyDependencies: { name: [] }, ...how };
    const own = 'node { policy = "read" }';
    const lines = (rules: string) =>
      previewed(
        ...(old && now ? [updated(old, now)] : []),
        unchanged({ ...policy("own", own), ...waits }),
        waiting(policy("both", rules), "rules", policy("own", "").urn),
      );
    const doubt = said("rules", 'AclPolicy "both"', 'AclPolicy "restricted"');
    expect(await lines(`${own} operator { policy = "deny" }`)).toContainEqual(doubt);
    expect((await lines(own)).join()).not.toContain("not checked");
  },
);

test("a value may come from a changed object through a resource of another package", async () => {
  const type = "pkg:index:Keeper";
  const keeper = {
    urn: `urn:pulumi:dev::p::${type}::k`,
    type,
    id: "k",
    inputs: {},
    outputs: {},
    propertyDependencies: { list: [base.urn] },
  };
  const kept = { op: "same", urn: keeper.urn, oldState: keeper, newState: keeper };
  const lines = await previewed(...[few, more].map(unchanged), base, kept, waiting(role("copy", ["more"]), "policies", keeper.urn));
  expect(lines).toContainEqual(said("policies", 'AclRole "copy"', 'AclRole "base"'));
});

test("a token has the ID of an unchanged role, which previews leave out of the role's new state", async () => {
  const { id, ...kept } = stored("AclRole", "r", { name: "r", policies: ["few"] }, { id: "1" });
  const same = {
    op: "same",
    urn: kept.urn,
    oldState: { ...kept, id },
    newState: { ...kept, propertyDependencies: { policies: [few.urn] } },
  };
  const token = stored("AclToken", "t", { name: "t", type: "client", policies: [], roles: ["1"] });
  const lines = await previewed(updated(few, policy("few", "")), same, waiting(token, "roles", kept.urn));
  expect(lines).toContainEqual(expect.stringMatching(/^- tokens with the role `r` may no longer .*\[narrowed\]$/));
  expect(lines.join()).not.toContain("not checked");
});
