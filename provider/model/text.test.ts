import { listOf, shortened } from "./text";

test.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a and b"],
  [["a", "b", "c"], "a, b and c"],
])("%j reads %j", (items, text) => {
  expect(listOf(items)).toBe(text);
});

test.each([
  ["a".repeat(120), "a".repeat(120)],
  [`${"a".repeat(119)}\u{1f511}b`, `${"a".repeat(119)}...`],
  [`${"a".repeat(118)}\u{1f511}b`, `${"a".repeat(118)}\u{1f511}...`],
])("%s is never cut within a character", (text, short) => {
  expect(shortened(text)).toBe(short);
});
