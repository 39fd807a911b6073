// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are the language's own interpolation

import fc from "fast-check";
import { rulesSets } from "../../test/support/random-rules";
import { cases } from "../../test/support/seed";
import { checkPolicy, policyWarnings } from "./check";
import { equalRules } from "./equal";

const at = ({ kind, line, column }: { kind: string; line: number; column: number }) => `${kind} ${line}:${column}`;

describe("a valid policy", () => {
  test.each([
    ["an empty text", ""],
    ["comments of three kinds", 'agent { # a\n policy = "read" // b\n /* c\n } */ }'],
    ["several blocks of one namespace", 'namespace "a" { policy = "read" }\nnamespace "a" { capabilities = ["submit-job",] }'],
    ["names in quotes and in any case", '"Namespace" "a" { "POLICY" = "read" }'],
    ["a first block whose kind is in capitals", 'Namespace "a" {}\nnamespace "b" {}'],
    ["a block with an equals sign, without labels", 'agent = { policy = "read" }'],
    ["a heredoc in an ignored property", 'namespace "a" {\n  about = <<-END\n    What "a" is.\n    END\n  policy = "read"\n}'],
    ["an interpolation, which has no meaning there", 'namespace "a" { variables { path "x/${"y"}" { capabilities = ["read"] } } }'],
    ["JSON", '{"namespace": {"a": {"policy": "read", "variables": {"path": {"x": {"capabilities": ["read"]}}}}}}'],
    ["JSON with lists of blocks", '{"namespace": [{"a": {"policy": "read"}}, {"b": {"policy": "write"}}], "node": [{"policy": "read"}]}'],
    ["JSON followed by a text, which servers don't read", '{"node": {"policy": "read"}} # by the platform team'],
    ["JSON followed by an open quote", '{"node": {"policy": "read"}} "'],
    ["JSON with commas at the ends", '{"node": {"policy": "read",},}'],
    ["a block of variables with no capability in its paths", 'namespace "a" { variables { path "x" { } } }'],
    ["an operator without anything", "operator {}"],
    ["levels without a meaning there", 'plugin { policy = "write" } agent { policy = "scale" }'],
  ])("may have %s", (_, rules) => {
    expect(checkPolicy(rules)).toEqual([]);
  });
});

describe("an invalid policy", () => {
  test.each([
    ["a text without a block", " \n", "malformed 1:1"],
    ["a quote that is missing", 'agent {\n  policy = "read\n}', "malformed 2:12"],
    ["an equals sign that is missing", 'agent {\n  policy "read"\n}', "malformed 3:1"],
    ["a brace that is missing", 'agent {\n  policy = "read"\n', "malformed 3:1"],
    ["a comma that is missing", 'namespace "a" { capabilities = ["read-job" "list-jobs"] }', "malformed 1:44"],
    ["a word without quotes", "agent { policy = read }", "malformed 1:18"],
    ["an escape that does not exist", 'namespace "\\d" {}', "malformed 1:12"],
    ["a heredoc with a dash whose last mark has no indentation", "agent {\n  about = <<-END\n  x\nEND\n}", "malformed 2:11"],
    ["a number with a zero before an eight", "agent { about = 08 }", "malformed 1:17"],
    ["an exclamation mark after a character of two units", 'agent { policy = "\u{1f600}" ! }', "malformed 1:22"],
    ["a list in place of a string", 'agent { policy = ["read"] }', "malformed 1:18"],
    ["a string in place of a list", 'namespace "a" { capabilities = "read-job" }', "malformed 1:32"],
    ["a namespace without a name", 'namespace { policy = "read" }', "malformed 1:1"],
    ["a path without a name", 'namespace "a" { variables { path { capabilities = ["read"] } } }', "malformed 1:29"],
    ["variables without a path", 'namespace "a" {\n variables {}\n}', "malformed 2:2"],
    ["a path that begins with a slash", 'namespace "a" { variables { path "/x" { } } }', "malformed 1:29"],
    ["an agent without a policy", "agent {}", "malformed 1:1"],
    [
      "JSON with a namespace that has variables alone",
      '{"namespace": {"a": {"variables": {"path": {"x": {"capabilities": []}}}}}}',
      "malformed 1:22",
    ],
    ["an unknown level", 'namespace "a" { policy = "list" }', "unknown 1:26"],
    ["an unknown capability", 'namespace "a" {\n  capabilities = ["read-job", "submit-jobs"]\n}', "unknown 2:31"],
    ["an unknown block", 'agent { policy = "read" }\nagents { policy = "read" }', "unknown 2:1"],
    ["a repeated block of a kind that may be there once", 'node { policy = "read" }\nnode { policy = "deny" }', "malformed 2:1"],
    ["a second block whose kind is in capitals", 'namespace "a" {}\nNamespace "b" {}', "unknown 2:1"],
    ["a name with an underscore", 'namespace "a_b" { policy = "read" }', "unknown 1:1"],
  ])("is reported with the place of %s", (_, rules, place) => {
    expect(checkPolicy(rules).map(at)).toContain(place);
  });

  test.each([
    ["a value that is missing at the end of a block", "agent { policy = }", "malformed 1:18"],
    ["a value that is missing at the end of the text", 'agent { policy = "read" }\nnode =', "malformed 2:7"],
    ["a brace of JSON that is missing", '{"node": {"policy": "read"}', "malformed 1:28"],
  ])("is reported with the place of %s, although servers accept the rules, and lose a part of them", (_, rules, place) => {
    expect(checkPolicy(rules).map(at)).toEqual([place]);
  });

  it("is reported with all errors in the order of the text, and with similar words", () => {
    const rules =
      'namespace "a" {\n  policy = "admin"\n  capabilities = ["submit-jbo", "fly"]\n}\noperator {\n  capabilities = ["snapshot"]\n}';
    expect(checkPolicy(rules).map(({ message }) => message)).toEqual([
      'namespace "a": the policy "admin" is not known; known are deny, read, write, scale',
      'namespace "a": the capability "submit-jbo" is not known: is "submit-job" meant?',
      'namespace "a": the capability "fly" is not known',
      'operator: the capability "snapshot" is not known; known are snapshot-save, license-read, keyring-rotate, keyring-read, keyring-delete, deny',
    ]);
  });

  it("is reported, and does not exhaust the process, if it nests too deeply", () => {
    for (const rules of [`a ${"{ a ".repeat(100_000)}`, `a = ${"[".repeat(100_000)}`, `${'{"a":'.repeat(100_000)}`]) {
      expect(checkPolicy(rules)).toMatchObject([{ kind: "malformed", message: expect.stringContaining("nested") }]);
    }
  });

  it("is reported with a place within the text, for any text", () => {
    const part = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      "=",
      ":",
      '"',
      '"a"',
      "<<E\n",
      "E\n",
      "#",
      "/*",
      "1",
      "true",
      "\\",
      "${",
      "agent",
      "\n",
      " ",
    );
    const check = (parts: string[]) => {
      const rules = parts.join("");
      for (const { line, column } of [...checkPolicy(rules), ...policyWarnings(rules)]) {
        const lines = rules.split("\n");
        expect(line).toBeGreaterThan(0);
        expect(line).toBeLessThanOrEqual(lines.length);
        expect(column).toBeGreaterThan(0);
        expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
      }
      expect(equalRules(rules, `${rules}`)).toBe(true);
    };
    fc.assert(fc.property(fc.array(part, { maxLength: 30 }), check), cases());
  });
});

describe("the warnings about a policy", () => {
  it("name ignored words and words that newer servers might know, each with its place", () => {
    const rules = [
      'namespace "a" {',
      '  polcy = "read"',
      '  capabilities = ["fly"]',
      '  variables { path "x" { policy = "read" } }',
      "}",
      'plugin { policy = "write" }',
      'node_pool "a" { policy = "scale" }',
      'future "x" { }',
    ].join("\n");
    expect(policyWarnings(rules).map((one) => `${at(one)} ${one.message}`)).toEqual([
      'ignored 2:3 servers ignore polcy in namespace "a": is policy meant?',
      'unknown 3:19 namespace "a": the capability "fly" is not known',
      'ignored 4:26 servers ignore policy in path "x" of namespace "a": it is not known there',
      'ignored 6:19 plugin: servers accept the policy "write", which allows nothing here; the effective ones are deny, list, read',
      'ignored 7:26 node_pool "a": servers accept the policy "scale", which allows nothing here; the effective ones are deny, read, write',
      "unknown 8:1 future is not known here: it is no block that servers know, or a second label of one",
      "unknown 8:8 x is not known here: it is no block that servers know, or a second label of one",
    ]);
  });

  it("are empty for an ordinary policy, and for an unreadable one", () => {
    expect(policyWarnings('namespace "*" { policy = "write" }')).toEqual([]);
    expect(policyWarnings("namespace {")).toEqual([]);
    expect(policyWarnings("")).toEqual([]);
  });
});

describe("the rules of two policies are equal", () => {
  const hcl = `
    # Deployers.
    namespace "prod" {
      capabilities = ["submit-job", "read-job"]
      policy       = "read"
      variables {
        path "app/*" { capabilities = ["read"] }
        path "db" { capabilities = ["list", "read"] }
      }
    }
    node { policy = "read" }`;

  it("in any order, with any white space and comments, in HCL and in JSON", () => {
    const other = `node { "policy" = "read" } namespace "prod" { policy = "read" variables {
      path "db" { capabilities = ["read", "list", "list"] } path "app/*" { capabilities = ["read"] } } capabilities = ["read-job", "submit-job"] }`;
    const json = JSON.stringify({
      node: { policy: "read" },
      namespace: {
        prod: {
          variables: { path: { db: { capabilities: ["read", "list"] }, "app/*": { capabilities: ["read"] } } },
          policy: "read",
          capabilities: ["read-job", "submit-job"],
        },
      },
    });
    for (const one of [other, json]) {
      expect(equalRules(hcl, one)).toBe(true);
      expect(equalRules(one, hcl)).toBe(true);
    }
  });

  test.each([
    ["a capability", hcl.replace('"read-job"', '"scale-job"')],
    ["a level", hcl.replace('policy = "read" }', 'policy = "write" }')],
    ["the path of a variable", hcl.replace("app/*", "apps/*")],
    ["the namespace", hcl.replace('"prod"', '"dev"')],
    ["an ignored property", hcl.replace("policy       =", 'owner = "ops"\n policy =')],
    ["an unknown block at the end", `${hcl} future { a = 1 }`],
    ["a shorthand in place of its capabilities", hcl.replace('policy       = "read"', "")],
  ])("unless they differ in %s", (_, other) => {
    expect(equalRules(hcl, other)).toBe(false);
  });

  it("in every order of their blocks, and not with a missing block", () => {
    const check = ([rules = ""]: string[], other: number) => {
      const blocks = rules.split("\n").filter((line) => line.trim() !== "");
      expect(equalRules(rules, [...blocks].reverse().join("\n# more\n"))).toBe(true);
      const fewer = blocks.filter((_, i) => i !== other % blocks.length).join("\n");
      if (blocks.length > 1) expect(equalRules(rules, fewer)).toBe(false);
    };
    fc.assert(fc.property(rulesSets, fc.nat(), check), cases());
  });

  it("if an unreadable text is the same, letter by letter", () => {
    expect(equalRules("agent {", "agent {")).toBe(true);
    expect(equalRules("agent {", "agent { ")).toBe(false);
    expect(equalRules("", " ")).toBe(false);
    expect(equalRules(`${hcl} future { a = 1 }`, `${hcl}\nfuture { a = 2 }`)).toBe(false);
  });
});
