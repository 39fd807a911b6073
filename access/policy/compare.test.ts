import fc from "fast-check";
import { questions, rulesSets } from "../../test/support/random-rules";
import { cases } from "../../test/support/seed";
import { policiesAllow } from "./allow";
import { compareRights } from "./compare";
import { intersection, matches } from "./patterns";

const jobs = (namespace: string, ...capabilities: string[]) =>
  `namespace "${namespace}" { capabilities = ${JSON.stringify(capabilities)} }`;
const told = (before: string[], after: string[]) => {
  const { relation, differences } = compareRights(before, after);
  const of = differences.map(({ ask, namespace, path, name, after: is }) => [
    is === true ? "+" : is === false ? "-" : "?",
    ask,
    namespace ?? name,
    path,
  ]);
  return [relation, ...of.map((parts) => parts.filter((part) => part !== undefined).join(" "))];
};

describe("rights before and after", () => {
  it("are equal if only the text differs, or what a wildcard covers", () => {
    expect(told(['namespace "a" { policy = "read" } # now'], ['namespace "a" {\n policy = "read"\n}'])).toEqual(["equal"]);
    expect(told([jobs("*", "alloc-exec")], [jobs("*", "alloc-exec"), jobs("prod", "alloc-exec")])).toEqual(["equal"]);
    expect(told([jobs("a", "deny")], [])).toEqual(["equal"]);
    expect(told([], [])).toEqual(["equal"]);
  });

  it("are widened and narrowed by single capabilities, with what else they allow", () => {
    expect(told([jobs("a", "alloc-exec")], [jobs("a", "alloc-exec", "read-fs")])).toEqual(["widened", "+ read-logs a", "+ read-fs a"]);
    expect(told([jobs("a", "alloc-exec"), 'node { policy = "write" }'], ['node { policy = "read" }'])).toEqual([
      "narrowed",
      "- alloc-exec a",
      "- namespace:read a",
      "- node:write",
    ]);
    expect(told([jobs("a", "alloc-exec")], [jobs("b", "alloc-exec")])[0]).toBe("changed");
  });

  it("are narrowed by a policy more, if its pattern is the longer one", () => {
    expect(told([jobs("*", "alloc-exec")], [jobs("*", "alloc-exec"), jobs("prod-*", "sentinel-override")])).toEqual([
      "changed",
      "- alloc-exec prod-*",
      "+ sentinel-override prod-*",
    ]);
  });

  it("tell names that two patterns have in common, if their own ones do not say it", () => {
    const shorter = [jobs("*-d", "alloc-exec"), jobs("ab*", "deny")];
    const longer = [jobs("*-d", "alloc-exec"), jobs("abc*", "deny")];
    expect(told(longer, shorter)).toEqual(["narrowed", "- alloc-exec ab*-d", "- namespace:read ab*-d"]);
    const both = [jobs("prod-*", "deny"), jobs("*-api", "alloc-exec")];
    expect(told(both, [...both.slice(1)])).toEqual([
      "widened",
      "+ alloc-exec prod-api",
      "+ namespace:read prod-api",
      "+ alloc-exec prod-*-api",
      "+ namespace:read prod-*-api",
    ]);
  });

  it("have volumes written by what plugins allow", () => {
    const volumes = jobs("a", "csi-write-volume");
    expect(told([volumes], [volumes, 'plugin { policy = "read" }'])).toEqual([
      "widened",
      "+ csi-write-volume a",
      "+ plugin:list-csi",
      "+ plugin:read",
    ]);
  });

  it("are undecided where what we don't know differs", () => {
    expect(told([jobs("a", "fly")], [jobs("a", "swim")])).toEqual(["undecided"]);
    expect(told([jobs("a", "fly")], [`${jobs("a", "fly")} # the same`])).toEqual(["equal"]);
    expect(told(["agent {"], ["agent { "])).toEqual(["undecided"]);
    expect(told(['agent { policy = "admin" }'], ['agent { policy = "root" }'])).toEqual(["undecided"]);
    expect(told([jobs("a", "fly"), jobs("b", "alloc-exec")], [jobs("a", "fly")])).toEqual([
      "narrowed",
      "- alloc-exec b",
      "- namespace:read b",
    ]);
  });

  it("are what policiesAllow answers, for every question about any name", () => {
    const check = (before: string[], after: string[], asked: readonly Parameters<typeof policiesAllow>[1][]) => {
      const { relation, differences } = compareRights(before, after);
      for (const { question, before: was, after: is } of differences) {
        expect([policiesAllow(before, question), policiesAllow(after, question)]).toEqual([was, is]);
      }
      const gained = asked.filter((question) => policiesAllow(after, question) === true && policiesAllow(before, question) === false);
      const lost = asked.filter((question) => policiesAllow(after, question) === false && policiesAllow(before, question) === true);
      expect(relation).not.toBe("undecided");
      if (gained.length > 0) expect(["widened", "changed"]).toContain(relation);
      if (lost.length > 0) expect(["narrowed", "changed"]).toContain(relation);
    };
    // Unrelated policies differ in most, so some share what they have.
    const related = fc.tuple(rulesSets, rulesSets).map(([some, more]) => [some, [...some.slice(1), ...more.slice(0, 1)]] as const);
    const pairs = fc.oneof(related, fc.tuple(rulesSets, rulesSets));
    fc.assert(
      fc.property(pairs, fc.array(questions, { minLength: 40, maxLength: 40 }), ([before, after], asked) =>
        check([...before], [...after], asked),
      ),
      cases(),
    );
  });
});

describe("what two patterns have in common", () => {
  test.each([
    ["a*", "*b", ["a*b"]],
    ["ab*", "*bc", ["ab*bc", "abc"]],
    ["a*", "b*", []],
    ["a", "a", ["a"]],
    ["*", "x*y", ["x*y"]],
    ["*\0x", "a*\0*", ["a*\0x"]],
  ])("%j and %j: %j", (a, b, expected) => {
    expect([...(intersection(a, b) ?? [])].sort()).toEqual([...expected].sort());
  });

  it("matches exactly the names that both match", () => {
    const pattern = fc.array(fc.constantFrom("a", "b", "*"), { maxLength: 5 }).map((some) => some.join(""));
    const name = fc.array(fc.constantFrom("a", "b"), { maxLength: 6 }).map((some) => some.join(""));
    const check = (a: string, b: string, names: string[]) => {
      const common = intersection(a, b, 1000) ?? [];
      for (const one of names) expect(common.some((each) => matches(each, one))).toBe(matches(a, one) && matches(b, one));
    };
    fc.assert(fc.property(pattern, pattern, fc.array(name, { minLength: 20, maxLength: 20 }), check), cases());
  });

  it("is not listed if it is too much", () => {
    expect(intersection("*a*a*a*a*a*a", "*b*b*b*b*b*b*")).toBeUndefined();
  });
});
