import * as z from "zod";
import { record, valuesIn } from "./record";

const parsed = (text: string): unknown => JSON.parse(text);
const schema = z.object({ names: record(z.string().min(1)).optional() });

test.each(["__proto__", "constructor", "toString", "a b"])("%s is an ordinary key, and an own property", (key) => {
  const given = Object.fromEntries([[key, "x"]]);
  const result = record(z.string()).parse(given);
  expect(Object.entries(result)).toEqual([[key, "x"]]);
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
});

test("the result has the parsed values", () => {
  expect(record(z.string().transform((text) => text.length)).parse({ a: "xyz" })).toEqual({ a: 3 });
});

test.each([
  ['{ "names": [] }', "Invalid input: expected record, received array", ["names"]],
  ['{ "names": null }', "Invalid input: expected record, received null", ["names"]],
  ['{ "names": { "a": "x", "__proto__": 1 } }', "Invalid input: expected string, received number", ["names", "__proto__"]],
  ['{ "names": { "a": "" } }', "Too small: expected string to have >=1 characters", ["names", "a"]],
])("an invalid value is reported with its path: %s", (text, message, path) => {
  const { error } = schema.safeParse(parsed(text));
  expect(error?.issues.map((issue) => [issue.message, issue.path])).toEqual([[message, path]]);
});

test("only an optional record may be left out", () => {
  expect(schema.parse({})).toEqual({});
  expect(z.object({ names: record(z.string()) }).safeParse({}).success).toBe(false);
});

test("valuesIn returns the schema of a record's values, and undefined for other schemas", () => {
  const values = z.string();
  expect(valuesIn(record(values))).toBe(values);
  expect(valuesIn(z.unknown().transform(String))).toBeUndefined();
});
