/** Call stacks in further settings: options of Node, programs in packages, and the oldest and the newest SDK. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { packInto } from "../support/packed";
import { writeFiles } from "../support/programs";
import { stackTracesOf, withPackages } from "../support/stack-traces";

const run = promisify(execFile);
const scratch = mkdtempSync(join(tmpdir(), "agentpool-acl-stacks-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const program = `const dynamic = require("pulumi-agentpool-acl");
const plugin = require("pulumi-agentpool-acl/plugin");
new dynamic.AclRole("dynamic", { name: "dynamic", policies: ["read"] });
function declare() {
  new plugin.AclRole("plugin", { name: "plugin", policies: ["read"] });
}
declare();
`;

const tarball = packInto(scratch);
const { peerDependencies } = z
  .object({ peerDependencies: z.object({ "@pulumi/pulumi": z.string().regex(/^\^[\d.]+$/) }) })
  .parse(require("../../package.json"));
const oldest = peerDependencies["@pulumi/pulumi"].slice(1);

test.each([oldest, "latest"])("with the SDK %s the engine is sent the program's calls alone", async (version) => {
  const folder = join(scratch, version);
  const dependencies = { "pulumi-agentpool-acl": `file:${await tarball}`, "@pulumi/pulumi": version };
  writeFiles(folder, { "package.json": JSON.stringify({ name: "trial", private: true, dependencies }), "index.js": program });
  try {
    await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"], { cwd: folder });
  } catch (error) {
    console.log(`The SDK ${version} was not tried, because it can't be installed: ${String(error).slice(0, 500)}`);
    return;
  }
  const sdk: unknown = require(join(folder, "node_modules/@pulumi/pulumi/package.json"));
  const { version: installed } = z.object({ version: z.string() }).parse(sdk);
  console.log(`SDK ${installed}`);
  expect(stackTracesOf(folder)).toEqual({ dynamic: ["index.js:3"], plugin: ["index.js:5", "index.js:7"] });
});

test.each(["PULUMI_DEBUG_PROMISE_LEAKS", "AGENTPOOL_ACL_WHOLE_STACK_TRACES"])("with %s all calls are sent", (name) =>
  withPackages({ "index.js": program }, (folder) => {
    const { plugin = [] } = stackTracesOf(folder, { env: { [name]: "true" } });
    expect(plugin[0]).toBe("index.js:5");
    expect(plugin.length).toBeGreaterThan(5);
  }),
);

test("source maps work: with Node's own, which send all calls, and with source-map-support", async () => {
  // Line 1 of the program is line 10 of its source.
  const map = JSON.stringify({ version: 3, sources: ["source.ts"], names: [], mappings: "AASA" });
  const mapped = `const { AclRole } = require("pulumi-agentpool-acl/plugin"); new AclRole("it", { name: "it", policies: ["read"] });
//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString("base64")}
`;
  await withPackages({ "index.js": mapped }, (folder) => {
    const byNode = stackTracesOf(folder, { flags: ["--enable-source-maps"] }).it ?? [];
    expect(byNode[0]).toBe("source.ts:10");
    expect(byNode.length).toBeGreaterThan(5);
    expect(stackTracesOf(folder, { flags: ["--require", "source-map-support/register"] })).toEqual({ it: ["source.ts:10"] });
  });
});

test("a program that is a package itself sends all calls", () =>
  withPackages({ "node_modules/whole/index.js": program }, (folder) => {
    const { plugin = [] } = stackTracesOf(join(folder, "node_modules/whole"));
    expect(plugin[0]).toBe("index.js:5");
    expect(plugin.length).toBeGreaterThan(5);
  }));
