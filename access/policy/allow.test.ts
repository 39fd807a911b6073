import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import * as z from "zod";
import { questions, rulesSets } from "../../test/support/random-rules";
import { cases } from "../../test/support/seed";
import { grantsAllow, type PolicyQuestion, policiesAllow } from "./allow";
import { checkPolicy } from "./check";
import { grantsOf } from "./grants";
import { rightsOf } from "./rights";

const jobs = (namespace: string, ...capabilities: string[]) =>
  `namespace "${namespace}" { capabilities = ${JSON.stringify(capabilities)} }`;
const variables = (namespace: string, path: string, ...capabilities: string[]) =>
  `namespace "${namespace}" { variables { path "${path}" { capabilities = ${JSON.stringify(capabilities)} } } }`;
const submit = (namespace: string): PolicyQuestion => ({ ask: "submit-job", namespace });
const read = (path: string, namespace = "default"): PolicyQuestion => ({ ask: "variables:read", namespace, path });

describe("a namespace", () => {
  test.each([
    ["its exact name has precedence over every wildcard", [jobs("prod", "list-jobs"), jobs("prod*", "submit-job")], submit("prod"), false],
    ["the wildcard that differs least decides", [jobs("*", "submit-job"), jobs("prod-*", "list-jobs")], submit("prod-api"), false],
    ["letters in the middle count as well", [jobs("pr*d", "list-jobs"), jobs("prod*", "submit-job")], submit("prod"), true],
    [
      "of two wildcards that differ equally, the last in the order of bytes decides",
      [jobs("*-api", "submit-job"), jobs("prod*")],
      submit("prod-api"),
      false,
    ],
    ["capabilities of several policies add up for one pattern", [jobs("a", "list-jobs"), jobs("a", "submit-job")], submit("a"), true],
    ["a deny takes all of its pattern", [jobs("a", "submit-job"), 'namespace "a" { policy = "deny" }'], submit("a"), false],
    ["a deny takes nothing from another pattern", [jobs("a", "submit-job"), jobs("*", "deny")], submit("a"), true],
    ["no policy, no right", [], submit("a"), false],
    ["the default namespace is asked about if none is given", [jobs("default", "submit-job")], { ask: "submit-job" }, true],
    ["a question about all namespaces is about any of them", [jobs("a", "submit-job"), jobs("*", "list-jobs")], submit("*"), true],
    ["read does not submit", ['namespace "a" { policy = "read" }'], submit("a"), false],
    ["write submits", ['namespace "a" { policy = "write" }'], submit("a"), true],
    ["write does not delete volumes", ['namespace "a" { policy = "write" }'], { ask: "host-volume-delete", namespace: "a" }, false],
    [
      "the right to write volumes brings all rights on volumes",
      [jobs("a", "host-volume-write")],
      { ask: "host-volume-delete", namespace: "a" },
      true,
    ],
    ["submit-job brings parse-job", [jobs("a", "submit-job")], { ask: "parse-job", namespace: "a" }, true],
    ["list-jobs brings the list of volumes", [jobs("a", "list-jobs")], { ask: "csi-list-volume", namespace: "a" }, true],
    [
      "list-jobs and read-job bring the list of scaling policies",
      [jobs("a", "list-jobs", "read-job")],
      { ask: "list-scaling-policies", namespace: "a" },
      true,
    ],
    ["submit-job brings purge-job, which has its own capability", [jobs("a", "submit-job")], { ask: "purge-job", namespace: "a" }, true],
    [
      "csi-write-volume needs the right to read plugins",
      [jobs("a", "csi-write-volume")],
      { ask: "csi-write-volume", namespace: "a" },
      false,
    ],
    [
      "csi-write-volume with the right to read plugins is allowed",
      [jobs("a", "csi-write-volume"), 'plugin { policy = "read" }'],
      { ask: "csi-write-volume", namespace: "a" },
      true,
    ],
    ["any capability shows the namespace", [jobs("a", "alloc-exec")], { ask: "namespace:read", namespace: "a" }, true],
    ["variables alone do not show it", [variables("a", "x", "read")], { ask: "namespace:read", namespace: "a" }, false],
  ] as const)("%s", (_, rules, question, answer) => {
    expect(policiesAllow(rules, question)).toBe(answer);
  });
});

describe("a variable", () => {
  test.each([
    [
      "the capabilities of several policies add up for one path",
      [variables("default", "a", "list"), variables("default", "a", "read")],
      read("a"),
      true,
    ],
    [
      "a deny of another policy takes nothing from the path",
      [variables("default", "a", "read"), variables("default", "a", "deny")],
      read("a"),
      true,
    ],
    ["a deny takes away the other capabilities of its list", [variables("default", "a", "read", "deny")], read("a"), false],
    ["a deny of the namespace takes no variable", [variables("default", "a", "read"), jobs("default", "deny")], read("a"), true],
    ["the exact path decides even without capabilities", [variables("default", "a"), variables("default", "*", "read")], read("a"), false],
    ["an exact path in a wildcard of namespaces is a wildcard", [variables("*", "a", "read"), variables("default", "*")], read("a"), false],
    ["the right to read a variable lists it", [variables("default", "a", "read")], { ask: "variables:list", path: "a" }, true],
    ["a wildcard of paths spans slashes", [variables("default", "a/*", "read")], read("a/b/c"), true],
    ["a wildcard of namespaces never reaches into paths", [variables("a*", "b", "read")], read("a/b", "a"), false],
    ["bytes count, not characters", [variables("default", "é*", "read"), variables("default", "*a")], read("éa"), true],
  ] as const)("%s", (_, rules, question, answer) => {
    expect(policiesAllow(rules, question)).toBe(answer);
  });
});

describe("a right without a namespace", () => {
  const level = (kind: string, ...levels: string[]) => levels.map((policy) => `${kind} { policy = "${policy}" }`);
  test.each([
    ["the highest of several levels counts", level("node", "read", "write"), { ask: "node:write" }, true],
    ["a deny has precedence", level("node", "write", "deny"), { ask: "node:read" }, false],
    ["the level write of agents reads them", level("agent", "write"), { ask: "agent:read" }, true],
    ["the level write of plugins reads none", level("plugin", "write"), { ask: "plugin:read" }, false],
    ["the level write of plugins takes the level read away", level("plugin", "write", "read"), { ask: "plugin:read" }, false],
    ["a list of plugins needs a right", [], { ask: "plugin:list-csi" }, false],
    ["a list without a type does not", level("plugin", "deny"), { ask: "plugin:list" }, true],
    ["operators have capabilities", ['operator { capabilities = ["snapshot-save"] }'], { ask: "operator:snapshot-save" }, true],
    ["the level write of operators brings their capabilities", level("operator", "write"), { ask: "operator:keyring-delete" }, true],
    ["a capability is no level", ['operator { capabilities = ["snapshot-save"] }'], { ask: "operator:read" }, false],
    [
      "a denied capability leaves a level of write",
      [...level("operator", "write"), 'operator { capabilities = ["deny"] }'],
      { ask: "operator:license-read" },
      true,
    ],
    ["pools have names and patterns", ['node_pool "gpu-*" { policy = "read" }'], { ask: "node_pool:read", name: "gpu-a" }, true],
    [
      "the right to mount for writing brings the one for reading",
      ['host_volume "a" { capabilities = ["mount-readwrite"] }'],
      { ask: "host_volume:mount-readonly", name: "a" },
      true,
    ],
    ["no policy allows management", level("operator", "write"), { ask: "management" }, false],
  ] as const)("%s", (_, rules, question, answer) => {
    expect(policiesAllow(rules, question)).toBe(answer);
  });
});

describe("an unknown word", () => {
  it.each(["constructor", "toString", "__proto__"])("may be a member of every object: %s", (word) => {
    for (const rules of [`capabilities = ["${word}"]`, `policy = "${word}"`])
      expect(policiesAllow([`namespace "a" { ${rules} }`], { ask: "read-job", namespace: "a" })).toBe("undecided");
  });

  test.each([
    ["a capability, for all rights that the list does not grant", [jobs("a", "fly")], submit("a"), "undecided"],
    ["not for a right that the list grants", [jobs("a", "fly", "submit-job")], submit("a"), true],
    ["not for a right that a deny takes away", [jobs("a", "fly"), jobs("a", "deny")], submit("a"), false],
    ["not for a right that another pattern decides", [jobs("a", "fly"), jobs("b", "list-jobs")], submit("b"), false],
    ["a level, for the whole block", ['namespace "a" { policy = "admin" capabilities = ["submit-job"] }'], submit("a"), "undecided"],
    ["a level of agents, for them", ['agent { policy = "admin" }'], { ask: "agent:read" }, "undecided"],
    ["a level of agents, not for nodes", ['agent { policy = "admin" }'], { ask: "node:read" }, false],
    ["an unreadable text, for everything", ["agent {", jobs("a", "submit-job")], submit("a"), "undecided"],
    ["a text with unknown blocks alone", ['future "a" { policy = "write" }'], submit("a"), "undecided"],
    ["an unknown block next to others", [`${jobs("a", "submit-job")} future { policy = "write" }`], submit("a"), "undecided"],
    ["an unknown right", [jobs("*", "submit-job")], { ask: "teleport-job" }, "undecided"],
    ["an unknown action", ['node { policy = "write" }'], { ask: "node:paint" }, "undecided"],
  ] as const)("makes the answer undecided or leaves it certain: %s", (_, rules, question, answer) => {
    expect(policiesAllow(rules, question)).toBe(answer);
  });
});

test("a tie among more than twenty wildcards that answer differently makes the answer undecided", () => {
  const ties = (last: string) => Array.from({ length: 21 }, (_, i) => jobs(`${"*".repeat(i)}a*`, i === 0 ? last : "submit-job"));
  expect(policiesAllow(ties("submit-job"), submit("a"))).toBe(true);
  expect(policiesAllow(ties("list-jobs"), submit("a"))).toBe("undecided");
  expect(policiesAllow(ties("list-jobs").slice(0, 20), submit("a"))).toBe(false);
});

test("a question without a necessary path or name is an error", () => {
  expect(() => policiesAllow([], { ask: "variables:read" })).toThrow("the question variables:read needs the path of a variable");
  expect(() => policiesAllow([], { ask: "node_pool:read" })).toThrow("the question node_pool:read needs a name");
});

describe("the merged rights of policies", () => {
  it("have names before patterns", () => {
    const rules = [
      'namespace "*" { policy = "scale" }\nnamespace "prod" { capabilities = ["submit-job", "host-volume-create"] }\nnode { policy = "read" }',
      'namespace "prod" { variables { path "app/*" { capabilities = ["read"] } } }\nnamespace "prod-*" { policy = "deny" }\nnode { policy = "write" }',
      'operator { capabilities = ["snapshot-save"] }\nnamespace "x" { capabilities = ["fly"] }\nhost_volume "data" { policy = "write" }',
    ];
    expect(rightsOf(rules)).toEqual({
      namespaces: [
        { name: "prod", capabilities: ["host-volume-create", "host-volume-read", "submit-job"], isUndecided: false },
        { name: "x", capabilities: ["fly"], isUndecided: true },
        { name: "prod-*", capabilities: ["deny"], isUndecided: false },
        {
          name: "*",
          capabilities: [
            "list-scaling-policies",
            "read-job",
            "read-job-scaling",
            "read-scaling-policy",
            "scale-job",
            "submit-recommendation",
          ],
          isUndecided: false,
        },
      ],
      variables: [{ name: "prod", path: "app/*", capabilities: ["list", "read"], isUndecided: false }],
      nodePools: [],
      hostVolumes: [{ name: "data", capabilities: ["mount-readonly", "mount-readwrite"], isUndecided: false }],
      levels: { node: "write", operator: "none" },
      operator: ["snapshot-save"],
      sentinel: [],
      isUndecided: false,
    });
  });

  it("have a variable although another policy denies it, as servers do", () => {
    const denied = variables("default", "a", "deny");
    const of = (...rules: string[]) => rightsOf(rules).variables.map(({ capabilities }) => capabilities);
    expect(of(denied, variables("default", "a", "read"))).toEqual([["list", "read"]]);
    expect(of(denied)).toEqual([["deny"]]);
  });

  it("are the same in every order of the policies, and with a repeated policy", () => {
    const check = (rules: string[], question: PolicyQuestion) => {
      const answer = policiesAllow(rules, question);
      expect(policiesAllow([...rules].reverse(), question)).toBe(answer);
      expect(policiesAllow([...rules, ...rules.slice(0, 1)], question)).toBe(answer);
    };
    fc.assert(fc.property(rulesSets, questions, check), cases());
  });
});

/** Decisions that were recorded on a running server. They are not part of the package. */
const file = join(resolve(__dirname, "../../../shared/conformance"), "capabilities.json");
const question = z.object({ ask: z.string(), namespace: z.string().optional(), path: z.string().optional() });
const recording = z.object({
  questions: z.array(question),
  cases: z.array(
    z.union([
      z.object({ policies: z.array(z.string()), allowed: z.string() }),
      z.object({ refused: z.object({ rules: z.string(), text: z.string() }) }),
    ]),
  ),
});

describe("the recorded decisions of a running server", () => {
  if (!existsSync(file)) {
    it("are not available here, so nothing is replayed", () => {
      console.log(`No decisions were replayed: there is no ${file}.`);
      expect(existsSync(file)).toBe(false);
    });
    return;
  }
  const recorded = recording.parse(JSON.parse(readFileSync(file, "utf8")));

  it("equal the answers of policiesAllow, for texts that checkPolicy accepts", () => {
    const wrong = recorded.cases.flatMap((one) => {
      if (!("policies" in one)) return [];
      expect(one.policies.flatMap(checkPolicy)).toEqual([]);
      const grants = grantsOf(one.policies);
      return recorded.questions.filter((asked, i) => grantsAllow(grants, asked) !== (one.allowed[i] === "1"));
    });
    expect(wrong).toEqual([]);
    expect(recorded.cases.length).toBeGreaterThan(100);
  });

  it("refuse the texts that checkPolicy refuses", () => {
    const taken = recorded.cases.filter((one) => "refused" in one && checkPolicy(one.refused.rules).length === 0);
    expect(taken).toEqual([]);
  });
});
