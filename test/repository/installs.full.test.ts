/** Installations by npm, yarn and pnpm. Needs npm's registry. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { rehearse } from "../../testing/rehearsal";
import { packInto } from "../support/packed";
import { writeFiles } from "../support/programs";

const run = promisify(execFile);
const scratch = mkdtempSync(join(tmpdir(), "agentpool-acl-installs-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const tarball = packInto(scratch);

const installers: [string, string, string[]][] = [
  ["npm", "npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"]],
  // A separate cache, because yarn reuses a cached tarball of the same name and version.
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
    "package.json": JSON.stringify({ name: "trial", version: "1.0.0", private: true, main: "index.ts", ...manifest }),
    // No TypeScript is installed, so the SDK compiles the program with its own TypeScript of 2020.
    "index.ts": `import { AclRole } from "pulumi-agentpool-acl";
import * as plugin from "pulumi-agentpool-acl/plugin";
const role = new AclRole("operators", { name: "operators", policies: ["read-only"] });
const args: plugin.AclRoleArgs = { name: "others", policies: [role.name] };
export const name = role.name;
export const others = args.name;
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
  expect(preview.outputs).toEqual({ name: "operators", others: "others" });
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
