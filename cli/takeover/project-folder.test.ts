import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { posixTest } from "../../test/support/systems";
import { writeProject } from "./project-folder";

let parent: string;
let folder: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "agentpool-acl-project-"));
  folder = join(parent, "a", "b");
});

afterEach(() => rmSync(parent, { recursive: true }));

/** No file system has such a name. */
const tooLong = `${"a".repeat(300)}.ts`;

test("where one file can't be written, the folder has what it had", () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "index.ts"), "mine");
  expect(() => writeProject(folder, { "index.ts": "new", "methods/sso.ts": "", [tooLong]: "" }, true)).toThrow(/ENAMETOOLONG|ENOENT/);
  expect([readdirSync(folder), readFileSync(join(folder, "index.ts"), "utf8")]).toEqual([["index.ts"], "mine"]);
});

test("where one file can't be written, there is no new folder", () => {
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

posixTest("where a file may not take its place, those before it are what they were, and the error names it", () => {
  const contents = () => ["index.ts", "methods/sso.ts"].map((name) => readFileSync(join(folder, name), "utf8"));
  const methods = join(folder, "methods");
  asNobody(() => {
    mkdirSync(methods, { recursive: true });
    for (const name of ["index.ts", "methods/sso.ts"]) writeFileSync(join(folder, name), "mine");
    chmodSync(methods, 0o555);
    const files = { "index.ts": "new", "roles.ts": "new", "methods/sso.ts": "new" };
    expect(() => writeProject(folder, files, true)).toThrow(expect.objectContaining({ code: "EACCES", path: join(methods, "sso.ts") }));
    expect([contents(), readdirSync(folder).sort(), readdirSync(methods)]).toEqual([["mine", "mine"], ["index.ts", "methods"], ["sso.ts"]]);
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
