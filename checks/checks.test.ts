/** Warnings about a whole program. test/lifecycle shows that previews report them, and policies/ that policy packs do. */
import { unknown } from "../common/unknown";
import { type Declared, declare, Program } from "./index";

const rule = {
  kind: "AclBindingRule",
  inputs: { authMethod: "sso", selector: "ops in list.groups", bindType: "role", bindName: "dev", description: "" },
};

/** The warnings about the last of these resources. */
function said(...resources: readonly Declared[]): string[] {
  const program = new Program();
  return resources.map((resource) => declare(program, resource)).at(-1) ?? [];
}

describe("a rule with the effect of an earlier one", () => {
  const both = (first: object, second: object) => said({ ...rule, ...first }, { ...rule, ...second });
  const described = { inputs: { ...rule.inputs, description: "old" } };

  test.each([
    ["they have other descriptions", { ...described, was: rule.inputs }, {}],
    ["they have other URNs", { urn: "a" }, { urn: "b" }],
  ])("is reported if %s", (_, first, second) => {
    expect(both({ ...first, name: "first" }, second)).toEqual([
      expect.stringContaining('the rule "first" of this program has the same authMethod, selector, bindType and bindName'),
    ]);
  });

  test.each([
    ["only the first check has a state, as for a replacement", { was: rule.inputs }, {}],
    ["there are no URNs, and the descriptions are the same", {}, {}],
    ["the URN is the same", { urn: "a" }, { urn: "a" }],
  ])("is not reported, because it may be the same rule, if %s", (_, first, second) => {
    expect(both(first, second)).toEqual([]);
  });

  test.each([{ authMethod: "ci" }, { selector: "" }, { bindType: "policy" }, { bindName: "ops" }])(
    "is not reported if it has another property: %j",
    (change) => {
      expect(both({}, { inputs: { ...rule.inputs, ...change } })).toEqual([]);
    },
  );
});

test("messages about two rules with unknown bind names differ, because an equal message is printed once", () => {
  const opened = (name: string) => {
    const inputs = { ...rule.inputs, selector: "", bindName: unknown };
    return said({ kind: rule.kind, inputs, was: rule.inputs, name, urn: name });
  };
  expect(opened("a")).toEqual([
    expect.stringMatching(/^ACL binding rule \(resource "a"\) of auth method "sso", which gives a role: the selector becomes/),
  ]);
  expect(opened("b")).not.toEqual(opened("a"));
});

describe("a regular expression in a selector", () => {
  const of = (selector: string) => said({ ...rule, inputs: { ...rule.inputs, selector } });

  test("that servers can't read is reported with its claim, and without its text", () => {
    const selector = 'list.groups is not empty and not (value.ref not matches "(?=secret)" or any list.groups as g { g matches "(" })';
    expect(of(selector)).toEqual(
      ["value.ref", "g"].map((claim) =>
        expect.stringMatching(new RegExp(`the selector compares ${claim} with a regular expression that servers can't read, .* RE2`)),
      ),
    );
    expect(of(selector).join()).not.toContain("secret");
  });

  test("that servers can read is not reported, and neither is a text like one", () => {
    expect(of('value.ref matches "^refs/(heads|tags)/v[0-9]+$" or value.ref == "("')).toEqual([]);
  });
});

describe("names that change", () => {
  const method = (was: string, name: string): Declared => ({ kind: "AclAuthMethod", inputs: { name }, was: { name: was }, urn: was });

  test("in a circle are reported with the whole circle, and a chain with a free end is not", () => {
    expect(said(method("a", "b"), method("b", "c"), method("c", "a"))).toEqual([
      expect.stringMatching(/change in a circle \("c" to "a" to "b" to "c"\).*deleteBeforeReplace: true/),
    ]);
    expect(said(method("a", "b"), method("b", "c"))).toEqual([]);
  });

  test.each([
    ["objects of any other kind are reported", "Note", 1],
    ["tokens are not reported, because they may have equal names", "AclToken", 0],
  ])("in a circle: %s", (_, kind, count) => {
    const one = (was: string, name: string): Declared => ({ kind, inputs: { name }, was: { name: was }, urn: was });
    expect(said(one("a", "b"), one("b", "a"))).toHaveLength(count);
  });

  test("cause a warning about a resource with the old name, unless another resource takes that name, in any order", () => {
    const role = (was: string | undefined, name: string): Declared => ({
      kind: "AclRole",
      inputs: { name },
      was: was ? { name: was } : undefined,
    });
    const renamed = [expect.stringContaining('it names the role "dev", but this program renames that role')];
    expect(said(role("dev", "ops"), rule)).toEqual(renamed);
    expect(said(rule, role("dev", "ops"))).toEqual(renamed);
    expect(said(role("dev", "ops"), role(undefined, "dev"), rule)).toEqual([]);
  });
});

test("a rule that gives management by a selector that matches every login is named, whether it is new or not", () => {
  const inputs = { ...rule.inputs, bindType: "management", selector: "value.team == a or value.team != a" };
  const why = [
    expect.stringContaining('selector matches every login, whatever its claims are: everyone who logs in with "sso" gets management'),
  ];
  for (const before of [{}, { was: inputs }, { was: rule.inputs }]) expect(said({ ...rule, inputs, ...before })).toEqual(why);
});
