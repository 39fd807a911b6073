import fc from "fast-check";
import { sizeOf } from "../test/support/extent";
import { cases } from "../test/support/seed";
import { identitiesWith, selectorsOver } from "../test/support/selectors";
import { matches } from "./match";
import { reachOf } from "./reach";
import { parseByGrammar, parseSelector, selectorProblem, selectorRefusal } from "./selector";
import { readQuickly } from "./selector-quick";
import { matchesEveryLogin, relationOfSelections } from "./selector-relation";

// Every message here is what the server's own parser said.
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
    "  not not a == b\n",
    'a == "\\u00e9\\n"',
  ])("%s is valid", (selector) => {
    expect(selectorRefusal(selector)).toBeUndefined();
  });

  it.each([
    ["(((", '1:4 (3): no match found, expected: "(", "-", "0", "\\"", "`", "all", "any", "not", [ \\t\\r\\n], [1-9] or [a-zA-Z]'],
    ["a ==", '1:5 (4): no match found, expected: "-", "0", "\\"", "`", [ \\t\\r\\n], [1-9] or [a-zA-Z]'],
    ["é == b", '1:1 (0): no match found, expected: "(", "-", "0", "\\"", "`", "all", "any", "not", [ \\t\\r\\n], [1-9] or [a-zA-Z]'],
    ['x in "ab"', '1:6 (5): rule "match": Invalid selector'],
    ['a == "x', '1:8 (7): rule "string": Unterminated string literal'],
    ['a == "\\q"', '1:6 (5): rule "string": invalid syntax'],
    ["a[b] == c", '1:3 (2): rule "index": Invalid index'],
    ["all list.roles as i, _ { i != 0 } and a == b", "1:35 (34): no match found, expected: [ \\t\\r\\n] or EOF"],
    ["1a in b", '1:2 (1): rule "number": Invalid number literal'],
  ])("%s is refused with the parser's message", (selector, message) => {
    expect(selectorRefusal(selector)).toBe(message);
  });

  it("counts lines, and bytes for the offset", () => {
    expect(selectorRefusal("a == `é`\n  and")).toBe("2:6 (15): no match found, expected: [ \\t\\r\\n]");
  });

  it("is refused when it nests too deeply for the server to read", () => {
    expect(selectorRefusal(`${"(".repeat(6)}a == b${")".repeat(6)}`)).toBeUndefined();
    expect(selectorRefusal(`${"(".repeat(7)}a == b${")".repeat(7)}`)).toContain("max number of expressions parsed");
  });

  it("may be as long a chain as the server reads to its end, which is 8,437 terms of this one", () => {
    const chain = (terms: number) => Array(terms).fill("a == b").join(" or ");
    expect(selectorRefusal(chain(8437))).toBeUndefined();
    expect(selectorRefusal(chain(8438))).toContain("max number of expressions parsed");
  });

  it("of 100,000 characters is given up where the server gives it up", () => {
    const hostile = ["(", "not ", '"', "[", 'a["', 'a == "\\q" or ', "\n", "a"].map((part) => part.repeat(100_000 / part.length));
    for (const selector of hostile) expect(selectorProblem(selector)).toMatch(/^must be a boolean expression: /);
  });
});

describe("what is wrong with a selector", () => {
  it.each([
    ['value.team = "ops"', 'expected: "!=", "==", "contains", "in", "is", "matches", "not" or [ \\t\\r\\n], at column 12 ("=")'],
    ["a == b and", "expected: [ \\t\\r\\n], at its end (column 11)"],
    ["a == b or\n  a[b] == c", 'Invalid index, at line 2, column 5 ("b")'],
    ["value.a-b == c", 'or [a-zA-Z0-9_/], at column 8 ("-")'],
  ])("%j is reported with its position", (selector, problem) => {
    expect(selectorProblem(selector)).toContain(problem);
  });

  it.each([
    ["value.my-claim == ops", 'value["my-claim"]', 'value["my-claim"] == ops'],
    ["ops in list.a.my-groups", 'list.a["my-groups"]', 'ops in list.a["my-groups"]'],
    ["value.team == my-team", '"my-team"', 'value.team == "my-team"'],
    ["value.https://claims/x == a", 'value["https://claims/x"]', 'value["https://claims/x"] == a'],
    ["a@example in list.mails", '"a@example"', '"a@example" in list.mails'],
  ])("%j is reported with its remedy, which servers read", (selector, remedy, mended) => {
    expect(selectorProblem(selector)).toMatch(/ \("[-:@]"\)\. Put it in double quotes: /);
    expect(selectorProblem(selector)?.split("double quotes: ")[1]).toBe(remedy);
    expect(selectorProblem(mended)).toBeUndefined();
  });

  it("is reported without a remedy if quotes are none", () => {
    for (const selector of ["value.a - b == c", "-a == b", "a = b"]) expect(selectorProblem(selector)).not.toContain("double quotes");
  });

  it("is nothing if it is empty, which is right for a rule, and no expression to the server's parser", () => {
    expect(selectorProblem("")).toBeUndefined();
    expect(selectorRefusal("")).toContain("no match found");
  });
});

describe("the tree of a selector", () => {
  const treeOf = (selector: string) => {
    const parsed = parseSelector(selector);
    if (!("value" in parsed)) throw new Error(parsed.mistakes[0].message);
    return parsed.value;
  };

  it("says what is compared with what, and where that stands", () => {
    expect(treeOf('not value.team != `ops` and "a b" in list["first-name"].0')).toEqual({
      kind: "and",
      left: {
        kind: "not",
        of: {
          kind: "match",
          operator: "!=",
          path: { kind: "names", steps: ["value", "team"] },
          value: "ops",
          start: 4,
          end: 23,
        },
        start: 0,
        end: 23,
      },
      right: {
        kind: "match",
        operator: "in",
        path: { kind: "names", steps: ["list", "first-name", "0"] },
        value: "a b",
        start: 28,
        end: 57,
      },
      start: 0,
      end: 57,
    });
  });

  it("folds two negations, and leaves out parentheses", () => {
    expect(treeOf("not not (a is nil)")).toMatchObject({ kind: "state", operator: "is nil", start: 9, end: 17 });
  });

  it.each([
    ["r", { single: "r" }],
    ["i, r", { index: "i", value: "r" }],
    ["i, _", { index: "i" }],
    ["_, r", { value: "r" }],
  ])("has the names of a collection: %s", (written, names) => {
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

describe("selectors that are read quickly", () => {
  const words = [
    "value.team",
    "list.groups",
    "value",
    "list.groups.0",
    "any",
    "all",
    "not",
    "in",
    "is",
    "x",
    "as",
    "contains",
    "and",
    "or",
  ];
  const values = ['"ops"', '""', '"a b"', '"/a"', '"/a b"', "ops", "5", "-1.5", "05", "1a", "`raw`", '"\\n"', "true", '"é"', '"😀"', '"x'];
  const gaps = ["", " ", "  ", "\n", "\t "];
  const operators = [
    "==",
    "!=",
    "in",
    "not in",
    "contains",
    "not contains",
    "matches",
    "not  matches",
    "is empty",
    "is not nil",
    "is",
    "=",
  ];

  const gap = fc.constantFrom(...gaps);
  const space = fc.constantFrom(" ", " ", "\n", "  ");
  const path = fc.constantFrom(...words);
  const value = fc.constantFrom(...values);

  function text(...parts: readonly (fc.Arbitrary<string> | string)[]): fc.Arbitrary<string> {
    return fc.tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part))).map((read) => read.join(""));
  }

  const selectors = fc.letrec<{ selector: string }>((tie) => ({
    selector: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      text(path, gap, fc.constantFrom(...operators), gap, value),
      text(path, " ", fc.constantFrom(...operators)),
      text(value, space, fc.constantFrom("in", "not in"), space, path),
      text(tie("selector"), space, fc.constantFrom("and", "or"), space, tie("selector")),
      text("not", space, tie("selector")),
      text("(", gap, tie("selector"), gap, ")"),
      text(
        fc.constantFrom("any", "all"),
        space,
        path,
        " as ",
        fc.constantFrom("x", "i, x", "i, _", "_, x", "i,i"),
        gap,
        "{",
        gap,
        tie("selector"),
        gap,
        "}",
      ),
      text(gap, tie("selector"), gap),
    ),
  })).selector;

  it("reads what it reads as the whole grammar does", () => {
    let read = 0;
    fc.assert(
      fc.property(selectors, (selector) => {
        const quick = readQuickly(selector);
        if (!quick) return;
        read++;
        expect(parseByGrammar(selector)).toEqual({ value: quick, mistakes: [] });
      }),
      cases({ numRuns: 4_000 }),
    );
    // A reader that gives everything up would agree as well.
    expect(read).toBeGreaterThan(300);
  });

  it.each([
    ["a text with an escape", 'value.team == "a\\"b"'],
    ["a text that could be a JSON pointer", 'value.team == "/a"'],
    ["a path that is a JSON pointer", '"/value/team" == a'],
    ["an index in brackets", 'value["team"] == a'],
    ["a character of two units", 'value.team == "😀"'],
    ["parentheses", "(a == b)"],
    ["a negation", "not a == b"],
    ["a collection", "any a as x { x == b }"],
    ["a number that ends in letters", "1a in b"],
    ["what is no selector", "a and"],
  ])("leaves %s to the grammar", (_, selector) => {
    expect(readQuickly(selector)).toBeUndefined();
  });

  it("leaves a selector of more than 2,000 characters to the grammar, which counts its steps", () => {
    const chain = (length: number) => Array.from({ length }, () => "a == b").join(" and ");
    expect(readQuickly(chain(100))).toBeDefined();
    expect(readQuickly(chain(200))).toBeUndefined();
    expect(parseSelector(chain(200)).mistakes).toEqual([]);
  });
});

describe("which logins one selector matches, compared with another", () => {
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

  test("if names mean other claims, or two names mean one claim, nothing is concluded from selectors", () => {
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

  test("no login contradicts what is decided, and no change is undecided if only whole texts are compared", () => {
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
      cases({ numRuns: sizeOf({ quick: 80, full: 200 }) }),
    );
  });
});

describe("which logins a selector can match", () => {
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
      cases({ numRuns: sizeOf({ quick: 200, full: 500 }) }),
    );
  });
});

test.each([
  ["", true],
  ["value.team == ops or value.team != ops", true],
  ["not (a in list.groups and a not in list.groups)", true],
  ['value["__proto__"] == a or value["__proto__"] != a', true],
  ["value.team == ops", false],
  ["value.team != ops", false],
  ["value.team is empty or list.groups is empty", false],
  ["value.team ==", false],
  ["value.team matches `^a`", false],
])("the selector %j matches every login of whatever method: %s", (selector, expected) => {
  expect(matchesEveryLogin(selector)).toBe(expected);
});
