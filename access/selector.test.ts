import { parseSelector, selectorProblem, selectorRefusal } from "./selector";

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

  it("is reported without a remedy where quotes are none", () => {
    for (const selector of ["value.a - b == c", "-a == b", "a = b"]) expect(selectorProblem(selector)).not.toContain("double quotes");
  });

  it("is nothing where it is empty, which is right for a rule, and no expression to the server's parser", () => {
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
