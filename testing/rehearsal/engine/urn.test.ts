import { aliasUrns, makeUrn, parseUrn, STACK_TYPE } from "./urn";

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

  it("take the parts that they leave out from the present resource", () => {
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

  it("come from a renamed parent, too, also for a child whose name begins with its name", () => {
    const parent = urn("g:g:G::new");
    const formerly = new Map([[parent, urn("g:g:G::old")]]);
    expect(aliasUrns({ ...naming, name: "new-child", parent, aliases: [{ type: "t:t:Old" }] }, formerly)).toEqual([
      urn("g:g:G$t:t:Old::new-child"),
      urn("g:g:G$t:t:T::old-child"),
      urn("g:g:G$t:t:Old::old-child"),
    ]);
  });
});
