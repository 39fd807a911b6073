import fc from "fast-check";
import { questions, rulesSets } from "../../test/support/random-rules";
import { cases } from "../../test/support/seed";
import { policiesAllow } from "./allow";
import { compareRights } from "./compare";
import { intersection, matches } from "./patterns";

const jobs = (namespace: string, ...capabilities: string[]) =>
  `namespace "${namespace}" { capabilities = ${JSON.stringify(capabilities)} }`;
const reported = (before: string[], after: string[]) => {
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
  it("are equal if only the spelling differs, or a wildcard covers the rest", () => {
    expect(reported(['namespace "a" { policy = "read" } # now'], ['namespace "a" {\n policy = "read"\n}'])).toEqual(["equal"]);
    expect(reported([jobs("*", "alloc-exec")], [jobs("*", "alloc-exec"), jobs("prod", "alloc-exec")])).toEqual(["equal"]);
    expect(reported([jobs("a", "deny")], [])).toEqual(["equal"]);
    expect(reported([], [])).toEqual(["equal"]);
  });

  it("are widened and narrowed by single capabilities, and by the rights that these bring", () => {
    expect(reported([jobs("a", "alloc-exec")], [jobs("a", "alloc-exec", "read-fs")])).toEqual(["widened", "+ read-logs a", "+ read-fs a"]);
    expect(reported([jobs("a", "alloc-exec"), 'node { policy = "write" }'], ['node { policy = "read" }'])).toEqual([
      "narrowed",
      "- alloc-exec a",
      "- namespace:read a",
      "- node:write",
    ]);
    expect(reported([jobs("a", "alloc-exec")], [jobs("b", "alloc-exec")])[0]).toBe("changed");
  });

  it("are changed by an additional policy with a longer pattern, which takes rights away and gives another", () => {
    expect(reported([jobs("*", "alloc-exec")], [jobs("*", "alloc-exec"), jobs("prod-*", "sentinel-override")])).toEqual([
      "changed",
      "- alloc-exec prod-*",
      "+ sentinel-override prod-*",
    ]);
  });

  it("name the intersection of two patterns, if neither pattern shows the change", () => {
    const shorter = [jobs("*-d", "alloc-exec"), jobs("ab*", "deny")];
    const longer = [jobs("*-d", "alloc-exec"), jobs("abc*", "deny")];
    expect(reported(longer, shorter)).toEqual(["narrowed", "- alloc-exec ab*-d", "- namespace:read ab*-d"]);
    const both = [jobs("prod-*", "deny"), jobs("*-api", "alloc-exec")];
    expect(reported(both, [...both.slice(1)])).toEqual([
      "widened",
      "+ alloc-exec prod-api",
      "+ namespace:read prod-api",
      "+ alloc-exec prod-*-api",
      "+ namespace:read prod-*-api",
    ]);
  });

  it("depend on plugins for the right to write volumes", () => {
    const volumes = jobs("a", "csi-write-volume");
    expect(reported([volumes], [volumes, 'plugin { policy = "read" }'])).toEqual([
      "widened",
      "+ csi-write-volume a",
      "+ plugin:list-csi",
      "+ plugin:read",
    ]);
  });

  it("are undecided where unknown words differ", () => {
    expect(reported([jobs("a", "fly")], [jobs("a", "swim")])).toEqual(["undecided"]);
    expect(reported([jobs("a", "fly")], [`${jobs("a", "fly")} # the same`])).toEqual(["equal"]);
    expect(reported(["agent {"], ["agent { "])).toEqual(["undecided"]);
    expect(reported(['agent { policy = "admin" }'], ['agent { policy = "root" }'])).toEqual(["undecided"]);
    expect(reported([jobs("a", "fly"), jobs("b", "alloc-exec")], [jobs("a", "fly")])).toEqual([
      "narrowed",
      "- alloc-exec b",
      "- namespace:read b",
    ]);
  });

  it("agree with policiesAllow for any question about any name", () => {
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
    // Unrelated policies differ in most permissions, so some pairs share a part.
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

describe("the intersection of two patterns", () => {
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

  it("matches exactly the names that match both", () => {
    const pattern = fc.array(fc.constantFrom("a", "b", "*"), { maxLength: 5 }).map((some) => some.join(""));
    const name = fc.array(fc.constantFrom("a", "b"), { maxLength: 6 }).map((some) => some.join(""));
    const check = (a: string, b: string, names: string[]) => {
      const common = intersection(a, b, 1000) ?? [];
      for (const one of names) expect(common.some((each) => matches(each, one))).toBe(matches(a, one) && matches(b, one));
    };
    fc.assert(fc.property(pattern, pattern, fc.array(name, { minLength: 20, maxLength: 20 }), check), cases());
  });

  it("is not listed if it has too many patterns", () => {
    expect(intersection("*a*a*a*a*a*a", "*b*b*b*b*b*b*")).toBeUndefined();
  });
});
