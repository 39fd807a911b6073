import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import * as z from "zod";
import { play } from "../demo/play";
import { steps } from "../demo/steps";
import type { EngineName } from "../engines/engine";
import { hasCli, packages as ownPackages, withEngine } from "../engines/engines";
import { demoProject, startSimulator } from "../engines/project";
import { npmPackage } from "../package/npm-package";
import { root } from "../repository";
import { makeArtifacts } from "./artifacts";
import { LocalRegistry } from "./local-registry";
import { run } from "./run";

type Say = (line: string) => void;

interface Installer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** How many of the demo's steps its installation is tried with. */
  readonly steps: number;
}

/** Yarn and pnpm come from npm's registry, too. They keep nothing of an earlier run, which published the same version with other content. */
const installers = (scratch: string): readonly Installer[] => [
  { name: "npm", command: "npm", args: ["install", "--no-audit", "--no-fund", "--cache", join(scratch, "cache-npm")], steps: steps.length },
  {
    name: "yarn",
    command: "npx",
    args: ["--yes", "yarn@1.22.22", "install", "--no-lockfile", "--non-interactive", "--cache-folder", join(scratch, "cache-yarn")],
    steps: 3,
  },
  { name: "pnpm", command: "npx", args: ["--yes", "pnpm@9.15.9", "install", "--store-dir", join(scratch, "cache-pnpm")], steps: 3 },
];

/**
 * Does all of a release but the publishing: makes its files twice and compares them, publishes the packages to a registry on this machine,
 * installs them from there as users do, and runs the demo's program from each installation.
 *
 * @param out an empty folder, which keeps the release's files
 * @param isComplete whether it fails, too, where something can't be made or tried here
 * @throws when anything differs or fails
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
    const registry = await LocalRegistry.start(join(scratch, "registry"));
    try {
      await publish(packages, registry.address, scratch);
      for (const path of packages) say(`  ok  ${basename(path)} is published to ${registry.address}`);
      for (const installer of installers(scratch)) await tryInstallation(installer, version, registry.address, scratch, say);
      await tryPluginPackage(version, registry.address, scratch);
      say(`  ok  npm installs ${npmPackage} from there, and its classes load`);
    } catch (error) {
      for (const line of registry.failures()) say(`  the local registry: ${line}`);
      throw error;
    } finally {
      await registry.stop();
    }
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

async function publish(packages: readonly string[], address: string, scratch: string): Promise<void> {
  const folder = join(scratch, "publisher");
  mkdirSync(folder);
  // npm publishes with a token only; the registry takes any.
  writeFileSync(join(folder, ".npmrc"), `registry=${address}\n${address.replace("http:", "")}:_authToken=any\n`);
  for (const path of packages)
    await run("npm", ["publish", path, "--ignore-scripts", "--provenance=false", "--tag=latest"], { cwd: folder });
}

/** Installs the demo's program, and plays the demo with it on every engine. */
async function tryInstallation(installer: Installer, version: string, address: string, scratch: string, say: Say): Promise<void> {
  const folder = join(scratch, installer.name);
  cpSync(join(root, "examples/platform"), folder, { recursive: true, filter: (path) => basename(path) !== "node_modules" });
  const manifest = z.looseObject({ dependencies: z.record(z.string(), z.string()) });
  const file = join(folder, "package.json");
  const { dependencies, ...rest } = manifest.parse(JSON.parse(readFileSync(file, "utf8")));
  // The SDK of this checkout: a newer one may want a newer Node.
  const pinned = { ...dependencies, "@pulumi/pulumi": versionIn(ownPackages, "@pulumi/pulumi"), "pulumi-agentpool-acl": version };
  writeFileSync(file, JSON.stringify({ ...rest, dependencies: pinned }));
  writeFileSync(join(folder, ".npmrc"), `registry=${address}\n`);
  const args = installer.name === "yarn" ? [...installer.args, "--registry", address] : installer.args;
  await run(installer.command, args, { cwd: folder });
  const installed = versionIn(join(folder, "node_modules"), "pulumi-agentpool-acl");
  if (installed !== version) throw new Error(`${installer.name} installed ${installed} in place of ${version}`);
  say(`  ok  ${installer.name} installs it from there`);
  const engines: EngineName[] = hasCli() ? ["rehearsal", "cli"] : ["rehearsal"];
  for (const engine of engines) {
    await playDemo(folder, engine, installer.steps);
    say(`  ok  ${installer.name}: ${installer.steps} steps of the demo on ${engine === "cli" ? "the Pulumi CLI" : "the rehearsal engine"}`);
  }
  if (!hasCli()) say("  left out  the Pulumi CLI: there is no pulumi on PATH");
}

/** Installs the npm package that names the plugin to the CLI, and loads it. The CLI would download the plugin for it, from the real releases. */
async function tryPluginPackage(version: string, address: string, scratch: string): Promise<void> {
  const folder = join(scratch, "plugin-package");
  mkdirSync(folder);
  const dependencies = { "@pulumi/pulumi": versionIn(ownPackages, "@pulumi/pulumi"), [npmPackage]: version };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "trial", private: true, dependencies }));
  writeFileSync(join(folder, ".npmrc"), `registry=${address}\n`);
  await run("npm", ["install", "--no-audit", "--no-fund", "--cache", join(scratch, "cache-npm")], { cwd: folder });
  await run(process.execPath, ["-e", `if (typeof require("${npmPackage}").AclRole !== "function") throw new Error("no classes")`], {
    cwd: folder,
  });
}

/** @throws with what the demo has printed, when a step failed */
async function playDemo(folder: string, engineName: EngineName, count: number): Promise<void> {
  const simulator = await startSimulator();
  try {
    const project = { ...demoProject(simulator), folder, packages: join(folder, "node_modules") };
    const lines: string[] = [];
    const isAsItShouldBe = await withEngine(engineName, project, (engine) =>
      play({ engine, simulator, say: (line) => lines.push(line) }, steps.slice(0, count)),
    );
    if (!isAsItShouldBe) throw new Error(`the demo failed on ${engineName}:\n${lines.join("\n")}`);
  } finally {
    await simulator.stop();
  }
}

function versionIn(folder: string, name: string): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8"))).version;
}
