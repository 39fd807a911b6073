import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { rehearse } from "../rehearsal";
import { writeFiles } from "./support/programs";

const run = promisify(execFile);
const root = join(__dirname, "../..");
const scratch = mkdtempSync(join(tmpdir(), "agentpool-acl-installs-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The tarball that a release publishes. */
const tarball = (async () => {
  await run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", scratch], { cwd: root });
  const [name] = readdirSync(scratch).filter((file) => file.endsWith(".tgz"));
  if (!name) throw new Error("npm pack made no tarball");
  return join(scratch, name);
})();

const installers: [string, string, string[]][] = [
  ["npm", "npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"]],
  // A cache of its own: yarn takes a tarball of a name and version that it has seen before for the same.
  [
    "yarn",
    "npx",
    ["--yes", "yarn@1.22.22", "install", "--no-lockfile", "--non-interactive", "--cache-folder", join(scratch, "yarn-cache")],
  ],
  ["pnpm", "npx", ["--yes", "pnpm@9", "install", "--prefer-offline"]],
];

it.each(installers)("a project that %s installs the package into is previewed", async (name, command, args) => {
  const folder = join(scratch, name);
  const sdk = { "@pulumi/pulumi": sdkVersion() };
  const manifest = { dependencies: { "pulumi-agentpool-acl": `file:${await tarball}`, ...sdk } };
  writeFiles(folder, {
    "Pulumi.yaml": "name: trial\nruntime: nodejs\n",
    "package.json": JSON.stringify({ name: "trial", version: "1.0.0", private: true, main: "index.js", ...manifest }),
    "index.js": `const { AclRole } = require("pulumi-agentpool-acl");
const role = new AclRole("operators", { name: "operators", policies: ["read-only"] });
exports.name = role.name;
`,
  });
  if (!(await hasRegistry())) {
    console.log(`The installation by ${name} was not tried, because the npm registry is out of reach.`);
    return;
  }
  await run(command, args, { cwd: folder });
  const preview = await rehearse("preview", {
    program: folder,
    state: join(folder, "state.json"),
    config: { "agentpool-acl:clusterAddress": "https://cluster.example.com" },
    secretConfig: { "agentpool-acl:clusterToken": "never-sent" },
  });
  expect(preview.diagnostics).toEqual([]);
  expect(preview.summary).toEqual({ create: 2 });
  expect(preview.outputs).toEqual({ name: "operators" });
});

/** The version that this package is tested with. */
function sdkVersion(): string {
  return z.object({ version: z.string() }).parse(require("@pulumi/pulumi/package.json")).version;
}

let registry: Promise<boolean> | undefined;

function hasRegistry(): Promise<boolean> {
  registry ??= run("npm", ["ping", "--fetch-retries=0", "--fetch-timeout=10000"]).then(
    () => true,
    () => false,
  );
  return registry;
}
