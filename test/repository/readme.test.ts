import { execFile } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { packages } from "../../tools/engines/engines";
import { withTables } from "../../tools/generate/readme";
import { withProgram } from "../support/programs";

const root = join(__dirname, "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");

it("the tables of the README are what the descriptions say", () => {
  expect(unpadded(readme)).toBe(unpadded(withTables(readme)));
});

it.each(["README.md", "CONTRIBUTING.md", "SECURITY.md"])("every link of %s to a file of the project leads to one", (name) => {
  const links = [...readFileSync(join(root, name), "utf8").matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path]) => path ?? "");
  expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it("the first program and its test are complete, and the test passes", async () => {
  const files = {
    "package.json": '{"name":"access","main":"index.ts"}',
    "tsconfig.json": readFileSync(join(root, "examples/platform/tsconfig.json"), "utf8"),
    "index.ts": block("typescript"),
    "program.test.js": block("javascript"),
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
function block(language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readme) ?? [];
  if (code === undefined) throw new Error(`the README has no block of ${language}`);
  return code;
}
