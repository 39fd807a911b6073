import { holdsUnknown, isRecord, unknown } from "./unknown";

test("the symbol is the same in every copy of the package", () => {
  expect(Symbol.for("pulumi-agentpool-acl/unknown")).toBe(unknown);
});

test.each([[unknown], [[unknown]], [["a", ["b", unknown]]], [{ a: { b: [unknown] } }], [Object.fromEntries([["__proto__", unknown]])]])(
  "an unknown value is found at any depth (%#)",
  (value) => {
    expect(holdsUnknown(value)).toBe(true);
  },
);

test.each([
  [undefined],
  [null],
  ["04da6b54-80e4-46f7-96ec-b56ff0331ba9"],
  [0],
  [false],
  [[]],
  [{}],
  [{ a: [1, "b", null] }],
  [Symbol("unknown")],
])("a known value holds nothing unknown (%#)", (value) => {
  expect(holdsUnknown(value)).toBe(false);
});

test("a record is an object, and neither null nor a list", () => {
  expect([{}, { a: 1 }, Object.create(null)].every(isRecord)).toBe(true);
  expect([null, undefined, [], "a", 1, true, unknown].some(isRecord)).toBe(false);
});
