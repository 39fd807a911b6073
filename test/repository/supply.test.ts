/** The content of the package, and the scripts of its installation. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";

const root = join(__dirname, "../..");

const packed = z.tuple([z.object({ files: z.array(z.object({ path: z.string(), size: z.number() })), size: z.number() })]);
const manifest = z.object({
  scripts: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
  bin: z.record(z.string(), z.string()),
  main: z.string(),
  types: z.string(),
});

const { scripts, dependencies, bin, main, types } = manifest.parse(jest.requireActual("../../package.json"));

/** The files that npm packs, without scripts, which must not be needed. */
function packedFiles(): string[] {
  // The npm that runs the tests, as Node's program: on Windows `npm` is a command file, which can't be started without a shell.
  const npm = process.env.npm_execpath;
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const { stdout, status, stderr } = spawnSync(npm ? process.execPath : "npm", npm ? [npm, ...args] : args, {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  const [{ files }] = packed.parse(JSON.parse(stdout));
  return files.map(({ path }) => path);
}

let files: readonly string[] = [];
beforeAll(() => {
  files = packedFiles();
});

it("npm pack has the files for users, and no tests, tools or sources", () => {
  const needed = [
    main,
    types,
    ...Object.values(bin),
    "dist/provider/dynamic.js",
    "dist/provider/plugin.js",
    "dist/testing/index.js",
    // The code that runs in the page of `graph --format html`.
    "dist/cli/graph/page.js",
    "schema.json",
  ];
  const alike = (path: string) => path.replace(/^\.\//, "");
  for (const path of [...needed.map(alike), "README.md", "SECURITY.md", "LICENSE", "package.json"]) expect(files).toContain(path);
  const folders = new Set(files.filter((path) => path.startsWith("dist/")).map((path) => path.split("/")[1]));
  const unwanted = files.filter(
    (path) =>
      /\.test\.|fixtures|(^|\/)node_modules\/|^dist\/(test|tools)\//.test(path) ||
      (/^(access|cli|common|policies|provider|test|testing|tools)\//.test(path) && !path.endsWith(".md")) ||
      /\.tsbuildinfo$/.test(path),
  );
  expect(unwanted).toEqual([]);
  expect([...folders].sort()).toEqual(["access", "access-functions", "checks", "cli", "common", "policies", "provider", "testing"]);
});

it("every link of the documents in the package has its target in the package", () => {
  const documents = files.filter((path) => path.endsWith(".md"));
  expect(documents).toEqual(expect.arrayContaining(["README.md", "SECURITY.md"]));
  const links = documents.flatMap((path) => {
    const targets = [...readFileSync(join(root, path), "utf8").matchAll(/\]\((?![a-z]+:)([^)#]+)(#[^)]*)?\)/g)];
    return targets.map(([, target = ""]) => ({ path, target: join(dirname(path), target) }));
  });
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter(({ target }) => !files.some((file) => file === target || file.startsWith(`${target}/`)))).toEqual([]);
});

it("installing the package runs nothing", () => {
  const run = ["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare", "dependencies"];
  expect(run.filter((name) => name in scripts)).toEqual([]);
  // If the package had this file, npm would run node-gyp.
  expect(existsSync(join(root, "binding.gyp"))).toBe(false);
});

it("the lockfile is part of the repository, and pins every package by its content, except optional ones of other platforms", () => {
  const { stdout } = spawnSync("git", ["ls-files", "package-lock.json"], { cwd: root, encoding: "utf8" });
  expect(stdout.trim()).toBe("package-lock.json");
  const entry = z.object({
    version: z.string().optional(),
    integrity: z.string().optional(),
    link: z.boolean().optional(),
    optional: z.boolean().optional(),
  });
  const lock = z.object({ packages: z.record(z.string(), entry) }).parse(jest.requireActual("../../package-lock.json"));
  const unpinned = Object.entries(lock.packages).filter(
    ([path, { integrity, link, optional }]) => path !== "" && !link && !optional && !integrity?.startsWith("sha512-"),
  );
  expect(unpinned.map(([path]) => path)).toEqual([]);
  for (const name of Object.keys(dependencies)) expect(lock.packages).toHaveProperty([`node_modules/${name}`]);
});
