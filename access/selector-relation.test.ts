import fc from "fast-check";
import { cases } from "../test/support/seed";
import { identitiesWith, selectorsOver } from "../test/support/selectors";
import { matches } from "./match";
import { parseSelector } from "./selector";
import { relationOfSelections } from "./selector-relation";

const mappings = { claimMappings: { team: "team", job: "job" }, listClaimMappings: { groups: "groups" } };
const relation = (before: string | string[], after: string | string[], other = mappings) =>
  relationOfSelections({ selectors: [before].flat(), mappings }, { selectors: [after].flat(), mappings: other });

test.each([
  ["", "", "same"],
  ["a in list.groups", "a in list.groups or b in list.groups", "wider"],
  ["a in list.groups", "a in list.groups and b in list.groups", "narrower"],
  ["a in list.groups", "b in list.groups", "crossing"],
  ["a in list.groups", "list.groups contains a", "same"],
  ["a in list.groups", "", "wider"],
  ["a in list.groups", "list.groups is not empty", "wider"],
  ["value.team == a", "value.team != b", "wider"],
  ["value.team == a", 'value.team != ""', "wider"],
  ["not (value.team == a and value.job == b)", "value.team != a or value.job != b", "same"],
  ["value.team != a", "value.unknown != a", "wider"],
  ["value.unknown == a", "value.team == a", "wider"],
  ["value.team matches `a+`", "value.team matches `a`", "undecided"],
  ["value.team matches `a+`", "value.team matches `a+`", "same"],
  ["any list.groups as g { g == a }", "a in list.groups", "undecided"],
  ["a in value.team", "value.team == a", "undecided"],
])("%j, and then %j: %s", (before, after, expected) => {
  expect(relation(before, after)).toBe(expected);
});

test("selectors of several rules count together", () => {
  expect(relation(["a in list.groups", "b in list.groups"], "a in list.groups or b in list.groups")).toBe("same");
  expect(relation(["a in list.groups", "b in list.groups"], "a in list.groups")).toBe("narrower");
});

test("where names mean other claims, or two names mean one claim, nothing is concluded from selectors", () => {
  const of = (more: object) => ({ ...mappings, ...more });
  const inGroups = "a in list.groups";
  expect(relation(inGroups, inGroups, of({ listClaimMappings: { roles: "groups" } }))).toBe("undecided");
  expect(relation(inGroups, inGroups, of({ listClaimMappings: {} }))).toBe("narrower");
  expect(relation(inGroups, "a in list.teams", of({ listClaimMappings: { groups: "teams" } }))).toBe("undecided");
  expect(relation("value.team == a", "value.other == a", of({ claimMappings: { team: "team", "/team/x": "other" } }))).toBe("undecided");
});

test("too many claims to try are undecided", () => {
  const many = Array.from({ length: 20 }, (_, index) => `g${index} in list.groups`).join(" or ");
  expect(relation(many, `${many} or x in list.groups`)).toBe("undecided");
});

const leaf = fc.oneof(
  fc
    .constantFrom("value.team", "value.job", "value.unknown")
    .chain((path) => fc.constantFrom(`${path} == a`, `${path} != b`, `${path} is empty`, `${path} == ""`, `${path}.x == a`)),
  fc
    .constantFrom("list.groups", "list.unknown")
    .chain((path) => fc.constantFrom(`a in ${path}`, `b not in ${path}`, `${path} is not empty`, `${path} == a`, `${path} is nil`)),
);
const selector = selectorsOver(leaf);
const identity = identitiesWith(["team", "job"], ["a", "b", "c", ""], ["a", "b", "c"]);

test("no login contradicts what is decided, and no change is undecided where only whole texts are compared", () => {
  fc.assert(
    fc.property(selector, selector, fc.array(identity, { minLength: 20, maxLength: 20 }), (before, after, logins) => {
      const found = relation(before, after);
      const [old, now] = [before, after].map(parseSelector);
      for (const login of logins) {
        const [was, is] = [old, now].map((parsed) => parsed && "value" in parsed && matches(parsed.value, login));
        if (found === "same") expect(is).toBe(was);
        if (found === "wider" && was) expect(is).toBe(true);
        if (found === "narrower" && is) expect(was).toBe(true);
      }
      if (!/\.x/.test(before + after)) expect(found).not.toBe("undecided");
    }),
    cases({ numRuns: 200 }),
  );
});
