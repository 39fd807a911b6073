/** The programs of the documents: they compile, the tests among them pass, and an example prints the output of its page. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { packages } from "../../tools/engines/engines";
import { root } from "../../tools/repository";
import { compile } from "../support/compile";
import { withProgram } from "../support/programs";

it("the first program, its test and a unit test with mocks are complete, and the tests pass", async () => {
  const [manifest = "", compilerOptions = ""] = blocks("README.md", "json");
  const [program = ""] = blocks("README.md", "typescript");
  const [withMocks = "", withSimulator = "", inProcess = ""] = blocks("docs/testing.md", "javascript");
  const [inTypeScript = ""] = blocks("docs/testing.md", "typescript");
  const [jestSettings = ""] = blocks("docs/testing.md", "json");
  const files = {
    "Pulumi.yaml": blocks("README.md", "yaml")[0] ?? "",
    "package.json": JSON.stringify({ ...JSON.parse(manifest), ...JSON.parse(jestSettings) }),
    "tsconfig.json": compilerOptions,
    "index.ts": program,
    "mocks.test.js": withMocks,
    "program.test.js": withSimulator,
    "in-process.test.js": inProcess,
    "program.test.ts": inTypeScript,
  };
  expect(Object.entries(files).filter(([, content]) => content === "")).toEqual([]);
  await withProgram(files, async (folder) => {
    symlinkSync(packages, join(folder, "node_modules"), "junction");
    const { stderr } = await promisify(execFile)(process.execPath, [join(packages, "jest/bin/jest.js"), "-i", "--rootDir", folder], {
      cwd: folder,
    });
    expect(stderr).toContain("4 passed, 4 total");
    await expect(compile(["--types", "node,jest", join(folder, "program.test.ts")], folder)).resolves.toBe("");
  });
});

it("the example of a login's grants prints the output of the page", async () => {
  const [example = ""] = blocks("docs/access.md", "javascript");
  const [printed = ""] = blocks("docs/access.md", "text");
  expect(printed).not.toBe("");
  await withProgram({ "login.js": example }, async (folder) => {
    symlinkSync(packages, join(folder, "node_modules"), "junction");
    const { stdout } = await promisify(execFile)(process.execPath, ["login.js"], { cwd: folder });
    expect(stdout.trim()).toBe(printed.trim());
  });
});

it("the example of the Automation API compiles without errors", async () => {
  const [example = ""] = blocks("docs/automation.md", "typescript");
  await withProgram({ "index.ts": example }, async (folder) => {
    symlinkSync(packages, join(folder, "node_modules"), "junction");
    await expect(compile([join(folder, "index.ts")], folder)).resolves.toBe("");
  });
});

it("the parts of programs in the documents compile without errors", async () => {
  const isPart = (name: string) => name.endsWith(".md") && !/^(automation|policies|testing)\.md$/.test(name);
  const pages = readdirSync(join(root, "docs")).filter(isPart);
  const parts = pages.flatMap((page) => ["ts", "typescript"].flatMap((language) => blocks(join("docs", page), language)));
  expect(parts.length).toBeGreaterThanOrEqual(4);
  const files = parts.map((part, index): [string, string] => [`part-${index}.ts`, `${leftOut(part)}\n${part}`]);
  await withProgram(Object.fromEntries(files), async (folder) => {
    symlinkSync(packages, join(folder, "node_modules"), "junction");
    const names = files.map(([name]) => name);
    await expect(compile(names, folder).catch(({ stdout }) => stdout)).resolves.toBe("");
  });
});

/** The imports and declarations that a part of a program leaves out. */
function leftOut(part: string): string {
  if (part.includes("import ")) return 'import * as pulumi from "@pulumi/pulumi";\nconst config = new pulumi.Config();';
  return [
    'import { readFileSync } from "node:fs";',
    'import { AclPolicy, AclRole, AgentPool, AgentToken, getRoleOutput } from "pulumi-agentpool-acl";',
    'const pool = new AgentPool("build", { name: "build" });',
  ].join("\n");
}

/** The blocks of code in this language. */
function blocks(path: string, language: string): string[] {
  return [...readFileSync(join(root, path), "utf8").matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, code = ""]) => code,
  );
}
