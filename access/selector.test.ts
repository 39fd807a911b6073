import fc from "fast-check";
import { sizeOf } from "../test/support/extent";
import { cases } from "../test/support/seed";
import { identitiesWith, selectorsOver } from "../test/support/selectors";
import { matches } from "./match";
import { reachOf } from "./reach";
import { conditionOf, selectorProblem } from "./selector";
import { matchesEveryLogin, reachIn, relationOfSelections } from "./selector-relation";

describe("a selector", () => {
  it.each([
    "engineering in list.roles",
    '"a b" not in list.roles',
    'value.user == "alice" and not (value.team != `ops` or list["first-name"] contains x)',
    "value.user matches `^a.*$` or value.user not matches b",
    "value.team is empty and value.team is not empty or x is nil or x is not nil",
    "value.0.count == -1.5",
    '"/value/user~1name" == "x"',
    "any list.roles as r { r == `x` }",
    "all list.roles as i, _ { i != 0 }",
    "(any list.roles as r { r == x }) or a == b",
    "a == b or any list.roles as r { r == x }",
    "not in list.roles and (not contains x or not == y)",
    "  not not a == b\n",
    'a == "\\u00e9\\n"',
  ])("%j is valid", (selector) => {
    expect(selectorProblem(selector)).toBeUndefined();
  });

  // Servers refuse each of these selectors.
  it.each([
    ["(((", "expected a condition, at its end (column 4)"],
    ["a ==", "expected a value, at its end (column 5)"],
    ["é == b", 'expected a condition, at column 1 ("é")'],
    ["a == b and", "expected a space, at its end (column 11)"],
    ["a == `é`\n  and", "expected a space, at its end (line 2, column 6)"],
    ["a == b c", 'expected "and", "or" or the end, at column 8 ("c")'],
    ["(a == b", 'expected "and", "or" or ")", at its end (column 8)'],
    ['value.team = "ops"', 'expected an operator such as "==", "in" or "is empty", at column 12 ("=")'],
    ['"a b" == c', 'expected "in" or "not in", at column 7 ("=")'],
    ["any list.roles { x == y }", 'expected "as", a name and "{", at column 16 ("{")'],
    ["all list.roles as i, _ { i != 0 } and a == b", 'expected the end, at column 35 ("a")'],
    ['x in "ab"', 'after "in" there must be a claim, such as list.groups, at column 6 ("\\"")'],
    ['a == "x', 'a text in quotes has no end, at column 6 ("\\"")'],
    ['"😀" in a or "x', 'a text in quotes has no end, at column 13 ("\\"")'],
    ['a == "\\q"', "a text in double quotes has an invalid escape or a line break; use backticks to allow both, at column 6"],
    ["a == b or\n  a[b] == c", 'between brackets there must be a text in quotes, like ["first-name"], at line 2, column 5 ("b")'],
    ['a["b" == c', 'expected "]", at column 6 (" ")'],
    ["1a in b", 'after a number there must be a space, ")" or the end, at column 2 ("a")'],
  ])("%j is reported with the error and its place", (selector, problem) => {
    expect(selectorProblem(selector)).toContain(`must be a boolean expression: ${problem}`);
  });

  it.each([
    ["value.my-claim == ops", 'value["my-claim"]', 'value["my-claim"] == ops'],
    ["ops in list.a.my-groups", 'list.a["my-groups"]', 'ops in list.a["my-groups"]'],
    ["value.https://claims/x == a", 'value["https://claims/x"]', 'value["https://claims/x"] == a'],
  ])("%j is reported with a remedy that servers accept", (selector, remedy, mended) => {
    expect(selectorProblem(selector)).toMatch(/ \("[-:@]"\)\. Put it in double quotes: /);
    expect(selectorProblem(selector)?.split("double quotes: ")[1]).toBe(remedy);
    expect(selectorProblem(mended)).toBeUndefined();
  });

  it.each([
    ["value.team == my-team", 'value.team == "my-team"'],
    ["a@example in list.mails", '"a@example" in list.mails'],
  ])("%j is reported without its value, which may be a secret, and with a remedy that servers accept", (selector, mended) => {
    expect(selectorProblem(selector)).toMatch(/ \("[-@]"\)\. Put the whole value in double quotes$/);
    expect(selectorProblem(mended)).toBeUndefined();
  });

  it("is reported without a remedy if quotes would not help", () => {
    for (const selector of ["value.a - b == c", "-a == b", "a = b"]) expect(selectorProblem(selector)).not.toContain("double quotes");
  });

  it("may be empty, and has no condition then", () => {
    expect(selectorProblem("")).toBeUndefined();
    expect(conditionOf("")).toBeUndefined();
  });

  it("is refused when it nests too deeply for servers to read", () => {
    const nested = (depth: number) => `${"(".repeat(depth)}a == b${")".repeat(depth)}`;
    expect(selectorProblem(nested(6))).toBeUndefined();
    expect(selectorProblem(nested(7))).toContain("too long for servers to read, or its parentheses are nested too deeply");
  });

  it("may be nearly as long a chain as servers read, which is 8,437 terms of this one", () => {
    const chain = (terms: number) => Array(terms).fill("a == b").join(" or ");
    expect(conditionOf(chain(8_300))).toBeDefined();
    expect(selectorProblem(chain(8_438))).toContain("too long for servers to read");
  });

  it("with 100,000 hostile characters is an error, and no stack overflow", () => {
    const hostile = ["(", "not ", '"', "[", 'a["', 'a == "\\q" or ', "\n", "a", "any a as b { "].map((part) =>
      part.repeat(100_000 / part.length),
    );
    for (const selector of hostile) expect(selectorProblem(selector)).toMatch(/^must be a boolean expression: /);
  });
});

describe("the tree of a selector", () => {
  const treeOf = (selector: string) => {
    const condition = conditionOf(selector);
    if (!condition) throw new Error(selectorProblem(selector));
    return condition;
  };

  it("has the path, the operator and the value of each comparison, with its place", () => {
    expect(treeOf('not value.team != `ops` and "a b" in list["first-name"].0')).toEqual({
      kind: "and",
      parts: [
        {
          kind: "not",
          of: {
            kind: "match",
            operator: "!=",
            path: { kind: "names", steps: ["value", "team"] },
            value: "ops",
            start: 4,
            end: 23,
          },
        },
        {
          kind: "match",
          operator: "in",
          path: { kind: "names", steps: ["list", "first-name", "0"] },
          value: "a b",
          start: 28,
          end: 57,
        },
      ],
    });
  });

  it("has neither double negations nor parentheses", () => {
    expect(treeOf("not not (a is nil)")).toMatchObject({ kind: "state", operator: "is nil", start: 9, end: 17 });
  });

  it.each([
    ["r", { single: "r" }],
    ["i, r", { index: "i", value: "r" }],
    ["i, _", { index: "i" }],
    ["_, r", { value: "r" }],
  ])("has the names of a collection's items: %s", (written, names) => {
    expect(treeOf(`any list.groups as ${written} { r == x }`)).toMatchObject({ kind: "any", names, of: { steps: ["list", "groups"] } });
  });

  it.each([
    ['"a\\n\\x41\\103\\u00e9\\U0001f600\\xc3\\xa9"', "a\nAC\u00e9\u{1f600}\u00e9"],
    ["`a\\n\r`", "a\\n"],
    ['"/a~1b/c"', "a/b/c"],
    ["value.team", "value.team"],
    ["-1.50", "-1.50"],
    ['""', ""],
  ])("has the text of the value %s", (written, text) => {
    expect(treeOf(`a == ${written}`)).toMatchObject({ value: text });
  });
});

describe("the relation of two selectors", () => {
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
  ])("from %j to %j: %s", (before, after, expected) => {
    expect(relation(before, after)).toBe(expected);
  });

  test("the selectors of several rules count together", () => {
    expect(relation(["a in list.groups", "b in list.groups"], "a in list.groups or b in list.groups")).toBe("same");
    expect(relation(["a in list.groups", "b in list.groups"], "a in list.groups")).toBe("narrower");
  });

  test("the relation is undecided if a name changes its claim, or two names have one claim", () => {
    const of = (more: object) => ({ ...mappings, ...more });
    const inGroups = "a in list.groups";
    expect(relation(inGroups, inGroups, of({ listClaimMappings: { roles: "groups" } }))).toBe("undecided");
    expect(relation(inGroups, inGroups, of({ listClaimMappings: {} }))).toBe("narrower");
    expect(relation(inGroups, "a in list.teams", of({ listClaimMappings: { groups: "teams" } }))).toBe("undecided");
    expect(relation("value.team == a", "value.other == a", of({ claimMappings: { team: "team", "/team/x": "other" } }))).toBe("undecided");
  });

  test("the relation is undecided for too many claims", () => {
    const many = Array.from({ length: 20 }, (_, index) => `g${index} in list.groups`).join(" or ");
    expect(relation(many, `${many} or x in list.groups`)).toBe("undecided");
    const unmapped = many.replaceAll("groups", "unknown");
    expect(relation("value.team == a", `value.team == a or ${unmapped}`)).toBe("same");
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

  test("no login contradicts a decided relation, and comparisons of whole texts are always decided", () => {
    fc.assert(
      fc.property(selector, selector, fc.array(identity, { minLength: 20, maxLength: 20 }), (before, after, logins) => {
        const found = relation(before, after);
        const [old, now] = [before, after].map(conditionOf);
        for (const login of logins) {
          const [was, is] = [old, now].map((condition) => condition && matches(condition, login));
          if (found === "same") expect(is).toBe(was);
          if (found === "wider" && was) expect(is).toBe(true);
          if (found === "narrower" && is) expect(was).toBe(true);
        }
        if (!/\.x/.test(before + after)) expect(found).not.toBe("undecided");
      }),
      cases({ numRuns: sizeOf({ quick: 80, full: 200 }) }),
    );
  });
});

describe("the reach of a selector", () => {
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
    ["tean not in value", "always"],
    ["tean in value", "never"],
    ["team not in value", "depends"],
    ["value is nil", "never"],
    ["list is not nil", "always"],
    ["value is empty", "depends"],
    ["not (value.tean == ops)", "always"],
    ["all list.group as g { g == ops }", "always"],
    ["any list.group as g { g == ops }", "never"],
    ["value.tean.x != ops", "never"],
    ["not (value.team.x == ops)", "never"],
    ["value.team == ops or value.team.x == ops", "depends"],
    ["list.groups.0 == ops", "depends"],
    ["team == ops", "never"],
    ["this is no selector (", "never"],
  ])("with these mappings, the selector %j matches: %s", (selector, reach) => {
    expect(reachOf(selector, mapped)).toBe(reach);
  });

  test("of a method without mappings, a condition on the whole map matches every login or none", () => {
    const none = { value: new Set<string>(), list: new Set<string>() };
    expect(["value is empty", "list is not empty", "not (list is empty)"].map((selector) => reachOf(selector, none))).toEqual([
      "always",
      "never",
      "never",
    ]);
  });

  test("a selector with the reach always or never keeps to it for any login", () => {
    const paths = ["value.team", "value.tean", "list.groups", "list.group"];
    const leaf = fc.oneof(
      fc.constantFrom(...paths.slice(0, 2)).chain((path) => fc.constantFrom(`${path} == ops`, `${path} != ops`, `${path} is empty`)),
      fc.constantFrom(...paths.slice(2)).chain((path) => fc.constantFrom(`ops in ${path}`, `ops not in ${path}`, `${path} is not empty`)),
      fc.constantFrom("team in value", "groups not in list", "value is empty", "list is not nil", "value is nil"),
      fc.constantFrom("value.team.x == ops", "value.tean.x != ops", "value.team matches `(`", "any list.groups as g { g == ops }"),
    );
    const selectors = selectorsOver(leaf);
    const identities = identitiesWith(["team"], ["ops", "dev", ""], ["ops", "dev"]);
    fc.assert(
      fc.property(selectors, identities, (selector, identity) => {
        const reach = reachOf(selector, mapped);
        const condition = conditionOf(selector);
        if (!condition) throw new Error(`${selector} is no selector`);
        if (reach !== "depends") expect(matches(condition, identity)).toBe(reach === "always");
      }),
      cases({ numRuns: sizeOf({ quick: 200, full: 500 }) }),
    );
  });
});

test.each([
  ["", true],
  ["value.team == ops or value.team != ops", true],
  ["team in value or team not in value", true],
  ["team in value or value.team is empty", true],
  ["team in value", false],
  ["groups in list and groups not in list", false],
  ["not (a in list.groups and a not in list.groups)", true],
  ['value["__proto__"] == a or value["__proto__"] != a', true],
  ["value.team == ops", false],
  ["value.team != ops", false],
  ["value.team is empty or list.groups is empty", false],
  ["value.team ==", false],
  ["value.team matches `^a`", false],
])("the selector %j matches every login of any method: %s", (selector, expected) => {
  expect(matchesEveryLogin(selector)).toBe(expected);
});

test("the names that a method maps decide with the comparisons whether a selector matches every login", () => {
  const selector = "(value.team == ops or value.team != ops) and value.tean != x";
  const mapping = (...names: string[]) => ({ value: new Set(names), list: new Set<string>() });
  expect(reachIn(selector, undefined)).toBe("depends");
  expect(reachIn(selector, mapping("team", "tean"))).toBe("depends");
  expect(reachIn(selector, mapping("team"))).toBe("always");
  expect(reachIn("value.tean == x", mapping("team"))).toBe("never");
});
