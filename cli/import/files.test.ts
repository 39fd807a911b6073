/** Programs of several files, and their folder. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { colliding, declaredBy, of, sample } from "../../test/support/import-objects";
import { checkedBy } from "../../test/support/programs";
import { projectFiles } from "./files";
import type { Language } from "./names";
import { writeProject } from "./project-folder";
import { typescriptProgram } from "./typescript";

describe("programs of several files", () => {
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

  test("a method is in one file with its rules, each other kind has a file, and rules import the roles that they refer to", () => {
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

  test("Python imports modules of a package, and roles by their names", () => {
    const files = filesOf("python");
    expect(Object.keys(files)).toEqual(["__main__.py", "methods/__init__.py", "pools.py", "roles.py", "methods/sso.py", "rules.py"]);
    expect(files["__main__.py"]).toBe("import methods.sso\nimport pools\nimport roles\nimport rules\n");
    expect(files["methods/sso.py"]).toMatch(/^import pulumi_agentpool_acl as acl\n\nfrom roles import team_alpha\n/);
  });

  test("Go has a function in each file, and passes the roles on", () => {
    const files = filesOf("go");
    expect(Object.keys(files)).toEqual(["main.go", "pools.go", "roles.go", "sso.go", "rules.go"]);
    expect(files["main.go"]).toContain("roles, err := declareRoles(ctx)");
    expect(files["main.go"]).toContain("if err := declareSso(ctx, roles); err != nil {");
    expect(files["roles.go"]).toContain("return &roles{\n\t\tteamAlpha: teamAlpha,\n\t}, nil");
    expect(files["sso.go"]).toContain("func declareSso(ctx *pulumi.Context, roles *roles) error {");
    expect(files["sso.go"]).toMatch(/BindName: +roles\.teamAlpha\.Name,/);
    expect(files["rules.go"]).toContain("func declareRules(ctx *pulumi.Context) error {");
  });

  test.each([sample, colliding])("all files together declare the objects of a single file (%#)", (...objects) => {
    for (const isDynamic of [false, true]) {
      const whole = { "index.ts": typescriptProgram(of("typescript", objects), { isDynamic }) };
      expect(declaredBy(filesOf("typescript", objects, { isDynamic }))).toEqual(declaredBy(whole));
    }
  });

  test.each(["typescript", "python", "go"] as const)(
    "no two files of a program in %s differ in letter case alone, and all names are valid on Windows",
    (language) => {
      const names = Object.keys(filesOf(language, colliding));
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
      // Go ignores files with such names.
      expect(names.filter((name) => /_(test|windows)\.go$/.test(name))).toEqual([]);
      // Windows reserves these names for devices.
      expect(names.filter((name) => /(^|\/)(aux|con|nul|prn|com\d|lpt\d)\.\w+$/i.test(name))).toEqual([]);
    },
  );

  test("the same objects give the same files, and only a file with a secret reads the configuration", () => {
    const files = filesOf("typescript", colliding, { withSecrets: true });
    expect(filesOf("typescript", colliding, { withSecrets: true })).toEqual(files);
    const reading = Object.keys(files).filter((name) => files[name]?.includes("new pulumi.Config()"));
    expect(reading).toEqual(Object.keys(files).filter((name) => name.startsWith("methods/")));
  });

  test("Python compiles every file", () => {
    const files = filesOf("python", colliding, { withSecrets: true });
    expect(["0 ", undefined]).toContain(checkedBy("python3", ["-m", "py_compile", ...Object.keys(files)], files));
  });

  test("every Go file has gofmt's form", () => {
    const files = filesOf("go", colliding, { withSecrets: true });
    expect(["0 ", undefined]).toContain(checkedBy("gofmt", ["-l", "-e", "."], files));
  });
});

describe("the folder of a project", () => {
  let parent: string;
  let folder: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), "agentpool-acl-project-"));
    folder = join(parent, "a", "b");
  });

  afterEach(() => rmSync(parent, { recursive: true }));

  test("the error names a file that can't be written", () => {
    const name = `${"a".repeat(300)}.ts`;
    expect(() => writeProject(folder, { "index.ts": "new", [name]: "" }, false)).toThrow(
      expect.objectContaining({ path: join(folder, name) }),
    );
  });

  test("source files of another program in the same language are named, and stay", () => {
    const go = { "Pulumi.yaml": "", "main.go": "" };
    expect(writeProject(folder, { ...go, "sso.go": "" }, false)).toEqual([]);
    mkdirSync(join(folder, "methods"));
    for (const name of ["methods/sso.go", "index.ts", "notes.txt"]) writeFileSync(join(folder, name), "");
    expect(writeProject(folder, go, true)).toEqual([join("methods", "sso.go"), "sso.go"]);
    expect(readdirSync(folder).sort()).toEqual(["Pulumi.yaml", "index.ts", "main.go", "methods", "notes.txt", "sso.go"]);
  });

  test("a file named like the methods folder stays if the program has no such folder", () => {
    mkdirSync(folder, { recursive: true });
    for (const name of ["methods", "roles.ts"]) writeFileSync(join(folder, name), "mine");
    expect(writeProject(folder, { "index.ts": "new" }, true)).toEqual(["roles.ts"]);
    const texts = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]);
    expect(Object.fromEntries(texts)).toEqual({ "index.ts": "new", methods: "mine", "roles.ts": "mine" });
  });
});
