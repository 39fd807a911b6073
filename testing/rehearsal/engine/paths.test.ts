import { covers, keepOldValues, parsePath } from "./paths";
import { secret } from "./values";

it.each([
  ["a", ["a"]],
  ["a.b[0]", ["a", "b", 0]],
  ['a["b.c"].d', ["a", "b.c", "d"]],
  ['["say \\"hi\\""]', ['say "hi"']],
  ["a[*].*", ["a", "*", "*"]],
])("reads the property path %s", (text, path) => {
  expect(parsePath(text)).toEqual(path);
});

it("names the part of a path that it can't read", () => {
  expect(() => parsePath("a[b]")).toThrow('"a[b]" is not a property path: "[b]" cannot be read');
});

it("finds which paths are within another", () => {
  expect(covers(parsePath("a"), parsePath("a.b"))).toBe(true);
  expect(covers(parsePath("*"), parsePath("a.b"))).toBe(true);
  expect(covers(parsePath("a.b"), parsePath("a"))).toBe(false);
  expect(covers(parsePath("a.c"), parsePath("a.b"))).toBe(false);
});

describe("keepOldValues", () => {
  const keep = (news: Parameters<typeof keepOldValues>[0], olds: Parameters<typeof keepOldValues>[1], ...paths: string[]) =>
    keepOldValues(news, olds, paths);

  it("undoes a change, an addition and a removal, and does not modify the given inputs", () => {
    const news = { changed: 2, added: 1, other: 2 };
    expect(keep(news, { changed: 1, removed: 1, other: 1 }, "changed", "added", "removed")).toEqual({
      inputs: { changed: 1, removed: 1, other: 2 },
      impossible: [],
    });
    expect(news).toEqual({ changed: 2, added: 1, other: 2 });
  });

  it("works within objects and lists", () => {
    const olds = { a: { x: 1, y: 1 }, list: [1, { z: 1 }] };
    expect(keep({ a: { x: 2, y: 2 }, list: [2, { z: 2 }] }, olds, "a.x", "list[1].z").inputs).toEqual({
      a: { x: 1, y: 2 },
      list: [2, { z: 1 }],
    });
  });

  it("reads * as every key and every item", () => {
    expect(keep({ a: { x: 2, z: 1 } }, { a: { x: 1, y: 1 } }, "a.*").inputs).toEqual({ a: { x: 1, y: 1 } });
    expect(keep({ a: [{ x: 2 }, { x: 2 }] }, { a: [{ x: 1 }, { x: 1 }] }, "a[*].x").inputs).toEqual({ a: [{ x: 1 }, { x: 1 }] });
    expect(keep({ a: 2 }, { a: 1 }, "*").inputs).toEqual({ a: 1 });
  });

  it("keeps an old value secret", () => {
    expect(keep({ a: { x: 2 } }, { a: secret({ x: 1 }) }, "a.x").inputs).toEqual({ a: { x: secret(1) } });
    expect(keep({ a: secret({ x: 2 }) }, { a: secret({ x: 1 }) }, "a.x").inputs).toEqual({ a: secret({ x: 1 }) });
  });

  it("names the paths whose container is missing or has another length", () => {
    const news = { list: [1], scalar: 1 };
    const olds = { list: [1, 2], scalar: { x: 1 }, gone: { x: 1 } };
    expect(keep(news, olds, "list[1]", "list[*]", "scalar.x", "gone.x", "nowhere.x").impossible).toEqual([
      "list[1]",
      "list[*]",
      "scalar.x",
      "gone.x",
    ]);
  });
});
