import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { findExecutable, foldersOf } from "../../testing/rehearsal/processes/executable";
import { configuresServices } from "../../testing/rehearsal/services";
import { root } from "../repository";
import { CliEngine } from "./cli-engine";
import type { Engine, EngineName, EngineSettings, Project } from "./engine";
import { RehearsalEngine } from "./rehearsal-engine";

/** Opens a stack for `use`, and removes its files afterwards. */
export async function withEngine<T>(
  name: EngineName,
  project: Project,
  use: (engine: Engine) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const scratch = mkdtempSync(join(tmpdir(), "agentpool-acl-"));
  try {
    const { packages: dependencies = packages } = project;
    const folder = copyOf(project.folder, dependencies, scratch);
    if (project.adapter === "plugin") moveToPlugin(folder);
    const env = { ...withoutSettings(process.env), ...project.env };
    const settings: EngineSettings = { ...project, folder, env, scratch, stack: "demo", sdk: join(dependencies, "@pulumi/pulumi"), signal };
    return await use(name === "cli" ? await CliEngine.open(settings) : new RehearsalEngine(settings));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Whether the Pulumi CLI is on PATH. */
export function hasCli(path = process.env.PATH): boolean {
  return findExecutable(process.platform === "win32" ? "pulumi.exe" : "pulumi", foldersOf(path)) !== undefined;
}

/** The folder of this package's dependencies: a program finds pulumi-agentpool-acl and the SDK there. */
export const packages = join(root, "node_modules");

function copyOf(folder: string, dependencies: string, scratch: string): string {
  const copy = join(scratch, "program");
  cpSync(folder, copy, { recursive: true, filter: (source) => basename(source) !== "node_modules" });
  symlinkSync(dependencies, join(copy, "node_modules"), "junction");
  return copy;
}

/** Makes the only change that a program needs for the plugin. */
function moveToPlugin(folder: string): void {
  const program = ["index.ts", "index.js"].map((name) => join(folder, name)).find((path) => existsSync(path));
  if (program === undefined) throw new Error(`there is no index.ts and no index.js in ${folder}`);
  writeFileSync(program, readFileSync(program, "utf8").replace('"pulumi-agentpool-acl"', '"pulumi-agentpool-acl/plugin"'));
}

/**
 * Empty variables in place of the shell's addresses and tokens of services, and of its proxies: all servers of a tested program are on this
 * machine.
 */
function withoutSettings(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = Object.keys(env).filter((name) => configuresServices(name) || /^(https?|grpc|all)_proxy$/i.test(name));
  return Object.fromEntries(names.map((name) => [name, ""]));
}
