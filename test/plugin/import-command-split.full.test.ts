/**
 * Programs of several files that `import --split` writes, by each language's own tools: they compile, or run with mocks. What is missing
 * here leaves a test out, with the reason.
 */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { projectFiles } from "../../cli/import/files";
import type { Language } from "../../cli/import/names";
import { packages } from "../../tools/engines/engines";
import { compile } from "../support/compile";
import { colliding, of } from "../support/import-objects";
import { needs, run, runWithPythonMocks, scratch, withGoSdk } from "../support/languages";
import { writeFiles } from "../support/programs";

jest.setTimeout(420_000);

/** Writes the project of a language into a folder of its own. @returns the folder */
function written(language: Language, options: { isDynamic?: boolean; withImportOptions?: boolean } = {}): string {
  const { isDynamic = false, withImportOptions = false } = options;
  const folder = join(scratch, `${language}${isDynamic ? "-dynamic" : ""}`);
  const project = { language, project: "split", isDynamic, withImportOptions, isSplit: true };
  writeFiles(folder, projectFiles(of(language, colliding), project));
  return folder;
}

test.each([false, true])("TypeScript: all files compile strictly (over dynamic resources: %s)", async (isDynamic) => {
  const folder = written("typescript", { isDynamic });
  symlinkSync(packages, join(folder, "node_modules"), "junction");
  await expect(compile(["index.ts"], folder)).resolves.toBe("");
});

test("Python: the program imports all of its modules, and runs with mocks of the SDK that is generated from the schema", async () => {
  if (!needs("python3")) return;
  await runWithPythonMocks(written("python", { withImportOptions: true }), ["__main__.py"]);
});

test("Go: all files have gofmt's form, and compile with the SDK that is generated from the schema", async () => {
  if (!needs("gofmt")) return;
  const folder = written("go", { withImportOptions: true });
  await expect(run("gofmt", ["-l", "."], folder)).resolves.toBe("");
  const env = await withGoSdk("split", folder);
  if (env) await expect(run("go", ["vet", "./..."], folder, env)).resolves.toBe("");
});
