import { accessChanges } from "./changes";
import type { AccessObjects, BindingRule } from "./graph";
import { evaluateLogin } from "./login";
import type * as Selectors from "./selector";

let selectorsRead = 0;
beforeEach(() => {
  selectorsRead = 0;
});

jest.mock("./selector", () => {
  const real: typeof Selectors = jest.requireActual("./selector");
  const conditionOf: typeof real.conditionOf = (selector) => {
    selectorsRead++;
    return real.conditionOf(selector);
  };
  return { ...real, conditionOf };
});

const computed = "role-$" + "{value.team}";
const mappings = { claimMappings: { team: "team" }, listClaimMappings: { groups: "groups" } };
const selectorOf = (index: number) => `"team-${index}" in list.groups`;

/** 100 methods, 1,000 roles and 1,000 rules. Every tenth rule computes its name. */
function cluster(change: (rule: BindingRule) => BindingRule = (rule) => rule): AccessObjects {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
  const rules = numbers(1_000).map((index): BindingRule => {
    const bindName = index % 10 === 0 ? computed : `role-${index}`;
    return { id: `${index}`, authMethod: `sso-${index % 100}`, bindType: "role", bindName, selector: selectorOf(index) };
  });
  return {
    methods: numbers(100).map((index) => ({ name: `sso-${index}`, type: "OIDC", tokenLocality: "local", ...mappings })),
    rules: rules.map(change),
    roles: Object.fromEntries(numbers(1_000).map((index) => [`role-${index}`, ["deploy"]])),
    policies: ["deploy"],
  };
}

test("equal clusters need no selector", () => {
  expect(accessChanges(cluster(), cluster())).toEqual({
    ...{ grants: [], roles: [], dangling: [], methods: [], failing: [] },
    ...{ order: [], hidden: [] },
  });
  expect(selectorsRead).toBe(0);
});

test("all roles that fit a computed name are one change", () => {
  const contractors = "contractors in list.groups";
  const { grants } = accessChanges(
    cluster(),
    cluster((rule) => ({ ...rule, selector: `${rule.selector} or ${contractors}` })),
  );
  // 900 rules with a role of their own, and the computed names of ten methods.
  expect(grants.length).toBe(910);
  expect(grants.filter(({ relation }) => relation === "wider").length).toBe(900);
  const [first] = grants;
  expect([first?.given.names.length, first?.before.length, first?.relation]).toEqual([1_000, 10, "undecided"]);
});

describe("a computed name", () => {
  const sso = { name: "sso", type: "OIDC", tokenLocality: "local", ...mappings };
  const rule = (bindName: string, selector = "a in list.groups"): BindingRule => ({
    id: bindName,
    authMethod: "sso",
    bindType: "role",
    bindName,
    selector,
  });
  const objects = (rules: BindingRule[], ...roles: string[]): AccessObjects => ({
    methods: [sso],
    rules,
    roles: Object.fromEntries(roles.map((role) => [role, [`policy-of-${role}`]])),
    policies: [],
  });
  const grants = (before: AccessObjects, after: AccessObjects) =>
    accessChanges(before, after).grants.map(({ given, policies, relation }) => [given.names, policies, relation]);

  test("gives a new role and takes a deleted one away, without a change of rules", () => {
    const [one, two] = [objects([rule(computed)], "role-a", "other"), objects([rule(computed)], "role-a", "role-b", "other")];
    expect(grants(one, two)).toEqual([[["role-b"], ["policy-of-role-b"], "wider"]]);
    expect(grants(two, one)).toEqual([[["role-b"], ["policy-of-role-b"], "narrower"]]);
    expect(grants(objects([rule(computed)]), one)).toEqual([[["role-a"], ["policy-of-role-a"], "wider"]]);
  });

  test("in place of a name is undecided for that role, and wider for the other roles that fit", () => {
    const [before, after] = [rule("role-a"), rule(computed)].map((one) => objects([one], "role-a", "role-b", "role-c"));
    if (!before || !after) throw new Error("not reached");
    expect(grants(before, after)).toEqual([
      // A login whose team has an invalid name had the role, and fails now.
      [[computed], [], "wider"],
      [["role-a"], ["policy-of-role-a"], "undecided"],
      [["role-b", "role-c"], ["policy-of-role-b", "policy-of-role-c"], "wider"],
    ]);
  });
});

test.each([["team_a"], ["my role"], [""], ["$$" + "{value.team}"], ["a".repeat(129)], [`Team ${computed}`]])(
  "the bind name %j never becomes a valid name, so every login that matches fails",
  (bindName) => {
    const sso = { name: "sso", type: "OIDC", tokenLocality: "local", ...mappings };
    const one = { id: "r", authMethod: "sso", bindType: "role", bindName, selector: "" } as const;
    const objects = (...rules: BindingRule[]): AccessObjects => ({ methods: [sso], rules, roles: { [bindName]: [] }, policies: [] });
    const { grants } = accessChanges(objects(), objects(one));
    expect(grants.map(({ given, relation }) => [given, relation])).toEqual([[{ kind: "failure", names: [bindName] }, "wider"]]);
    const { ok } = evaluateLogin({ method: sso, rules: [one], roles: { [bindName]: [] }, policies: [] }, { team: "a" });
    expect(ok).toBe(false);
  },
);

describe("without an effect on any login there is no change", () => {
  const sso = { name: "sso", type: "OIDC", tokenLocality: "local", ...mappings };
  const objects = (...selectors: string[]): AccessObjects => ({
    methods: [sso],
    rules: selectors.map((selector) => ({ id: selector, authMethod: "sso", bindType: "management", selector })),
    roles: {},
    policies: [],
  });
  const ops = "value.team matches `^ops`";
  const relations = (before: string[], after: string[]) =>
    accessChanges(objects(...before), objects(...after)).grants.map(({ relation }) => relation);

  test.each([
    ["a rule about a claim that its method does not map", [], ["value.tean == ops"]],
    ["a rule that contradicts itself", [], ["value.team == ops and value.team == web"]],
    ["a rule that matches nobody, next to a regular expression", [ops], [ops, "value.tean == ops"]],
    ["a rule next to one that matches every login", [""], ["", ops]],
    ["a rule next to one that matches every login because its claim is not mapped", ["value.tean != ops"], ["value.tean != ops", ops]],
  ])("%s", (_, fewer, more) => {
    expect(relations(fewer, more)).toEqual([]);
    expect(relations(more, fewer)).toEqual([]);
  });

  test("an additional rule that may match somebody is a change", () => {
    expect(relations([], [ops])).toEqual(["wider"]);
    expect(relations([ops], [ops, "value.team == ops"])).toEqual(["wider"]);
    expect(relations([ops, "a in list.groups"], [ops])).toEqual(["narrower"]);
  });
});

test("a combined change of a role and a rule names the policies that logins had, and the rules that gave them", () => {
  const sso = { name: "sso", type: "OIDC", tokenLocality: "local", ...mappings };
  const objects = (selector: string, ...policies: string[]): AccessObjects => ({
    methods: [sso],
    rules: [{ id: selector, authMethod: "sso", bindType: "role", bindName: "dev", selector }],
    roles: { dev: policies },
    policies: [],
  });
  const [before, after] = [
    objects("a in list.groups", "read", "deploy"),
    objects("a in list.groups and b in list.groups", "read", "audit"),
  ];
  const { grants, roles } = accessChanges(before, after);
  expect(grants.map(({ relation, policies }) => [relation, policies])).toEqual([["narrower", ["read", "deploy"]]]);
  expect(roles).toEqual([
    { role: "dev", added: ["audit"], removed: [], rules: after.rules },
    { role: "dev", added: [], removed: ["deploy"], rules: before.rules },
  ]);
});
