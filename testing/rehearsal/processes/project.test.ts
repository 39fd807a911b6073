import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readProject } from "./project";

const MODULES = join(dirname(require.resolve("@pulumi/pulumi/package.json")), "..", "..");
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "project-"));
  symlinkSync(MODULES, join(root, "node_modules"), "junction");
});
afterEach(() => rmSync(root, { recursive: true }));

const project = (yaml: string) => {
  writeFileSync(join(root, "Pulumi.yaml"), yaml);
  return readProject(root);
};

it("reads a short Pulumi.yaml", () => {
  expect(project("name: shop\nruntime: nodejs\n")).toMatchObject({ name: "shop", root, directory: root, entry: ".", typescript: true });
  expect(project("{ name: shop, runtime: { name: nodejs } }")).toMatchObject({ name: "shop", typescript: true });
});

it("reads a long one, with comments, quotes and options", () => {
  const yaml = `# a project
name: "shop" # its name
description: "colons: and # signs"
runtime:
  name: nodejs
  options:
    packagemanager: npm
    typescript: false
config:
  name: not-the-project
  runtime: python
`;
  expect(project(yaml)).toMatchObject({ name: "shop", typescript: false });
});

it("takes main for a folder or for a file", () => {
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src", "app.js"), "");
  expect(project("name: shop\nruntime: nodejs\nmain: src")).toMatchObject({ directory: join(root, "src"), entry: "." });
  expect(project("name: shop\nruntime: nodejs\nmain: src/app.js")).toMatchObject({ directory: join(root, "src"), entry: "app.js" });
});

it.each([
  ["runtime: nodejs", "has no name"],
  ["name: shop\nruntime: python", "has the runtime python: the rehearsal engine runs nodejs programs only"],
  ["name: shop", "has the runtime (none)"],
  ["name: shop\nruntime: nodejs\nmain: nowhere", 'names "main: nowhere", which does not exist'],
])("refuses %j", (yaml, message) => {
  expect(() => project(yaml)).toThrow(message);
});

it("reports a missing project, and a missing SDK", () => {
  expect(() => readProject(join(root, "nowhere"))).toThrow("there is no Pulumi.yaml in");
  rmSync(join(root, "node_modules"));
  expect(() => project("name: shop\nruntime: nodejs")).toThrow("@pulumi/pulumi is not installed for the program in");
});
