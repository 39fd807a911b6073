import { listOf } from "./text";

test.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a and b"],
  [["a", "b", "c"], "a, b and c"],
])("%j reads %j", (items, text) => {
  expect(listOf(items)).toBe(text);
});
