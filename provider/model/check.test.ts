import * as z from "zod";
import { record } from "../../common/record";
import { unknown } from "../../common/unknown";
import { type CheckFailure, checkObject, formatPath, type Path } from "./check";
import { field, propertiesOf } from "./fields";

const schema = z.object({
  name: field(z.string().regex(/^[a-z]{1,5}$/, "must be 1 to 5 small letters"), "", {}),
  kind: field(z.enum(["x", "y"], 'must be "x" or "y"').default("x"), ""),
  size: field(z.number().min(0, "must be 0 or more").max(9, "must be at most 9").optional(), ""),
  tags: field(z.array(z.string().min(1, "must not be empty")).min(1, "must hold one").max(2, "must hold two at most").optional(), "", {
    set: true,
  }),
  labels: field(record(z.string()).optional(), ""),
  below: field(
    z.object({ on: field(z.boolean().default(false), ""), inner: field(z.object({ text: z.string() }).optional(), "") }).optional(),
    "",
  ),
});

function check(value: unknown) {
  const failures: CheckFailure[] = [];
  const inputs = checkObject(propertiesOf(schema), value, [], (path: Path, reason: string) =>
    failures.push({ path: formatPath(path), reason }),
  );
  return { inputs, failures };
}

const failuresOf = (value: unknown) => check(value).failures.map(({ path, reason }) => `${path} ${reason}`);

test("valid inputs stay unchanged, and defaults are added at any depth", () => {
  expect(check({ name: "abc", size: 9, tags: ["a", "a"], labels: { k: "v" }, below: {} })).toEqual({
    inputs: { name: "abc", kind: "x", size: 9, tags: ["a", "a"], labels: { k: "v" }, below: { on: false } },
    failures: [],
  });
});

test("all failures are reported at once, each by its path", () => {
  const wrong = {
    name: "ABC",
    kind: "z",
    size: 10,
    tags: ["a", "", "c"],
    labels: { k: 1, "a b": null },
    below: { on: "no", inner: {} },
    more: 1,
  };
  expect(failuresOf(wrong)).toEqual([
    "more is not a property here; the properties are name, kind, size, tags, labels, below",
    "name must be 1 to 5 small letters",
    'kind must be "x" or "y"',
    "size must be at most 9",
    "tags must hold two at most",
    "tags[1] must not be empty",
    "labels.k is invalid: expected string, received number",
    'labels["a b"] is required',
    "below.on is invalid: expected boolean, received string",
    "below.inner.text is required",
  ]);
});

test("an unknown value is accepted in lists, maps and objects, and the other values are checked", () => {
  const value = { name: "a", tags: [unknown, ""], labels: { k: unknown, l: 2 }, below: { on: unknown, inner: { text: unknown } } };
  expect(check(value)).toEqual({
    inputs: { ...value, kind: "x" },
    failures: [
      { path: "tags[1]", reason: "must not be empty" },
      { path: "labels.l", reason: "is invalid: expected string, received number" },
    ],
  });
});

test("an unknown item counts for the length of a list", () => {
  expect(failuresOf({ name: "a", tags: [unknown] })).toEqual([]);
  expect(failuresOf({ name: "a", tags: [unknown, unknown, unknown] })).toEqual(["tags must hold two at most"]);
});

test.each([
  [{ name: "a", tags: "x" }, "tags must be a list, not a string"],
  [{ name: "a", tags: { 0: "x" } }, "tags must be a list, not an object"],
  [{ name: "a", labels: ["x"] }, "labels must be a map, not a list"],
  [{ name: "a", labels: true }, "labels must be a map, not a boolean"],
  [{ name: "a", below: 7 }, "below must be an object, not a number"],
  [{ name: 5 }, "name is invalid: expected string, received number"],
  [{ name: ["a"] }, "name is invalid: expected string, received array"],
])("a value of the wrong type is reported with its type (%#)", (value, failure) => {
  expect(failuresOf(value)).toEqual([failure]);
});

test.each([
  [{ name: "a", Size: 1 }, "Size is not a property here; did you mean size?"],
  [{ name: "a", siez: 1 }, "siez is not a property here; did you mean size?"],
  [{ name: "a", si: 1 }, "si is not a property here; did you mean size?"],
  [{ name: "a", thesize: 1 }, "thesize is not a property here; the properties are name, kind, size, tags, labels, below"],
  [{ name: "a", asizes: 1 }, "asizes is not a property here; did you mean size?"],
  [{ name: "a", below: { On: true } }, "below.On is not a property here; did you mean on?"],
  [{ name: "a", "la-bels": {} }, '["la-bels"] is not a property here; did you mean labels?'],
])("an unknown name is reported with a similar known one, or with all known ones (%#)", (value, failure) => {
  expect(failuresOf(value)).toEqual([failure]);
});

describe("names of inherited properties", () => {
  const own = (key: string, value: unknown) => Object.fromEntries([[key, value]]);

  test.each(["__proto__", "constructor", "toString"])("%s is an unknown property of an object", (key) => {
    expect(failuresOf({ name: "a", ...own(key, {}) })).toHaveLength(1);
    expect(failuresOf({ name: "a", below: own(key, {}) })[0]).toMatch(/^below\..* is not a property here/);
  });

  test("an inherited value does not count as given", () => {
    expect(failuresOf(Object.create({ name: "a" }))).toEqual(["name is required"]);
  });
});

describe("an invalid value in the old inputs", () => {
  const judged = (value: object, olds: object) => {
    const [failures, old]: [string[], string[]] = [[], []];
    checkObject(
      propertiesOf(schema),
      value,
      [],
      (path, reason, isOld) => (isOld ? old : failures).push(`${formatPath(path)} ${reason}`),
      olds,
    );
    return { failures, old };
  };
  const beyond = { name: "ABC", kind: "z", size: 10, tags: ["", "b", "c"], labels: {} };

  test("causes a warning if it exceeds a limit, and is not changed", () => {
    const reasons = [
      "name must be 1 to 5 small letters",
      'kind must be "x" or "y"',
      "size must be at most 9",
      "tags must hold two at most",
      "tags[0] must not be empty",
    ];
    expect(judged(beyond, beyond)).toEqual({ failures: [], old: reasons });
    expect(judged(beyond, {})).toEqual({ failures: reasons, old: [] });
    expect(judged({ ...beyond, size: 11 }, beyond).failures).toEqual(["size must be at most 9"]);
    expect(judged({ name: "a", tags: [""] }, { name: "a", tags: ["x", ""] })).toEqual({ failures: [], old: ["tags[0] must not be empty"] });
  });

  test("is a failure if its type is wrong, it is missing, or its property is unknown", () => {
    const wrong = { kind: 5, size: "10", tags: "x", labels: { k: 1 }, below: { on: "no" }, more: 1 };
    expect(judged(wrong, wrong).failures).toEqual(judged(wrong, {}).failures);
  });
});

test("a default is a copy, so a change of it affects no other resource", () => {
  const withDefault = z.object({ list: field(z.array(z.string()).default(["a"]), "") });
  const fill = () => checkObject(propertiesOf(withDefault), {}, [], () => {});
  const first = z.object({ list: z.array(z.string()) }).parse(fill());
  first.list.push("b");
  expect(first.list).toEqual(["a", "b"]);
  expect(fill()).toEqual({ list: ["a"] });
});

test.each<[Path, string]>([
  [["name"], "name"],
  [["config", "allowedRedirectUris", 0], "config.allowedRedirectUris[0]"],
  [["config", "claimMappings", "https://x/user"], 'config.claimMappings["https://x/user"]'],
  [["labels", "a-b", 3, "c"], 'labels["a-b"][3].c'],
  [["labels", 'quote"d'], 'labels["quote\\"d"]'],
  [["labels", ""], 'labels[""]'],
  [["labels", "0"], 'labels["0"]'],
])("a path has the form of an expression in a program (%#)", (path, text) => {
  expect(formatPath(path)).toBe(text);
});
