import { covers, keepOldValues, parsePath } from "./paths";
import { aliasUrns, makeUrn, parseUrn, STACK_TYPE } from "./urn";
import { equal, markLike, plain, redact, reveal, secret, UNKNOWN } from "./values";

describe("values", () => {
  const resource = (parts: Record<string, string>) => ({
    "4dabf18193072939515e22adb298388d": "5cf8f73096256a8f31e491e813e4eb8e",
    ...parts,
  });

  it("marks a secret once", () => {
    expect(secret(secret("x"))).toEqual(secret("x"));
  });

  it("reveals and hides secrets at any depth", () => {
    const map = { a: secret("x"), b: [{ c: secret({ d: secret(1) }) }], e: UNKNOWN };
    expect(reveal(map)).toEqual({ a: "x", b: [{ c: { d: 1 } }], e: UNKNOWN });
    expect(redact(map)).toEqual({ a: "[secret]", b: [{ c: "[secret]" }], e: "[unknown]" });
  });

  it("gives a provider without support for resources a resource's id, or else its URN", () => {
    expect(plain({ a: resource({ urn: "u", id: "i" }), b: [resource({ urn: "u" })], c: secret("x") })).toEqual({
      a: "i",
      b: ["u"],
      c: "x",
    });
  });

  it("marks by name: objects deeply, lists as a whole, and only returned properties", () => {
    const model = { a: secret("x"), b: { c: secret("x"), d: 1 }, e: [secret("x"), "y"], f: secret("x") };
    expect(markLike({ a: 1, b: { c: 2, d: 3 }, e: ["y", "x"], g: 4 }, model)).toEqual({
      a: secret(1),
      b: { c: secret(2), d: 3 },
      e: secret(["y", "x"]),
      g: 4,
    });
  });

  it("compares JSON without regard to the order of keys", () => {
    expect(equal({ a: 1, b: [null, { c: "" }] }, { b: [null, { c: "" }], a: 1 })).toBe(true);
    expect(equal({ a: undefined }, {})).toBe(true);
    for (const [a, b] of [
      [{ a: 1 }, { a: 1, b: 2 }],
      [[1], { 0: 1 }],
      [null, {}],
      [{ a: undefined }, { b: null }],
      ["1", 1],
    ])
      expect(equal(a, b)).toBe(false);
  });
});

describe("paths", () => {
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
});

describe("URNs", () => {
  const urn = (rest: string) => `urn:pulumi:s::p::${rest}`;

  it("leaves the stack out of a URN, and joins the types of other parents", () => {
    const stack = makeUrn("s", "p", undefined, STACK_TYPE, "p-s");
    const outer = makeUrn("s", "p", stack, "x:y:Outer", "outer");
    expect(outer).toBe(urn("x:y:Outer::outer"));
    expect(makeUrn("s", "p", outer, "x:y:Inner", "inner")).toBe(urn("x:y:Outer$x:y:Inner::inner"));
  });

  it("parses a URN, also when the name has the separator", () => {
    expect(parseUrn(urn("a:b:C$d:e:F::one::two"))).toEqual({
      stack: "s",
      project: "p",
      qualifiedType: "a:b:C$d:e:F",
      type: "d:e:F",
      name: "one::two",
    });
    expect(() => parseUrn("nonsense")).toThrow("is not a URN");
  });

  describe("aliases", () => {
    const naming = { stack: "s", project: "p", type: "t:t:T", name: "new" };

    it("take omitted parts from the current resource", () => {
      const aliases = [{ urn: urn("t:t:T::whole") }, { name: "old" }, { type: "t:t:Old" }, { stack: "other" }, { project: "other" }];
      expect(aliasUrns({ ...naming, aliases }, new Map())).toEqual([
        urn("t:t:T::whole"),
        urn("t:t:T::old"),
        urn("t:t:Old::new"),
        "urn:pulumi:other::p::t:t:T::new",
        "urn:pulumi:s::other::t:t:T::new",
      ]);
    });

    it("may name another parent, or none", () => {
      const parent = urn("g:g:G::group");
      const aliases = [{ noParent: true }, { parent: urn("g:g:Former::group") }, { name: "old" }];
      expect(aliasUrns({ ...naming, parent, aliases }, new Map())).toEqual([
        urn("t:t:T::new"),
        urn("g:g:Former$t:t:T::new"),
        urn("g:g:G$t:t:T::old"),
      ]);
    });

    it("come from a renamed parent, too, even for a child whose name begins with the parent's", () => {
      const parent = urn("g:g:G::new");
      const formerly = new Map([[parent, urn("g:g:G::old")]]);
      expect(aliasUrns({ ...naming, name: "new-child", parent, aliases: [{ type: "t:t:Old" }] }, formerly)).toEqual([
        urn("g:g:G$t:t:Old::new-child"),
        urn("g:g:G$t:t:T::old-child"),
        urn("g:g:G$t:t:Old::old-child"),
      ]);
    });
  });
});
