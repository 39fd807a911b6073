/** Claims that an auth method maps from now on. */
import { between, exported, method, rule, useFolder } from "../test/support/diff";
import { previewed, stored, unchanged } from "../test/support/diff-sources";
import { secretMarker } from "./inventory/inventory";

useFolder();

const config = (claimMappings: object, groups: object = { groups: "groups" }) => ({ claimMappings, listClaimMappings: groups });
const lines = async (selector: string, [before, after]: readonly [object, object], more = {}) => {
  const [old, now] = [before, after].map((one, at) =>
    exported(`${at}.json`, [{ ...rule, selector }], undefined, [{ ...method, ...more, config: one }]),
  );
  return (await between(old ?? "", now ?? "")).lines;
};
const added = [config({ team: "team" }), config({ team: "team", email: "mail" })] as const;
const doubt = "- auth method `sso`: claimMappings differ, so selectors may mean other claims [undecided]";

test.each(["releases in list.groups", 'value.team == "a" and "b" in list["groups"]', '"/value/team" == "a"', ""])(
  "a further claim under a new name gives nobody more by the selector %j, and may let logins fail",
  async (selector) => {
    const said =
      "- auth method `sso`: claimMappings has more claims, which no rule used before: logins fail where one has a type that can't be mapped [failing, narrowed]";
    expect(await lines(selector, added)).toEqual([said]);
  },
);

test.each([
  'value.mail == "a"',
  '"/value/mail" == "a"',
  "all value as key { key != `mail` }",
  "releases in value",
  'value["ma\\x69l"] == "a"',
])("a further claim is undecided with the selector %j, which may look at the new name", async (selector) =>
  expect(await lines(selector, added)).toContainEqual(doubt),
);

test.each([
  ["has a name in use", [config({ team: "team" }), config({ team: "team", squad: "team" })]],
  ["has the name of a list", [config({}), config({ all: "groups" })]],
  ["takes the place of another claim", [config({ team: "team" }), config({ squad: "team" })]],
  ["is taken away", [added[1], added[0]]],
] as const)("a mapping is undecided if it %s", async (_, configs) => {
  expect(await lines("releases in list.groups", configs)).toContainEqual(doubt);
});

test("a further claim is undecided if a rule's selector is secret, or the token's name uses the claim", async () => {
  expect(await lines("", added, { tokenNameFormat: `\${value.mail}` })).toContainEqual(doubt);
  const hidden = stored("AclBindingRule", "hidden", { ...rule, selector: secretMarker });
  const [old, now] = added.map((shown) => stored("AclAuthMethod", "sso", { ...method, config: shown }));
  const step = { op: "update", urn: old?.urn, oldState: old, newState: { ...now, outputs: undefined } };
  expect(await previewed(step, unchanged(hidden))).toContainEqual(doubt);
});
