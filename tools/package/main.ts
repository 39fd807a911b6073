import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { main, readArguments } from "../../cli/command-line";
import { root } from "../repository";

const usage = `usage: npm run package
Packs the plugin for \`pulumi plugin install --file\` and \`pulumi package add\`, and prints the path of the archive.
  --help  prints this`;

/**
 * Packs the plugin for `pulumi plugin install --file` and `pulumi package add`: an archive with PulumiPlugin.yaml, from which the Node
 * language host installs the dependencies and runs the package's main module.
 */
const facts = z
  .object({
    version: z.string(),
    license: z.string(),
    engines: z.record(z.string(), z.string()),
    dependencies: z.record(z.string(), z.string()),
    peerDependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
const executable = "pulumi-resource-agentpool-acl";
const archive = join(root, `${executable}-v${facts.version}.tar.gz`);

/** The folders of `dist` that the plugin does not need: the testing kit. */
const left = new Set(["testing", "testing.js", "testing.d.ts"].map((name) => join(root, "dist/provider", name)));

function pack(): void {
  const staging = mkdtempSync(join(tmpdir(), "agentpool-acl-package-"));
  try {
    mkdirSync(join(staging, "bin"));
    for (const path of [
      "dist/provider",
      "dist/cli/plugin.js",
      "dist/cli/command-line.js",
      "dist/cli/exit-status.js",
      "schema.json",
      "README.md",
      "LICENSE",
      `bin/${executable}`,
    ]) {
      cpSync(join(root, path), join(staging, path), { recursive: true, filter: (source) => !left.has(source) });
    }
    // The host runs this module; the package's own main module is for programs.
    const manifest = { name: executable, version: facts.version, license: facts.license, private: true, main: `bin/${executable}` };
    writeFileSync(
      join(staging, "package.json"),
      `${JSON.stringify({ ...manifest, engines: facts.engines, dependencies: { ...facts.peerDependencies, ...facts.dependencies } }, null, 2)}\n`,
    );
    writeFileSync(join(staging, "PulumiPlugin.yaml"), "runtime: nodejs\n");
    execFileSync("tar", ["-czf", archive, "-C", staging, "."], { stdio: "inherit" });
  } finally {
    rmSync(staging, { recursive: true });
  }
}

main(usage, (args) => {
  readArguments({ args });
  pack();
  console.log(archive);
  return 0;
});
