import { type DeclaredRule, DeclaredRules } from "./declared-rules";

const inputs = { authMethod: "sso", selector: "ops in list.groups", bindType: "role", bindName: "dev", description: "" };

function otherOf(first: Partial<DeclaredRule>, second: Partial<DeclaredRule>): DeclaredRule | undefined {
  const rules = new DeclaredRules();
  const rule = (more: Partial<DeclaredRule>): DeclaredRule => ({ inputs, isNew: true, resourceName: undefined, ...more });
  rules.record(rule(first));
  return rules.record(rule(second));
}

test.each([
  ["both are new", {}, {}],
  ["neither is new", { isNew: false }, { isNew: false }],
  ["they have other descriptions", { isNew: false, inputs: { ...inputs, description: "old" } }, {}],
  ["they have other URNs", { isNew: false, urn: "a" }, { urn: "b" }],
])("two checks are of two rules of the same effect where %s", (_, first, second) => {
  expect(otherOf(first, second)).toMatchObject(first);
});

test.each([
  ["it is replaced: the second check has no old inputs", { isNew: false }, {}],
  ["the URN is the same", { urn: "a" }, { urn: "a" }],
])("two checks may be of one rule where %s", (_, first, second) => {
  expect(otherOf(first, second)).toBeUndefined();
});

test.each([{ authMethod: "ci" }, { selector: "" }, { bindType: "policy" }, { bindName: "ops" }])(
  "a rule with another %j has another effect",
  (change) => {
    expect(otherOf({}, { inputs: { ...inputs, ...change } })).toBeUndefined();
  },
);

test("the rules of a method are those that name it", () => {
  const rules = new DeclaredRules();
  const rule = { inputs, isNew: true, resourceName: "a" };
  rules.record(rule);
  rules.record({ ...rule, inputs: { ...inputs, authMethod: "ci" } });
  expect(rules.of("sso")).toEqual([rule]);
  expect(rules.of("nobody")).toEqual([]);
});
