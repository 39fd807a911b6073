import { execFile } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { packages } from "../../tools/engines/engines";
import { withTables } from "../../tools/generate/readme";
import { documents } from "../../tools/repository";
import { withProgram } from "../support/programs";

const root = join(__dirname, "../..");
const text = (path: string) => readFileSync(join(root, path), "utf8");

it.each(documents())("the tables of %s are what the descriptions say", (path) => {
  expect(unpadded(text(path))).toBe(unpadded(withTables(text(path))));
});

it.each([...documents(), "CONTRIBUTING.md", "SECURITY.md"])("every link of %s to a file of the project leads to one", (path) => {
  const links = [...text(path).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, target = ""]) => join(dirname(path), target));
  expect(links.filter((target) => !existsSync(join(root, target)))).toEqual([]);
});

it("the first program and its test are complete, and the test passes", async () => {
  const files = {
    "package.json": '{"name":"access","main":"index.ts"}',
    "tsconfig.json": readFileSync(join(root, "examples/platform/tsconfig.json"), "utf8"),
    "index.ts": block("README.md", "typescript"),
    "program.test.js": block("docs/testing.md", "javascript"),
  };
  await withProgram(files, async (folder) => {
    symlinkSync(packages, join(folder, "node_modules"), "junction");
    const { stderr } = await promisify(execFile)(process.execPath, [join(packages, "jest/bin/jest.js"), "--rootDir", folder], {
      cwd: folder,
    });
    expect(stderr).toContain("1 passed, 1 total");
  });
});

/** The formatter aligns the columns of tables. */
function unpadded(markdown: string): string {
  return markdown.replace(/^\|.*\|$/gm, (row) => row.replace(/ {2,}/g, " ").replace(/-{3,}/g, "---"));
}

/** The first block of code in this language. */
function block(path: string, language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text(path)) ?? [];
  if (code === undefined) throw new Error(`${path} has no block of ${language}`);
  return code;
}
