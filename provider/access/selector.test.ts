import { selectorProblem } from "./selector";

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
    expect(selectorProblem(selector)).toBeUndefined();
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
    expect(selectorProblem(selector)).toBe(message);
  });

  it("counts lines, and bytes for the offset", () => {
    expect(selectorProblem("a == `é`\n  and")).toBe("2:6 (15): no match found, expected: [ \\t\\r\\n]");
  });

  it("is refused when it nests too deeply for the server to read", () => {
    expect(selectorProblem(`${"(".repeat(6)}a == b${")".repeat(6)}`)).toBeUndefined();
    expect(selectorProblem(`${"(".repeat(7)}a == b${")".repeat(7)}`)).toContain("max number of expressions parsed");
  });
});
