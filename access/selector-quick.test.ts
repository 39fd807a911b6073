import fc from "fast-check";
import { cases } from "../test/support/seed";
import { parseByGrammar, parseSelector } from "./selector";
import { readQuickly } from "./selector-quick";

const words = ["value.team", "list.groups", "value", "list.groups.0", "any", "all", "not", "in", "is", "x", "as", "contains", "and", "or"];
const values = ['"ops"', '""', '"a b"', '"/a"', '"/a b"', "ops", "5", "-1.5", "05", "1a", "`raw`", '"\\n"', "true", '"é"', '"😀"', '"x'];
const gaps = ["", " ", "  ", "\n", "\t "];
const operators = ["==", "!=", "in", "not in", "contains", "not contains", "matches", "not  matches", "is empty", "is not nil", "is", "="];

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
