/**
 * The modules that the provider's processes load at the start, because each of them costs every operation time and memory. Runs the files
 * in `dist`.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const dist = (module: string) => JSON.stringify(join(__dirname, "../../dist", module));

/** The files that a script, run in its own process, has loaded at its end. */
function filesLoadedBy(script: string): string[] {
  const printFiles = `process.on("exit", () => console.log(JSON.stringify(Object.keys(require.cache)))); ${script}`;
  const files: unknown = JSON.parse(execFileSync(process.execPath, ["-e", printFiles], { encoding: "utf8" }));
  if (!Array.isArray(files)) throw new Error("no list of modules");
  return files.map(String);
}

/** The packages that a module of `dist` loads, except this package. */
function packagesLoadedBy(module: string): string[] {
  const names = filesLoadedBy(`require(${dist(module)})`).map((file) => /.*\/node_modules\/((@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

test("the dynamic adapter loads zod and nothing else: no gRPC, no SDK, and HTTP only with the first request", () => {
  expect(packagesLoadedBy("provider/dynamic.js")).toEqual(["zod"]);
});

test("the plugin prints its port before it loads anything but gRPC", () => {
  const loaded = packagesLoadedBy("cli/plugin.js");
  expect(loaded).toContain("@grpc/grpc-js");
  expect(loaded.filter((name) => ["zod", "undici", "typescript", "@pulumi/pulumi"].includes(name))).toEqual([]);
});

test("the entry points of programs load neither HTTP nor the plugin's protocol", () => {
  expect(packagesLoadedBy("provider/index.js").filter((name) => name === "undici")).toEqual([]);
});
