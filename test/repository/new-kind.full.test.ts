/** A made-up kind is added to a copy of the project by the list of CONTRIBUTING. It must then pass tests that every other kind passes. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { addNewKind } from "../fixtures/new-kind/apply";
import { withCopy } from "../support/copy";

/** Suites of test/lifecycle that have a part for each kind, and the suite of the new kind itself (`note`). */
const lifecycles = [
  "note",
  "adoption",
  "blocked-deletes",
  "deletion",
  "get",
  "lost-responses",
  "newer-fields",
  "other-wordings",
  "properties",
  "updates",
];

test("a new kind compiles, and its lifecycle holds through both adapters, with the edits of the list alone", async () => {
  await withCopy(async (project) => {
    addNewKind(project);
    // The copy runs as few cases as `npm test`, and only the faults of this kind: all of them would take as long as the project's own
    // tests.
    const env = { ...process.env, TESTS: undefined, FAULTS_KIND: "Note" };
    const run = (script: string, ...args: string[]) =>
      promisify(execFile)(process.execPath, [join(project, script), ...args], { cwd: project, env, maxBuffer: 1e8 }).catch((error) => {
        throw new Error(`${script} ${args.join(" ")}\n${error.stdout}\n${error.stderr}`);
      });
    const tsc = "node_modules/typescript-7/bin/tsc";
    const jest = (...args: string[]) => run("node_modules/jest/bin/jest.js", "--silent", ...args);
    await run(tsc, "-p", "tsconfig.build.json", "--noCheck");
    await run("node_modules/@biomejs/biome/bin/biome", "check", "--write", ".");
    await run("dist/tools/generate/main.js");
    await run(tsc, "--noEmit");
    await run("node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", ".");
    await jest(
      "provider/resources/inputs",
      "provider/index.test",
      "provider/adapters/dynamic.test",
      "tools/generate",
      "test/repository/imports",
    );
    await jest(
      "cli/(kinds|drift|inventory/inventory)\\.test",
      "test/plugin/(kinds|protocol)\\.test",
      "test/faults/(matrix|adapters|fuzz|hostile-names)",
    );
    await jest("provider/program/functions.test", "test/faults/functions.test", "-t", "Note");
    await jest(`test/lifecycle/(${lifecycles.join("|")})\\.test`, "-t", "Note|a note");
  });
}, 900_000);
