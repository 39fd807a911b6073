/** The declarations of programs, with any texts of the servers. */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import * as z from "zod";
import { isRecord } from "../../common/unknown";
import { packageRoot, packageVersion } from "../../provider/configuration/package";
import { hostileObjects } from "../../test/support/hostile-objects";
import { declaredBy, inputsByName, method, object, of, pool, role, rule, sample } from "../../test/support/import-objects";
import { chosenSeed } from "../../test/support/seed";
import { importFile, projectFiles } from "./files";
import { findingsIn } from "./findings";
import { goProgram } from "./go";
import type { Language } from "./names";
import { pythonProgram } from "./python";
import { typescriptProgram } from "./typescript";
import { yamlProgram } from "./yaml";

test.each(["python", "go", "yaml"] as const)("a project in %s names the plugin, its version and its download URL", (language) => {
  const files = projectFiles(of(language), { language, project: "trial", isDynamic: false, withImportOptions: false });
  const example = readFileSync(join(packageRoot, "examples", language, "Pulumi.yaml"), "utf8");
  const [section] = /^packages:\n(?: .*\n)+/m.exec(example) ?? ["examples have no packages"];
  expect(files["Pulumi.yaml"]).toContain(section);
});

test("a project in TypeScript depends on this version", () => {
  const files = projectFiles(of("typescript"), { language: "typescript", project: "trial", isDynamic: true, withImportOptions: false });
  expect(JSON.parse(files["package.json"] ?? "")).toMatchObject({ dependencies: { "pulumi-agentpool-acl": `^${packageVersion}` } });
});

test.each([
  ["typescript", typescriptProgram, "}, { deletedWith: build });", '}, { import: "apool-1/at-1", deletedWith: build });'],
  ["python", pythonProgram, "(deleted_with=build),", '(import_="apool-1/at-1", deleted_with=build),'],
  ["go", goProgram, "}, pulumi.DeletedWith(build))", '}, pulumi.Import(pulumi.ID("apool-1/at-1")), pulumi.DeletedWith(build))'],
  ["yaml", yamlProgram, "options:\n      deletedWith: $" + "{build}", 'import: "apool-1/at-1"\n      deletedWith: $' + "{build}"],
] as const)("an agent token has deletedWith its pool, if the program has the pool: in %s", (language, write, alone, withImport) => {
  const token = object("AgentToken", "at-1", { agentPoolId: "apool-1", description: "runners" });
  expect(write(of(language, [pool, token]))).toContain(alone);
  expect(write(of(language, [pool, token]), { withImportOptions: true })).toContain(withImport);
  expect(write(of(language, [token]))).not.toMatch(/deleted.?with/i);
});

test("a rule refers to the program's method and role; computed names and objects outside of the program stay texts", () => {
  const text = typescriptProgram(of("typescript"));
  expect(text).toMatch(
    /^import \{ AclAuthMethod, AclBindingRule, AclRole, AgentPool \} from "pulumi-agentpool-acl\/plugin";\n\nnew AgentPool/,
  );
  expect(text).toContain(
    "\n// The server holds config.oidcClientSecret, which the API does not return. No update touches it; give it before changing config.\n" +
      'const sso = new AclAuthMethod("sso", {\n',
  );
  for (const declaration of ['\nnew AclRole("default"', '\nconst teamAlpha = new AclRole("team-alpha"', '\nnew AclRole("teamAlpha"'])
    expect(text).toContain(declaration);
  expect(text).toContain('new AclBindingRule("sso-team-alpha", {\n  authMethod: sso.name,\n');
  expect(text).toContain("  bindName: teamAlpha.name,\n");
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are the API's own interpolation
  expect(text).toContain('  bindName: "team-${value.team}",\n');
  expect(text).toContain('  authMethod: "gone",\n  selector: "",\n  bindType: "role",\n  bindName: "gone",\n');
  expect(declaredBy({ "index.ts": text })).toEqual(inputsByName(of("typescript")));
});

test.each(["typescript", "python", "go", "yaml"] as const)("every object has a variable and a name of its own in %s", (language) => {
  const { declarations } = of(language, [...sample, role("sso"), role("class"), role("2fa"), method("Build")]);
  const folded = (key: "variable" | "resourceName") => new Set(declarations.map((one) => one[key].toLowerCase()));
  expect([folded("variable").size, folded("resourceName").size]).toEqual([declarations.length, declarations.length]);
  for (const { variable } of declarations) {
    expect(variable).toMatch(/^[A-Za-z][A-Za-z0-9_]*$/);
    expect(["class", "default"]).not.toContain(variable);
  }
});

test("secrets come from the configuration on request, and the import file has the ids", () => {
  const program = of("typescript", [method("team-sso")], true);
  expect(program.secrets).toEqual(["teamSsoClientSecret"]);
  expect(typescriptProgram(program)).toContain('    oidcClientSecret: config.requireSecret("teamSsoClientSecret"),\n');
  expect(pythonProgram(of("python", [method("team-sso")], true))).toContain(
    'oidc_client_secret=config.require_secret("teamSsoClientSecret"),',
  );
  expect(goProgram(of("go", [method("team-sso")], true))).toContain('settings.RequireSecret("teamSsoClientSecret")');
  expect(yamlProgram(of("yaml", [method("team-sso")], true))).toContain("oidcClientSecret: $" + "{teamSsoClientSecret}");
  expect(JSON.parse(importFile(of("typescript"))).resources.slice(0, 3)).toEqual([
    { type: "agentpool-acl:index:AgentPool", name: "build", id: "example-org/build" },
    { type: "agentpool-acl:index:AclAuthMethod", name: "sso", id: "sso" },
    { type: "agentpool-acl:index:AclRole", name: "default", id: "default" },
  ]);
});

test("every secret has a key of its own, different from all variables", () => {
  const methods = [method("a-1"), method("a1"), method("sso"), role("ssoClientSecret")];
  for (const language of ["typescript", "python", "go", "yaml"] as const) {
    const { secrets, declarations } = of(language, methods, true);
    expect(secrets).toHaveLength(3);
    expect(new Set([...secrets, ...declarations.map(({ variable }) => variable)].map((name) => name.toLowerCase())).size).toBe(7);
  }
});

test.each([
  ["yaml", "<<", "it merges maps"],
  ["yaml", "Fn::secret", "it calls a function"],
  ["typescript", "__proto__", "Pulumi's SDK loses it"],
] as const)("in %s a claim with a special meaning as a key is refused: %s", (language, claim, effect) => {
  const claimMappings = Object.fromEntries([[claim, "a"]]);
  const files = (of: Language) => projectFiles(toProgram(of), { language: of, project: "x", isDynamic: false, withImportOptions: false });
  const toProgram = (spelled: Language) => of(spelled, [method("sso", { claimMappings })]);
  expect(() => files(language)).toThrow(
    `AclAuthMethod "sso": the key "${claim}" can't be written in ${language}: ${effect}. Give another --language, or --exclude this object.`,
  );
  expect(Object.keys(files("python"))).toContain("__main__.py");
});

test("YAML programs refuse texts of several lines that begin with a tab, in any place", () => {
  const files = (language: Language, changes: Parameters<typeof method>[1]) => {
    const program = of(language, [method("sso", changes)]);
    return Object.keys(projectFiles(program, { language, project: "x", isDynamic: false, withImportOptions: false }));
  };
  for (const lost of [{ claimMappings: { "\ta\n": "a" } }, { claimMappings: { a: "\ta\nb" } }, { oidcScopes: ["a", "\t\n"] }]) {
    expect(() => files("yaml", lost)).toThrow(
      'AclAuthMethod "sso": a text of several lines that begins with a tab can\'t be written in yaml',
    );
    expect(files("python", lost)).toContain("__main__.py");
  }
  expect(files("yaml", { claimMappings: { a: "\ta", b: "a\n\tb" } })).toContain("Pulumi.yaml");
});

test("programs import the SDKs by the names of the schema", () => {
  const { go, python } = jest.requireActual<{ language: { go: { importBasePath: string }; python: { packageName: string } } }>(
    "../../schema.json",
  ).language;
  expect(goProgram(of("go"))).toContain(`"${go.importBasePath}"`);
  expect(pythonProgram(of("python"))).toContain(`import ${python.packageName} as acl`);
});

test("dynamic programs adopt, and import options name the ids", () => {
  expect(typescriptProgram(of("typescript", [role("a")]), { isDynamic: true })).toContain('policies: ["read"],\n  adopt: true,\n');
  expect(typescriptProgram(of("typescript", [role("a", "id-1")]), { withImportOptions: true })).toContain('}, { import: "id-1" });');
});

test("findings are orphans, duplicates and roles without rules, and unreadable objects are not called missing", () => {
  const all = [...sample, rule("5", { bindType: "management", description: "again" })];
  const listed = [...all, { kind: "AclPolicy", name: "read" }];
  expect(findingsIn(all, { listed, isComplete: () => true }).map(({ kind, object: { id } }) => [kind, id])).toEqual([
    ["orphan", "3"],
    ["duplicate", "5"],
    ["unreferenced", "default"],
    ["unreferenced", "teamAlpha"],
  ]);
  expect(findingsIn(all, { listed: all, isComplete: () => false }).map(({ kind }) => kind)).toEqual(["duplicate"]);
});

test("a role that the claims of a login may name is referenced", () => {
  const bindName = "team-$" + "{value.team}";
  const teams = [role("team-ops"), role("Team-ops"), role("team"), rule("5", { bindType: "role", bindName })];
  const unreferenced = (all: Parameters<typeof findingsIn>[0]) =>
    findingsIn(all, { listed: all, isComplete: () => true }).flatMap(({ kind, object: { id } }) => (kind === "unreferenced" ? [id] : []));
  const mapped = { ...method("sso").outputs, config: { claimMappings: { department: "team" } } };
  expect(unreferenced([{ ...method("sso"), outputs: mapped }, ...teams])).toEqual(["Team-ops", "team"]);
  // Without the claim, the bind name fails at every login.
  expect(unreferenced([method("sso"), ...teams])).toEqual(["team-ops", "Team-ops", "team"]);
});

test("a property named like a Python keyword has the SDK's underscore", () => {
  const token = object("AclToken", "1", { name: "ci", type: "client", policies: ["read"], global: true });
  expect(pythonProgram(of("python", [token]))).toContain("    global_=True,\n");
  expect(typescriptProgram(of("typescript", [token]))).toContain("global: true,");
});

describe("texts of servers", () => {
  /** Objects with random texts of every kind. */
  const drawn = (numRuns: number) => fc.sample(hostileObjects, { numRuns, seed: chosenSeed("TEXTS_SEED") });

  test("the TypeScript program keeps any texts", () => {
    for (const objects of drawn(60)) {
      const program = of("typescript", objects);
      expect(declaredBy({ "index.ts": typescriptProgram(program) })).toEqual(inputsByName(program));
    }
  });

  const parser = `
import ast, json, sys, types
def value(node):
    if isinstance(node, ast.Call):
        return {k.arg: value(k.value) for k in node.keywords}
    if isinstance(node, ast.Attribute):
        return "sso"
    if isinstance(node, ast.List):
        return [value(item) for item in node.elts]
    if isinstance(node, ast.Dict):
        return {key.value: value(item) for key, item in zip(node.keys, node.values)}
    return node.value
result = []
for text in json.load(sys.stdin):
    calls = [n.value for n in ast.parse(text).body if isinstance(n, (ast.Assign, ast.Expr))]
    result.append([value(call) for call in calls])
print(json.dumps(result))
`;

  test("the Python program keeps any texts", () => {
    if (spawnSync("python3", ["--version"]).error) return console.log("Left out, because there is no python3 on PATH");
    const all = drawn(150);
    const texts = all.map((objects) => pythonProgram(of("python", objects)));
    const { stdout, stderr } = spawnSync("python3", ["-c", parser], { input: JSON.stringify(texts), encoding: "utf8", maxBuffer: 2 ** 28 });
    expect(stderr).toBe("");
    const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const spelled = (inputs: object): object =>
      Object.fromEntries(Object.entries(inputs).map(([name, value]) => [snake(name), name === "config" ? spelled(Object(value)) : value]));
    expect(JSON.parse(stdout)).toEqual(all.map((objects) => objects.map(({ inputs }) => spelled(inputs))));
  });

  test("the Go program has gofmt's form with any texts", () => {
    if (spawnSync("gofmt", ["--help"]).error) return console.log("Left out, because there is no gofmt on PATH");
    const functions = drawn(100).map((objects, index) =>
      goProgram(of("go", objects))
        .replace("package main\n", "")
        .replace(/import \([^)]*\)\n\n/, "")
        .replace("func main", `func main${index}`),
    );
    const input = `package main\n${functions.join("")}`;
    const { stdout, stderr } = spawnSync("gofmt", { input, encoding: "utf8", maxBuffer: 2 ** 28 });
    expect([stderr, stdout]).toEqual(["", input]);
  });

  // Comes with Pulumi's SDK and jest, without types.
  const { load } = jest.requireActual<{ load(text: string): unknown }>("js-yaml");
  const yamlResources = z.object({ resources: z.record(z.string(), z.object({ properties: z.record(z.string(), z.unknown()) })) });

  /** A YAML text as Pulumi reads it: two dollar signs are one, and a single one with braces is an interpolation. */
  function interpolated(value: unknown): unknown {
    if (typeof value === "string") {
      return value.replace(/\$\$|\$\{([a-z]*)[^}]*\}?/g, (found, variable: string) => (found === "$$" ? "$" : variable));
    }
    if (Array.isArray(value)) return value.map(interpolated);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [interpolated(key), interpolated(item)]));
  }

  test("the YAML program keeps any texts", () => {
    for (const objects of drawn(300)) {
      const program = of("yaml", objects);
      const { resources } = yamlResources.parse(load(yamlProgram(program)));
      const properties = Object.values(resources).map((one) => interpolated(one.properties));
      expect(properties).toEqual(Object.values(inputsByName(program)));
    }
  });
});
