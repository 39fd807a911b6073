import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import * as z from "zod";
import { playDemo } from "../demo/play";
import { hasCli, packages as ownPackages } from "../engines/engines";
import { npmPackage } from "../package/npm-package";
import { root } from "../repository";
import { makeArtifacts } from "./artifacts";
import { run } from "./run";
import { presentEngines } from "./states";

type Say = (line: string) => void;

/**
 * Does all steps of a release except for publishing: makes its files twice and compares them, installs the packages, and runs the demo's
 * program with them.
 *
 * @param out an empty folder, which keeps the release's files
 * @param isComplete whether it also fails if something can't be made or tried here
 * @throws if anything differs or fails
 */
export async function dryRun(version: string, out: string, isComplete: boolean, say: Say): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "agentpool-acl-release-"));
  try {
    const { packages, leftOut } = await makeArtifacts(version, out, { isReleased: false, isComplete });
    for (const reason of leftOut) say(`  left out  ${reason}`);
    const again = join(scratch, "again");
    await makeArtifacts(version, again, { isReleased: false, isComplete });
    expectSame(out, again);
    for (const name of readdirSync(out).sort()) say(`  ok  ${name}: ${readFileSync(join(out, name)).length} bytes, the same in two runs`);
    await tryInstallation(version, packages, join(scratch, "installation"), say);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @throws with the names of the files that differ */
function expectSame(one: string, other: string): void {
  const names = [...new Set([...readdirSync(one), ...readdirSync(other)])].sort();
  const differing = names.filter((name) => !bytesOf(one, name).equals(bytesOf(other, name)));
  if (differing.length > 0) throw new Error(`two runs made different files: ${differing.join(", ")}`);
}

function bytesOf(folder: string, name: string): Buffer {
  return readdirSync(folder).includes(name) ? readFileSync(join(folder, name)) : Buffer.alloc(0);
}

/** Installs the demo's program with both packages, and plays the demo with it on every engine. */
async function tryInstallation(version: string, packages: readonly string[], folder: string, say: Say): Promise<void> {
  cpSync(join(root, "examples/platform"), folder, { recursive: true, filter: (path) => basename(path) !== "node_modules" });
  const manifest = z.looseObject({ dependencies: z.record(z.string(), z.string()) });
  const file = join(folder, "package.json");
  const { dependencies, ...rest } = manifest.parse(JSON.parse(readFileSync(file, "utf8")));
  // The SDK of this checkout, because a newer one may need a newer Node.
  const pinned = { ...dependencies, "@pulumi/pulumi": versionIn(ownPackages, "@pulumi/pulumi"), "pulumi-agentpool-acl": undefined };
  writeFileSync(file, JSON.stringify({ ...rest, dependencies: pinned }));
  await run("npm", ["install", "--no-audit", "--no-fund", ...packages], { cwd: folder });
  const installed = versionIn(join(folder, "node_modules"), "pulumi-agentpool-acl");
  if (installed !== version) throw new Error(`npm installed ${installed} instead of ${version}`);
  // Only loads the classes, because the CLI would download the plugin from the real releases.
  const loads = `if (typeof require("${npmPackage}").AclRole !== "function") throw new Error("no classes")`;
  await run(process.execPath, ["-e", loads], { cwd: folder });
  say(`  ok  npm installs both packages, and the classes of ${npmPackage} load`);
  for (const engine of presentEngines()) {
    const lines: string[] = [];
    const changes = { folder, packages: join(folder, "node_modules") };
    if (!(await playDemo(engine, changes, (line) => lines.push(line))))
      throw new Error(`the demo failed on ${engine}:\n${lines.join("\n")}`);
    say(`  ok  the demo with the installed packages, on ${engine === "cli" ? "the Pulumi CLI" : "the rehearsal engine"}`);
  }
  if (!hasCli()) say("  left out  the Pulumi CLI: there is no pulumi on PATH");
}

function versionIn(folder: string, name: string): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8"))).version;
}
