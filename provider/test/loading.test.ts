/** What the provider's processes load before they are of use: each module costs every operation time and memory. Runs what is in `dist`. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** The packages that a module of dist loads, itself not counted. */
function packagesLoadedBy(module: string): string[] {
  const script = `require(${JSON.stringify(join(__dirname, "../../dist", module))}); console.log(JSON.stringify(Object.keys(require.cache)))`;
  const files: unknown = JSON.parse(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }));
  if (!Array.isArray(files)) throw new Error("no list of modules");
  const names = files.map((file) => /.*\/node_modules\/((@[^/]+\/)?[^/]+)\//.exec(String(file))?.[1]).filter((name) => name !== undefined);
  return [...new Set(names)].sort();
}

test("the dynamic door loads zod and nothing else: no gRPC, no SDK, and HTTP only with the first request", () => {
  expect(packagesLoadedBy("dynamic.js")).toEqual(["zod"]);
});

test("the plugin prints its port before it loads anything but gRPC", () => {
  const loaded = packagesLoadedBy("doors/plugin/main.js");
  expect(loaded).toContain("@grpc/grpc-js");
  expect(loaded.filter((name) => ["zod", "undici", "typescript", "@pulumi/pulumi"].includes(name))).toEqual([]);
});

test("what a program imports loads neither HTTP nor the protocol of the plugin", () => {
  expect(packagesLoadedBy("index.js").filter((name) => name === "undici")).toEqual([]);
});
