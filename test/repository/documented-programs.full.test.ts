/** The programs of the documents: they are complete, and print the documented output. */
import { execFile } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
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

/** The blocks of code in this language. */
function blocks(path: string, language: string): string[] {
  return [...readFileSync(join(root, path), "utf8").matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, code = ""]) => code,
  );
}
