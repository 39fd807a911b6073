/** Which folder may import which, and the limits of files. CONTRIBUTING.md explains the folders. */
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, relative } from "node:path";
import ts from "typescript";
import { functions } from "../../provider/functions";
import { resources } from "../../provider/resources";

const root = join(__dirname, "../..");

interface Source {
  /** From the repository's folder: "provider/apis/http/http.ts". */
  readonly path: string;
  readonly text: string;
  /** The imports of the file: paths without an ending ("provider/apis/http/errors"), or names of packages. */
  readonly imports: readonly string[];
}

const folders = ["access", "access-functions", "checks", "cli", "common", "policies", "provider", "test", "testing", "tools"];

const sources: readonly Source[] = folders
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)))
  .filter((path) => path.endsWith(".ts"))
  .map((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const imports = ts.preProcessFile(text).importedFiles.map(({ fileName }) => resolved(path, fileName));
    return { path, text, imports };
  });

/** The target of an import: a path from the repository's folder, or the name of a package. */
function resolved(path: string, name: string): string {
  return name.startsWith(".") ? relative(root, join(root, path, "..", name)) : name;
}

const isIn =
  (...within: string[]) =>
  (path: string) =>
    within.some((folder) => path === folder || path.startsWith(`${folder}/`));
const isUnshipped = isIn("tools", "test");
const shipped = sources.filter(({ path }) => !path.endsWith(".test.ts") && !isUnshipped(path));
const isBuiltIn = (name: string) => name.startsWith("node:");
const entries = ["index", "dynamic", "plugin"].map((name) => `provider/${name}`);

/** The forbidden imports of a folder's files, as "file imports target". */
function forbidden(folder: string, isAllowed: (name: string, path: string) => boolean): string[] {
  const files = shipped.filter(({ path }) => isIn(folder)(path));
  expect(files).not.toEqual([]);
  return files.flatMap(({ path, imports }) => imports.filter((name) => !isAllowed(name, path)).map((name) => `${path} imports ${name}`));
}

test("apis import only themselves, common code, node, undici and zod", () => {
  const known = isIn("provider/apis", "common", "undici", "zod");
  expect(forbidden("provider/apis", (name) => known(name) || isBuiltIn(name))).toEqual([]);
});

test("the model is pure: it imports no context, no requests and no error of them", () => {
  const known = isIn("provider/model", "common", "zod");
  expect(forbidden("provider/model", (name) => known(name) || isBuiltIn(name))).toEqual([]);
});

test("the configuration imports the model, the clients and the SDK's version, and nothing of an operation", () => {
  const known = isIn("provider/configuration", "common", "provider/model", "provider/apis", "zod", "@pulumi/pulumi/version");
  expect(forbidden("provider/configuration", (name) => known(name) || isBuiltIn(name))).toEqual([]);
});

test("the state of an operation imports the configuration, the model and the clients, and no resource", () => {
  const known = isIn("provider/operation", "provider/configuration", "checks", "common", "provider/model", "provider/apis");
  expect(forbidden("provider/operation", (name) => known(name) || isBuiltIn(name))).toEqual([]);
});

test("the lifecycle knows no resource, and nothing of programs, adapters and Pulumi", () => {
  // access/bound-names says which computed names a deleted object may have left behind.
  const known = isIn(
    "provider/lifecycle",
    "provider/operation",
    "provider/configuration",
    "provider/model",
    "common",
    "zod",
    "access/bound-names",
    // The record of a kind names the form of its look-up.
    "provider/functions/definition",
  );
  expect(forbidden("provider/lifecycle", (name) => known(name) || isIn("provider/apis/http/errors")(name))).toEqual([]);
});

test.each(["provider/program", "provider/adapters"])("%s imports nothing of HTTP: of apis only the errors and the clock", (folder) => {
  const isAllowed = (name: string) =>
    !/^(undici|(node:)?https?|(node:)?net)$/.test(name) &&
    (!isIn("provider/apis")(name) || isIn("provider/apis/http/errors", "provider/apis/http/clock")(name));
  expect(forbidden(folder, isAllowed)).toEqual([]);
});

test("code of a user's program loads no code of the engine's host", () => {
  const isAllowed = (name: string, path: string) =>
    !isIn("provider/adapters")(name) || isTypeOnly(path, name) || path === "provider/program/dynamic.ts";
  expect(forbidden("provider/program", isAllowed)).toEqual([]);
});

test("resources and functions import nothing of programs, adapters, Pulumi and tests", () => {
  const others = isIn("provider/program", "provider/adapters", "provider/generated");
  const isAllowed = (name: string) => !name.startsWith("@pulumi/") && name !== "undici" && !others(name) && !entries.includes(name);
  expect(forbidden("provider/resources", isAllowed)).toEqual([]);
  expect(forbidden("provider/functions", isAllowed)).toEqual([]);
});

test.each([
  ["common", ["common"]],
  ["access", ["access", "common"]],
  ["checks", ["checks", "access", "common"]],
  // The provider checks the selectors, templates and policies of programs. It does not decide what logins get.
  [
    "provider",
    ["provider", "checks", "access/selector", "access/template", "access/bound-names", "access/policy", "access-functions", "common"],
  ],
  ["access-functions", ["access-functions", "provider/internal", "access", "common"]],
  ["policies", ["policies", "checks", "access", "common"]],
  ["testing", ["testing", "access", "common"]],
  ["cli", ["cli", "policies", "testing", "provider/internal", "provider/adapters/plugin/serve", "checks", "access", "common"]],
])("%s imports only %j of this repository", (folder, allowed) => {
  const houses = isIn(...folders);
  expect(forbidden(folder, (name) => !houses(name) || isIn(...allowed)(name))).toEqual([]);
});

test("in the provider, only the state of an operation and the user's program import the checks of a whole program, which change nothing", () => {
  const knowing = shipped.filter(({ path, imports }) => isIn("provider")(path) && imports.some(isIn("checks")));
  expect(knowing.map(({ path }) => path)).toEqual(["provider/operation/operation-state.ts", "provider/program/policies-by-text.ts"]);
});

test("tools and their tests import nothing of test/, which uses them", () => {
  const files = sources.filter(({ path }) => isIn("tools")(path));
  expect(files.flatMap(({ path, imports }) => imports.filter(isIn("test")).map((name) => `${path} imports ${name}`))).toEqual([]);
});

test("access decisions import no package except regular expressions", () => {
  expect(forbidden("access", isIn("access", "common", "re2js"))).toEqual([]);
});

test("policies import no package: they run in processes of their own", () => {
  expect(forbidden("policies", isIn("policies", "access", "checks", "common"))).toEqual([]);
});

test("commands import the provider by provider/internal.ts, except the engine's executable, which loads gRPC first", () => {
  const serving = shipped.filter(({ path, imports }) => isIn("cli")(path) && imports.includes("provider/adapters/plugin/serve"));
  expect(serving.map(({ path }) => path)).toEqual(["cli/plugin.ts"]);
});

test("the provider knows the functions of access only in the list of its functions", () => {
  const knowing = shipped.filter(({ path, imports }) => isIn("provider")(path) && imports.some(isIn("access-functions")));
  expect(knowing.map(({ path }) => path)).toEqual(["provider/functions/index.ts"]);
});

test("the simulator shares only code with the provider that is tested against other servers, because both could have the same defect", () => {
  // Logins and selectors are tested with recordings, durations with values of Go's parser.
  const known = isIn("testing/simulator", "access", "common/durations", "zod");
  expect(forbidden("testing/simulator", (name) => known(name) || isBuiltIn(name))).toEqual([]);
});

test("the rehearsal engine imports nothing of the provider", () => {
  const isAllowed = (name: string) =>
    !isIn("access", "checks", "cli", "common", "provider", "testing")(name) || isIn("testing/rehearsal")(name);
  expect(forbidden("testing/rehearsal", isAllowed)).toEqual([]);
});

test("shipped files import no tests, and no package other than the dependencies", () => {
  const manifest = jest.requireActual<Record<"dependencies" | "peerDependencies", Record<string, string>>>("../../package.json");
  const dependencies = { ...manifest.dependencies, ...manifest.peerDependencies };
  const packageOf = (name: string) => name.split("/", name.startsWith("@") ? 2 : 1).join("/");
  const isOurs = (name: string) => sources.some(({ path }) => path === `${name}.ts` || path === `${name}/index.ts`);
  const strange = shipped.flatMap(({ path, imports }) =>
    imports
      .filter(
        (name) => isUnshipped(name) || name.endsWith(".test") || !(isBuiltIn(name) || isOurs(name) || packageOf(name) in dependencies),
      )
      // Types of the SDK's packages are not loaded at run time.
      .filter((name) => !isTypeOnly(path, name))
      .map((name) => `${path} imports ${name}`),
  );
  expect(strange).toEqual([]);
});

test("no imports are circular", () => {
  const known = new Map(sources.map(({ path, imports }) => [path.replace(/(\/index)?\.ts$/, ""), imports]));
  const passed = new Set<string>();
  const circles: string[] = [];
  const follow = (name: string, way: readonly string[]) => {
    if (way.includes(name)) circles.push([...way.slice(way.indexOf(name)), name].join(" -> "));
    if (passed.has(name)) return;
    passed.add(name);
    for (const next of known.get(name) ?? []) follow(next.replace(/\/index$/, ""), [...way, name]);
  };
  for (const name of known.keys()) follow(name, []);
  expect(circles).toEqual([]);
});

test("commands read their options in one place", () => {
  const isReading = /\bparseArgs\(/;
  expect(sources.filter(({ text }) => isReading.test(text)).map(({ path }) => path)).toEqual(["cli/command-line.ts"]);
});

test("built-in modules are imported as node:...", () => {
  const bare = new Set(builtinModules);
  expect(sources.flatMap(({ path, imports }) => imports.filter((name) => bare.has(name)).map((name) => `${path} imports ${name}`))).toEqual(
    [],
  );
});

test("only apis and the simulator have status numbers", () => {
  const comparison = /\bstatus(Code)?\b\s*(\)|\]|\?)*\s*([=!]==?|[<>]=?)\s*[1-5]\d\d\b|\bcase\s+[1-5]\d\d\s*:/;
  const knowing = shipped.filter(({ path, text }) => !isIn("provider/apis", "testing/simulator")(path) && comparison.test(text));
  expect(knowing.map(({ path }) => path)).toEqual([]);
  expect(comparison.test("if (error.status === 404)")).toBe(true);
});

test("no code makes a signal that Node 20 may collect as garbage before it aborts: see withTimeLimit", () => {
  const collected = /\bAbortSignal\.(any|timeout)\(/;
  expect(sources.filter(({ text }) => collected.test(text)).map(({ path }) => path)).toEqual([]);
  expect(collected.test(`AbortSignal.${"any"}([])`)).toBe(true);
});

test("no code asks Node 20 whether an address can be parsed: see urlOf", () => {
  const wrong = /\bURL\.canParse\(/;
  expect(sources.filter(({ text }) => wrong.test(text)).map(({ path }) => path)).toEqual([]);
  expect(wrong.test(`URL.${"canParse"}("")`)).toBe(true);
});

test("no file is longer than 400 lines, except generated types", () => {
  const long = sources.filter(({ path, text }) => !isIn("provider/generated")(path) && text.split("\n").length - 1 > 400);
  expect(long.map(({ path }) => path)).toEqual([]);
});

test("no function is longer than 60 lines, not counting nested functions", () => {
  expect(shipped.flatMap(({ path, text }) => longFunctions(path, text))).toEqual([]);
});

test("every resource and every function is described", () => {
  for (const { description } of [...resources, ...functions]) expect(description.trim()).not.toBe("");
});

function isTypeOnly(path: string, name: string): boolean {
  const text = sources.find((source) => source.path === path)?.text ?? "";
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const isOf = ({ moduleSpecifier }: ts.ImportDeclaration) =>
    ts.isStringLiteral(moduleSpecifier) && resolved(path, moduleSpecifier.text) === name;
  const imports = file.statements.filter(ts.isImportDeclaration).filter(isOf);
  return imports.length > 0 && imports.every(({ importClause }) => importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
}

function longFunctions(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  const found: string[] = [];
  /** Visits a node. @returns the number of lines of the functions within the node */
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
