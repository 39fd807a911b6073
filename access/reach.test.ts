import fc from "fast-check";
import { cases } from "../test/support/seed";
import { identitiesWith, selectorsOver } from "../test/support/selectors";
import { matches } from "./match";
import { reachOf } from "./reach";
import { parseSelector } from "./selector";

const mapped = { value: new Set(["team"]), list: new Set(["groups"]) };

test.each([
  ["", "always"],
  ["value.team == ops", "depends"],
  ["value.tean == ops", "never"],
  ["value.tean != ops", "always"],
  ["ops in list.group", "never"],
  ["ops not in list.group", "always"],
  ["list.group is empty", "always"],
  ["value.tean is not empty", "never"],
  ["value.tean != ops and value.team == ops", "depends"],
  ["value.tean == ops and value.team == ops", "never"],
  ["value.tean != ops or value.team == ops", "always"],
  ["not (value.tean == ops)", "always"],
  ["all list.group as g { g == ops }", "always"],
  ["any list.group as g { g == ops }", "never"],
  ["value.tean.x != ops", "never"],
  ["not (value.team.x == ops)", "never"],
  ["value.team == ops or value.team.x == ops", "depends"],
  ["list.groups.0 == ops", "depends"],
  ["team == ops", "never"],
  ["this is no selector (", "never"],
])("by the mappings alone, the selector %j matches: %s", (selector, reach) => {
  expect(reachOf(selector, mapped)).toBe(reach);
});

test("a selector that always or never matches does so for any login", () => {
  const paths = ["value.team", "value.tean", "list.groups", "list.group"];
  const leaf = fc.oneof(
    fc.constantFrom(...paths.slice(0, 2)).chain((path) => fc.constantFrom(`${path} == ops`, `${path} != ops`, `${path} is empty`)),
    fc.constantFrom(...paths.slice(2)).chain((path) => fc.constantFrom(`ops in ${path}`, `ops not in ${path}`, `${path} is not empty`)),
    fc.constantFrom("value.team.x == ops", "value.tean.x != ops", "value.team matches `(`", "any list.groups as g { g == ops }"),
  );
  const selectors = selectorsOver(leaf);
  const identities = identitiesWith(["team"], ["ops", "dev", ""], ["ops", "dev"]);
  fc.assert(
    fc.property(selectors, identities, (selector, identity) => {
      const reach = reachOf(selector, mapped);
      const parsed = parseSelector(selector);
      if (!("value" in parsed)) throw new Error(`${selector} is no selector`);
      if (reach !== "depends") expect(matches(parsed.value, identity)).toBe(reach === "always");
    }),
    cases({ numRuns: 500 }),
  );
});
