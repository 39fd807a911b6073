/** Programs of several files: that all files together declare what one would, and that each language reads them. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeFiles } from "../../test/support/programs";
import { colliding, declaredBy, of, sample } from "../../test/support/takeover";
import { projectFiles } from "./files";
import type { Language } from "./languages";
import { typescriptProgram } from "./typescript";

type SplitLanguage = Exclude<Language, "yaml">;

function filesOf(language: SplitLanguage, objects = sample, options: { withSecrets?: boolean; isDynamic?: boolean } = {}) {
  const { withSecrets = false, isDynamic = false } = options;
  const all = projectFiles(of(language, objects, withSecrets), {
    language,
    project: "trial",
    isDynamic,
    withImportOptions: false,
    isSplit: true,
  });
  return Object.fromEntries(Object.entries(all).filter(([name]) => /\.(ts|py|go)$/.test(name)));
}

test("a method is a file with its rules, the other kinds have one each, and roles are imported where rules refer to them", () => {
  const files = filesOf("typescript");
  expect(Object.keys(files)).toEqual(["index.ts", "pools.ts", "roles.ts", "methods/sso.ts", "rules.ts"]);
  expect(files["index.ts"]).toBe('import "./pools";\nimport "./roles";\nimport "./methods/sso";\nimport "./rules";\n');
  expect(files["roles.ts"]).toContain('\nexport const teamAlpha = new AclRole("team-alpha", {\n');
  expect(files["roles.ts"]).toContain('\nnew AclRole("teamAlpha", {\n');
  expect(files["methods/sso.ts"]).toMatch(
    /^import \{ AclAuthMethod, AclBindingRule \} from "pulumi-agentpool-acl\/plugin";\nimport \{ teamAlpha \} from "..\/roles";\n/,
  );
  expect(files["methods/sso.ts"]?.match(/authMethod: sso\.name,/g)).toHaveLength(3);
  expect(files["rules.ts"]).toContain('authMethod: "gone",');
});

test("Python imports the modules of a package, and the roles by their names", () => {
  const files = filesOf("python");
  expect(Object.keys(files)).toEqual(["__main__.py", "methods/__init__.py", "pools.py", "roles.py", "methods/sso.py", "rules.py"]);
  expect(files["__main__.py"]).toBe("import methods.sso\nimport pools\nimport roles\nimport rules\n");
  expect(files["methods/sso.py"]).toMatch(/^import pulumi_agentpool_acl as acl\n\nfrom roles import team_alpha\n/);
});

test("Go has a function in each file, and hands the roles on", () => {
  const files = filesOf("go");
  expect(Object.keys(files)).toEqual(["main.go", "pools.go", "roles.go", "sso.go", "rules.go"]);
  expect(files["main.go"]).toContain("roles, err := declareRoles(ctx)");
  expect(files["main.go"]).toContain("if err := declareSso(ctx, roles); err != nil {");
  expect(files["roles.go"]).toContain("return &roles{\n\t\tteamAlpha: teamAlpha,\n\t}, nil");
  expect(files["sso.go"]).toContain("func declareSso(ctx *pulumi.Context, roles *roles) error {");
  expect(files["sso.go"]).toMatch(/BindName: +roles\.teamAlpha\.Name,/);
  expect(files["rules.go"]).toContain("func declareRules(ctx *pulumi.Context) error {");
});

test.each([sample, colliding])("all files together declare what one file would (%#)", (...objects) => {
  for (const isDynamic of [false, true]) {
    const whole = { "index.ts": typescriptProgram(of("typescript", objects), { isDynamic }) };
    expect(declaredBy(filesOf("typescript", objects, { isDynamic }))).toEqual(declaredBy(whole));
  }
});

test.each(["typescript", "python", "go"] as const)(
  "no two files of a program in %s are one where letter case means nothing, and Windows can have all of them",
  (language) => {
    const names = Object.keys(filesOf(language, colliding));
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    // Go leaves out files whose names end so.
    expect(names.filter((name) => /_(test|windows)\.go$/.test(name))).toEqual([]);
    // Windows has these for devices.
    expect(names.filter((name) => /(^|\/)(aux|con|nul|prn|com\d|lpt\d)\.\w+$/i.test(name))).toEqual([]);
  },
);

test("the same objects give the same files, and only a file with a secret reads the configuration", () => {
  const files = filesOf("typescript", colliding, { withSecrets: true });
  expect(filesOf("typescript", colliding, { withSecrets: true })).toEqual(files);
  const reading = Object.keys(files).filter((name) => files[name]?.includes("new pulumi.Config()"));
  expect(reading).toEqual(Object.keys(files).filter((name) => name.startsWith("methods/")));
});

/** Writes files into a folder for a program of the system. @returns what it prints; undefined if it is not on PATH */
function checkedBy(command: string, args: readonly string[], files: Record<string, string>): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "agentpool-acl-split-"));
  try {
    writeFiles(folder, files);
    const { error, status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: "utf8" });
    if (error) console.log(`Left out, because there is no ${command} on PATH: ${expect.getState().currentTestName}`);
    return error ? undefined : `${status} ${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("Python compiles every file", () => {
  const files = filesOf("python", colliding, { withSecrets: true });
  expect(["0 ", undefined]).toContain(checkedBy("python3", ["-m", "py_compile", ...Object.keys(files)], files));
});

test("every file in Go has gofmt's form", () => {
  const files = filesOf("go", colliding, { withSecrets: true });
  expect(["0 ", undefined]).toContain(checkedBy("gofmt", ["-l", "-e", "."], files));
});
