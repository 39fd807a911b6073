/** Who may import whom, and what a file may not be. The folders are explained in CONTRIBUTING.md. */
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, relative } from "node:path";
import ts from "typescript";
import { functions } from "../functions";
import { resources } from "../resources";

const provider = join(__dirname, "..");

interface Source {
  /** From the folder `provider`: "apis/errors.ts". */
  readonly path: string;
  readonly text: string;
  /** What it imports: paths from `provider` without an ending ("apis/errors"), or names of packages. */
  readonly imports: readonly string[];
}

const sources: readonly Source[] = readdirSync(provider, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => {
    const text = readFileSync(join(provider, path), "utf8");
    const imports = ts
      .preProcessFile(text)
      .importedFiles.map(({ fileName }) =>
        fileName.startsWith(".") ? relative(provider, join(provider, path, "..", fileName)) : fileName,
      );
    return { path, text, imports };
  });

// The random lifecycles are a tool of this repository, left out of the package like the tests.
const isTool = (path: string) => path.startsWith("test/") || path.startsWith("soak/");
const shipped = sources.filter(({ path }) => !path.endsWith(".test.ts") && !isTool(path));
const isIn = (folder: string) => (path: string) => path === folder || path.startsWith(`${folder}/`);
const isBuiltIn = (name: string) => name.startsWith("node:");

/** The imports of a folder's files that are not allowed, as "file imports what". */
function forbidden(folder: string, isAllowed: (name: string) => boolean): string[] {
  const files = shipped.filter(({ path }) => isIn(folder)(path));
  expect(files).not.toEqual([]);
  return files.flatMap(({ path, imports }) => imports.filter((name) => !isAllowed(name)).map((name) => `${path} imports ${name}`));
}

test("apis know nothing of Pulumi, nor of anything else but themselves, node, undici and zod", () => {
  expect(forbidden("apis", (name) => isIn("apis")(name) || isBuiltIn(name) || ["undici", "zod"].includes(name))).toEqual([]);
});

test("doors know nothing of HTTP: of apis they may import the errors and the clock", () => {
  const allowedOfApis = ["apis/errors", "apis/clock"];
  expect(
    forbidden(
      "doors",
      (name) => !/^(undici|(node:)?https?|(node:)?net)$/.test(name) && (!isIn("apis")(name) || allowedOfApis.includes(name)),
    ),
  ).toEqual([]);
});

test("resources and functions know nothing of doors, nor of Pulumi, nor of what only tests need", () => {
  const others = ["doors", "simulator", "rehearsal", "demo", "schema", "types", "index", "testing", "dynamic"].map(isIn);
  const isAllowed = (name: string) => !name.startsWith("@pulumi/") && name !== "undici" && !others.some((isOf) => isOf(name));
  expect(forbidden("resources", isAllowed)).toEqual([]);
  expect(forbidden("functions", isAllowed)).toEqual([]);
});

test("the languages of access rules know of nothing but themselves", () => {
  expect(forbidden("access", isIn("access"))).toEqual([]);
});

test("the simulator knows nothing of the provider but what a third proves, so that no mistake is made on both sides", () => {
  // The language of selectors is held against recordings, durations against the values of Go's own parser.
  const proven = ["access/selector", "durations"];
  const others = [...proven, "command-line", "zod"];
  const isAllowed = (name: string) => isIn("simulator")(name) || others.includes(name) || isBuiltIn(name);
  expect(forbidden("simulator", isAllowed)).toEqual([]);
});

test("the rehearsal engine knows no resource of the provider", () => {
  const others = ["resources", "functions", "apis", "simulator", "doors", "config", "index"].map(isIn);
  expect(forbidden("rehearsal", (name) => !others.some((isOf) => isOf(name)))).toEqual([]);
});

test("only files of the entry points for tests and the demo import the simulator or the rehearsal engine", () => {
  const users = shipped.filter(
    ({ path, imports }) =>
      !["simulator", "rehearsal", "demo", "testing.ts"].some((folder) => isIn(folder)(path)) &&
      imports.some((name) => isIn("simulator")(name) || isIn("rehearsal")(name) || isIn("demo")(name)),
  );
  expect(users.map(({ path }) => path)).toEqual([]);
});

test("what is shipped imports nothing of the tests, and no package that is not a dependency", () => {
  const manifest = jest.requireActual<Record<"dependencies" | "peerDependencies", Record<string, string>>>("../../package.json");
  const dependencies = { ...manifest.dependencies, ...manifest.peerDependencies };
  const packageOf = (name: string) => name.split("/", name.startsWith("@") ? 2 : 1).join("/");
  const isOurs = (name: string) => sources.some(({ path }) => path === `${name}.ts` || path === `${name}/index.ts`) || name === "";
  const strange = shipped.flatMap(({ path, imports }) =>
    imports
      .filter((name) => isTool(name) || name.endsWith(".test") || !(isBuiltIn(name) || isOurs(name) || packageOf(name) in dependencies))
      // The types of what comes with the SDK are not loaded when the program runs.
      .filter((name) => !isTypeOnly(path, name))
      .map((name) => `${path} imports ${name}`),
  );
  expect(strange).toEqual([]);
});

test("built-in modules are imported as node:...", () => {
  const bare = new Set(builtinModules);
  expect(sources.flatMap(({ path, imports }) => imports.filter((name) => bare.has(name)).map((name) => `${path} imports ${name}`))).toEqual(
    [],
  );
});

test("only apis know status numbers; the simulator answers them", () => {
  const comparison = /\bstatus(Code)?\b\s*(\)|\]|\?)*\s*([=!]==?|[<>]=?)\s*[1-5]\d\d\b|\bcase\s+[1-5]\d\d\s*:/;
  const knowing = shipped.filter(({ path, text }) => !isIn("apis")(path) && !isIn("simulator")(path) && comparison.test(text));
  expect(knowing.map(({ path }) => path)).toEqual([]);
  expect(comparison.test("if (error.status === 404)")).toBe(true);
});

test("no signal is made that Node 20 may collect as garbage before it aborts: see withTimeLimit", () => {
  const collected = /\bAbortSignal\.(any|timeout)\(/;
  expect(sources.filter(({ text }) => collected.test(text)).map(({ path }) => path)).toEqual([]);
  expect(collected.test(`AbortSignal.${"any"}([])`)).toBe(true);
});

test("no file is longer than 400 lines, the generated types excepted", () => {
  const long = sources.filter(({ path, text }) => !isIn("types")(path) && text.split("\n").length - 1 > 400);
  expect(long.map(({ path }) => path)).toEqual([]);
});

test("no function is longer than 60 lines, those within it not counted", () => {
  expect(shipped.flatMap(({ path, text }) => longFunctions(path, text))).toEqual([]);
});

test("every resource and every function is described", () => {
  for (const { description } of [...resources, ...functions]) expect(description.trim()).not.toBe("");
});

function isTypeOnly(path: string, name: string): boolean {
  const text = sources.find((source) => source.path === path)?.text ?? "";
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const imports = file.statements
    .filter(ts.isImportDeclaration)
    .filter(({ moduleSpecifier }) => ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text === name);
  return imports.length > 0 && imports.every(({ importClause }) => importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
}

function longFunctions(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  const found: string[] = [];
  /** Looks through a node; returns the lines of the functions within it. */
  const visit = (node: ts.Node): number => {
    let within = 0;
    ts.forEachChild(node, (child) => {
      within += visit(child);
    });
    if (!ts.isFunctionLike(node)) return within;
    const lines = lineOf(node.getEnd()) - lineOf(node.getStart(file)) + 1;
    if (lines - within > 60) found.push(`${path}:${lineOf(node.getStart(file)) + 1} (${lines - within} lines)`);
    return lines;
  };
  visit(file);
  return found;
}
