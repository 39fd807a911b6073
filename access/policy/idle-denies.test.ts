/** The warnings about denies and words of rules without an effect, and a proof that the warnings are true. */
import fc from "fast-check";
import { sizeOf } from "../../test/support/extent";
import { cases } from "../../test/support/seed";
import { grantsAllow, type PolicyQuestion } from "./allow";
import { policyWarnings } from "./check";
import { grantsOf } from "./grants";
import { idleDenies } from "./idle-denies";

const jobs = (namespace: string, ...capabilities: string[]) =>
  `namespace "${namespace}" { capabilities = ${JSON.stringify(capabilities)} }`;
const variables = (path: string, ...capabilities: string[]) =>
  `namespace "prod" { variables { path "${path}" { capabilities = ${JSON.stringify(capabilities)} } } }`;
const reported = (...policies: string[]) =>
  idleDenies(policies.map((rules, place) => ({ name: "abcd"[place] ?? "", rules }))).map(
    ({ policy, block, other }) => `${policy}: ${block} by ${other.policy}: ${other.block}`,
  );

test.each([
  ["another policy has the more exact name", [jobs("*", "deny"), jobs("prod", "submit-job")], ['a: namespace "*" by b: namespace "prod"']],
  [
    "another policy has the more exact pattern",
    [jobs("p*", "deny"), jobs("prod-*", "read-job")],
    ['a: namespace "p*" by b: namespace "prod-*"'],
  ],
  [
    "both are shorthands",
    ['namespace "*" { policy = "deny" }', 'namespace "a" { policy = "read" }'],
    ['a: namespace "*" by b: namespace "a"'],
  ],
  [
    "both are about node pools",
    ['node_pool "*" { policy = "deny" }', 'node_pool "gpu" { policy = "read" }'],
    ['a: node_pool "*" by b: node_pool "gpu"'],
  ],
  [
    "another policy gives the same path",
    [variables("x", "deny"), variables("x", "read")],
    ['a: path "x" of namespace "prod" by b: path "x" of namespace "prod"'],
  ],
  [
    "another policy gives a path within it",
    [variables("*", "deny"), variables("x", "read")],
    ['a: path "*" of namespace "prod" by b: path "x" of namespace "prod"'],
  ],
  [
    "two policies have it",
    [jobs("*", "deny"), jobs("a", "read-job"), jobs("*", "deny")],
    ['a: namespace "*" by b: namespace "a"', 'c: namespace "*" by b: namespace "a"'],
  ],
])("a deny without an effect is reported: %s", (_, policies, expected) => {
  expect(reported(...policies)).toEqual(expected);
});

test.each([
  ["it takes other names away from a less exact pattern", [jobs("*", "read-job"), jobs("prod-*", "deny"), jobs("prod-api", "submit-job")]],
  [
    "it takes other names away, and two policies have it",
    [jobs("*", "read-job"), jobs("p*", "deny"), jobs("prod", "submit-job"), jobs("p*", "deny")],
  ],
  ["no other policy names its namespace", [jobs("secret", "deny"), jobs("prod", "submit-job")]],
  ["it takes away a right that another policy gives by the same name", [jobs("prod", "deny"), jobs("prod", "submit-job")]],
  ["every more exact name is denied, too", [jobs("*", "deny"), jobs("prod", "deny"), jobs("prod", "submit-job")]],
  ["the same policy has the more exact pattern, so its author knows it", [`${jobs("*", "deny")}\n${jobs("prod", "submit-job")}`]],
  ["it takes away a capability of its own list", [jobs("*", "deny", "read-job"), jobs("prod", "submit-job")]],
  ["the more exact pattern gives nothing", [jobs("*", "deny"), jobs("prod")]],
  [
    "a question about any namespace would get the denied right",
    [jobs("*-api", "deny"), jobs("*-api*", "read-job"), jobs("*-api", "submit-job")],
  ],
  ["another policy can't be read", [jobs("*", "deny"), jobs("prod", "submit-job"), "future {}"]],
  ["a capability is unknown", [jobs("p*", "deny"), jobs("*", "fly"), jobs("prod", "submit-job")]],
])("a deny is not reported if %s", (_, policies) => {
  expect(reported(...policies)).toEqual([]);
});

test("within one policy, the report names the rights that a deny takes away, and each deny without an effect", () => {
  const rules = [
    'namespace "a" { policy = "deny" capabilities = ["submit-job", "fly"] }',
    'namespace "b" { policy = "read" }',
    'namespace "b" { capabilities = ["deny"] }',
    'namespace "c" { variables {',
    'path "x" { capabilities = ["deny", "read"] }',
    'path "y" { capabilities = ["deny"] }',
    'path "y" { capabilities = ["read"] }',
    'path "z" { capabilities = ["deny"] } } }',
    'operator { policy = "write" capabilities = ["deny"] }',
    'sentinel { policy = "read" capabilities = ["sentinel-submit", "deny"] }',
  ].join("\n");
  const denies = policyWarnings(rules).filter(({ message }) => message.includes("deny"));
  expect(denies.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([
    '1:49 namespace "a": a deny removes all its permissions, so "submit-job" has no effect: remove one of the two',
    '2:26 namespace "b": a deny removes all its permissions, so "read" has no effect: remove one of the two',
    '5:36 path "x" of namespace "c": a deny removes all its permissions, so "read" has no effect: remove one of the two',
    '6:28 path "y" of namespace "c": the deny has no effect, because this path is repeated and the permissions of both blocks add up: remove one of the two',
    '9:45 operator: the deny has no effect, because the policy "write" allows everything: remove one of the two',
    '10:44 sentinel: a deny removes all its permissions, so "sentinel-submit" has no effect: remove one of the two',
  ]);
});

/** A block of random rules: a namespace with variables, or operators. */
interface Block {
  readonly kind: "namespace" | "operator";
  readonly name: string;
  readonly level: string;
  readonly words: readonly string[];
  readonly paths: readonly { readonly path: string; readonly words: readonly string[] }[];
}

const names = ["*", "p*", "prod", "prod-*", "*-api", "prod-api", "*-api*"];
const few = (...all: string[]) => fc.subarray(all, { maxLength: 2 });
const denyOr = (words: fc.Arbitrary<string[]>) => fc.oneof(fc.constant(["deny"]), words);
const block: fc.Arbitrary<Block> = fc.record({
  kind: fc.constantFrom("namespace", "namespace", "namespace", "operator"),
  name: fc.constantFrom(...names),
  level: fc.constantFrom("", "", "deny", "read", "write"),
  words: denyOr(few("submit-job", "read-job", "deny")),
  paths: fc.array(fc.record({ path: fc.constantFrom("x", "x/*", "*"), words: denyOr(few("read", "write", "deny")) }), { maxLength: 2 }),
});
/** Servers take one block of operators. */
const policy = fc.array(block, { minLength: 1, maxLength: 3 }).map((blocks) => {
  const operator = blocks.findIndex(({ kind }) => kind === "operator");
  return blocks.filter(({ kind }, place) => kind === "namespace" || place === operator);
});
const policies = fc.array(policy, { minLength: 2, maxLength: 4 });

/** A block of a policy, or a path in the block, by its place in the list. */
interface Place {
  readonly block: number;
  readonly path?: number;
}

/** Rules with separate lines for each block and each path. */
function written(blocks: readonly Block[]): { rules: string; lines: Place[] } {
  const all = blocks.flatMap((one, block) => {
    const { kind, name, level, words, paths } = one;
    const given = kind === "operator" ? words.map((word) => (word === "deny" ? word : "snapshot-save")) : words;
    const ofPaths = kind === "operator" ? [] : paths;
    const inner = [
      ...(level === "" ? [] : [`policy = "${level}"`]),
      `capabilities = ${JSON.stringify([...new Set(given)])}`,
      ...(ofPaths.length > 0 ? ["variables {"] : []),
    ].map((text) => ({ text, at: { block } }));
    const begin = { text: kind === "operator" ? "operator {" : `namespace "${name}" {`, at: { block } };
    const end = { text: ofPaths.length > 0 ? "} }" : "}", at: { block } };
    const within = ofPaths.map((each, path) => ({
      text: `path "${each.path}" { capabilities = ${JSON.stringify(each.words)} }`,
      at: { block, path },
    }));
    return [begin, ...inner, ...within, end];
  });
  return { rules: all.map(({ text }) => text).join("\n"), lines: all.map(({ at }) => at) };
}

const rulesOf = (all: readonly (readonly Block[])[]) => all.map((blocks) => written(blocks).rules);
const asked: PolicyQuestion[] = [
  ...["prod", "prod-api", "prod-web", "p", "web-api", "an-api-too", "other", "*"].flatMap((namespace) => [
    ...["submit-job", "read-job", "scale-job", "namespace:read"].map((ask) => ({ ask, namespace })),
    ...["x", "x/y", "other"].flatMap((path) =>
      ["read", "list", "write"].map((action) => ({ ask: `variables:${action}`, namespace, path })),
    ),
  ]),
  ...["operator:read", "operator:write", "operator:snapshot-save"].map((ask) => ({ ask })),
];
const answers = (all: readonly (readonly Block[])[]) => {
  const grants = grantsOf(rulesOf(all));
  return asked.map((question) => grantsAllow(grants, question));
};
/** The blocks without some words of these blocks and paths. */
const cut = (blocks: readonly Block[], at: readonly Place[], stays: (word: string) => boolean) =>
  blocks.flatMap((one, block): Block[] => {
    const isCut = (path?: number) => at.some((place) => place.block === block && place.path === path);
    const paths = one.paths.flatMap((each, path) => {
      const words = isCut(path) ? each.words.filter(stays) : each.words;
      return words.length === 0 && isCut(path) ? [] : [{ ...each, words }];
    });
    if (!isCut()) return [{ ...one, paths }];
    const words = one.words.filter(stays);
    const level = one.kind === "operator" || stays(one.level) ? one.level : "";
    return words.length === 0 && level === "" && paths.length === 0 ? [] : [{ ...one, words, level, paths }];
  });

test("a holder of the policies has the same rights without the reported denies, one by one and all together", () => {
  let count = 0;
  const check = (all: readonly (readonly Block[])[]) => {
    const found = idleDenies(rulesOf(all).map((rules, place) => ({ name: `${place}`, rules })));
    count += found.length;
    const before = answers(all);
    for (const some of [found, ...found.map((one) => [one])]) {
      const without = all.map((blocks, place) => {
        const at = some.flatMap(({ policy, at: { line } }) => (policy === `${place}` ? (written(blocks).lines[line - 1] ?? []) : []));
        return cut(blocks, at, (word) => word !== "deny");
      });
      expect(answers(without)).toEqual(before);
    }
  };
  fc.assert(fc.property(policies, check), cases({ numRuns: sizeOf({ quick: 150, full: 3_000 }) }));
  expect(count).toBeGreaterThan(0);
});

test("a holder of the policies has the same rights without the words that a deny makes ineffective", () => {
  let count = 0;
  const check = (all: readonly (readonly Block[])[]) => {
    const [blocks = [], ...others] = all;
    const { rules, lines } = written(blocks);
    const before = answers(all);
    for (const { line, message } of policyWarnings(rules)) {
      const at = lines[line - 1];
      const isTaken = message.includes("a deny removes");
      if (!at || !(isTaken || message.includes("the deny has no effect"))) continue;
      count += 1;
      expect(answers([cut(blocks, [at], (word) => (word === "deny") === isTaken), ...others])).toEqual(before);
    }
  };
  fc.assert(fc.property(policies, check), cases({ numRuns: sizeOf({ quick: 150, full: 3_000 }) }));
  expect(count).toBeGreaterThan(0);
});
