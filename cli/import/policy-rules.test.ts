/** The rules of policies in programs: short ones in the program, others in separate files. */
import { declaredBy, method, object, of, policy, role, rule } from "../../test/support/import-objects";
import { checkedBy } from "../../test/support/programs";
import { projectFiles } from "./files";
import type { Language } from "./names";

const short = 'namespace "default" { policy = "read" }';
const long = 'namespace "default" {\n  policy = "read"\n}\n';
const json = '\n{"node": {"policy": "read"}}\n';

const tokenOf = (outputs: object) => object("AclToken", "1", { name: "ci", type: "client", policies: [], roles: [], ...outputs });

/** Policies of every form, and objects that name them. */
const objects = [
  method("sso"),
  policy("reader", long, { jobAcl: { namespace: "default" } }),
  policy("short", short),
  policy("none", ""),
  policy("nodes", json),
  object("AclRole", "r", { name: "ops", description: "", policies: ["reader", "nodes", "elsewhere"] }),
  rule("1", { bindType: "policy", bindName: "reader" }),
  rule("2", { bindType: "role", bindName: "ops" }),
  rule("3", { bindType: "policy", bindName: "p-$" + "{value.team}" }),
];

const filesOf = (language: Language, all = objects, isSplit = false) =>
  projectFiles(of(language, all), { language, project: "trial", isDynamic: false, withImportOptions: false, isSplit });

test("short rules are in the program, and others unchanged in files that it reads", () => {
  const files = filesOf("typescript");
  expect(Object.keys(files).filter((name) => name.startsWith("policies/"))).toEqual(["policies/reader.hcl", "policies/nodes.json"]);
  expect([files["policies/reader.hcl"], files["policies/nodes.json"]]).toEqual([long, json]);
  expect(declaredBy(files)).toMatchObject({ reader: { rules: long }, short: { rules: short }, nodes: { rules: json } });
  expect(files["index.ts"]).toContain('rules: readFileSync("policies/reader.hcl", "utf8"),');
  expect(files["index.ts"]).toContain('new AclPolicy("none", {\n  name: "none",\n});');
});

test.each([
  [short, false],
  [`${short}${" ".repeat(61)}`, false],
  [`${short}${" ".repeat(62)}`, true],
  [`${short}\n`, true],
  [`${short}\r`, true],
])("rules %j get a file: %s", (rules, isFile) => {
  expect(Object.keys(filesOf("python", [policy("p", rules)])).includes("policies/p.hcl")).toBe(isFile);
});

test("roles, rules and tokens refer to policies of the program, and name others", () => {
  const text = filesOf("typescript", [...objects, tokenOf({ policies: ["short", "elsewhere"], roles: ["ops"] })])["index.ts"];
  expect(text).toContain('policies: [reader.name, nodes.name, "elsewhere"],');
  expect(text).toContain('bindType: "policy",\n  bindName: reader.name,');
  expect(text).toContain('bindName: "p-$' + '{value.team}",');
  expect(text).toContain('policies: [short.name, "elsewhere"],\n  roles: [ops.name],');
});

test("each language reads the files in its own way", () => {
  const python = filesOf("python")["__main__.py"];
  expect(python).toMatch(/^from pathlib import Path\n\nimport pulumi_agentpool_acl as acl\n/);
  expect(python).toContain('rules=Path("policies/reader.hcl").read_bytes().decode(),');
  const go = filesOf("go")["main.go"] ?? "";
  expect(go).toContain('import (\n\t_ "embed"\n\n\t"');
  expect(go).toContain(")\n\n//go:embed policies/reader.hcl\nvar rulesOfReader string\n\n//go:embed policies/nodes.json\n");
  expect(go).toMatch(/Rules: +pulumi\.String\(rulesOfReader\),/);
  expect(filesOf("yaml")["Pulumi.yaml"]).toContain('      rules:\n        fn::readFile: "./policies/reader.hcl"\n');
});

test("a program file reads files only if it has a policy with rules in a file", () => {
  const files = filesOf("typescript", objects, true);
  const reading = Object.keys(files).filter((name) => files[name]?.includes("readFileSync"));
  expect(reading).toEqual(["roles.ts"]);
  expect(declaredBy(files)).toEqual(declaredBy(filesOf("typescript")));
  expect(files["methods/sso.ts"]).toContain('import { ops, reader } from "../roles";');
  expect(filesOf("typescript", [policy("short", short)])["index.ts"]).not.toContain("node:fs");
  expect(filesOf("python", [policy("short", short)])["__main__.py"]).not.toContain("pathlib");
  expect(filesOf("go", [policy("short", short)])["main.go"]).not.toContain("embed");
});

/** Names that differ in letter case alone, Windows devices, and names that are not valid in paths. */
const odd = ["Con", "aux", "team-a", "TEAM-A", "Team-A", "-", "--", "-a", "x".repeat(128), "../../etc/x", "a/b", "a\\b", "ä", "", "."];

test.each(["typescript", "python", "go", "yaml"] as const)(
  "a policy of any name has its own file, with a name that is valid on every system: %s",
  (language) => {
    const policies = odd.map((name) => policy(name, `# ${name}\n`));
    const files = filesOf(language, policies);
    const names = Object.keys(files).filter((name) => name.startsWith("policies/"));
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(odd.length);
    for (const name of names) expect(name).toMatch(/^policies\/(?!(con|aux)\.)[A-Za-z0-9_][A-Za-z0-9_-]*\.hcl$/i);
    expect(names.map((name) => files[name]).sort()).toEqual(odd.map((name) => `# ${name}\n`).sort());
  },
);

test("a resource named like a function or text of the program gets another variable", () => {
  const all = [policy("reader", long), policy("rules-of-reader", long), role("read-file-sync"), policy("readFileSync", long)];
  const files = filesOf("typescript", [...all, { ...role("all"), inputs: { name: "all", policies: ["readFileSync"] } }]);
  expect(files["index.ts"]).toContain("const readFileSyncPolicy = new AclPolicy(");
  const { "main.go": go = "" } = filesOf("go", all);
  const names = [...go.matchAll(/^var (\w+) string$/gm)].map(([, name]) => name);
  expect(new Set(names).size).toBe(3);
});

const named = (files: Record<string, string>, pattern: RegExp) =>
  Object.fromEntries(Object.entries(files).filter(([name]) => pattern.test(name)));

test.each([false, true])("a Go program has gofmt's form, in several files: %s", (isSplit) => {
  const files = named(filesOf("go", objects, isSplit), /\.go$/);
  expect(["0 ", undefined]).toContain(checkedBy("gofmt", ["-l", "-e", "."], files));
});

test("Python reads the server's rules, with any line endings", () => {
  const rules = "# one\r\n# two\rnode {}\n# \u00e4\u2028\n";
  const files = filesOf("python", [policy("p", rules)]);
  const [, expression = ""] = /rules=(.*),\n/.exec(files["__main__.py"] ?? "") ?? [];
  const script = `import json\nfrom pathlib import Path\nprint(json.dumps(${expression}))\n`;
  const printed = checkedBy("python3", ["-c", script], named(files, /^policies/));
  expect([`0 ${JSON.stringify(rules)}`, undefined]).toContain(printed?.trim().replace("\\u00e4", "\u00e4").replace("\\u2028", "\u2028"));
});
