import * as z from "zod";
import { record } from "../../common/record";
import { unknown } from "../../common/unknown";
import { formatPath } from "./check";
import { changesOf, reconcile, sameMeaning } from "./diff";
import { field, fieldOf, propertiesOf } from "./fields";

const schema = z.object({
  text: field(z.string().optional(), ""),
  plain: field(z.string(), "", { replaces: true }),
  kind: field(z.string().default("x"), ""),
  length: field(z.string().optional(), "", { duration: true }),
  tags: field(z.array(z.string()).optional(), "", { set: true }),
  order: field(z.array(z.string()).optional(), ""),
  kept: field(z.array(z.string()).optional(), "", { set: true, emptyMatters: true }),
  labels: field(record(z.string()).optional(), ""),
  below: field(
    z.object({ on: field(z.boolean().default(false), ""), list: field(z.array(z.string()).optional(), "", { set: true }) }).optional(),
    "",
    { replaces: true },
  ),
  own: field(z.boolean().default(false), "", { local: true }),
});
const properties = propertiesOf(schema);

const changes = (olds: Record<string, unknown>, news: Record<string, unknown>) =>
  changesOf(properties, olds, news).map(({ kind, path, replaces }) => `${kind} ${formatPath(path)}${replaces ? " replaces" : ""}`);

describe("values of the same meaning have no change", () => {
  test.each([
    ["text", undefined, null],
    ["text", undefined, ""],
    ["kind", undefined, "x"],
    ["kind", null, "x"],
    ["length", "60m", "1h0m0s"],
    ["length", "1h", "3600s"],
    ["length", "-60s", "-1m"],
    ["length", undefined, "0s"],
    ["length", undefined, ""],
    ["tags", ["a", "b"], ["b", "a", "b"]],
    ["tags", undefined, []],
    ["order", undefined, []],
    ["kept", ["a", "a"], ["a"]],
    ["labels", { a: "1", b: "2" }, { b: "2", a: "1" }],
    ["labels", undefined, {}],
    ["below", { on: false, list: ["a", "b"] }, { list: ["b", "a"] }],
  ])("%s: %j and %j", (name, a, b) => {
    expect(changes({ [name]: a }, { [name]: b })).toEqual([]);
    expect(changes({ [name]: b }, { [name]: a })).toEqual([]);
  });
});

describe("a difference is reported by its deepest path", () => {
  test.each([
    ["text", undefined, "a", "add text"],
    ["text", "a", "", "delete text"],
    ["text", "a", "b", "update text"],
    ["text", "60m", "1h", "update text"],
    ["plain", "a", "b", "update plain replaces"],
    ["plain", undefined, "", "add plain replaces"],
    ["kind", undefined, "y", "update kind"],
    ["kind", "x", "", "update kind"],
    ["length", "1h", "1h1ns", "update length"],
    ["length", "1h", "an hour", "update length"],
    ["tags", ["a", "b"], ["a", "c", "b"], "add tags[1]"],
    ["tags", ["a", "b"], ["b"], "delete tags[0]"],
    ["order", ["a", "b"], ["b", "b"], "update order[0]"],
    ["order", ["a"], ["a", "b"], "add order[1]"],
    ["order", ["a"], ["a", "a"], "add order[1]"],
    ["order", ["a", "b"], ["a"], "delete order[1]"],
    ["kept", undefined, [], "add kept"],
    ["kept", [], undefined, "delete kept"],
    ["labels", { a: "1" }, { a: "2" }, "update labels.a"],
    ["labels", { a: "1" }, { a: "1", "b c": "" }, 'add labels["b c"]'],
    ["labels", { a: "1", b: "" }, { a: "1" }, "delete labels.b"],
    ["labels", undefined, { a: "1" }, "add labels"],
    ["labels", { Foo: "1" }, { Foo: "1", foo: "1" }, "add labels.foo"],
    ["below", { on: false }, { on: true }, "update below.on replaces"],
    ["below", { list: ["a"] }, { list: ["a", "b"] }, "add below.list[1] replaces"],
    ["own", undefined, true, "update own"],
  ])("%s: %j to %j is %s", (name, old, now, change) => {
    expect(changes({ [name]: old }, { [name]: now })).toEqual([change]);
  });

  test("one change among 10,000 items of a set is found at once", () => {
    const items = Array.from({ length: 10_000 }, (_, index) => `ws-${index}`);
    const started = performance.now();
    expect(changes({ plain: "", tags: items }, { plain: "", tags: [...items.slice(1).reverse(), "ws-new"] })).toEqual([
      "delete tags[0]",
      "add tags[9999]",
    ]);
    // Comparing each item with every other took half a minute; now it takes some hundredths of a second.
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  test("an unknown item of a set differs from the items that both sides have", () => {
    expect(changes({ plain: "", tags: ["a", "b"] }, { plain: "", tags: [unknown, "a", unknown] })).toEqual([
      "delete tags[1]",
      "add tags[0]",
      "add tags[2]",
    ]);
  });

  test("the order of a list that is not a set counts", () => {
    expect(changes({ order: ["a", "b"] }, { order: ["b", "a"] })).toEqual(["update order[0]", "update order[1]"]);
  });
});

describe("an unknown value may be a change", () => {
  test.each([
    ["text", unknown, "update text"],
    ["tags", ["a", unknown], "add tags[1]"],
    ["labels", { a: "1", b: unknown }, "add labels.b"],
    ["below", { on: unknown }, "update below.on replaces"],
  ])("%s", (name, now, change) => {
    const olds = { text: "a", tags: ["a"], labels: { a: "1" }, below: { on: false } };
    expect(changes(olds, { ...olds, [name]: now })).toEqual([change]);
  });

  test("it differs even from itself", () => {
    expect(changes({ text: unknown }, { text: unknown })).toHaveLength(1);
    expect(sameMeaning(fieldOf(z.string()), unknown, unknown)).toBe(false);
  });
});

describe("names of inherited properties", () => {
  const own = (key: string, value: unknown) => Object.fromEntries([[key, value]]);

  test.each(["__proto__", "constructor", "toString"])("%s in a map is compared by its value", (key) => {
    expect(changes({ labels: own(key, "1") }, { labels: own(key, "1") })).toEqual([]);
    expect(changes({ labels: own(key, "1") }, { labels: own(key, "2") })).toEqual([`update labels.${key}`]);
    expect(changes({ labels: { a: "1" } }, { labels: { a: "1", ...own(key, "1") } })).toEqual([`add labels.${key}`]);
  });

  test.each(["__proto__", "constructor", "toString"])("%s in a map survives a refresh", (key) => {
    const labels = properties.get("labels");
    if (!labels) throw new Error("no labels");
    const merged = reconcile(labels, { a: "1" }, { a: "1", ...own(key, "v") });
    expect(Object.entries(merged ?? {})).toEqual([
      ["a", "1"],
      [key, "v"],
    ]);
  });
});

describe("a refresh", () => {
  const refreshed = (name: string, old: unknown, server: unknown) => {
    const found = properties.get(name);
    if (!found) throw new Error(`no ${name}`);
    return reconcile(found, old, server);
  };

  test.each([
    ["length", "60m", "1h0m0s"],
    ["tags", ["b", "a", "b"], ["a", "b"]],
    ["labels", { b: "1", a: "2" }, { a: "2", b: "1" }],
    ["text", "", undefined],
    ["text", null, undefined],
    ["kind", null, "x"],
    ["tags", [], null],
    ["kept", ["b", "a"], ["a", "b"]],
    ["below", { list: ["b", "a"], on: false }, { on: false, list: ["a", "b"] }],
    ["own", true, undefined],
    ["own", true, false],
  ])("changes no byte of %s %j if the server's %j has the same meaning, or the property is local", (name, old, server) => {
    expect(JSON.stringify(refreshed(name, old, server))).toBe(JSON.stringify(old));
  });

  test.each([
    ["text", "a", "b", "b"],
    ["text", "a", undefined, undefined],
    ["text", "a", null, undefined],
    ["length", "60m", "2h0m0s", "2h0m0s"],
    ["tags", ["b", "a"], ["a", "c"], ["a", "c"]],
    ["labels", { b: "1", a: "2" }, { a: "3", c: "4" }, { a: "3", c: "4" }],
  ])("shows a change by others of %s: %j is %j now", (name, old, server, shown) => {
    expect(refreshed(name, old, server)).toEqual(shown);
  });

  test("shows drift of one part of an object, and keeps the spelling of the other parts", () => {
    expect(JSON.stringify(refreshed("below", { list: ["b", "a"], on: false }, { on: true, list: ["a", "b"] }))).toBe(
      '{"list":["b","a"],"on":true}',
    );
  });

  test("does not add unknown properties", () => {
    expect(refreshed("below", { on: false }, { on: true, surprise: 1 })).toEqual({ on: true });
  });
});
