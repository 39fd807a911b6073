/** Programs of several files, and the folder that they are written to. */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { colliding, declaredBy, of, sample } from "../../test/support/import-objects";
import { checkedBy } from "../../test/support/programs";
import { posixTest } from "../../test/support/systems";
import { projectFiles } from "./files";
import type { Language } from "./languages";
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

  test("Python compiles every file", () => {
    const files = filesOf("python", colliding, { withSecrets: true });
    expect(["0 ", undefined]).toContain(checkedBy("python3", ["-m", "py_compile", ...Object.keys(files)], files));
  });

  test("every file in Go has gofmt's form", () => {
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

  /** No file system has such a name. */
  const tooLong = `${"a".repeat(300)}.ts`;

  test("if one file can't be written, the folder has what it had", () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "index.ts"), "mine");
    expect(() => writeProject(folder, { "index.ts": "new", "methods/sso.ts": "", [tooLong]: "" }, true)).toThrow(/ENAMETOOLONG|ENOENT/);
    expect([readdirSync(folder), readFileSync(join(folder, "index.ts"), "utf8")]).toEqual([["index.ts"], "mine"]);
  });

  test("if one file can't be written, there is no new folder", () => {
    expect(() => writeProject(folder, { "index.ts": "new", [tooLong]: "" }, false)).toThrow(/ENAMETOOLONG|ENOENT/);
    expect(readdirSync(parent)).toEqual([]);
  });

  /** Runs as somebody whom the modes of the test's folder stop: they do not stop root. */
  function asNobody(run: () => unknown): void {
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) chownSync(parent, 65_534, 65_534);
    if (isRoot) process.seteuid?.(65_534);
    try {
      run();
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  }

  posixTest("if a file may not take its place, those before it are what they were, and the error names it", () => {
    const contents = () => ["index.ts", "methods/sso.ts"].map((name) => readFileSync(join(folder, name), "utf8"));
    const methods = join(folder, "methods");
    asNobody(() => {
      mkdirSync(methods, { recursive: true });
      for (const name of ["index.ts", "methods/sso.ts"]) writeFileSync(join(folder, name), "mine");
      chmodSync(methods, 0o555);
      const files = { "index.ts": "new", "roles.ts": "new", "methods/sso.ts": "new" };
      expect(() => writeProject(folder, files, true)).toThrow(expect.objectContaining({ code: "EACCES", path: join(methods, "sso.ts") }));
      expect([contents(), readdirSync(folder).sort(), readdirSync(methods)]).toEqual([
        ["mine", "mine"],
        ["index.ts", "methods"],
        ["sso.ts"],
      ]);
      chmodSync(methods, 0o755);
    });
  });

  posixTest("a file that may not be written stays, with all others, and one that is written over keeps who may read it", () => {
    asNobody(() => {
      mkdirSync(folder, { recursive: true });
      for (const name of ["Pulumi.yaml", "index.ts"]) writeFileSync(join(folder, name), "mine");
      chmodSync(join(folder, "Pulumi.yaml"), 0o600);
      chmodSync(join(folder, "index.ts"), 0o444);
      const files = { "Pulumi.yaml": "new", "index.ts": "new" };
      expect(() => writeProject(folder, files, true)).toThrow(expect.objectContaining({ code: "EACCES", path: join(folder, "index.ts") }));
      const contents = () => Object.keys(files).map((name) => readFileSync(join(folder, name), "utf8"));
      expect([contents(), readdirSync(folder).sort()]).toEqual([
        ["mine", "mine"],
        ["Pulumi.yaml", "index.ts"],
      ]);
      chmodSync(join(folder, "index.ts"), 0o640);
      expect(writeProject(folder, files, true)).toEqual([]);
      expect(Object.keys(files).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o640]);
    });
  });

  test("source files of the same language that are of another program are named, and stay", () => {
    const go = { "Pulumi.yaml": "", "main.go": "" };
    expect(writeProject(folder, { ...go, "sso.go": "" }, false)).toEqual([]);
    mkdirSync(join(folder, "methods"));
    for (const name of ["methods/sso.go", "index.ts", "notes.txt"]) writeFileSync(join(folder, name), "");
    expect(writeProject(folder, go, true)).toEqual([join("methods", "sso.go"), "sso.go"]);
    expect(readdirSync(folder).sort()).toEqual(["Pulumi.yaml", "index.ts", "main.go", "methods", "notes.txt", "sso.go"]);
  });

  test("a file in the place of the folder of methods, which this program does not have, is no hindrance, and stays", () => {
    mkdirSync(folder, { recursive: true });
    for (const name of ["methods", "roles.ts"]) writeFileSync(join(folder, name), "mine");
    expect(writeProject(folder, { "index.ts": "new" }, true)).toEqual(["roles.ts"]);
    const texts = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]);
    expect(Object.fromEntries(texts)).toEqual({ "index.ts": "new", methods: "mine", "roles.ts": "mine" });
  });
});
